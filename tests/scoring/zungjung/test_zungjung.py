"""Zung Jung: every pattern of the table with all that counts beside it, series, limits, the printed examples."""

from collections import Counter
from functools import partial

import pytest

from scoring.rules import system_named
from scoring.rules.zungjung.table import OFFICIAL, PATTERNS, SEED, SERIES
from tests.scoring import asking
from tests.scoring.asking import elements, hand

scored = partial(asking.scored, "zungjung")
DRAWN = {"win": "self_draw"}
ROBBED = {"win": "robbed_kong"}

CHICKEN = hand("345s67s99m", "8s", "chow 234m", "pung 888p")  # worth nothing by itself
KONG = hand("345s67s99m", "8s", "chow 234m", "kong_open 8888p")
TWO_KONGS = hand("345s67s99s", "8s", "kong_open 1111m", "kong_added 7777p")
THREE_KONGS = ("kong_open 1111m", "kong_added 7777p", "kong_concealed 2222z")
WINDS = ("pung 111z", "pung 222z", "pung 333z")
ORPHANS = "19m19p19s1234567z"


def test_the_table_holds_44_patterns_in_ten_categories():
    patterns = [p for p in PATTERNS if p.id != "chicken_hand"]
    categories = Counter(p.number.split(".")[0] for p in patterns)
    assert [categories[str(n)] for n in range(1, 11)] == [3, 3, 8, 8, 4, 3, 3, 4, 6, 2]
    assert len({p.number for p in patterns}) == len({p.id for p in patterns}) == 44


def test_the_series_of_several_patterns():
    several = {series for series, n in Counter(SERIES.values()).items() if n > 1}
    assert several == {"2.1", "3.2", "3.3", "4.2", "4.3", "5.1", "6.2", "7.2", "8.1", "9.1", "9.4"}


def test_the_printed_points():
    assert list(SEED.values()) == [
        *(5, 5, 5, 40, 100, 480, 10, 40, 130, 30, 120, 320, 400, 320),
        *(30, 5, 30, 125, 5, 20, 120, 480, 10, 55, 120, 480, 35, 30, 120, 40, 100, 200),
        *(40, 50, 100, 400, 10, 10, 10, 10, 155, 155, 200, 30, 1),
    ]
    changed = {"pure_one_suit": 80, "double_two_sequences": 60, "thirteen_terminals": 160}
    assert {k: v for k, v in OFFICIAL.items() if v != SEED[k]} == changed


def test_names_in_both_scripts():
    system = system_named("Mahjong Australia")
    assert (system.id, system.unit, system.native) == ("zungjung", "points", "中庸")
    shown = {e.id: (e.name, e.native, e.value) for e in system.elements}
    assert shown["mixed_one_suit"] == ("Mixed One-Suit", "混一色", "40")
    assert shown["blessing_of_heaven"] == ("Blessing of Heaven", "天和", "155")
    assert shown["win_on_kong"] == ("Win on Kong", "嶺上開花", "10")
    assert shown["value_honour"] == ("Value Honour", "番牌", "10 each")
    assert shown["pure_one_suit"] == ("Pure One-Suit", "清一色", "100 (official 80)")


# Hand, circumstances (a discard from west to south unless said), everything that counts. In table order.
PATTERN_CASES = [
    (hand("345s67s99m", "8s", "chow 234m", "chow 678p"), {}, {"all_sequences": 5}),
    (hand("123m456p999s67s44m", "8s"), {}, {"concealed_hand": 5}),
    (hand("123m456p67s44m", "8s", "kong_concealed 9999s"), {}, {"concealed_hand": 5, "one_kong": 5}),
    (hand("345s67s55m", "8s", "chow 234m", "pung 888p"), {}, {"no_terminals": 5}),
    (hand("456m67m11z", "8m", "chow 123m", "pung 333z"), {}, {"mixed_one_suit": 40}),
    (hand("456m67m99m", "8m", "chow 123m", "pung 333m"), {}, {"pure_one_suit": 100}),
    (hand("1112345678999s", "5s"), {}, {"nine_gates": 480}),
    (hand("1112345678999s", "9s"), DRAWN, {"nine_gates": 480}),
    (hand("345s67s99m", "8s", "pung 555z", "pung 222z"), {}, {"value_honour": 20}),
    (hand("345s67s99m", "8s", "pung 555z", "pung 222z"), {"seat": "N"}, {"value_honour": 10}),
    (hand("345s67s99m", "8s", "kong_open 6666z", "chow 123m"), {}, {"value_honour": 10, "one_kong": 5}),
    (hand("66z45m", "6m", "pung 555z", "pung 777z", "chow 123p"), {}, {"small_three_dragons": 40, "value_honour": 20}),
    (hand("11p45m", "6m", "pung 555z", "pung 777z", "pung 666z"), {}, {"big_three_dragons": 130, "value_honour": 30}),
    (hand("33z45m", "6m", "pung 111z", "pung 444z", "chow 123p"), {}, {"small_three_winds": 30}),
    (hand("45p99s", "6p", *WINDS), {"seat": "N"}, {"big_three_winds": 120}),
    (hand("45p99s", "6p", *WINDS), {}, {"big_three_winds": 120, "value_honour": 10}),
    (hand("44z45p", "6p", *WINDS), {}, {"small_four_winds": 320}),
    (hand("9s", "9s", *WINDS, "pung 444z"), {}, {"big_four_winds": 400}),
    (hand("7z", "7z", "pung 111z", "pung 333z", "pung 555z", "pung 666z"), {}, {"all_honours": 320}),
    (hand("44s11p", "4s", "pung 222m", "pung 666p", "pung 999s"), {}, {"all_triplets": 30}),
    (hand("444s999p67m22m", "8m", "chow 123p"), {}, {"two_concealed_triplets": 5}),
    (hand("444s999p111m67m22s", "8m"), {}, {"three_concealed_triplets": 30, "concealed_hand": 5}),
    (
        hand("222m444m666p88s99s", "9s"),
        DRAWN,
        {"four_concealed_triplets": 125, "concealed_hand": 5, "all_triplets": 30},
    ),
    (KONG, {}, {"one_kong": 5}),
    (TWO_KONGS, {}, {"two_kongs": 20}),
    (hand("67s99s", "8s", *THREE_KONGS), {"seat": "E"}, {"three_kongs": 120}),
    (hand("5s", "5s", *THREE_KONGS, "kong_open 8888s"), {}, {"four_kongs": 480}),
    (hand("223344m67s99p", "8s", "pung 888s"), {}, {"two_identical_sequences": 10}),
    (
        hand("223344m556677p9s", "9s"),
        {},
        {"double_two_sequences": 55, "all_sequences": 5, "concealed_hand": 5},
    ),
    (hand("23m678s99p", "4m", "chow 234m", "chow 234m"), {}, {"three_identical_sequences": 120, "all_sequences": 5}),
    (hand("22223333444m55p", "4m"), DRAWN, {"four_identical_sequences": 480}),
    (hand("34s666m99m", "2s", "chow 234m", "chow 234p"), {}, {"three_similar_sequences": 35}),
    (hand("44s678s23p", "1p", "pung 444m", "pung 444p"), {}, {"small_three_similar_triplets": 30}),
    (hand("78m22s", "9m", "pung 444m", "pung 444p", "pung 444s"), {}, {"three_similar_triplets": 120}),
    (hand("78m22s555p", "9m", "chow 123m", "chow 456m"), {}, {"pure_dragon": 40}),
    (hand("12m99m", "3m", "chow 345m", "chow 678m", "pung 333z"), {}, {"mixed_one_suit": 40}),  # 1-9, no such sets
    (hand("78m99p", "9m", "pung 222s", "pung 333s", "pung 444s"), {}, {"three_consecutive_triplets": 100}),
    (
        hand("55s99p", "5s", "pung 222s", "pung 333s", "pung 444s"),
        {},
        {"four_consecutive_triplets": 200, "all_triplets": 30},
    ),
    (hand("78p11s444z", "9p", "chow 123m", "pung 999p"), {}, {"mixed_lesser_terminals": 40}),
    (hand("78p11s", "9p", "chow 123m", "pung 999p", "chow 789s"), {}, {"pure_lesser_terminals": 50}),
    (
        hand("11s44z", "1s", "pung 111m", "pung 999p", "pung 999m"),
        {},
        {"mixed_greater_terminals": 100, "all_triplets": 30},
    ),
    (hand("99p11s", "9p", "pung 111m", "pung 999m", "pung 111p"), {}, {"pure_greater_terminals": 400}),
    (CHICKEN, {**DRAWN, "last_tile": True}, {"last_card": 10}),
    (CHICKEN, {"last_tile": True}, {"final_discard": 10}),
    (KONG, {**DRAWN, "replacement": True}, {"one_kong": 5, "win_on_kong": 10}),
    (TWO_KONGS, {**DRAWN, "double_kong": True}, {"two_kongs": 20, "win_on_kong": 10}),
    (CHICKEN, ROBBED, {"rob_a_kong": 10}),
    (
        hand("123m456m999p22s34s", "5s"),
        {**DRAWN, "seat": "E", "heavenly": True},
        {"blessing_of_heaven": 155, "concealed_hand": 5},
    ),
    (
        hand("123m456m999p22s34s", "5s"),
        {"source": "E", "earthly": True},
        {"blessing_of_earth": 155, "concealed_hand": 5},
    ),
    (hand(ORPHANS, "1m"), {}, {"thirteen_terminals": 200}),
    (hand("22m44m66m33p55p77s8s", "8s"), {}, {"seven_pairs": 30, "no_terminals": 5}),
]


@pytest.mark.parametrize(("tiles", "how", "expected"), PATTERN_CASES)
def test_pattern(tiles, how, expected):
    response = scored(tiles, **how)
    assert response["legal"]
    assert elements(response) == expected
    assert response["total"]["value"] == sum(expected.values())


def test_every_pattern_has_a_case():
    assert {id_ for _, _, expected in PATTERN_CASES for id_ in expected} == SEED.keys() - {"chicken_hand"}


# --- the printed examples ---


def test_four_concealed_triplets_are_160_at_least():
    assert scored(hand("222m444m666p88s99s", "9s"), **DRAWN)["total"]["value"] == 160


def test_a_70_point_hand_on_a_discard():
    response = scored(hand("223344m556677p8s", "8s"), source="N")
    assert response["total"]["value"] == 70
    assert response["payments"] == {"E": -30, "S": 210, "W": -30, "N": -150, "pot": 0}


def test_a_supplement_tile_that_is_the_last_one_counts_both():
    found = elements(scored(KONG, **DRAWN, replacement=True, last_tile=True))
    assert found == {"one_kong": 5, "win_on_kong": 10, "last_card": 10}


# --- irregular hands take only what asks for no sets ---


@pytest.mark.parametrize(
    ("tiles", "how", "expected"),
    [
        (hand("1122334455667z", "7z"), {}, {"all_honours": 320}),
        (hand("1133557799m22m4m", "4m"), {}, {"seven_pairs": 30, "pure_one_suit": 100}),
        (hand("1133557799m22z4z", "4z"), {}, {"seven_pairs": 30, "mixed_one_suit": 40}),
        (hand("1199m1199p1199s1z", "1z"), {}, {"seven_pairs": 30, "mixed_greater_terminals": 100}),
        (hand("1111m9999m1111p9p", "9p"), {}, {"pure_greater_terminals": 400}),
        (hand("1111m22m33p44p55s6s", "6s"), {"last_tile": True}, {"seven_pairs": 30, "final_discard": 10}),
        (hand("1133m4499p2277s1z", "1z"), DRAWN, {"seven_pairs": 30}),
        (hand("19m19p1s12345671z", "9s"), ROBBED, {"thirteen_terminals": 200, "rob_a_kong": 10}),
        (hand(ORPHANS, "5z"), {**DRAWN, "last_tile": True}, {"thirteen_terminals": 200, "last_card": 10}),
        (
            hand(ORPHANS, "5z"),
            {**DRAWN, "seat": "E", "heavenly": True},
            {"thirteen_terminals": 200, "blessing_of_heaven": 155},
        ),
    ],
)
def test_irregular_hands(tiles, how, expected):
    response = scored(tiles, **how)
    assert elements(response) == expected
    assert response["total"]["value"] == min(sum(expected.values()), max(320, *expected.values()))


def test_seven_pairs_that_are_sequences_too_take_the_better_reading():
    assert elements(scored(hand("223344m556677p9s", "9s"))).get("seven_pairs") is None
    pairs = elements(scored(hand("112233m778899m5m", "5m")))
    assert pairs.get("seven_pairs") is None
    assert pairs["double_two_sequences"] == 55


# --- one arrangement, chosen after the limits ---


def test_triplets_and_sequences_are_not_mixed():
    response = scored(hand("11122233p99m", "3p", "pung 777z"), source="N")
    assert elements(response) == {"three_identical_sequences": 120, "mixed_lesser_terminals": 40, "value_honour": 10}


def test_the_better_of_two_readings_counts():
    triplets = {"three_consecutive_triplets": 100, "three_concealed_triplets": 30, "concealed_hand": 5}
    assert elements(scored(hand("222333444m67s99p", "8s"))) == triplets  # 135; as sequences 130


def test_the_tile_won_by_a_discard_goes_where_it_hurts_least():
    # 4s finishes either the triplet (exposed then) or the sequence 456s: the triplet stays concealed
    found = elements(scored(hand("444s999p56s22m", "4s", "chow 123p")))
    assert found == {"two_concealed_triplets": 5}


def test_a_listed_limit_counts_alone_and_says_what_the_sum_would_be():
    response = scored(hand("44z23p", "1p", *WINDS), seat="N", source="S")
    assert response["total"] == {"unit": "points", "value": 320, "uncapped": 400, "limit": "listed limit"}
    assert "Small Four Winds counts alone; with everything else the sum would be 400 points." in response["explanation"]


def test_the_highest_of_several_listed_patterns_counts():
    four = hand("7z", "7z", "kong_open 1111z", "kong_open 2222z", "kong_open 3333z", "kong_open 4444z")
    assert elements(scored(four)) == {"four_kongs": 480}  # beside 400 and 320
    three = hand("5z", "5z", "pung 444z", *WINDS)
    assert elements(scored(three)) == {"big_four_winds": 400}  # beside all honours


def test_the_compound_limit_cuts_a_sum():
    response = scored(hand("444s55s88s", "5s", "pung 222s", "pung 333s"), seat="N", **DRAWN)
    assert response["total"] == {"unit": "points", "value": 320, "uncapped": 340, "limit": "compound limit"}
    assert "340 points, cut to the compound limit of 320." in response["explanation"]


def test_lines_name_the_tiles_that_meet_them():
    response = scored(hand("78p99s", "9p", "chow 123m", "pung 555z", "kong_open 7777z"))
    why = {line["id"]: line["why"] for line in response["elements"] if line["id"] != "value_honour"}
    honours = next(line for line in response["elements"] if line["id"] == "value_honour")
    assert (honours["value"], honours["count"]) == (20, 2)
    assert honours["why"].endswith(": 555z 7777z")
    assert all(line["count"] == 1 for line in response["elements"] if line["id"] in why)
    assert why["one_kong"].endswith(": 7777z")
