"""Many tiles as one number: a byte for each kind says how many of it there are.

Such numbers add up like the tiles do, and one operation tests all kinds at once: which are present, or whether one is
there five times. A red five adds its kind and a byte of its own. Bytes do not overflow below 256 tiles.
"""

from __future__ import annotations

from typing import Final

LANE_BITS: Final = 8  # bits


def unit(kind: int) -> int:
    """Return the number that represents one tile of a kind."""
    return 1 << LANE_BITS * kind


def _repeat_byte(byte: int, kinds: int) -> int:
    return int.from_bytes(bytes([byte]) * kinds, "little")


KINDS: Final = 34  # kinds that make sets
ALL_KINDS: Final = 47  # including bonus tiles and the face-down tile
PLAYABLE: Final = unit(KINDS) - 1
"""Selects the kinds that make sets."""
RED: Final = unit(ALL_KINDS)
"""What a red five adds besides its kind."""
_TOP: Final = _repeat_byte(0x80, KINDS)
_TO_ONE: Final = _repeat_byte(0x80 - 1, KINDS)
_ALL_TOPS: Final = _repeat_byte(0x80, ALL_KINDS)
_TO_WRONG: Final = int.from_bytes(bytes([0x80 - 5] * KINDS + [0x80 - 1] * (ALL_KINDS - KINDS)), "little")


def reds_in(total: int) -> int:
    """Return the number of red fives."""
    return total >> LANE_BITS * ALL_KINDS


def kinds_in(playable: int) -> int:
    """Return which kinds are present: the top bit of each byte, as in :func:`kind_bits`; for fewer than 128 tiles."""
    return playable + _TO_ONE & _TOP


def five_or_not_playable(total: int) -> bool:
    """Whether any kind occurs more than four times, or any tile cannot be in a set; for fewer than 128 tiles."""
    return total + _TO_WRONG & _ALL_TOPS != 0


def kind_bits(*kinds: int) -> int:
    """Return the bits of these kinds."""
    return sum(0x80 << LANE_BITS * kind for kind in kinds)
