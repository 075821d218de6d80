"""Bodies of the ledger's operations as parameters of routes; their shapes are those of :mod:`hupai.games.requests`."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Annotated, Any

from pydantic import BeforeValidator, GetCoreSchemaHandler, WithJsonSchema
from pydantic_core import core_schema

from hupai.games import requests
from hupai.games.terms.shapes import AMOUNT, Shape, check, misfits


def _exact(value: object) -> Decimal:
    """Return an amount with at most four decimals.

    Raises:
        ValueError: it is not such a number.
    """
    if any(misfits(AMOUNT, value)):
        raise ValueError(AMOUNT["description"])
    return Decimal(str(value))


@dataclass(frozen=True, slots=True, eq=False)
class Shaped:
    """A JSON value of a shape: refused as over the page's own Python, described as it is."""

    shape: Shape

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Return what checks it."""
        return core_schema.no_info_after_validator_function(partial(check, self.shape), handler(source))

    def __get_pydantic_json_schema__(self, _: object, __: object) -> dict[str, Any]:
        """Return what describes it."""
        return dict(self.shape)


ExactAmount = Annotated[Decimal, BeforeValidator(_exact), WithJsonSchema(dict(AMOUNT))]
SeenBody = Annotated[dict[str, Any], Shaped(requests.SEEN)]
ExpectedBody = Annotated[dict[str, Any], Shaped(requests.EXPECTED)]
