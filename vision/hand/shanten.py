"""How far tiles are from winning, and what they wait for, on bare counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from scoring.arrangements.arrange import ORPHAN_KINDS, waits_of
from scoring.arrangements.splits import STRAIGHTS
from scoring.tiles import EAST, KINDS
from vision.layout.shapes import Shapes


def shanten(counts: Sequence[int], size: int, shapes: Shapes) -> int:
    """Tiles to exchange until the hand waits for its last one: -1 it wins, 0 it waits, 1 one away from waiting.

    Args:
        counts: of the 34 kinds among the concealed tiles.
        size: how many they are; every three missing from ``shapes.size`` are a meld.
        shapes: of the rule system; wild tiles count as themselves.
    """
    sets = size // 3
    best = 2 * sets - _blocks(counts, sets)
    if size in (shapes.size - 1, shapes.size):
        if shapes.eight_pairs:
            best = min(best, _eight_pairs(counts))
        if shapes.seven_pairs:
            pairs = sum(n // 2 if shapes.quad_pairs else n >= 2 for n in counts)
            kinds = 7 if shapes.quad_pairs else sum(n > 0 for n in counts)
            best = min(best, 6 - pairs + max(0, 7 - kinds))
        if shapes.orphans:
            best = min(best, 13 - sum(counts[k] > 0 for k in ORPHAN_KINDS) - any(counts[k] > 1 for k in ORPHAN_KINDS))
    return min(best, _knitted(counts, size)) if shapes.knitted and size > 9 else best


def _eight_pairs(counts: Sequence[int]) -> int:
    """As :func:`shanten` for seven pairs and a triplet."""
    far = []
    for third in counts:
        held = min(third, 3)
        even = sum(n // 2 for n in counts) - third // 2 + (third - held) // 2
        pairs = min(7, even)
        odd = sum(n % 2 for n in counts) - third % 2 + (third - held) % 2
        far.append(3 - held + 2 * (7 - pairs) - min(7 - pairs, odd))
    return min(far) - 1


def _knitted(counts: Sequence[int], size: int) -> int:
    """As :func:`shanten` for the knitted hands: fourteen single tiles, or a straight beside sets and a pair."""
    far = []
    for straight in STRAIGHTS:
        held = [k for k in straight if counts[k]]
        if size in (13, 14):
            far.append(13 - len(held) - sum(counts[k] > 0 for k in range(EAST, KINDS)))
        rest = list(counts)
        for k in held:
            rest[k] -= 1
        sets = size // 3 - 3
        far.append(len(straight) - len(held) + 2 * sets - _blocks(rest, sets))
    return min(far)


def waits(counts: Sequence[int], size: int, shapes: Shapes, shown: Sequence[int] | None = None) -> tuple[int, ...]:
    """The kinds that complete the concealed tiles (one short of a hand), lowest first.

    Args:
        shown: counts of the kinds in the hand's melds; a kind of which all four are held is no wait.
    """
    inside = size == shapes.size - 1
    found = waits_of(
        list(counts),
        seven_pairs=inside and shapes.seven_pairs,
        distinct_pairs=not shapes.quad_pairs,
        orphans=inside and shapes.orphans,
        knitted=shapes.knitted,
        eight_pairs=inside and shapes.eight_pairs,
    )
    return tuple(kind for kind in found if counts[kind] + (shown[kind] if shown else 0) < 4)


def _blocks(counts: Sequence[int], sets: int) -> int:
    """Best of 2 x sets + partial sets + pair, with at most ``sets`` sets and partial sets besides the pair."""
    states = {(0, 0, 0)}
    for start in (0, 9, 18, 27):
        suit = tuple(counts[start : min(start + 9, KINDS)])
        if any(suit):
            more = suit_blocks(suit, start == 27)
            states = {(a + x, b + y, c + z) for a, b, c in states for x, y, z in more if c + z <= 1 and a + x <= sets}
    return max(2 * a + min(b, sets - a) + c for a, b, c in states)


@lru_cache(maxsize=1 << 15)
def suit_blocks(counts: tuple[int, ...], honours: bool) -> frozenset[tuple[int, int, int]]:
    """The (sets, partial sets, pair) a suit's tiles can be cut into, dominated cuts left out."""
    found: set[tuple[int, int, int]] = set()
    _cut(list(counts), 0, honours, (0, 0, 0), found)
    return frozenset(
        a for a in found if not any(b != a and all(x >= y for x, y in zip(b, a, strict=True)) for b in found)
    )


def _cut(
    counts: list[int], at: int, honours: bool, so_far: tuple[int, int, int], found: set[tuple[int, int, int]]
) -> None:
    while at < len(counts) and not counts[at]:
        at += 1
    if at == len(counts):
        found.add(so_far)
        return
    sets, partial, pair = so_far
    options: list[tuple[tuple[int, ...], tuple[int, int, int]]] = []
    if counts[at] >= 3:
        options.append(((at, at, at), (sets + 1, partial, pair)))
    if counts[at] >= 2:
        options.append(((at, at), (sets, partial + 1, pair)))
        if not pair:
            options.append(((at, at), (sets, partial, 1)))
    if not honours:
        near, far = at < 8 and counts[at + 1] > 0, at < 7 and counts[at + 2] > 0
        if near and far:
            options.append(((at, at + 1, at + 2), (sets + 1, partial, pair)))
        if near:
            options.append(((at, at + 1), (sets, partial + 1, pair)))
        if far:
            options.append(((at, at + 2), (sets, partial + 1, pair)))
    for tiles, then in options:
        for k in tiles:
            counts[k] -= 1
        _cut(counts, at, honours, then, found)
        for k in tiles:
            counts[k] += 1
    held, counts[at] = counts[at], 0
    _cut(counts, at + 1, honours, so_far, found)
    counts[at] = held
