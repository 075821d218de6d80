"""How far tiles are from winning, which draws bring them nearer, and which discards keep them near; on bare counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Final

from scoring.arrangements.splits import STRAIGHTS
from scoring.arrangements.units import ORPHAN_KINDS
from scoring.tiles import EAST, KINDS, WHITE
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


def shanten(counts: Sequence[int], shapes: HandRules, wild: int | None = None) -> int:
    """Tiles to exchange until the hand waits for its last one: -1 it wins, 0 it waits, 1 one away from waiting.

    Args:
        counts: of the 34 kinds among the concealed tiles; every three missing from ``shapes.size`` are a meld.
        shapes: of the rule system.
        wild: the kind whose tiles stand for anything, as for :func:`vision.layout.shapes.is_winning`; None: they count
            as themselves.
    """
    size = sum(counts)
    if wild is None:
        return _nearest(counts, size, shapes)
    rest = list(counts)
    wilds, rest[wild] = rest[wild], 0
    if wild != WHITE:
        rest[wild], rest[WHITE] = rest[WHITE], 0
    # A wild tile is whichever is missing; no tile is exchanged where all are of use.
    return max(_nearest(rest, size, shapes) - wilds, 0 if size % 3 == 1 else -1)


def _nearest(counts: Sequence[int], size: int, shapes: HandRules) -> int:
    """As :func:`shanten` for a hand of this size whose wild tiles are not among these."""
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


def tiles_nearer(
    counts: Sequence[int], shapes: HandRules, seen: Sequence[int], wild: int | None = None
) -> dict[int, int]:
    """The kinds that lower the shanten of a hand that lacks a tile, each with how many of it are left.

    Args:
        counts, shapes, wild: as for :func:`shanten`.
        seen: counts of the kinds that lie open elsewhere; a kind with none left is not named.
    """
    now = shanten(counts, shapes, wild)
    left = {kind: 4 - counts[kind] - seen[kind] for kind in range(KINDS) if kind not in shapes.left_out}
    return {kind: n for kind, n in left.items() if n > 0 and shanten(_with(counts, kind, 1), shapes, wild) < now}


def best_discards(
    counts: Sequence[int], shapes: HandRules, seen: Sequence[int], wild: int | None = None
) -> dict[int, dict[int, int]]:
    """The kinds that a full hand may discard and be as near as before, and then its :func:`tiles_nearer`.

    Args:
        counts: of the concealed tiles, one more than a hand that waits has.
        shapes, seen, wild: as for :func:`tiles_nearer`.

    Returns:
        Discard -> what then helps; that with the most tiles left comes first, of equal ones the lowest kind.
    """
    now = shanten(counts, shapes, wild)
    found = {}
    for kind in range(KINDS):
        rest = _with(counts, kind, -1)
        if rest[kind] >= 0 and shanten(rest, shapes, wild) == now:
            found[kind] = tiles_nearer(rest, shapes, _with(seen, kind, 1), wild)
    return dict(sorted(found.items(), key=lambda one: -sum(one[1].values())))


def _with(counts: Sequence[int], kind: int, more: int) -> list[int]:
    return [*counts[:kind], counts[kind] + more, *counts[kind + 1 :]]


def _from_eight_pairs(counts: Sequence[int]) -> int:
    """As :func:`shanten` for seven pairs and a triplet."""
    pairs, single, far = sum(n // 2 for n in counts), sum(n % 2 for n in counts), []
    for n in set(counts):  # of a kind that becomes the triplet
        left = n - min(n, 3)
        missing = 7 - min(7, pairs - n // 2 + left // 2)
        far.append(2 - min(n, 3) + 2 * missing - min(missing, single - n % 2 + left % 2))
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
