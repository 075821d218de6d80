"""Tiles -> every way to split them into sets and a pair; special shapes; and the waits of 13 tiles.

Method: each suit is split on its own and remembered (bounded), then the suits are combined so that exactly one pair
is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from typing import Final

from scoring.tiles import EAST, KINDS, Tile
from scoring.units import CHOW, ORPHAN_KINDS, SETS, Unit

_NO_PAIR: Final = -2


Split = tuple[tuple[int, ...], int, tuple[int, ...], tuple[int, ...], tuple[Unit, ...]]
"""Some tiles as sets and perhaps a pair: codes of the sets, kind of the pair or _NO_PAIR, and what the sets are: the
lowest kinds of the chows, the kinds of the pungs, the units. A plain tuple, for one is made for every reading."""


_Way = tuple[tuple[int, ...], int]  # codes of the sets and kind of the pair, kinds numbered from 0


@lru_cache(maxsize=1 << 14)
def _ways(counts: bytes, with_pair: bool) -> tuple[_Way, ...]:
    """Every way to split the tiles of one of the three suits into sets, and a pair or none.

    Of the lowest kind three are a pung, or two the pair, or neither, and all others start chows; the rest is a
    smaller case of the same, and remembered.

    Args:
        counts: 9 numbers, 3n or 3n + 2 in all. with_pair: 3n + 2.
    """
    at = 9 - len(counts.lstrip(b"\0"))
    if at == 9:
        return (((), _NO_PAIR),)
    n = counts[at]
    found: list[_Way] = []
    if n >= 3:
        found += [((at, *sets), pair) for sets, pair in _chows_from(counts, at, n - 3, with_pair)]
    if n >= 2 and with_pair:
        found += [(sets, at) for sets, _ in _chows_from(counts, at, n - 2, False)]
    found += _chows_from(counts, at, n, with_pair)
    return tuple(found)


def _chows_from(counts: bytes, at: int, n: int, with_pair: bool) -> list[_Way]:
    """The ways with none of a kind left, after ``n`` chows that start with it."""
    left = bytearray(counts)
    left[at] = 0
    if not n:
        return list(_ways(bytes(left), with_pair))
    if at > 6 or left[at + 1] < n or left[at + 2] < n:
        return []
    left[at + 1] -= n
    left[at + 2] -= n
    return [((CHOW + at,) * n + sets, pair) for sets, pair in _ways(bytes(left), with_pair)]


def _honours(counts: bytes) -> tuple[_Way, ...]:
    """As :func:`_ways` for the 7 honours, which make no chows; none when tiles are left over."""
    sets = tuple(kind for kind, n in enumerate(counts) if n == 3)
    pairs = [kind for kind, n in enumerate(counts) if n == 2]
    if len(pairs) > 1 or 3 * len(sets) + 2 * len(pairs) != sum(counts):
        return ()
    return ((sets, pairs[0] if pairs else _NO_PAIR),)


_Memory = dict[bytes, tuple[Split, ...]]
_CHARACTERS: Final[_Memory] = {}
_DOTS: Final[_Memory] = {}
_BAMBOO: Final[_Memory] = {}
_HONOURS: Final[_Memory] = {}
_MOST: Final = 1 << 13
"""How many splits each suit remembers; a plain dict, emptied when full, is found in faster than an lru_cache."""


def _suit(counts: bytes, base: int, memory: _Memory) -> tuple[Split, ...]:
    """Every way to split the tiles of one suit into sets and at most one pair; none with a wrong number of tiles.

    Args:
        counts: 9 numbers, or 7 for honours. base: the kind of the first. memory: where to remember it.
    """
    rest = sum(counts) % 3
    ways = () if rest == 1 else _honours(counts) if base == 27 else _ways(counts, rest == 2)
    if len(memory) >= _MOST:
        memory.clear()
    memory[counts] = splits = tuple([_placed(sets, pair, base) for sets, pair in ways])
    return splits


def _placed(sets: tuple[int, ...], pair: int, base: int) -> Split:
    codes = tuple([s + base for s in sets])
    return (
        codes,
        pair if pair == _NO_PAIR else pair + base,
        tuple([s - CHOW for s in codes if s >= CHOW]),
        tuple([s for s in codes if s < CHOW]),
        tuple([SETS[s] for s in codes]),
    )


def splits_of(c: bytes) -> list[Split]:
    """Every way to split 34 counts into sets and one pair."""
    m, p, s, z = c[:9], c[9:18], c[18:27], c[27:]
    characters, dots, bamboo, honours = _CHARACTERS.get(m), _DOTS.get(p), _BAMBOO.get(s), _HONOURS.get(z)
    if characters is None:
        characters = _suit(m, 0, _CHARACTERS)
    if dots is None:
        dots = _suit(p, 9, _DOTS)
    if bamboo is None:
        bamboo = _suit(s, 18, _BAMBOO)
    if honours is None:
        honours = _suit(z, 27, _HONOURS)
    if not (characters and dots and bamboo and honours):
        return []
    pairs = (characters[0][1] >= 0) + (dots[0][1] >= 0) + (bamboo[0][1] >= 0) + (honours[0][1] >= 0)
    if pairs != 1:  # every split of a suit has a pair, or none: its number of tiles decides
        return []
    found = []
    for m_sets, m_pair, m_chows, m_triplets, m_units in characters:
        for p_sets, p_pair, p_chows, p_triplets, p_units in dots:
            for s_sets, s_pair, s_chows, s_triplets, s_units in bamboo:
                for z_sets, z_pair, _, z_triplets, z_units in honours:
                    whole = (
                        m_sets + p_sets + s_sets + z_sets,
                        m_pair + p_pair + s_pair + z_pair - 3 * _NO_PAIR,
                        m_chows + p_chows + s_chows,
                        m_triplets + p_triplets + s_triplets + z_triplets,
                        m_units + p_units + s_units + z_units,
                    )
                    found.append(whole)
    return found


def decompose(counts: Sequence[int]) -> list[tuple[tuple[int, ...], int]]:
    """Every (sets, pair kind) that uses all of these 3n + 2 tiles.

    Args:
        counts: 34 numbers, tiles of each kind.
    """
    return [(sets, pair) for sets, pair, *_ in splits_of(bytes(counts))]


def is_standard(counts: Sequence[int]) -> bool:
    """True when these 3n + 2 tiles are n sets and a pair."""
    return bool(splits_of(bytes(counts)))


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
    """34 numbers: how many of each kind; bonus tiles and backs are not counted."""
    counts = [0] * KINDS
    for t in tiles:
        if t.kind < KINDS:
            counts[t.kind] += 1
    return counts


def waits(
    concealed: Sequence[Tile], *, seven_pairs: bool = True, distinct_pairs: bool = False, orphans: bool = True
) -> tuple[int, ...]:
    """The kinds that complete these 13 - 3 x melds concealed tiles; a kind held four times is no wait.

    Args:
        concealed: the tiles in hand, melds left out.
        seven_pairs, distinct_pairs, orphans: which special shapes count (only with 13 tiles in hand).
    """
    return waits_of(count_tiles(concealed), seven_pairs=seven_pairs, distinct_pairs=distinct_pairs, orphans=orphans)


def waits_of(
    counts: list[int],
    *,
    seven_pairs: bool = True,
    distinct_pairs: bool = False,
    orphans: bool = True,
    knitted: bool = False,
    eight_pairs: bool = False,
) -> tuple[int, ...]:
    """As :func:`waits`, from 34 counts."""
    found = []
    for kind in range(KINDS):
        if counts[kind] >= 4:
            continue
        counts[kind] += 1
        if (
            is_standard(counts)
            or (seven_pairs and is_seven_pairs(counts, distinct=distinct_pairs))
            or (orphans and is_thirteen_orphans(counts))
            or (eight_pairs and is_eight_pairs(counts))
            or (knitted and (is_knitted(counts) or has_knitted_straight(counts)))
        ):
            found.append(kind)
        counts[kind] -= 1
    return tuple(found)
