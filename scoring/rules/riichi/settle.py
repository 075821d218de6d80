"""Who pays whom for a win: rounding, counters, wareme, riichi sticks, liability (pao).

Order of adjustments: base, multiplied and rounded for each payment; counters; wareme; riichi sticks.
"""

from __future__ import annotations

from typing import Final

from scoring.context import Context
from scoring.payments import POT, Payments, Transfer
from scoring.rules.riichi.context import RiichiContext
from scoring.rules.riichi.ladder import YAKUMAN, hundreds
from scoring.seats import DEALER, Seat

COUNTER: Final = 100
"""What each of three payers adds for a counter; a single payer adds all three."""
STICK: Final = 1000


def win_payments(context: Context, base: int, *, pao_units: int = 0) -> Payments:
    """The payments of a win.

    Args:
        context: who won, how, from whom; counters, sticks, wareme, the liable seat.
        base: base points of the whole hand, the liable part included.
        pao_units: yakuman units that ``context.liable`` is liable for: on a self-draw he pays them alone, on
            another's discard he pays half; he pays for all counters.
    """
    c = context.under(RiichiContext)
    liable = c.liable.seat if c.liable is not None and pao_units else None
    pao_base = YAKUMAN * pao_units if liable is not None else 0
    transfers = _normal(c, base - pao_base) if base > pao_base else []
    if liable is not None:
        transfers += _liable(c, liable, pao_base)
    if c.counters:
        transfers += _counters(c, liable)
    if c.wareme is not None:
        transfers = [_doubled(t) if c.wareme in (t.payer, t.payee) else t for t in transfers]
    if c.riichi_sticks:
        transfers.append(Transfer(POT, c.seat, STICK * c.riichi_sticks, f"riichi sticks: {c.riichi_sticks}"))
    return Payments(tuple(transfers))


def _normal(c: RiichiContext, base: int) -> list[Transfer]:
    winner, dealer = c.seat, c.seat is DEALER
    if c.source is not None:
        return [Transfer(c.source, winner, *_share(6 if dealer else 4, base))]
    twice = _share(2, base)
    if dealer:
        return [Transfer(loser, winner, *twice) for loser in c.losers]
    once = _share(1, base)
    return [Transfer(loser, winner, *(twice if loser is DEALER else once)) for loser in c.losers]


def _share(times: int, base: int) -> tuple[int, str]:
    """A multiple of the base as it is paid, and why; where it was rounded, from which figure."""
    exact, why = times * base, f"{times} x base {base}"
    amount = hundreds(exact)
    if amount == exact:
        return amount, why
    return amount, f"{why}, rounded up" if times == 1 else f"{why} = {exact}, rounded up"


def _liable(c: RiichiContext, liable: Seat, base: int) -> list[Transfer]:
    winner, whole = c.seat, (6 if c.seat is DEALER else 4) * base
    if c.source is None or c.source is liable:
        return [Transfer(liable, winner, whole, f"liable for the whole of {whole}")]
    return [
        Transfer(c.source, winner, whole // 2, f"half of {whole}"),
        Transfer(liable, winner, whole // 2, f"liable for half of {whole}"),
    ]


def _counters(c: RiichiContext, liable: Seat | None) -> list[Transfer]:
    payer, why = liable or c.source, f"counters: {c.counters}"
    if payer is not None:
        return [Transfer(payer, c.seat, 3 * COUNTER * c.counters, why)]
    return [Transfer(loser, c.seat, COUNTER * c.counters, why) for loser in c.losers]


def _doubled(t: Transfer) -> Transfer:
    return t._replace(amount=2 * t.amount, why=f"{t.why}, doubled for wareme")
