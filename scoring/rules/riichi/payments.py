"""Han and fu -> base points; who pays whom for a win: rounding, counters, wareme, riichi sticks, liability (pao).

Order of adjustments: base, multiplied and rounded for each payment; counters; wareme; riichi sticks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from scoring.context import Context
from scoring.payments import POT, Payments, Transfer
from scoring.rules.riichi.context import RiichiContext
from scoring.rules.riichi.options import RiichiOptions
from scoring.seats import DEALER, Seat, others_of
from scoring.words.sentence import say

STICK_POINTS: Final = 1000
_new: Final = tuple.__new__  # a named tuple of its parts, in half the time that calling its class takes


MANGAN_BASE: Final = 2000
YAKUMAN_BASE: Final = 8000
YAKUMAN_HAN: Final = 13

_LADDER: Final = (  # han at least, base, name
    (11, 6000, "sanbaiman"),
    (8, 4000, "baiman"),
    (6, 3000, "haneman"),
    (0, MANGAN_BASE, "mangan"),
)


def base_of(han: int, fu: int, options: RiichiOptions) -> tuple[int, str | None]:
    """Base points of a hand without yakuman, and the name of the limit it reaches.

    Below the limits: fu x 2^(2 + han), at most a mangan.
    """
    if han < 5:
        base = fu << (2 + han)
        if base > MANGAN_BASE or (options.kiriage and (han, fu) in ((4, 30), (3, 60))):
            return MANGAN_BASE, "mangan"
        return base, None
    if han >= YAKUMAN_HAN and options.kazoe:
        return YAKUMAN_BASE, "kazoe yakuman"
    return next((base, name) for least, base, name in _LADDER if han >= least)


@lru_cache(maxsize=1 << 12)
def ladder_step(han: int, fu: int, options: RiichiOptions, dealer: bool, claimed: bool) -> tuple[int, str | None, int]:
    """As :func:`base_of`, and the worth of that base: a table, each figure of which is worked out once."""
    base, limit = base_of(han, fu, options)
    return base, limit, win_points(base, options, dealer=dealer, self_drawn=not claimed)


def round_up_to_hundreds(amount: int) -> int:
    """Rounded up to the next hundred: every single payment is."""
    return -(-amount // 100) * 100


def half_of_north(base: int, options: RiichiOptions, *, dealer: bool) -> int:
    """What the two losers of a self-draw add each in place of a north player; nothing with four or by tsumo loss."""
    if options.players == 4 or options.tsumo_loss:
        return 0
    return round_up_to_hundreds(2 * base if dealer else base) // 2


def win_points(base: int, options: RiichiOptions, *, dealer: bool, self_drawn: bool) -> int:
    """What the winner receives for a base, without counters, sticks and wareme."""
    if not self_drawn:
        return round_up_to_hundreds(base * (6 if dealer else 4))
    half, twice, once = half_of_north(base, options, dealer=dealer), *map(round_up_to_hundreds, (2 * base, base))
    shares = (twice, *(twice if dealer else once,) * (options.players - 2))
    return sum([round_up_to_hundreds(share + half) for share in shares])


def win_payments(context: Context, base: int, options: RiichiOptions, *, pao_units: int = 0) -> Payments:
    """The payments of a win.

    Args:
        context: who won, how, from whom; counters, sticks, wareme, the liable seat.
        base: base points of the whole hand, the liable part included. options: the house rules.
        pao_units: yakuman units that ``context.liable`` is liable for: on a self-draw he pays them alone, on
            another's discard he pays half.
    """
    c = context
    if c.__class__ is not RiichiContext:
        c = c.convert_to(RiichiContext)
    liable = c.liable.seat if c.liable is not None and pao_units else None
    terms = (c.seat, c.source, base, c.counters, c.riichi_sticks, c.wareme, liable, pao_units if liable else 0)
    return _payments(_new(_Terms, terms), options)


class _Terms(NamedTuple):
    """What the payments of a win depend on beside the house rules: a key of the table of payments."""

    winner: Seat
    source: Seat | None
    base: int
    counters: int
    sticks: int
    wareme: Seat | None
    liable: Seat | None
    pao_units: int


@lru_cache(maxsize=1 << 12)
def _payments(terms: _Terms, options: RiichiOptions) -> Payments:
    """The table of payments, each worked out once."""
    winner, source, base, counters, sticks, wareme, liable, pao_units = terms
    pao_base = YAKUMAN_BASE * pao_units
    transfers = _usual_transfers(winner, source, base - pao_base, options) if base > pao_base else []
    if liable is not None:
        transfers += _liable_transfers(winner, source, liable, pao_base, options)
    if counters:
        payer = (source if options.pao_counters == "discarder" else None) or liable or source
        transfers += _counter_transfers(winner, payer, counters, options)
    if wareme is not None:
        transfers = [_double_for_wareme(t) if wareme in (t.payer, t.payee) else t for t in transfers]
    if sticks:
        transfers.append(Transfer(POT, winner, STICK_POINTS * sticks, say("riichi sticks: {n}", n=sticks)))
    return Payments(tuple(transfers))


def _usual_transfers(winner: Seat, source: Seat | None, base: int, options: RiichiOptions) -> list[Transfer]:
    dealer = winner is DEALER
    if source is not None:
        return [Transfer(source, winner, *_rounded_share(6 if dealer else 4, base))]
    return self_draw_transfers(winner, base, options)


def self_draw_transfers(winner: Seat, base: int, options: RiichiOptions) -> list[Transfer]:
    """What everybody pays for a self-draw: twice the base by and to the dealer, else once."""
    half = half_of_north(base, options, dealer=winner is DEALER)
    transfers = []
    for loser in others_of(winner, options.players):
        amount, why = _rounded_share(2 if DEALER in (winner, loser) else 1, base)
        if half:
            amount, why = round_up_to_hundreds(amount + half), say("{a}, and half of north's share: {n}", a=why, n=half)
        transfers.append(Transfer(loser, winner, amount, why))
    return transfers


def _rounded_share(times: int, base: int) -> tuple[int, str]:
    """A multiple of the base as it is paid, and why; where it was rounded, from which figure."""
    exact, why = times * base, say("{n} x base {m}", n=times, m=base)
    amount = round_up_to_hundreds(exact)
    if amount == exact:
        return amount, why
    if times == 1:
        return amount, say("{n} x base {m}, rounded up", n=times, m=base)
    return amount, say("{n} x base {m} = {k}, rounded up", n=times, m=base, k=exact)


def _liable_transfers(
    winner: Seat, source: Seat | None, liable: Seat, base: int, options: RiichiOptions
) -> list[Transfer]:
    """What is paid by liability; of a self-draw with three, as all would have paid (source: RiichiEnv)."""
    whole = win_points(base, options, dealer=winner is DEALER, self_drawn=source is None)
    if source is None or source is liable:
        return [Transfer(liable, winner, whole, say("liable for the whole of {n}", n=whole))]
    return [
        Transfer(source, winner, whole // 2, say("half of {n}", n=whole)),
        Transfer(liable, winner, whole // 2, say("liable for half of {n}", n=whole)),
    ]


def _counter_transfers(winner: Seat, payer: Seat | None, counters: int, options: RiichiOptions) -> list[Transfer]:
    why, each = say("counters: {n}", n=counters), options.counter_points // 3 * counters
    if payer is not None:
        return [Transfer(payer, winner, (options.players - 1) * each, why)]
    return [Transfer(loser, winner, each, why) for loser in others_of(winner, options.players)]


def _double_for_wareme(t: Transfer) -> Transfer:
    return t._replace(amount=2 * t.amount, why=say("{a}, doubled for wareme", a=say(t.why)))
