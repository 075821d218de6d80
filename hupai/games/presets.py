"""House rules by name, as they are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from hupai.basics.errors import Conflict, NotFound
from hupai.basics.names import clean_name, fold_name
from scoring.options import options_of
from scoring.rules import system_named
from scoring.version import version
from scoring.words.sentence import say

MAX_PRESETS: Final = 500
"""Maximum number of presets."""


@dataclass(frozen=True, slots=True)
class Preset:
    """House rules under a name.

    Attributes:
        rules: the system. options: as JSON. saved: when. version: of the hupai that did.
    """

    name: str
    rules: str
    options: Mapping[str, Any]
    saved: str
    version: str

    @property
    def folded(self) -> str:
        """The form in which names are compared."""
        return fold_name(self.name)


class Presets(Protocol):
    """Presets that are kept."""

    def list_presets(self) -> list[Preset]:
        """Return every preset, by name."""

    def save_preset(self, preset: Preset) -> bool:
        """Create or replace a preset; names are compared without case. Return whether it is new.

        Raises:
            Conflict: as :func:`check_room`.
        """

    def delete_preset(self, name: str) -> None:
        """Delete a preset.

        Raises:
            NotFound: there is none with this name.
        """


def read_preset(body: Mapping[str, Any], saved: str) -> Preset:
    """Return the preset of a body of :data:`~hupai.games.requests.PRESET`.

    Raises:
        InvalidRequest: a bad name, unknown rules or options.
    """
    system, options = system_named(body["rules"]), body.get("options", {})
    options_of(system.option_class, options, system.name)
    return Preset(clean_name(body["name"], "name"), system.id, options, saved, version())


def check_room(known: int) -> None:
    """Check that there is room for another preset beside so many.

    Raises:
        Conflict: ``too_many``: there is none.
    """
    if known >= MAX_PRESETS:
        raise Conflict(say("There are {n} presets; delete one first.", n=MAX_PRESETS), code="too_many")


def no_preset(name: str) -> NotFound:
    """Return the refusal to look for a preset that is not there."""
    return NotFound(say("There is no preset called {a}.", a=f"{name!r:.60}"), field="name")
