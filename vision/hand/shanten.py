"""How far tiles are from winning, on bare counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Final

from scoring.arrangements.splits import STRAIGHTS
from scoring.arrangements.units import ORPHAN_KINDS
from scoring.tiles import EAST, KINDS
from vision.layout.shapes import HandRules

Blocks = tuple[int, int, int]
"""Sets, partial sets (two tiles of one) and pairs."""
_BLOCKS: Final[tuple[tuple[tuple[int, ...], Blocks], ...]] = (
    ((3,), (1, 0, 0)),
    ((1, 1, 1), (1, 0, 0)),
    ((2,), (0, 1, 0)),
    ((1, 1), (0, 1, 0)),
    ((1, 0, 1), (0, 1, 0)),
    ((2,), (0, 0, 1)),
)
"""How many tiles of a kind and of the next kinds make what."""


def shanten(counts: Sequence[int], shapes: HandRules) -> int:
    """Tiles to exchange until the hand waits for its last one: -1 it wins, 0 it waits, 1 one away from waiting.

    Args:
        counts: of the 34 kinds among the concealed tiles; every three missing from ``shapes.size`` are a meld.
        shapes: of the rule system; wild tiles count as themselves.
    """
    size = sum(counts)
    far = [_from_sets(counts, size // 3)]
    if size in (shapes.size - 1, shapes.size):
        if shapes.eight_pairs:
            far.append(_from_eight_pairs(counts))
        if shapes.seven_pairs:
            pairs = sum(n // 2 if shapes.quad_pairs else n >= 2 for n in counts)
            kinds = 7 if shapes.quad_pairs else sum(n > 0 for n in counts)
            far.append(6 - pairs + max(0, 7 - kinds))
        if shapes.orphans:
            orphans = [counts[k] for k in ORPHAN_KINDS]
            far.append(13 - sum(n > 0 for n in orphans) - (max(orphans) > 1))
    if (shapes.knitted or shapes.straight) and size > 9:
        far += _from_knitted(counts, size, shapes)
    return min(far)


def tiles_nearer(counts: Sequence[int], shapes: HandRules, seen: Sequence[int]) -> dict[int, int]:
    """The kinds that lower the shanten of a hand that lacks a tile, each with how many of it are left.

    Args:
        counts, shapes: as for :func:`shanten`.
        seen: counts of the kinds that lie open elsewhere; a kind with none left is not named.
    """
    now = shanten(counts, shapes)
    left = {kind: 4 - counts[kind] - seen[kind] for kind in range(KINDS) if kind not in shapes.left_out}
    return {
        kind: n
        for kind, n in left.items()
        if n > 0 and shanten([*counts[:kind], counts[kind] + 1, *counts[kind + 1 :]], shapes) < now
    }


def _from_eight_pairs(counts: Sequence[int]) -> int:
    """As :func:`shanten` for seven pairs and a triplet."""
    far = []
    for kind, n in enumerate(counts):
        rest = list(counts)
        rest[kind] -= min(n, 3)
        missing = 7 - min(7, sum(m // 2 for m in rest))
        single = sum(m % 2 for m in rest)
        far.append(2 - min(n, 3) + 2 * missing - min(missing, single))
    return min(far)


def _from_knitted(counts: Sequence[int], size: int, shapes: HandRules) -> list[int]:
    """As :func:`shanten` for each knitted straight, beside sets and a pair or within fourteen single tiles."""
    far = []
    for straight in STRAIGHTS:
        rest = [n - (kind in straight and n > 0) for kind, n in enumerate(counts)]
        missing = len(straight) - (size - sum(rest))
        if shapes.straight:
            far.append(missing + _from_sets(rest, size // 3 - 3))
        if shapes.knitted and size in (13, 14):
            far.append(missing + 4 - sum(n > 0 for n in counts[EAST:]))
    return far


def _from_sets(counts: Sequence[int], sets: int) -> int:
    """As :func:`shanten` for this many sets and a pair."""
    states = {(0, 0, 0)}
    # Honours form no chows: kinds that nobody holds keep them apart.
    honours = [n for held in counts[EAST:] for n in (held, 0, 0)]
    for suit in (counts[:9], counts[9:18], counts[18:27], honours):
        states = {(a, b, c) for a, b, c in _sums(states, blocks_of(tuple(suit))) if a <= sets}
    return min(2 * (sets - a) - min(b, sets - a) - c for a, b, c in states)


@lru_cache(maxsize=1 << 15)
def blocks_of(counts: tuple[int, ...]) -> frozenset[Blocks]:
    """Everything that tiles of neighbouring kinds can be cut into, with one pair at most and tiles left over or not."""
    if not any(counts):
        return frozenset({(0, 0, 0)})
    if not counts[0]:
        return blocks_of(counts[1:])
    found = set(blocks_of((counts[0] - 1, *counts[1:])))
    for tiles, made in _BLOCKS:
        rest = tuple(n - used for n, used in zip_longest(counts, tiles, fillvalue=0))
        if min(rest) >= 0:
            found |= _sums({made}, blocks_of(rest))
    return frozenset(found)


def _sums(some: Iterable[Blocks], more: Iterable[Blocks]) -> set[Blocks]:
    return {(a + x, b + y, c + z) for a, b, c in some for x, y, z in more if c + z <= 1}
