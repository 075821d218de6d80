"""What made a set of labels; every label format records it if it has room."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.version import version


@dataclass(frozen=True, slots=True)
class Provenance:
    """What made labels.

    Attributes:
        options: settings other than the defaults, such as ``rules`` or ``min_confidence``.
        models: the weights used for reading, each pair in one word as in :attr:`Record.model`.
        version: of the hupai that wrote the files.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    models: tuple[str, ...] = ()
    version: str = field(default_factory=version)

    @classmethod
    def of(cls, options: Mapping[str, Any], models: Iterable[str]) -> Provenance:
        """Make it from all possible options; those that are None, empty or off are left out."""
        return cls({name: value for name, value in options.items() if value}, tuple(models))

    def to_json(self) -> dict[str, Any]:
        """``version``, ``models``, ``options``."""
        return {"version": self.version, "models": list(self.models), "options": dict(self.options)}

    @property
    def options_text(self) -> str:
        """The options as JSON in one line, for a cell; empty if there are none."""
        return json.dumps(self.options, ensure_ascii=False, separators=(",", ":")) if self.options else ""

    def __str__(self) -> str:
        """One line; only printable characters of foreign labels are kept, so that nothing breaks out of a comment."""
        text = " ".join(filter(None, (f"hupai {self.version}", *self.models, self.options_text)))
        return "".join(c if c.isprintable() else "?" for c in text)
