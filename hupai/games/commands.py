"""What is done in a game, told by people or read from a file, and the state of it that they saw who tell it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hupai.basics.errors import Conflict
from hupai.basics.names import fold_name
from hupai.games.game_json import last_revision_with_seats
from hupai.games.history import Amendment, History
from hupai.games.terms.agreed import Agreed, agreed_json
from hupai.games.terms.confirmed import Confirmed, HandResult, payments_differ
from hupai.games.terms.state import TableState
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


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to create: checked names, what was agreed on, idempotency key."""

    players: tuple[str, ...]
    agreed: Agreed
    key: str | None = None

    @property
    def content_hash(self) -> str:
        """Identifies the content, to check whether a retry with the same key has the same."""
        # Without what is empty, so that a field that is added later leaves the hashes of games without it as they are.
        said = {name: value for name, value in agreed_json(self.agreed).items() if value}
        text = json.dumps([self.players, said], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class NewHand:
    """A confirmed hand to record, or to put in the place of another.

    Attributes:
        confirmed: what is recorded. body: the request as received, stored for the history.
        key: idempotency key, or None. expected: payments the players saw, by seat, or None.
        models: those that read the photo; empty for a hand that was typed.
    """

    confirmed: Confirmed
    body: Mapping[str, Any]
    key: str | None = None
    expected: Mapping[str, Any] | None = None
    models: Mapping[str, str] | None = None

    @property
    def body_hash(self) -> str:
        """Identifies the content for retries; a retry may have seen more of the game than the first try."""
        said = {name: value for name, value in self.body.items() if name != "seen"}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Command:
    """What somebody does in a game; :func:`hupai.games.apply.apply` does it.

    Attributes:
        kind: the change that it makes, one of :data:`~hupai.games.history.KINDS`; who ends a game that is over settles
            it. amendment: who, and why, if known. seen: the game as they saw it; None if nobody was shown any.
        number: of a hand that is there; in taking back, None is the last one. hand: a new one. course: options agreed
            on anew. swapped: numbers of two players who trade places, and what was recorded of them goes with them.
    """

    kind: str
    amendment: Amendment | None = None
    seen: ExpectedRevision | None = None
    number: int | None = None
    hand: NewHand | None = None
    course: Mapping[str, Any] = field(default_factory=dict)
    swapped: Sequence[int] = ()

    @property
    def new_hand(self) -> NewHand:
        """Its hand, where it must have one."""
        assert self.hand is not None
        return self.hand


def check_payments(hand: NewHand, settled: HandResult) -> None:
    """Check that the hand's payments are those that were seen, if any were.

    Raises:
        Conflict: they are not.
    """
    if hand.expected is not None and payments_differ(hand.expected, settled.payments):
        net = ", ".join(f"{account} {amount}" for account, amount in settled.payments.to_json().items())
        raise Conflict(
            say("The payments come to {a}, not to what was confirmed; look again.", a=net),
            code="payments_differ",
            field="expected_payments",
        )


def require_reason(history: History, amendment: Amendment | None = None) -> None:
    """Refuse to change a signed result without a reason.

    Raises:
        Conflict: ``result_signed``: the game is over and was signed, and the amendment, if any, gives no reason.
    """
    if not (amendment and amendment.reason) and history.has_signed_result:
        message = "This result is signed: withdraw or correct the hand, with a reason."
        raise Conflict(message, code="result_signed", field="reason" if amendment else "hand")
