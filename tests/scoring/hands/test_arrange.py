"""Splitting tiles into sets, waits, and arrangements with the winning tile assigned, against plain search."""

import random

import pytest

from scoring.arrangements import splits
from scoring.arrangements.arrange import Arrangement, Shape, Wait, arrangements
from scoring.arrangements.splits import is_standard, waits_from_counts
from scoring.arrangements.units import CHOW, ORPHAN_KINDS, Unit, UnitType
from scoring.hand import Hand, Meld, MeldType
from scoring.rulebook.shapes import SETS_AND_PAIR, Shapes
from scoring.tiles import PLAIN, parse_tiles, tile
from tests.scoring.hand_maker import STYLES, deal
from tests.scoring.hands import plain_splits

ORDER = plain_splits.ORDER


def counts_of(codes):
    counts = [0] * 34
    for code in codes:
        counts[ORDER.index(code)] += 1
    return counts


def plain_decompositions(codes):
    """Every (sets, pair) by plain search, as codes of this module."""
    found = set()
    for sets, pair in plain_splits.readings(codes):
        coded = [ORDER.index(s[0]) + (0 if s[0] == s[1] else CHOW) for s in sets]
        found.add((tuple(sorted(coded)), ORDER.index(pair)))
    return found


def crowded(rng):
    """Tiles of few neighbouring kinds, so that many splits exist."""
    low = rng.choice([0, 9, 18]) + rng.randrange(5)
    kinds = sorted({*range(low, low + 5), *rng.sample(range(34), 2)})
    wall = [ORDER[k] for k in kinds for _ in range(4)]
    return rng.sample(wall, 3 * rng.randrange(5) + 2)


def dealt(rng):
    concealed, _, _ = deal(rng, rng.choice(STYLES))
    return concealed


@pytest.mark.parametrize(("tiles", "hands"), [(crowded, 1200), (dealt, 600)])
def test_decompositions_are_those_of_a_plain_search(tiles, hands):
    rng = random.Random(tiles.__name__)
    splittable = 0
    for _ in range(hands):
        codes = tiles(rng)
        found = [
            (tuple(sorted((*(CHOW + k for k in chows), *pungs))), pair)
            for pair, chows, pungs, _ in splits.standard_splits(bytes(counts_of(codes)))
        ]
        assert len(found) == len(set(found))
        assert set(found) == plain_decompositions(codes), codes
        assert is_standard(counts_of(codes)) is bool(found)
        splittable += bool(found)
    assert splittable > hands / 20


def test_the_splits_that_are_remembered_are_bounded(monkeypatch):
    monkeypatch.setattr(splits.Suit, "max_cached", 3)
    memory = splits.Suit(9)
    for n in range(1, 9):
        counts = bytes([0] * (n - 1) + [3] + [0] * (9 - n))
        [(pair, chows, triplets, *_)] = memory[counts]
        assert (pair, chows, triplets) == (splits.NO_PAIR, (), (8 + n,))  # a pung, no pair
        assert len(memory) <= 3


# --- waits ---


def plain_waits(codes, special):
    found = []
    for kind in ORDER:
        whole = [*codes, kind]
        if whole.count(kind) > 4:
            continue
        shapes = plain_splits.readings(whole) or (
            special and (plain_splits.seven_pairs(whole) or plain_splits.thirteen_orphans(whole))
        )
        if shapes:
            found.append(kind)
    return found


def test_waits_are_those_of_a_plain_search():
    rng = random.Random("waits")
    several = 0
    for _ in range(250):
        codes = dealt(rng) if rng.random() < 0.5 else crowded(rng)
        codes.remove(rng.choice(codes))
        found = [PLAIN[k].code for k in waits_from_counts(counts_of(codes), Shapes())]
        assert found == plain_waits(codes, special=True), codes
        several += len(found) > 1
        counts = counts_of(codes)
        plain = waits_from_counts(counts, SETS_AND_PAIR)
        assert [PLAIN[k].code for k in plain] == plain_waits(codes, special=False)
        assert counts == counts_of(codes)  # left as they were
    assert several > 60


def test_waits_of_seven_pairs():
    tiles = splits.count_tiles(parse_tiles("1111m22334455p6s"))
    assert [PLAIN[k].code for k in waits_from_counts(tiles, Shapes())] == ["6s"]
    assert waits_from_counts(tiles, Shapes(quad_pairs=False)) == ()
    assert waits_from_counts(tiles, SETS_AND_PAIR) == ()


# --- arrangements ---


def read(concealed, winning, *melds, claimed=False, **shapes):
    hand = Hand(parse_tiles(concealed), tuple(melds), tile(winning))
    return arrangements(hand, Shapes(**shapes), claimed=claimed)


def meld(kind, tiles):
    return Meld(MeldType(kind), parse_tiles(tiles))


def test_four_equal_tiles_as_two_pairs():
    [a] = read("1111m33m5577p99s2z", "2z")
    assert [str(u) for u in a.units] == ["11m", "11m", "33m", "55p", "77p", "99s", "22z"]
    [b] = read("111m33m5577p99s22z", "1m", claimed=True)
    assert [u.concealed for u in b.units] == [True, False, True, True, True, True, True]


def plain_readings(concealed, winning):
    """(sets, pair, completed unit) for every different unit that holds the winning tile."""
    found = set()
    for sets, pair in plain_splits.readings([*concealed, winning]):
        for unit in {*sets, (pair, pair)}:
            if winning in unit:
                found.add((tuple(sorted(sets)), pair, unit))
    return found


def tiles_of(unit):
    return tuple(PLAIN[k].code for k in unit.kinds)


def test_arrangements_are_those_of_a_plain_search():
    rng = random.Random("arrangements")
    many = 0
    for _ in range(800):
        concealed, melds, winning = deal(rng, rng.choice(STYLES))
        winning = winning or rng.choice(concealed)
        concealed.remove(winning)
        lying = tuple(meld(m["type"], "".join(m["tiles"])) for m in melds)
        claimed = rng.random() < 0.5
        found = read("".join(concealed), winning, *lying, claimed=claimed)
        ordinary = [a for a in found if a.shape is Shape.STANDARD]
        seen = set()
        for a in ordinary:
            held = [u for u in a.units if not u.melded]
            [won] = [u for u in a.units if u.won]
            sets = tuple(sorted(tiles_of(u) for u in held[:-1]))
            seen.add((sets, PLAIN[a.pair].code, tiles_of(won)))
            check_facts(a, won, claimed, lying)
        assert len(seen) == len(ordinary)
        assert seen == plain_readings(concealed, winning), (concealed, winning)
        many += len(ordinary) > 1
    assert many > 80


def check_facts(a, won, claimed, lying):
    """What an arrangement says of itself is what its units say."""
    sets = [u for u in a.units if u.type is not UnitType.PAIR]
    triplets = [u for u in sets if u.type in (UnitType.PUNG, UnitType.KONG)]
    assert sorted(a.chows) == sorted(u.kind for u in sets if u.type is UnitType.CHOW)
    assert sorted(a.triplets) == sorted(u.kind for u in triplets)
    assert sorted(a.concealed_triplets) == sorted(u.kind for u in triplets if u.concealed)
    assert a.kongs == sum(m.type.is_kong for m in lying)
    assert a.units[-1].kind == a.pair
    assert won.concealed is not claimed
    assert all(u.concealed for u in a.units if not u.melded and not u.won)


def test_units_print_what_stands_in():
    plain = Unit(UnitType.CHOW, 1)
    assert (str(plain), plain.kinds) == ("234m", (1, 2, 3))
    stand_in = Unit(UnitType.CHOW, 1, physical=(1, 31, 3))
    assert str(stand_in) == "2m5z4m=234m"
    assert str(Unit(UnitType.KONG, 27)) == "1111z"
    assert Unit(UnitType.ORPHANS, 0).kinds == (0, *ORPHAN_KINDS)
    empty = Arrangement(Shape.BONUS, (), (), (), (), -1, 0, Wait.SINGLE)
    assert str(empty) == ""
