"""Han and fu -> base points, and what a base is worth to the winner."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from scoring.rules.riichi.options import RiichiOptions

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
