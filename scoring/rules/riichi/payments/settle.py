"""Who pays whom for a win: rounding, counters, wareme, riichi sticks, liability (pao).

Order of adjustments: base, multiplied and rounded for each payment; counters; wareme; riichi sticks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from scoring.context import Context
from scoring.payments import POT, Payments, Transfer
from scoring.rules.riichi.context import RiichiContext
from scoring.rules.riichi.payments.ladder import YAKUMAN_BASE, round_up_to_hundreds
from scoring.seats import DEALER, OTHERS, Seat
from scoring.words.sentence import say

COUNTER_POINTS: Final = 300
"""What a counter is worth at most tables: a single payer adds all of it, three add a third each."""
STICK_POINTS: Final = 1000


def win_payments(
    context: Context,
    base: int,
    *,
    pao_units: int = 0,
    counters_by: str = "liable",
    counter_points: int = COUNTER_POINTS,
) -> Payments:
    """The payments of a win.

    Args:
        context: who won, how, from whom; counters, sticks, wareme, the liable seat.
        base: base points of the whole hand, the liable part included.
        pao_units: yakuman units that ``context.liable`` is liable for: on a self-draw he pays them alone, on
            another's discard he pays half.
        counters_by: who pays all counters where somebody is liable, ``liable`` or, if there is one, ``discarder``.
        counter_points: what a counter is worth.
    """
    c = context
    if c.__class__ is not RiichiContext:
        c = c.convert_to(RiichiContext)
    liable = c.liable.seat if c.liable is not None and pao_units else None
    payer = (c.source if counters_by == "discarder" else None) or liable or c.source
    added = c.counters * counter_points
    return _payments(c.seat, c.source, base, c.counters, added, c.riichi_sticks, c.wareme, liable, pao_units, payer)


@lru_cache(maxsize=1 << 12)
def _payments(
    winner: Seat,
    source: Seat | None,
    base: int,
    counters: int,
    counter_points: int,
    sticks: int,
    wareme: Seat | None,
    liable: Seat | None,
    pao_units: int,
    counters_payer: Seat | None,
) -> Payments:
    """The table of payments, each worked out once."""
    pao_base = YAKUMAN_BASE * pao_units if liable is not None else 0
    transfers = _usual_transfers(winner, source, base - pao_base) if base > pao_base else []
    if liable is not None:
        transfers += _liable_transfers(winner, source, liable, pao_base)
    if counters:
        transfers += _counter_transfers(winner, counters_payer, counters, counter_points)
    if wareme is not None:
        transfers = [_double_for_wareme(t) if wareme in (t.payer, t.payee) else t for t in transfers]
    if sticks:
        transfers.append(Transfer(POT, winner, STICK_POINTS * sticks, say("riichi sticks: {n}", n=sticks)))
    return Payments(tuple(transfers))


def _usual_transfers(winner: Seat, source: Seat | None, base: int) -> list[Transfer]:
    dealer = winner is DEALER
    if source is not None:
        return [Transfer(source, winner, *_rounded_share(6 if dealer else 4, base))]
    twice = _rounded_share(2, base)
    if dealer:
        return [Transfer(loser, winner, *twice) for loser in OTHERS[winner]]
    once = _rounded_share(1, base)
    return [Transfer(loser, winner, *(twice if loser is DEALER else once)) for loser in OTHERS[winner]]


def _rounded_share(times: int, base: int) -> tuple[int, str]:
    """A multiple of the base as it is paid, and why; where it was rounded, from which figure."""
    exact, why = times * base, say("{n} x base {m}", n=times, m=base)
    amount = round_up_to_hundreds(exact)
    if amount == exact:
        return amount, why
    if times == 1:
        return amount, say("{n} x base {m}, rounded up", n=times, m=base)
    return amount, say("{n} x base {m} = {k}, rounded up", n=times, m=base, k=exact)


def _liable_transfers(winner: Seat, source: Seat | None, liable: Seat, base: int) -> list[Transfer]:
    whole = (6 if winner is DEALER else 4) * base
    if source is None or source is liable:
        return [Transfer(liable, winner, whole, say("liable for the whole of {n}", n=whole))]
    return [
        Transfer(source, winner, whole // 2, say("half of {n}", n=whole)),
        Transfer(liable, winner, whole // 2, say("liable for half of {n}", n=whole)),
    ]


def _counter_transfers(winner: Seat, payer: Seat | None, counters: int, points: int) -> list[Transfer]:
    why = say("counters: {n}", n=counters)
    if payer is not None:
        return [Transfer(payer, winner, points, why)]
    losers = OTHERS[winner]
    return [Transfer(loser, winner, points // len(losers), why) for loser in losers]


def _double_for_wareme(t: Transfer) -> Transfer:
    return t._replace(amount=2 * t.amount, why=say("{a}, doubled for wareme", a=say(t.why)))
