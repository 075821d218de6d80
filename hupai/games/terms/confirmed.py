"""What players confirm about a hand, as told and as kept, and its result."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from typing import Any, Final

from hupai.games.terms.course import Course
from hupai.games.terms.state import TableState
from scoring.errors import Fault, InvalidRequest
from scoring.options import options_of
from scoring.payments import POT, Payments, Transfer, plain_amount
from scoring.rulebook.conventions import GameConventions, PlayRules, Rotation
from scoring.score import Score
from scoring.seats import Seat
from scoring.system import RuleSystem

OUTCOMES: Final = ("win", "draw", "false_win", "instant", "payment", "result")
DEALT_OUT: Final = ("win", "draw")
"""Outcomes of a dealt hand that came to its end; penalties and payments outside the play are not hands."""
RIICHI_STICK_POINTS: Final = 1000
"""The amount that a riichi declaration puts into the pot."""
_FROM_TABLE: Final = ("round", "banker", "streak", "counters", "riichi_sticks")


@dataclass(frozen=True, slots=True)
class GameRules:
    """What holds for a whole game: rules, house rules (as JSON), rotation, who dealt first, course, starting points."""

    system: RuleSystem[Any]
    options: Mapping[str, Any]
    rotation: Rotation
    first_dealer: int = 0
    course: Course = field(default_factory=Course)
    starting_points: Decimal = Decimal(0)

    @property
    def conventions(self) -> GameConventions:
        """The conventions of the system."""
        return self.system.conventions

    @property
    def players(self) -> int:
        """How many play."""
        return self.system.players(self.parsed_options)

    @property
    def parsed_options(self) -> Any:
        """The house rules as the system's own object."""
        return options_of(self.system.option_class, self.options, self.system.name)

    @property
    def play(self) -> PlayRules:
        """What the house rules say about the play around a hand."""
        play = self.conventions.play
        return play(self.parsed_options) if play else PlayRules(winners=self.conventions.winners)


@dataclass(frozen=True, slots=True)
class GameState:
    """The state of a game when a hand is confirmed.

    Attributes:
        state: the table. totals: by account, see :attr:`HandResult.by_account`; None if nobody can run out of points.
        hands: finished so far, wins and draws. seconds: from the start of the game until the hand was confirmed.
    """

    state: TableState
    totals: Mapping[str, Decimal] | None = None
    hands: int = 0
    seconds: float = 0.0


def _told(read: Callable[[Any], Any], write: Callable[[Any], Any], name: str = "") -> dict[str, Any]:
    """What makes a field's value from JSON, and JSON from its value; its name in a body, if that is another."""
    return {"read": read, "write": write, "name": name}


def _transfers(said: Sequence[Mapping[str, Any]]) -> tuple[Transfer, ...]:
    found = []
    for number, one in enumerate(said):
        amount = Decimal(str(one["amount"]))
        if one["from"] == one["to"] or amount <= 0:
            message = "A payment goes from one seat to another and is more than nothing."
            raise InvalidRequest.of([Fault("bad_value", message, f"transfers[{number}]")])
        found.append(Transfer(Seat(one["from"]), Seat(one["to"]), amount, one.get("why", "payment")))
    return tuple(found)


def _transfers_json(transfers: Sequence[Transfer]) -> list[dict[str, Any]]:
    return [
        {"from": str(t.payer), "to": str(t.payee), "amount": plain_amount(t.amount), "why": t.why} for t in transfers
    ]


def _facts(said: Mapping[str, Any] | None) -> dict[str, Any]:
    found = {name: value for name, value in (said or {}).items() if value is not None}
    return {**found, "round": Seat(found["round"])} if "round" in found else found


def _facts_json(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, Seat) else value for name, value in facts.items()}


_SEAT: Final = _told(lambda said: Seat(said) if said else None, lambda seat: seat and seat.value)
_SEATS: Final = _told(lambda said: tuple(map(Seat, said)), lambda seats: [seat.value for seat in seats])
_TOTALS: Final = _told(
    lambda said: tuple(Decimal(str(points)) for points in said), lambda totals: list(map(plain_amount, totals))
)


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What the players confirmed about one hand; see docs/api.md (record_hand). Its fields say how JSON has them.

    Attributes:
        outcome: one of :data:`OUTCOMES`. wins: one score request per winner.
        riichi, ready, nagashi: seats that declared, were one tile from a win, discarded only terminals and honours.
        abortive: the draw was declared early. transfers: payments by hand. offender: who declared a false win.
        claim: the win the offender claimed, if the penalty is its amount: ``win``, ``from``, ``value``, ``fed``.
        seat, event, dealt: an instant payment. totals: points of the players by number, where only the result of the
            table is known. next_state: fields that override the rotation.
    """

    outcome: str
    wins: tuple[Mapping[str, Any], ...] = field(default=(), metadata=_told(tuple, lambda wins: list(map(dict, wins))))
    riichi: tuple[Seat, ...] = field(default=(), metadata=_SEATS)
    ready: tuple[Seat, ...] = field(default=(), metadata=_SEATS)
    nagashi: tuple[Seat, ...] = field(default=(), metadata=_SEATS)
    abortive: bool = False
    transfers: tuple[Transfer, ...] = field(default=(), metadata=_told(_transfers, _transfers_json))
    offender: Seat | None = field(default=None, metadata=_SEAT)
    claim: Mapping[str, Any] = field(default_factory=dict, metadata=_told(_facts, dict))
    seat: Seat | None = field(default=None, metadata=_SEAT)
    event: str | None = None
    dealt: bool = False
    totals: tuple[Decimal, ...] = field(default=(), metadata=_TOTALS)
    next_state: Mapping[str, Any] = field(default_factory=dict, metadata=_told(_facts, _facts_json, "next"))

    @property
    def dealt_out(self) -> bool:
        """Whether a dealt hand came to its end."""
        return self.outcome in DEALT_OUT


@dataclass(frozen=True, slots=True)
class HandResult:
    """The result of a confirmed hand.

    Attributes:
        requests: the score requests in full, as they were scored. scores: the answers.
        payments: all transfers, by seat. after: the table for the next hand.
    """

    requests: tuple[dict[str, Any], ...]
    scores: tuple[Score, ...]
    payments: Payments
    before: TableState
    after: TableState

    @property
    def by_account(self) -> dict[str, Decimal]:
        """Player number or ``pot`` -> net result of the hand; they sum to zero."""
        net = self.payments.net
        by_player = {player: Decimal(net[seat]) for seat, player in self.before.seats.items()}
        return {**{str(n): by_player[n] for n in sorted(by_player)}, POT: Decimal(net[POT])}


def table_context(house: GameRules, state: TableState) -> dict[str, Any]:
    """Return what the table knows for a score request: only the fields that the system reads."""
    known = {
        "round": state.round.value,
        "banker": Seat.E.value,
        "streak": state.streak,
        "counters": state.counters,
        "riichi_sticks": state.riichi_sticks,
    }
    return {name: known[name] for name in _FROM_TABLE if name in house.system.asks}


def winners_contexts(
    house: GameRules, state: TableState, winners: Sequence[object], declared: Collection[str]
) -> list[dict[str, Any]]:
    """Return what the table knows for the requests of the winners of one tile.

    Counters and sticks go to the nearest, or each takes the counters and his own stick back, as the house has it.

    Args:
        house: the game. state: the table when the hand was dealt. winners: their seats, the nearest after the
            discarder first. declared: the seats that declared riichi in this hand.
    """
    each = house.play.each_takes
    lying = state.riichi_sticks + (len(declared) if house.conventions.sticks else 0)
    own = [int(each and seat in declared) for seat in winners]
    found = []
    for place in range(len(winners)):
        table = table_context(house, replace(state, riichi_sticks=min(lying - sum(own[1:]), 99)))
        if place:
            taken = {"riichi_sticks": own[place]} if each else {"counters": 0, "riichi_sticks": 0}
            table |= {name: value for name, value in taken.items() if name in table}
        found.append(table)
    return found


def riichi_stick_payments(declared: Sequence[Seat]) -> Payments:
    """Return the sticks of those who declared riichi as payments into the pot."""
    return Payments(tuple(Transfer(seat, POT, RIICHI_STICK_POINTS, "riichi stick") for seat in declared))


def payments_differ(seen: Mapping[str, Any], payments: Payments) -> bool:
    """Whether the payments that players saw (seat -> amount; a missing account counts as 0) are not the actual ones."""
    return any(Decimal(str(seen.get(account, 0))) != Decimal(amount) for account, amount in payments.net.items())


def score_json(settled: HandResult) -> list[dict[str, Any]]:
    """Return the score responses of a settled hand."""
    return [s.to_json(r.get("id")) for s, r in zip(settled.scores, settled.requests, strict=True)]


def amounts_json(amounts: Mapping[str, Decimal]) -> tuple[list[int | str], int | str]:
    """Return the amounts of the players, by number, and the pot's."""
    return [plain_amount(amounts[str(n)]) for n in range(len(amounts) - 1)], plain_amount(amounts[POT])


def parse_confirmed(body: Mapping[str, Any]) -> Confirmed:
    """Read what was confirmed from a request body (docs/api.md, record_hand) whose fields have the right types.

    Raises:
        InvalidRequest: invalid payments by hand.
    """
    said = {"outcome": "win", **body}
    found = [(f, f.metadata.get("name") or f.name) for f in fields(Confirmed)]
    return Confirmed(**{f.name: f.metadata.get("read", _same)(said[name]) for f, name in found if name in said})


def confirmed_body(confirmed: Confirmed) -> dict[str, Any]:
    """Return the request body for what was confirmed: the inverse of :func:`parse_confirmed`."""
    found = [(f, f.metadata.get("name") or f.name) for f in fields(Confirmed)]
    said = {name: f.metadata.get("write", _same)(getattr(confirmed, f.name)) for f, name in found}
    return {name: value for name, value in said.items() if value}


def _same(value: Any) -> Any:
    return value
