"""Settles hands again after an earlier one has changed: the same players did the same, wherever they sit now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hupai.games.settling.wins import declared_seats
from hupai.games.terms.confirmed import Confirmed, GameRules, winners_contexts
from hupai.games.terms.state import TableState
from scoring.payments import POT, Transfer
from scoring.seats import SEATS, Seat

Turn = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class PastHand:
    """A hand as it was confirmed: the confirmation, the score requests in full, and the table at that time."""

    confirmed: Confirmed
    scored: Sequence[Mapping[str, Any]]
    before: TableState


def confirm_at_table(house: GameRules, past: PastHand, before: TableState, swapped: Sequence[int] = ()) -> Confirmed:
    """Return what was confirmed, adapted to the table ``before`` a hand: seats follow their players.

    Players whose numbers are ``swapped`` have those of each other now.

    What the score requests took from the table is taken from the new one; what the players had entered against the
    table stays.
    """
    numbers = dict(zip(swapped, reversed(swapped), strict=True))

    def turn(seat: str) -> str:
        if seat not in list(Seat):
            return seat
        player = past.before.player_at(Seat(seat))
        return before.seat_of(numbers.get(player, player)).value

    c = past.confirmed
    return replace(
        c,
        wins=tuple(_turn_request(_without_table(house, past, i), turn) for i in range(len(past.scored))),
        riichi=_turn_seats(c.riichi, turn),
        ready=_turn_seats(c.ready, turn),
        nagashi=_turn_seats(c.nagashi, turn),
        transfers=tuple(
            Transfer(_turn_account(t.payer, turn), _turn_account(t.payee, turn), t.amount, t.why) for t in c.transfers
        ),
        offender=_turn_seat(c.offender, turn),
        claim=_turn_context(c.claim, turn),
        seat=_turn_seat(c.seat, turn),
        totals=tuple(c.totals[numbers.get(n, n)] for n in range(len(c.totals))),
    )


def _without_table(house: GameRules, past: PastHand, number: int) -> dict[str, Any]:
    """Return a score request as the players entered it: without rules, house rules and the table's facts."""
    winners = [r["context"]["seat"] for r in past.scored]
    table = winners_contexts(house, past.before, winners, declared_seats(past.confirmed))[number]
    request = {k: v for k, v in past.scored[number].items() if k not in ("rules", "options")}
    context = {k: v for k, v in request["context"].items() if k not in table or v != table[k]}
    return {**request, "context": context}


def _turn_request(request: Mapping[str, Any], turn: Turn) -> dict[str, Any]:
    found = {**request, "context": _turn_context(request["context"], turn)}
    if found.get("melds"):
        found["melds"] = [{**m, "from": turn(m["from"])} if m.get("from") else dict(m) for m in found["melds"]]
    return found


def _turn_context(context: Mapping[str, Any], turn: Turn) -> dict[str, Any]:
    """Return a context with every seat in it turned; the round wind is not a seat."""
    found = dict(context)
    for name in ("seat", "from", "banker", "responsible", "wareme"):
        if isinstance(found.get(name), str):
            found[name] = turn(found[name])
    if found.get("liable"):
        found["liable"] = {**found["liable"], "seat": turn(found["liable"]["seat"])}
    if found.get("turn_discards"):
        found["turn_discards"] = [{**d, "seat": turn(d["seat"])} for d in found["turn_discards"]]
    if found.get("fed"):
        found["fed"] = {">".join(turn(s) for s in pair.split(">")): n for pair, n in found["fed"].items()}
    return found


def _turn_seat(seat: Seat | None, turn: Turn) -> Seat | None:
    return None if seat is None else Seat(turn(seat.value))


def _turn_seats(seats: Sequence[Seat], turn: Turn) -> tuple[Seat, ...]:
    return tuple(sorted((Seat(turn(s.value)) for s in seats), key=SEATS.index))


def _turn_account(account: Seat | str, turn: Turn) -> Seat | str:
    return account if account == POT else Seat(turn(str(account)))
