"""The settings that shape the labels. A folder of labels is only continued under the plan it was begun with."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from scoring.errors import HupaiError
from scoring.options import format_value

if TYPE_CHECKING:
    from vision.learn.tileset import TileSet

FORMAT: Final = 1
"""Version of the records and of the journal."""


class PlanError(HupaiError):
    """A folder of labels that was begun under another plan."""

    code = "plan_differs"


@dataclass(frozen=True, slots=True)
class LabellingPlan:
    """Everything besides the pictures that the records depend on.

    Attributes:
        sources: what is labelled, absolute paths.
        models: role -> sha256 of the weights, 64 hex digits.
        hands: whether hands are made out, too.
        rules: id of the rule system that helps with that; None for any.
        tileset: name of the learned set used for reading, and its :func:`fingerprint`; None for none.
        crops: whether every tile is written as a picture.
        format: :data:`FORMAT`.
    """

    sources: tuple[str, ...]
    models: Mapping[str, str]
    hands: bool = False
    rules: str | None = None
    tileset: tuple[str, str] | None = None
    crops: bool = False
    format: int = FORMAT

    def to_json(self) -> dict[str, Any]:
        """As stored in the journal."""
        out = asdict(self)
        return out | {"sources": list(self.sources), "tileset": list(self.tileset) if self.tileset else None}

    @classmethod
    def of_json(cls, given: Mapping[str, Any]) -> LabellingPlan:
        """The inverse of :meth:`to_json`."""
        tileset = given["tileset"]
        return cls(**{**given, "sources": tuple(given["sources"]), "tileset": tuple(tileset) if tileset else None})

    def check(self, begun: Mapping[str, Any], folder: str) -> None:
        """Refuse to continue the labels in a folder that were begun under another plan, whose JSON is given.

        Raises:
            PlanError: naming every difference.
        """
        now = self.to_json()
        different = [key for key in now if now[key] != begun.get(key)]
        if different:
            changes = "; ".join(
                f"{_WORDS[key]}: {_format_setting(key, begun.get(key))}, now {_format_setting(key, now[key])}"
                for key in different
            )
            raise PlanError(
                f"The labels in {folder} were begun differently ({changes}). Go on as they were begun, give another "
                "--out, or begin again with --fresh."
            )


_MAX_SHOWN: Final = 3
_WORDS: Final = {
    "sources": "sources",
    "models": "models",
    "hands": "--hands",
    "rules": "--rules",
    "tileset": "--set",
    "crops": "--crops",
    "format": "version of the labels",
}


def _format_setting(key: str, value: object) -> str:
    if key == "models" and isinstance(value, Mapping):
        return " ".join(f"{role} {str(sha)[:12]}" for role, sha in value.items())
    if key == "tileset" and isinstance(value, list | tuple):
        return f"{value[0]} ({str(value[1])[:12]})"
    if isinstance(value, list | tuple):
        more = f" and {len(value) - _MAX_SHOWN} more" if len(value) > _MAX_SHOWN else ""
        return ", ".join(map(str, value[:_MAX_SHOWN])) + more
    return format_value(value)


def fingerprint(tileset: TileSet) -> str:
    """Return 64 hex digits that change when the set learns something."""
    from vision.learn.setfiles import little_endian

    digest = hashlib.sha256(f"{tileset.model} {' '.join(t.code for t in tileset.tiles)} ".encode())
    digest.update(little_endian("f", chain.from_iterable(tileset.prototypes)))
    digest.update(little_endian("i", tileset.weights))
    return digest.hexdigest()
