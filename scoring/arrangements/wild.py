"""Hands with wild tiles: the fewest wilds that complete the tiles to sets, and the sets they form.

Method: each suit is completed separately by a search on its lowest tile (results are cached, bounded). That tile
joins a pung, the pair or a chow, always with all the natural tiles that fit: swapping a wild and a natural tile of
the same kind changes nothing. Three spare wilds form a pung, two a pair, so using the fewest wilds is always best.
A wild may stand for any tile, even a fifth of a kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from scoring.arrangements.units import UnitType

_SUITS: Final = ((0, 9), (9, 18), (18, 27), (27, 34))
_HONOURS: Final = 27
_Whole = tuple[int, tuple["WildUnit", ...]]  # wilds needed, sets and pair


@dataclass(frozen=True, slots=True)
class WildUnit:
    """A set or pair of natural and wild tiles.

    Attributes:
        type: chow, pung or pair. kind: its lowest tile kind.
        wild: for each of its tiles, lowest first, whether it is a wild.
    """

    type: UnitType
    kind: int
    wild: tuple[bool, ...]


def _equal_tiles(unit: UnitType, kind: int, natural: int) -> WildUnit:
    size = 2 if unit is UnitType.PAIR else 3
    return WildUnit(unit, kind, (False,) * natural + (True,) * (size - natural))


def _subtract_tiles(counts: tuple[int, ...], used: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    left = list(counts)
    for at, n in used:
        left[at] -= n
    return tuple(left)


@lru_cache(maxsize=1 << 15)
def _cheapest(counts: tuple[int, ...], base: int, pair: bool) -> _Whole:
    """Return the fewest wilds that complete the tiles of one suit to sets, with or without a pair among them.

    Args:
        counts: 9 numbers, or 7 for honours. base: the kind of the first. pair: whether a pair is wanted.
    """
    at = next((i for i, n in enumerate(counts) if n), -1)
    if at < 0:
        return (2, (_equal_tiles(UnitType.PAIR, base, 0),)) if pair else (0, ())
    held = counts[at]
    ways: list[tuple[WildUnit, tuple[tuple[int, int], ...], bool]] = []
    ways.append((_equal_tiles(UnitType.PUNG, base + at, min(held, 3)), ((at, min(held, 3)),), pair))
    if pair:
        ways.append((_equal_tiles(UnitType.PAIR, base + at, min(held, 2)), ((at, min(held, 2)),), False))
    if base < _HONOURS:
        reach = [i for i in (at + 1, at + 2) if i < 9 and counts[i]]
        if reach:
            low = min(at, 6)
            wild = tuple(i != at and i not in reach for i in range(low, low + 3))
            ways.append((WildUnit(UnitType.CHOW, base + low, wild), ((at, 1), *((i, 1) for i in reach)), pair))
    best: _Whole | None = None
    for part, used, still in ways:
        cost = sum(part.wild)
        if best is not None and cost >= best[0]:
            continue
        more, parts = _cheapest(_subtract_tiles(counts, used), base, still)
        if best is None or cost + more < best[0]:
            best = cost + more, (part, *parts)
    assert best is not None  # a pung is always possible
    return best


def complete_sets(counts: Sequence[int], wilds: int, *, pair: bool, free: int) -> tuple[WildUnit, ...] | None:
    """Return sets (and a pair) made of all these tiles and wilds, or None if there are not enough wilds.

    Args:
        counts: 34 numbers, the natural tiles. wilds: how many wild tiles beside them; all 3n tiles together, or
            3n + 2 with a pair.
        pair: whether one pair is wanted. free: the kind that wilds represent if they form a set or the pair
            on their own.
    """
    plain = [_cheapest(tuple(counts[a:b]), a, False) for a, b in _SUITS]
    cost, found = sum(need for need, _ in plain), plain
    if pair:
        choices = [(cost + 2, plain)]
        for i, (a, b) in enumerate(_SUITS):
            paired = _cheapest(tuple(counts[a:b]), a, True)
            choices.append((cost - plain[i][0] + paired[0], [*plain[:i], paired, *plain[i + 1 :]]))
        cost, found = min(choices, key=lambda choice: choice[0])
    if cost > wilds:
        return None
    parts = [p for _, suit in found for p in suit if p.type is not UnitType.PAIR]
    parts += [_equal_tiles(UnitType.PUNG, free, 0)] * ((wilds - cost) // 3)
    if pair:
        pairs = [p for _, suit in found for p in suit if p.type is UnitType.PAIR]
        parts += pairs or [_equal_tiles(UnitType.PAIR, free, 0)]
    return tuple(parts)


def complete_pairs(counts: Sequence[int], wilds: int, *, free: int) -> tuple[WildUnit, ...] | None:
    """Return pairs made of all these tiles and wilds, or None; an even number of tiles. Four equal tiles are two pairs.

    Args:
        counts: 34 numbers, the natural tiles. wilds: how many wild tiles beside them. free: as in
            :func:`complete_sets`.
    """
    if sum(n % 2 for n in counts) > wilds:
        return None
    parts = [_equal_tiles(UnitType.PAIR, k, 2) for k, n in enumerate(counts) for _ in range(n // 2)]
    single = [_equal_tiles(UnitType.PAIR, k, 1) for k, n in enumerate(counts) if n % 2]
    own = [_equal_tiles(UnitType.PAIR, free, 0)] * ((wilds - len(single)) // 2)
    return (*parts, *single, *own)
