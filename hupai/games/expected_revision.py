"""The state of a game that a person saw when confirming: nothing is written into a game that has changed since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hupai.basics.errors import Conflict
from hupai.basics.names import fold_name
from hupai.games.changes import last_revision_with_seats
from hupai.games.history import History
from hupai.games.state import TableState
from scoring.errors import Fault, InvalidRequest
from scoring.seats import Seat
from scoring.words.sentence import say

SEEN_NEEDED: Final = "Say which game you saw: ?revision= is the revision of the game that is to be forgotten."
_MOVED_ON: Final = "The game has moved on since it was seen: now {a}. Look at what changed, and confirm it again."


class MovedOn(Conflict):
    """The game has changed since the caller saw it.

    Attributes:
        history: the game as it is. seen: the revision that was seen, if one was given. since: the one from which on it
            has changed.
    """

    code = "game_moved_on"

    def __init__(self, history: History, seen: int | None, since: int) -> None:
        sit = ", ".join(f"{seat} {name}" for seat, name in history.sitting.items())
        super().__init__(say(_MOVED_ON, a=sit), field="seen")
        self.history, self.seen, self.since = history, seen, since


@dataclass(frozen=True, slots=True)
class ExpectedRevision:
    """The state of a game that somebody saw.

    Attributes:
        revision: the number of the last change. players: the name at each seat. At least one is given; both must hold.

    Raises:
        InvalidRequest: neither is given.
    """

    revision: int | None = None
    players: Mapping[Seat, str] | None = None

    def __post_init__(self) -> None:
        if self.revision is None and self.players is None:
            message = (
                "Say which game you saw: seen.revision is the game's revision, seen.players the name at each seat. "
                "A hand recorded meanwhile may have moved the seats."
            )
            raise InvalidRequest.of([Fault("seen_needed", message, "seen")])


def check_revision(history: History, seen: ExpectedRevision | None) -> None:
    """Check that the game is as it was seen.

    Args:
        history: the game. seen: None if the caller has not shown it to anybody.

    Raises:
        MovedOn: it has changed. InvalidRequest: a seat is left out; a name that nobody has in this game.
    """
    if seen is None:
        return
    state = history.state
    seats = _seats(history.players, seen, state)
    if seen.revision in (None, history.revision) and seats in (None, state.seats):
        return
    since = seen.revision if seen.revision is not None else last_revision_with_seats(history, seats or {})
    raise MovedOn(history, seen.revision, since)


def _seats(players: Sequence[str], seen: ExpectedRevision, state: TableState) -> dict[str, int] | None:
    """Return the seats as they were seen, with the players' numbers."""
    if seen.players is None:
        return None
    if set(seen.players) != set(state.seats_taken):
        names = ", ".join(state.seats_taken)
        message = say("seen.players names the players at all seats: {names}.", names=names)
        raise InvalidRequest.of([Fault("bad_value", message, "seen.players")])
    numbers = {fold_name(name): number for number, name in enumerate(players)}
    faults = [
        Fault("unknown_player", say("Nobody in this game is called {a}.", a=f"{name!r:.60}"), f"seen.players.{seat}")
        for seat, name in seen.players.items()
        if fold_name(" ".join(name.split())) not in numbers
    ]
    if faults:
        raise InvalidRequest.of(faults)
    return {seat.value: numbers[fold_name(" ".join(name.split()))] for seat, name in seen.players.items()}
