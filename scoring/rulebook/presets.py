"""Presets: house rules that people call by a name, with the text that defines them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Preset:
    """House rules under the name people use for them.

    Attributes:
        id: its name in requests and on the command line; unique across all systems.
        name: for people. native: in the original script, or empty.
        source: the text that the options were taken from.
        options: option -> value as in JSON; all others keep their defaults.
        points: what each player begins a game with; None: as usual for the rules.
        course: how a game runs and ends, if the source says so, by the names of a game's course.
        unsettled: options, and names of the course, that the sources at hand leave open or disagree about; those that
            the preset does not set keep their defaults.
    """

    id: str
    name: str
    native: str
    source: str
    options: Mapping[str, Any] = field(default_factory=dict)
    points: int | None = None
    course: Mapping[str, Any] = field(default_factory=dict)
    unsettled: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return all attributes under their names, for programs."""
        return {**asdict(self), "unsettled": list(self.unsettled)}
