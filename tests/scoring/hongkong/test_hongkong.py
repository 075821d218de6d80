"""Hong Kong: every table cell, the nine worked examples of the text, every element with what it absorbs."""

from functools import partial

import pytest

from scoring.rules.hongkong.elements import ELEMENTS, FAAN
from tests.scoring import asking
from tests.scoring.asking import elements, hand

scored = partial(asking.scored, "hongkong")

PLAIN = hand("345s67s99m", "8s", "chow 234m", "pung 888p")  # worth nothing by itself
ONE_DRAGON = hand("345s67s99m", "8s", "chow 234m", "pung 555z")
TWO_DRAGONS = hand("67s99m", "8s", "chow 234m", "pung 555z", "pung 666z")
FLUSH = hand("123s67s99s", "8s", "chow 345s", "pung 777s")
FLUSH_CHOWS = hand("123s67s99s", "8s", "chow 345s", "chow 567s")
CHOWS = hand("123m456m345p78s22p", "9s")
WINDS = ["pung 111z", "pung 222z", "pung 333z"]

EIGHT = "f1 f2 f3 f4 g1 g2 g3 g4"


def worth(n, drawn, seat="S", source=None, **options):
    """A real hand of exactly n faan, won on west's discard (or the given seat's) or self-drawn."""
    number = "ESWN".index(seat) + 1
    foreign = f"f{number % 4 + 1}"
    own = f"f{number} g{number}"
    three = f"f1 f2 f3 f4 g{number}"
    ladder = [
        *((PLAIN, foreign), (PLAIN, ""), (PLAIN, own), (PLAIN, three), (PLAIN, EIGHT)),
        *((ONE_DRAGON, EIGHT), (TWO_DRAGONS, EIGHT)),
        *((FLUSH, foreign), (FLUSH, ""), (FLUSH, own), (FLUSH, three), (FLUSH, EIGHT), (FLUSH_CHOWS, EIGHT)),
    ]
    last = n == 13 and not drawn
    tiles, bonus = ladder[n - drawn - last]
    how = {"win": "self_draw"} if drawn else {"source": source}
    response = scored(tiles, seat=seat, bonus=bonus, last_tile=last, options=options, **how)
    assert response["total"]["uncapped"] == n
    return response


def paid(n, drawn, **how):
    response = worth(n, drawn, **how)
    assert response["legal"]
    return response["payments"]


# --- the printed tables, cell by cell; without dealer doubling, as the text prints them ---

SIMPLIFIED = "3 1 | 4 2 | 5 2 | 6 2 | 7 4 | 8 4 | 9 4 | 10 8 | 11 8 | 12 8 | 13 8"
TRADITIONAL = """
    0: 1+1+2=4 | 1: 2+2+4=8 4+4+4=12 | 2: 4+4+8=16 8+8+8=24 | 3: 8+8+16=32 16+16+16=48
    | 4: 16+16+32=64 32+32+32=96 | 5: 16+16+32=64 32+32+32=96 | 6: 16+16+32=64 32+32+32=96
    | 7: 32+32+64=128 64+64+64=192 | 8: 32+32+64=128 64+64+64=192 | 9: 32+32+64=128 64+64+64=192
    | 10: 64+64+128=256 128+128+128=384 | 11: 64+64+128=256 128+128+128=384
    | 12: 64+64+128=256 128+128+128=384 | 13: 64+64+128=256 128+128+128=384"""
CANTON = """
    0 1 - | 1 2 1 | 2 4 2 | 3 8 4 | 4 16 8 | 5 24 12 | 6 32 16 | 7 48 24 | 8 64 32 | 9 96 48
    | 10 128 64 | 11 192 96 | 12 256 128 | 13 384 192"""
FLAT = "0 1 | 1 2 | 2 4 | 3 8 | 4 16 | 5 16 | 7 16 | 10 16 | 13 16"


def rows(table):
    return [row.split() for row in table.split("|")]


@pytest.mark.parametrize(("faan", "base"), rows(SIMPLIFIED))
def test_simplified(faan, base):
    n, base = int(faan), int(base)
    how = {"table": "simplified", "dealer_doubling": False}
    assert paid(n, False, **how) == {"E": -base, "S": 4 * base, "W": -2 * base, "N": -base, "pot": 0}
    if n > 3:
        assert paid(n, True, **how) == {"E": -2 * base, "S": 6 * base, "W": -2 * base, "N": -2 * base, "pot": 0}


@pytest.mark.parametrize("row", rows(TRADITIONAL), ids=str)
def test_traditional(row):
    n = int(row[0].rstrip(":"))
    for drawn, cell in enumerate(row[1:]):
        shares, total = cell.split("=")
        first, second, discarder = map(int, shares.split("+"))
        net = paid(n, bool(drawn), table="traditional", dealer_doubling=False)
        assert net == {"E": -first, "N": -second, "W": -discarder, "S": int(total), "pot": 0}


@pytest.mark.parametrize(("faan", "discard", "each"), rows(CANTON))
def test_canton_columns(faan, discard, each):
    n, discard = int(faan), int(discard)
    how = {"table": "canton", "canton_settlement": "columns", "min_faan": 0}
    assert paid(n, False, **how) == {"E": 0, "S": discard, "W": -discard, "N": 0, "pot": 0}
    if each != "-":
        share = int(each)
        assert paid(n, True, **how) == {"E": -share, "S": 3 * share, "W": -share, "N": -share, "pot": 0}


@pytest.mark.parametrize(("faan", "base", "each"), rows(CANTON))
def test_canton_doubling_takes_the_discard_column_as_base(faan, base, each):
    n, base = int(faan), int(base)
    how = {"table": "canton", "min_faan": 0}
    assert paid(n, False, **how) == {"E": -2 * base, "S": 5 * base, "W": -2 * base, "N": -base, "pot": 0}
    if each != "-":
        drawn = {"E": -4 * base, "S": 8 * base, "W": -2 * base, "N": -2 * base, "pot": 0}
        assert paid(n, True, **how) == drawn


@pytest.mark.parametrize(("faan", "base"), rows(FLAT))
def test_traditional4(faan, base):
    net = paid(int(faan), False, table="traditional4", dealer_doubling=False)
    assert net == {"E": -int(base), "S": 4 * int(base), "W": -2 * int(base), "N": -int(base), "pot": 0}


@pytest.mark.parametrize("n", range(14))
def test_parlor_and_unlimited(n):
    parlor = paid(n, False, table="parlor", dealer_doubling=False)
    assert parlor == {"E": -1, "S": 4, "W": -2, "N": -1, "pot": 0}
    unlimited = paid(n, False, table="unlimited", dealer_doubling=False, min_faan=0)
    assert unlimited == {"E": -(2**n), "S": 4 * 2**n, "W": -(2 ** (n + 1)), "N": -(2**n), "pot": 0}


@pytest.mark.parametrize("n", range(14))
def test_full_spicy_doubles_up_to_the_limit(n):
    net = paid(n, False, table="full_spicy", dealer_doubling=False, min_faan=0, max_faan=10)
    base = 2 ** min(n, 10)
    assert net == {"E": -base, "S": 4 * base, "W": -2 * base, "N": -base, "pot": 0}


# --- the nine worked examples of the text, with dealer doubling ---


@pytest.mark.parametrize(
    ("table", "seat", "faan", "source", "expected"),
    [
        ("simplified", "W", 3, None, (-4, -2, 8, -2)),
        ("simplified", "N", 6, "S", (-4, -4, -2, 10)),
        ("simplified", "E", 10, "W", (64, -16, -32, -16)),
        ("traditional", "W", 4, None, (-64, -32, 128, -32)),
        ("traditional", "N", 7, "S", (-64, -64, -32, 160)),
        ("traditional", "E", 10, "W", (512, -128, -256, -128)),
        ("canton", "W", 4, None, (-64, -32, 128, -32)),
        ("canton", "W", 7, None, (-192, -96, 384, -96)),
        ("canton", "E", 12, "W", (2048, -512, -1024, -512)),
    ],
)
def test_worked_example(table, seat, faan, source, expected):
    net = paid(faan, source is None, seat=seat, source=source, table=table)
    assert net == dict(zip("ESWN", expected, strict=True)) | {"pot": 0}


def test_prose_figures():
    assert paid(3, False, seat="S", table="simplified", dealer_doubling=False)["E"] == -1
    assert paid(9, False, table="simplified", dealer_doubling=False)["E"] == -4
    for table in ("traditional", "canton"):
        assert paid(3, False, table=table, dealer_doubling=False)["E"] == -8
    assert paid(9, False, dealer_doubling=False)["E"] == -32


# --- elements: south in the east round, a foreign flower unless said otherwise ---

ELEMENT_CASES = [
    (PLAIN, {}, {}),
    (PLAIN, {"bonus": ""}, {"no_bonus_tiles": 1}),
    (PLAIN, {"bonus": "f2"}, {"own_flower": 1}),
    (PLAIN, {"bonus": "g2 g3"}, {"own_season": 1}),
    (PLAIN, {"bonus": "f1 f2 f3 f4"}, {"all_flowers": 2}),
    (PLAIN, {"bonus": "g1 g2 g3 g4 f2"}, {"all_seasons": 2, "own_flower": 1}),
    (PLAIN, {"win": "self_draw"}, {"self_pick": 1}),
    (PLAIN, {"last_tile": True}, {"last_catch": 1}),
    (PLAIN, {"last_tile": True, "win": "self_draw"}, {"last_catch": 1, "self_pick": 1}),
    (PLAIN, {"win": "self_draw", "replacement": True}, {"self_pick": 1, "win_by_kong": 1}),  # of the flower
    (
        hand("67s99m", "8s", "chow 234m", "kong_open 8888p", "kong_added 2222s"),
        {"win": "self_draw", "double_kong": True, "replacement": True},
        {"self_pick": 1, "win_by_double_kong": 8},
    ),
    (hand("345s68s99m", "7s", "chow 234m", "pung 888p"), {"win": "robbed_kong"}, {"robbing_kong": 1}),
    (hand("345s67s99m", "8s", "chow 234m", "pung 555z"), {}, {"white_dragon": 1}),
    (hand("666z345s67s99m", "8s", "chow 234m"), {}, {"green_dragon": 1}),
    (hand("345s67s99m", "8s", "chow 234m", "kong_added 7777z"), {}, {"red_dragon": 1}),
    (hand("345s67s99m", "8s", "chow 234m", "pung 222z"), {}, {"seat_wind": 1}),
    (hand("345s67s99m", "8s", "chow 234m", "pung 111z"), {}, {"prevailing_wind": 1}),
    (hand("345s67s99m", "8s", "chow 234m", "pung 222z"), {"round": "S"}, {"seat_wind": 1, "prevailing_wind": 1}),
    (hand("345s67s99m", "8s", "chow 234m", "pung 333z"), {}, {}),
    (CHOWS, {}, {"common_hand": 1, "concealed_hand": 1}),
    (hand("2p", "2p", "chow 123m", "chow 456m", "chow 345p", "chow 789s"), {}, {"common_hand": 1}),  # any pair, wait
    (hand("5z", "5z", "chow 123m", "chow 456m", "chow 345p", "chow 789s"), {}, {"common_hand": 1}),
    (hand("123p456p78s99s", "9s", "kong_concealed 5555m"), {}, {"concealed_hand": 1}),
    (hand("123p456p78s99s", "9s", "kong_open 5555m"), {}, {}),
    (hand("777p99s55s", "5s", "pung 111m", "pung 333s"), {}, {"all_triplets": 3}),
    (hand("123p456p99p78p", "9p", "pung 333z"), {}, {"mixed_one_suit": 3}),
    (FLUSH, {}, {"all_one_suit": 7}),
    (hand("77z234m67m", "5m", "pung 555z", "pung 666z"), {}, {"small_dragons": 5, "mixed_one_suit": 3}),
    (hand("99p45m", "6m", "pung 555z", "pung 666z", "pung 777z"), {}, {"great_dragons": 8}),
    (hand("44z23m", "1m", *WINDS), {"seat": "N", "round": "N"}, {"small_winds": 6, "mixed_one_suit": 3}),
    (
        hand("44z88m", "8m", *WINDS),
        {"seat": "E", "round": "S"},
        {"small_winds": 6, "mixed_one_suit": 3, "all_triplets": 3, "seat_wind": 1, "prevailing_wind": 1},
    ),
    (
        hand("44z55z", "5z", *WINDS),
        {"seat": "N", "round": "N"},
        {"small_winds": 6, "all_honors": 10, "white_dragon": 1},
    ),
    (hand("5p", "5p", *WINDS, "pung 444z"), {}, {"great_winds": 13, "mixed_one_suit": 3}),
    (hand("5z", "5z", *WINDS, "pung 444z"), {}, {"great_winds": 13, "all_honors": 10}),
    (hand("99s11p", "1p", "pung 111m", "pung 999p", "pung 333z"), {}, {"all_triplets": 3, "mixed_orphans": 1}),
    (hand("99s11p", "1p", "pung 111m", "pung 999p", "pung 999m"), {}, {"orphans": 10}),
    (hand("19m19p19s1234567z", "1m"), {}, {"thirteen_orphans": 13}),
    (hand("19m19p19s1234567z", "1m"), {"win": "self_draw"}, {"thirteen_orphans": 13, "self_pick": 1}),
    (
        hand("5s", "5s", "kong_open 1111m", "kong_added 3333s", "kong_concealed 7777p", "kong_open 9999s"),
        {},
        {"all_kongs": 13},
    ),
    (hand("222m444m666p88s99s", "9s"), {"win": "self_draw"}, {"self_triplets": 10, "self_pick": 1}),
    (hand("222m444m666p888s9s", "9s"), {}, {"self_triplets": 10}),  # the pair may be claimed
    (hand("222m444m666p88s99s", "9s"), {}, {"all_triplets": 3, "concealed_hand": 1}),  # a triplet may not
    (
        hand("222m666p88s99s", "9s", "kong_concealed 4444m"),
        {"win": "self_draw"},
        {"self_triplets": 10, "self_pick": 1},
    ),
    (
        hand("5s", "5s", *(f"kong_concealed {kong}" for kong in ("1111m", "3333s", "7777p", "9999s"))),
        {"win": "self_draw"},
        {"self_triplets": 10, "all_kongs": 13, "self_pick": 1},
    ),
    (hand("1112345678999p", "5p"), {"win": "self_draw"}, {"nine_gates": 10, "self_pick": 1}),
    (hand("1112345678999p", "1p"), {}, {"nine_gates": 10}),
    (hand("1112344678999p", "5p"), {}, {"all_one_suit": 7, "concealed_hand": 1}),
    (CHOWS, {"seat": "E", "win": "self_draw", "heavenly": True}, {"heavenly_hand": 13, "common_hand": 1}),
    (CHOWS, {"source": "E", "earthly": True}, {"earthly_hand": 13, "common_hand": 1}),
    (hand("112255m3377p66s8s", "8s"), {}, {"seven_pairs": 4}),
    (hand("112222m3377p66s8s", "8s"), {"win": "self_draw"}, {"seven_pairs": 4, "self_pick": 1}),  # four equal tiles
    (hand("1133557799m22z4z", "4z"), {}, {"seven_pairs": 4, "mixed_one_suit": 3}),
    (hand("113355779922m4m", "4m"), {}, {"seven_pairs": 4, "all_one_suit": 7}),
    (hand("1122334455667z", "7z"), {}, {"seven_pairs": 4, "all_honors": 10}),
    (hand("1199m1199p11s22z3z", "3z"), {}, {"seven_pairs": 4}),  # mixed orphans are not named beside it
]


@pytest.mark.parametrize(("tiles", "how", "expected"), ELEMENT_CASES)
def test_elements(tiles, how, expected):
    seat = how.get("seat", "S")
    foreign = "f4" if seat != "N" else "f1"
    if seat == "E":
        foreign = "f3"
    response = scored(tiles, **{"bonus": foreign} | how)
    assert elements(response) == expected
    assert response["total"]["uncapped"] == sum(expected.values())
    assert response["total"]["value"] == min(13, sum(expected.values()))
    assert all(line["why"] and line["name"] and line["native"] for line in response["elements"])


def test_every_element_is_met():
    assert {name for _, _, found in ELEMENT_CASES for name in found} == FAAN.keys()


def test_element_table_is_complete():
    assert list(ELEMENTS) == list(FAAN)
    assert all(e.name and e.native and e.condition and e.group and e.value for e in ELEMENTS.values())


# --- readings ---


def test_triplets_beat_chows_of_the_same_tiles():
    response = scored(hand("111222333m9p", "9p", "pung 777z"), bonus="f1")
    assert elements(response) == {"all_triplets": 3, "red_dragon": 1}
    assert [unit["type"] for unit in response["arrangement"]] == ["pung", "pung", "pung", "pung", "pair"]


def test_a_claimed_tile_that_fits_a_chow_leaves_the_triplet_concealed():
    response = scored(hand("222m444m666p34s55s", "5s"), bonus="f1")  # 345 55, not 34 and 555
    assert elements(response) == {"concealed_hand": 1}
    won = [unit for unit in response["arrangement"] if unit["completed_by_winning_tile"]]
    assert [(unit["type"], unit["concealed"]) for unit in won] == [("chow", False)]


def test_no_winning_shape():
    response = scored(hand("123m456m345p78s27p", "9s"))
    assert (response["legal"], response["reason"]["code"]) == (False, "not_a_winning_hand")
    assert response["elements"] == []
    assert set(response["payments"].values()) == {0}
