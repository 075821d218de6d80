"""A game and everything that was confirmed in it, as it is kept; it never changes: what happens makes another one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, Protocol

from hupai.basics.errors import NotFound
from hupai.basics.timestamps import format_time, parse_time
from hupai.games.terms.agreed import Agreed
from hupai.games.terms.confirmed import DEALT_OUT, RIICHI_STICK_POINTS, GameRules
from hupai.games.terms.course import Course
from hupai.games.terms.state import TableState
from scoring.options import options_of
from scoring.payments import POT
from scoring.rulebook.conventions import Rotation
from scoring.seats import Seat
from scoring.words.sentence import say

RECORDED: Final = "recorded"
UNDONE: Final = "undone"
CORRECTED: Final = "corrected"
WITHDRAWN: Final = "withdrawn"
RESTORED: Final = "restored"
ENDED: Final = "ended"
REOPENED: Final = "reopened"
SETTLED: Final = "settled"
SEATED: Final = "seated"
KINDS: Final = (RECORDED, UNDONE, CORRECTED, WITHDRAWN, RESTORED, ENDED, REOPENED, SETTLED, SEATED)
"""What a change of a game may be."""


@dataclass(frozen=True, slots=True)
class RetryKey:
    """An idempotency key, and a hash that shows whether a retry with it has the same content."""

    key: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Amendment:
    """Who changes what was settled, and why; in a tournament also what keeps a retry from doing it twice."""

    by: str
    reason: str
    once: RetryKey | None = None


def offender(before: Mapping[str, Any], request: Mapping[str, Any]) -> int:
    """Return the number of the player whose false win was confirmed, from the table before it and what was said."""
    return TableState.from_json(before).player_at(Seat(request["offender"]))


class Settled(Protocol):
    """A hand as far as the next one depends on it."""

    @property
    def after(self) -> Mapping[str, Any]:
        """The table after it, as JSON."""

    @property
    def totals(self) -> Mapping[str, str]:
        """The running totals after it: decimal text by account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTerms(Agreed):
    """What was agreed on for a game that has begun.

    Attributes:
        version: of the hupai that began it. key, key_hash: idempotency key of its beginning, and whether a retry has
            the same content. closed_at: when its players ended it.
    """

    id: str
    created: datetime
    version: str
    key: str | None
    key_hash: str | None
    closed_at: datetime | None = None

    @property
    def house(self) -> GameRules:
        """Its rules, rotation and course."""
        course = options_of(Course, self.course, "A game's course")
        rotation, first = Rotation(self.rotation), int(self.start["first_dealer"])
        return GameRules(self.system, self.options, rotation, first, course, self.starting_points)

    def table_after(self, last: Settled | None) -> TableState:
        """The table after a hand, or before the first one, according to the rules."""
        return TableState.from_json(last.after) if last else self.table

    def state_after(self, last: Settled | None) -> TableState:
        """The table for the hand that follows, according to what the players agreed on as well."""
        state = self.table_after(last)
        return replace(state, ended="agreed") if self.closed_at is not None and state.ended is None else state

    def totals_after(self, last: Settled | None) -> dict[str, Decimal]:
        """The running totals by account after a hand, or before the first one."""
        if last is not None:
            return {account: Decimal(amount) for account, amount in last.totals.items()}
        pot = Decimal(RIICHI_STICK_POINTS * int(self.start["riichi_sticks"]))
        return {**{str(n): self.starting_points for n in range(self.house.players)}, POT: pot}

    def fines(self, offenders: Sequence[int]) -> tuple[int, ...]:
        """What each player loses after the placing, by number, for false wins of these players."""
        house = self.house
        each = house.play.after_placing if offenders else 0
        return tuple(each * offenders.count(n) for n in range(house.players))

    def seconds_until(self, moment: datetime) -> float:
        """How long it has lasted then, by the times that are shown: what is read from a file comes to the same."""
        return (parse_time(format_time(moment)) - parse_time(format_time(self.created))).total_seconds()


@dataclass(frozen=True, slots=True)
class Hand:
    """A confirmed hand, draw or payment in short; those that were taken back stay.

    Attributes:
        key: idempotency key. before, after: the table, as JSON. totals: the running totals after it, decimal text by
            account. summary: a few facts of each win. payments: by account.
    """

    number: int
    key: str | None
    outcome: str
    confirmed_at: datetime
    undone_at: datetime | None
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    totals: Mapping[str, str]
    summary: Sequence[Mapping[str, Any]]
    payments: Mapping[str, Decimal]

    @property
    def dealt_out(self) -> bool:
        """As :attr:`~hupai.games.terms.confirmed.Confirmed.dealt_out`."""
        return self.outcome in DEALT_OUT


@dataclass(frozen=True, slots=True)
class WholeHand(Hand):
    """A hand with everything that was confirmed and scored, and the versions and models involved.

    Attributes:
        body_hash: whether a retry has the same content. request: what was confirmed, and ``scored``, the score requests
            in full. scores: the answers. models: those that read the photo.
    """

    body_hash: str
    request: Mapping[str, Any]
    scores: Sequence[Any]
    version: str
    models: Mapping[str, Any]
    rules: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a game. Numbered from 1 without gaps: the game's revision.

    Attributes:
        hand_number: 0 for a change of the game itself. before: the table as people saw it before, as JSON. by, reason:
            if given. detail: what was there before, and what was settled again.
    """

    revision: int
    at: datetime
    kind: str
    hand_number: int
    before: Mapping[str, Any]
    by: str | None
    reason: str | None
    detail: Mapping[str, Any]

    @property
    def settled_again(self) -> Sequence[Mapping[str, Any]]:
        """Later hands that have other payments or seats by it: ``number``, ``was_paid``, ``payments``, ``was``."""
        found: Sequence[Mapping[str, Any]] = self.detail.get("settled_again", ())
        return found


@dataclass(frozen=True, slots=True)
class History:
    """A game, its players' names by number, its hands by number, its changes by revision.

    ``signed``: whether it was over when it was loaded, and somebody has signed a result of it, be it before a change.
    """

    terms: GameTerms
    players: tuple[str, ...]
    hands: tuple[WholeHand, ...] = ()
    changes: tuple[Change, ...] = ()
    signed: bool = False

    @property
    def revision(self) -> int:
        """The number of the last change, 0 if there is none yet."""
        return len(self.changes)

    @property
    def counting(self) -> tuple[WholeHand, ...]:
        """The hands that were not taken back."""
        return tuple(hand for hand in self.hands if hand.undone_at is None)

    @property
    def last(self) -> WholeHand | None:
        """The last hand that counts."""
        return next((hand for hand in reversed(self.hands) if hand.undone_at is None), None)

    @property
    def next_number(self) -> int:
        """The number of the next hand."""
        return 1 + (self.hands[-1].number if self.hands else 0)

    @property
    def state(self) -> TableState:
        """The present table."""
        return self.terms.state_after(self.last)

    @property
    def sitting(self) -> dict[str, str]:
        """The name at each seat."""
        return {seat: self.players[number] for seat, number in self.state.seats.items()}

    @property
    def has_signed_result(self) -> bool:
        """Whether it is over and somebody has signed it, in its present state or before a change."""
        return self.signed and self.state.ended is not None

    @property
    def fines(self) -> tuple[int, ...]:
        """What each player loses after the placing, by number, for false wins that count; empty if that is nothing."""
        if not self.terms.house.play.after_placing:
            return ()
        false = (hand for hand in self.counting if hand.outcome == "false_win")
        return self.terms.fines([offender(hand.before, hand.request) for hand in false])

    def hand(self, number: int, field: str = "number") -> WholeHand:
        """Return a hand.

        Raises:
            NotFound: the game has none with this number.
        """
        found = next((hand for hand in self.hands if hand.number == number), None)
        if found is None:
            raise NotFound(say("This game has no hand {n}.", n=number), field=field)
        return found

    def with_hands(self, hands: Iterable[WholeHand]) -> History:
        """Return the game with these hands, new or in the place of what they were."""
        kept = {hand.number: hand for hand in (*self.hands, *hands)}
        return replace(self, hands=tuple(kept[number] for number in sorted(kept)))

    def changed(
        self,
        kind: str,
        at: datetime,
        before: TableState,
        *,
        number: int = 0,
        amendment: Amendment | None = None,
        detail: Mapping[str, Any] | None = None,
    ) -> History:
        """Return the game with one more change.

        Args:
            kind, at, number: see :class:`Change`. before: the table as people saw it before. amendment: who did it and
                why, if given. detail: what was there before, and what was settled again.
        """
        by, reason = (amendment.by, amendment.reason or None) if amendment else (None, None)
        change = Change(self.revision + 1, at, kind, number, before.to_json(), by, reason, dict(detail or {}))
        return replace(self, changes=(*self.changes, change))
