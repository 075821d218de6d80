"""Wild tiles: fewest wilds, whole hands, against trying every tile for every wild."""

import random
from itertools import combinations_with_replacement

import pytest

from scoring.arrangements.arrange import UnitType
from scoring.arrangements.wild import WildUnit, complete_pairs, complete_sets
from scoring.tiles import parse_tiles

FREE = 5


def counted(text):
    counts = [0] * 34
    for t in parse_tiles(text):
        counts[t.kind] += 1
    return counts


def only_sets(c):
    low = next((k for k in range(34) if c[k]), None)
    if low is None:
        return True
    if c[low] >= 3:
        c[low] -= 3
        fits = only_sets(c)
        c[low] += 3
        if fits:
            return True
    if low >= 27 or low % 9 > 6 or not (c[low + 1] and c[low + 2]):
        return False
    for k in (low, low + 1, low + 2):
        c[k] -= 1
    fits = only_sets(c)
    for k in (low, low + 1, low + 2):
        c[k] += 1
    return fits


def sets_and_eye(c):
    for k in range(34):
        if c[k] >= 2:
            c[k] -= 2
            fits = only_sets(c)
            c[k] += 2
            if fits:
                return True
    return False


def some_way(counts, wilds, fits):
    for kinds in combinations_with_replacement(range(34), wilds):
        c = list(counts)
        for k in kinds:
            c[k] += 1
        if fits(c):
            return True
    return False


def kinds_of(part):
    step = part.type is UnitType.CHOW
    return [part.kind + i * step for i in range(len(part.wild))]


def check_parts(parts, counts, wilds, pairs):
    """The parts are real sets, use every natural tile and every wild, with the right number of pairs."""
    used = [0] * 34
    for part in parts:
        assert len(part.wild) == (2 if part.type is UnitType.PAIR else 3)
        assert part.type is not UnitType.CHOW or (part.kind < 27 and part.kind % 9 < 7)
        for kind, wild in zip(kinds_of(part), part.wild, strict=True):
            used[kind] += not wild
    assert used == list(counts)
    assert sum(sum(p.wild) for p in parts) == wilds
    assert sum(p.type is UnitType.PAIR for p in parts) == pairs


def random_tiles(rng, size):
    low = rng.choice([0, 9, 18])
    pool = list(range(low, low + 9)) * 4
    pool += rng.choice([[], list(range(27, 34)), list(range(34))])
    counts = [0] * 34
    for kind in rng.sample(pool, size):
        counts[kind] += 1
    return counts


@pytest.mark.parametrize("pair", [True, False])
def test_sets_exist_exactly_where_some_tiles_for_the_wilds_make_them(pair):
    rng = random.Random(f"wild {pair}")
    found = 0
    for _ in range(1500):
        wilds = rng.choice([0, 1, 1, 2, 2, 3] if rng.random() < 0.1 else [0, 1, 1, 2])
        size = rng.choice([2, 5, 8, 11, 14] if pair else [3, 6, 9, 12])
        if size < wilds:
            continue
        counts = random_tiles(rng, size - wilds)
        parts = complete_sets(counts, wilds, pair=pair, free=FREE)
        assert (parts is not None) is some_way(counts, wilds, sets_and_eye if pair else only_sets), (counts, wilds)
        if parts is not None:
            found += 1
            check_parts(parts, counts, wilds, pairs=int(pair))
    assert found > 150


def test_pairs_exist_exactly_where_some_tiles_for_the_wilds_make_them():
    rng = random.Random("pairs")
    found = 0
    for _ in range(1000):
        wilds, size = rng.choice([0, 1, 2]), rng.choice([2, 6, 12, 14])
        counts = [0] * 34
        for kind in rng.choices(rng.sample(range(34), 8), k=(size - wilds) // 2):
            counts[kind] += 2
        for kind in rng.sample(range(34), (size - wilds) % 2 + rng.choice([0, 0, 1]) * 2):
            counts[kind] += 1
        size = sum(counts) + wilds
        parts = complete_pairs(counts, wilds, free=FREE)
        assert (parts is not None) is some_way(counts, wilds, lambda c: all(n % 2 == 0 for n in c)), counts
        if parts is not None:
            found += 1
            check_parts(parts, counts, wilds, pairs=size // 2)
    assert found > 300


def test_a_single_wild_beside_whole_sets_is_what_makes_any_tile_win():
    rng = random.Random("any tile")
    both = [0, 0]
    for _ in range(1500):
        wilds = rng.choice([1, 1, 2, 3])
        counts = [0] * 34
        for _ in range(4 - wilds // 2):  # near sets, so that many hands wait for everything
            k = rng.choice([k for k in range(34) if counts[k] <= 1])
            near = (k, k + 1, k + 2) if k < 27 and k % 9 < 7 and rng.random() < 0.6 else (k, k, k)
            for kind in near:
                counts[kind] += 1
        kinds = [k for k in range(34) for _ in range(counts[k])]
        rng.shuffle(kinds)
        if rng.random() < 0.5:
            kinds[0] = rng.randrange(34)
        natural = (kinds + [rng.randrange(34)] * 3)[: 13 - wilds]
        counts = [natural.count(k) for k in range(34)]
        single = complete_sets(counts, wilds - 1, pair=False, free=FREE) or complete_pairs(counts, wilds - 1, free=FREE)
        every = True
        for kind in range(34):
            counts[kind] += 1
            wins = complete_sets(counts, wilds, pair=True, free=FREE) or complete_pairs(counts, wilds, free=FREE)
            counts[kind] -= 1
            every = every and wins is not None
        assert every is (single is not None), (counts, wilds)
        both[every] += 1
    assert min(both) > 100


def test_wilds_alone_are_said_to_be_the_free_kind():
    pair = WildUnit(UnitType.PAIR, FREE, (True, True))
    assert complete_sets(counted(""), 2, pair=True, free=FREE) == (pair,)
    assert complete_sets(counted("123m"), 2, pair=True, free=FREE)[-1] == pair
    assert complete_pairs(counted("11m"), 2, free=FREE) == (WildUnit(UnitType.PAIR, 0, (False, False)), pair)
