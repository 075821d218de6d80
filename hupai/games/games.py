"""Games and house rules by name as they are kept, wherever that is; every operation is one transaction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol, TypeVar

from hupai.basics.errors import Conflict, NotFound
from hupai.basics.ids import new_id
from hupai.basics.names import clean_name, fold_name
from hupai.basics.timestamps import format_time, format_time_or_none
from hupai.games.apply import apply, begin_game
from hupai.games.commands import Command, ExpectedRevision, NewGame
from hupai.games.figures import PlayedGame, PlayerFigures, tally_figures
from hupai.games.history import GameTerms, History
from hupai.games.parting import Parted, catch_up
from scoring.options import options_of
from scoring.rules import system_named
from scoring.version import version
from scoring.words.sentence import say

T = TypeVar("T")


def no_game(game_id: str) -> NotFound:
    """Return the refusal to look for a game that is not there."""
    return NotFound(say("There is no game {a}.", a=f"{game_id!r:.40}"), field="game_id")


def _check_same(known: History, new: History) -> History:
    """Return a game that is here already, if it is the one that is to be begun with its key.

    Raises:
        Conflict: the key was used for another game.
    """
    if new.terms.key_hash != known.terms.key_hash:
        raise Conflict("This Idempotency-Key was used for another game; give a new one.", field="Idempotency-Key")
    return known


def game_entry(terms: GameTerms, players: Sequence[str], hands: int, last: datetime | None) -> dict[str, Any]:
    """Return a game as it is listed: how many hands count, and when the last of them was confirmed."""
    return {
        **{name: getattr(terms, name) for name in ("id", "name", "rules")},
        "players": list(players),
        "created": format_time(terms.created),
        "hands": hands,
        "last": format_time_or_none(last),
    }


class Games(ABC):
    """Games that are kept. What is about one of them raises NotFound if there is none with this id."""

    @abstractmethod
    def insert(
        self, begin: Callable[[datetime], History], meet: Callable[[History, History], History]
    ) -> tuple[History | None, History]:
        """Keep a game that begins at this time; return None, and the game.

        If there is one with its key, or its id if it has none, keep what becomes of that one when it meets the new
        one; return it as it was, and as it is.
        """

    @abstractmethod
    def read(self, game_id: str) -> History:
        """Return a game."""

    @abstractmethod
    def now(self) -> datetime:
        """Return the time by which hands are recorded here."""

    @abstractmethod
    def update(self, game_id: str, change: Callable[[History, datetime], History]) -> tuple[History, History]:
        """Keep what becomes of a game now; return it as it was, and as it is."""

    @abstractmethod
    def delete_game(self, game_id: str, seen: ExpectedRevision | None = None) -> None:
        """Delete a game and its history.

        Raises:
            NotFound: no such game. Conflict: it is needed elsewhere. MovedOn: it has changed since it was seen.
        """

    @abstractmethod
    def list_games(self, limit: int, offset: int = 0) -> list[dict[str, Any]]:
        """Return the games, latest first, with the number of hands that count and the time of the last one."""

    @abstractmethod
    def tally(self, count: Callable[[Iterable[PlayedGame]], T]) -> T:
        """Return what is counted in the games in which a hand counts, the first one first."""

    def list_figures(self) -> list[PlayerFigures]:
        """Return the figures of everybody under every system they played; who played the most hands comes first."""
        return self.tally(tally_figures)

    def create_game(self, new: NewGame) -> History:
        """Begin a game, or find the one begun with the same key.

        Raises:
            Conflict: the key was used for another game.
        """
        return self.insert(lambda now: begin_game(new, new_id(), now), _check_same)[1]

    @abstractmethod
    def replace_game(self, history: History, seen: ExpectedRevision) -> tuple[History, History]:
        """Let a game that was read from a file take the place of the one with its id; return that, and the new one.

        Raises:
            NotFound: no such game. Conflict: no file may change it, or it is needed elsewhere. MovedOn: it has changed
                since it was seen.
        """

    def import_game(
        self, history: History, *, replaces: int | None = None, beside: bool = False
    ) -> tuple[History | None, History]:
        """Keep a game that was read from a file, or what was done since in one that is here.

        Args:
            history: the game. replaces: a revision of the game that is here, whose place that of the file takes.
            beside: whether the game is kept under an id of its own where both part. If it was once, later files of it
                continue it.

        Returns:
            The game as it was here, if it was, and as it is.

        Raises:
            Parted: something else was done in the game that is here. Conflict: no file may change it, or as
                :func:`~hupai.games.parting.catch_up`. As :meth:`replace_game`.
        """
        if replaces is not None:
            return self.replace_game(history, ExpectedRevision(replaces))
        try:
            return self.insert(lambda _: history, catch_up)
        except Parted as parted:
            apart = parted.apart
            if not beside:
                try:
                    self.read(apart.terms.id)
                except NotFound:
                    raise parted from None
            return self.insert(lambda _: apart, catch_up)

    def do(self, game_id: str, command: Command) -> tuple[History, History]:
        """Do what a command says; return the game as it was, and as it is: the same if nothing was left to do.

        Raises:
            NotFound, MovedOn, InvalidRequest, Conflict: as :func:`~hupai.games.apply.apply`.
        """
        return self.update(game_id, lambda history, now: apply(history, command, now))


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
