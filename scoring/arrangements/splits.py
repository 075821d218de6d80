"""Tiles -> every way to split them into sets and a pair; special shapes; and the waits of 13 tiles.

Method: each suit is split separately and cached (bounded), then the suits are combined so that exactly one pair
is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import Any, ClassVar, Final

from scoring.arrangements.units import CHOW, ORPHAN_KINDS, SETS, Unit
from scoring.rulebook.shapes import Shapes
from scoring.tiles import EAST, KINDS, Tile

NO_PAIR: Final = -100
"""Stands for "no pair"; so low that the sum over four suits shows how many have a pair."""
ALL_BUT_ONE: Final = 3 * NO_PAIR
"""Difference between such a sum and the kind of the pair, if there is exactly one."""


Ending = tuple[tuple[Unit, ...], tuple[Unit, ...], Any, bool]
"""One suit's sets with the winning tile in one of them, or the pair if it is there; the wait; and whether a
claimed tile completed a triplet, which is then not concealed."""
Split = tuple[int, tuple[int, ...], tuple[int, ...], tuple[Unit, ...], tuple[Ending, ...]]
"""One suit as sets and perhaps a pair: kind of the pair or NO_PAIR; the lowest kinds of the chows; the kinds of the
pungs; the sets; and the ways in which a winning tile in this suit completed it. A plain tuple, because one is
made for every arrangement."""


_Way = tuple[tuple[int, ...], int]  # codes of the sets and kind of the pair, kinds numbered from 0


@lru_cache(maxsize=1 << 14)
def _ways(counts: bytes, with_pair: bool) -> tuple[_Way, ...]:
    """Return every way to split the tiles of one of the three suits into sets, and a pair if wanted.

    Of the lowest kind, three form a pung, or two the pair, or neither, and all others start chows; the rest is a
    smaller case of the same problem, and cached.

    Args:
        counts: 9 numbers, 3n or 3n + 2 in all. with_pair: 3n + 2.
    """
    at = 9 - len(counts.lstrip(b"\0"))
    if at == 9:
        return (((), NO_PAIR),)
    n = counts[at]
    found: list[_Way] = []
    if n >= 3:
        found += [((at, *sets), pair) for sets, pair in _chows_from(counts, at, n - 3, with_pair)]
    if n > 4 and with_pair:  # no hand has five, but one that has four may formally wait for the fifth
        found += [((at, *sets), at) for sets, _ in _chows_from(counts, at, n - 5, False)]
    if n >= 2 and with_pair:
        found += [(sets, at) for sets, _ in _chows_from(counts, at, n - 2, False)]
    found += _chows_from(counts, at, n, with_pair)
    return tuple(found)


def _chows_from(counts: bytes, at: int, n: int, with_pair: bool) -> list[_Way]:
    """Return the ways in which ``n`` chows that start with a kind use up all that is left of it."""
    left = bytearray(counts)
    left[at] = 0
    if not n:
        return list(_ways(bytes(left), with_pair))
    if at > 6 or left[at + 1] < n or left[at + 2] < n:
        return []
    left[at + 1] -= n
    left[at + 2] -= n
    return [((CHOW + at,) * n + sets, pair) for sets, pair in _ways(bytes(left), with_pair)]


def _honour_ways(counts: bytes) -> tuple[_Way, ...]:
    """Do the same as :func:`_ways` for the 7 honours, which form no chows; empty if tiles are left over."""
    sets = tuple(kind for kind, n in enumerate(counts) if n == 3)
    pairs = [kind for kind, n in enumerate(counts) if n == 2]
    if len(pairs) > 1 or 3 * len(sets) + 2 * len(pairs) != sum(counts):
        return ()
    return ((sets, pairs[0] if pairs else NO_PAIR),)


class Suit(dict[bytes, tuple[Split, ...]]):
    """Counts of one suit -> every way to split them into sets and at most one pair, cached.

    An impossible number of tiles has no split. The cache is emptied when full.

    Attributes:
        base: the kind of the first of its 9 counts, 7 for honours. max_cached: how many counts are cached.
    """

    max_cached: ClassVar[int] = 1 << 13

    def __init__(self, base: int) -> None:
        super().__init__()
        self.base = base

    def __missing__(self, counts: bytes) -> tuple[Split, ...]:
        if len(self) >= self.max_cached:
            self.clear()
        self[counts] = splits = self.split(counts)
        return splits

    def split(self, counts: bytes) -> tuple[Split, ...]:
        """Return the value that :meth:`__missing__` caches."""
        base, rest = self.base, sum(counts) % 3
        ways = () if rest == 1 else _honour_ways(counts) if base == 27 else _ways(counts, rest == 2)
        return tuple([_shift_split(sets, pair, base) for sets, pair in ways])


Suits = tuple[Suit, Suit, Suit, Suit]
SUITS: Final[Suits] = (Suit(0), Suit(9), Suit(18), Suit(27))
"""Characters, dots, bamboo, honours."""


def _shift_split(sets: tuple[int, ...], pair: int, base: int) -> Split:
    return (
        pair if pair == NO_PAIR else pair + base,
        tuple([s - CHOW + base for s in sets if s >= CHOW]),
        tuple([s + base for s in sets if s < CHOW]),
        tuple([SETS[s + base] for s in sets]),
        (),
    )


_Ways = tuple[Split, ...]


def suit_splits(c: bytes) -> tuple[_Ways, _Ways, _Ways, _Ways]:
    """Return every way to split 34 counts suit by suit; if one suit has none, all four are empty."""
    characters, dots, bamboo, honours = SUITS
    return characters[c[:9]], dots[c[9:18]], bamboo[c[18:27]], honours[c[27:]]


SetsAndPair = tuple[int, tuple[int, ...], tuple[int, ...], tuple[Unit, ...]]
"""All tiles as sets and a pair: the first four parts of a :data:`Split`."""


def standard_splits(c: bytes) -> list[SetsAndPair]:
    """Return every way to split 34 counts into sets and one pair."""
    return [
        (pair, m[1] + p[1] + s[1], m[2] + p[2] + s[2] + z[2], m[3] + p[3] + s[3] + z[3])
        for m, p, s, z in product(*suit_splits(c))
        if 0 <= (pair := m[0] + p[0] + s[0] + z[0] - ALL_BUT_ONE) < KINDS
    ]


def is_standard(counts: Sequence[int]) -> bool:
    """True when these 3n + 2 tiles are n sets and a pair."""
    m, p, s, z = suit_splits(bytes(counts))
    # Whether the splits of a suit have a pair depends only on its number of tiles.
    return bool(m and p and s and z) and 0 <= m[0][0] + p[0][0] + s[0][0] + z[0][0] - ALL_BUT_ONE < KINDS


def is_seven_pairs(counts: Sequence[int], *, distinct: bool = False) -> bool:
    """True for seven pairs; four equal tiles are two pairs unless ``distinct``."""
    pairs = counts.count(2) if distinct else counts.count(2) + 2 * counts.count(4)
    return pairs == 7 and sum(counts) == 14


def is_eight_pairs(counts: Sequence[int]) -> bool:
    """True for seven pairs and a triplet; four equal tiles are two pairs."""
    return sum(counts) == 17 and counts.count(3) == 1 and not counts.count(1)


def is_thirteen_orphans(counts: Sequence[int]) -> bool:
    """True for one of each terminal and honour and a second of any of them."""
    return counts.count(1) == 12 and counts.count(2) == 1 and sum(counts) == 14 and all(counts[k] for k in ORPHAN_KINDS)


STRAIGHTS: Final = tuple(
    tuple(9 * suit + low + step for suit, low in enumerate(order) for step in (0, 3, 6))
    for order in permutations(range(3))
)
"""The six knitted straights: 147 of one suit, 258 of another, 369 of the third."""


def is_knitted(counts: Sequence[int]) -> bool:
    """True for fourteen different honours and tiles of one knitted straight."""
    held = {k for k, n in enumerate(counts) if n and k < EAST}
    return sum(counts) == 14 and max(counts) == 1 and any(held.issubset(straight) for straight in STRAIGHTS)


def has_knitted_straight(counts: Sequence[int]) -> bool:
    """True for a knitted straight and beside it sets and a pair."""
    for straight in STRAIGHTS:
        if all(counts[k] for k in straight):
            rest = list(counts)
            for k in straight:
                rest[k] -= 1
            if is_standard(rest):
                return True
    return False


def count_tiles(tiles: Sequence[Tile]) -> list[int]:
    """Return 34 numbers: how many of each kind; bonus tiles and face-down tiles are not counted."""
    counts = [0] * KINDS
    for t in tiles:
        if t.kind < KINDS:
            counts[t.kind] += 1
    return counts


def is_complete(counts: Sequence[int], shapes: Shapes) -> bool:
    """True for sets and a pair, and for whatever else wins among these shapes."""
    return (
        is_standard(counts)
        or (shapes.seven_pairs and is_seven_pairs(counts, distinct=not shapes.quad_pairs))
        or (shapes.orphans and is_thirteen_orphans(counts))
        or (shapes.eight_pairs and is_eight_pairs(counts))
        or (shapes.knitted and is_knitted(counts))
        or (shapes.straight and has_knitted_straight(counts))
    )


def waits_from_counts(counts: list[int], shapes: Shapes, held: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return the kinds that complete these tiles; a kind held four times is not waited for.

    Args:
        counts: 34 numbers, the concealed tiles; changed while this runs, and as they were at the end.
        shapes: which win.
        held: the tiles of which a kind held four times is not waited for, if not ``counts``.
    """
    found = []
    held = counts if held is None else held
    for kind in range(KINDS):
        if held[kind] >= 4:
            continue
        counts[kind] += 1
        if is_complete(counts, shapes):
            found.append(kind)
        counts[kind] -= 1
    return tuple(found)
