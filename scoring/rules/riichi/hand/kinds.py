"""Sets of tile kinds as bits (as in ``Hand.kinds``), and which dora an indicator shows."""

from __future__ import annotations

from typing import Final

from scoring.arrangements.units import ORPHAN_KINDS
from scoring.basics.counts import kind_bits
from scoring.hand import Hand
from scoring.tiles import GREENS, NORTH, WHITE

ORPHANS: Final = kind_bits(*ORPHAN_KINDS)
ALL_GREEN: Final = kind_bits(*GREENS)
IS_ORPHAN: Final = tuple(kind in ORPHAN_KINDS for kind in range(34))
"""Kind -> whether it is a terminal or an honour."""


def _next_kind(kind: int) -> int:
    if kind < 27:
        return kind - 8 if kind % 9 == 8 else kind + 1
    if kind < WHITE:
        return 27 + (kind - 26) % 4
    return WHITE + (kind - WHITE + 1) % 3


DORA_OF: Final = tuple(_next_kind(kind) for kind in range(34))
"""Kind of an indicator -> kind of the dora: the next number (9 to 1), wind (N to E), dragon (white green red white)."""
DORA_OF_THREE: Final = (8, *DORA_OF[1:])
"""The same with three players: 1m shows 9m, as there is no tile between them."""
LEFT_OUT_KINDS: Final = frozenset(range(1, 8))
"""2m to 8m, which three players leave out."""
LEFT_OUT: Final = kind_bits(*LEFT_OUT_KINDS)


def counts_with_kita(hand: Hand) -> bytes:
    """How many of each kind a player shows, norths set aside included."""
    if not hand.bonus:
        return hand.counts
    return bytes([n + (kind == NORTH) * len(hand.bonus) for kind, n in enumerate(hand.counts)])
