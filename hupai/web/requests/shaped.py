"""Bodies of a shape as parameters of routes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

from hupai.games.terms.shapes import Shape, check, object_of


@dataclass(frozen=True, slots=True, eq=False)
class Shaped:
    """A JSON value of a shape: refused as over the page's own Python, described as it is."""

    shape: Shape

    @classmethod
    def of(cls, needed: Mapping[str, Shape], others: Mapping[str, Shape] | None = None, about: str = "") -> Shaped:
        """Return a body with these fields, perhaps ``others``, and no more; ``about`` describes it."""
        return cls(object_of(needed, others or {}, **({"description": about} if about else {})))

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Return what checks it."""
        return core_schema.no_info_after_validator_function(partial(check, self.shape), handler(source))

    def __get_pydantic_json_schema__(self, _: object, __: object) -> dict[str, Any]:
        """Return what describes it."""
        return dict(self.shape)
