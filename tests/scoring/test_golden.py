"""Every worked hand of the specifications: legality, elements, total, reading and payments.

basis: S follows from the system's source text alone, R needs a second named source, C rests on a decision.
"""

import json
from pathlib import Path

import pytest

from scoring.request import respond
from scoring.rules import MODULES, systems
from tests.scoring.asking import elements, hand, scored

GOLDEN = Path(__file__).parent.parent / "golden"
CASES = [case for name in MODULES for case in json.loads((GOLDEN / f"{name}.json").read_text())]
DRAWN = {"win": "self_draw"}
PLAIN = hand("345s67s99m", "8s", "chow 234m", "pung 888p")
CHOWS = hand("123m456m345p78s22p", "9s")
WINDS = ("pung 111z", "pung 222z", "pung 333z")
KONGS = ("kong_open 1111m", "kong_added 3333s", "kong_concealed 7777p", "kong_open 9999s")
TEN_HONOURS = {"honours": 11, "options": {"ten_honours": "own_tile"}}
# Hands with the elements of which the specifications work none: rules, tiles, circumstances, all that counts.
THREE = {"options": {"players": 3}}
MORE = [
    ("hongkong", hand("5s", "5s", *KONGS), {"bonus": "f1"}, {"all_kongs": 13}),
    ("hongkong", hand("666z345s67s99m", "8s", "chow 234m"), {"bonus": "f1"}, {"green_dragon": 1}),
    ("hongkong", CHOWS, {"bonus": "g1g2g3g4"}, {"all_seasons": 2, "common_hand": 1, "concealed_hand": 1}),
    ("zungjung", hand("45p99s", "6p", *WINDS), {"seat": "N"}, {"big_three_winds": 120}),
    ("zungjung", hand("9s", "9s", *WINDS, "pung 444z"), {}, {"big_four_winds": 400}),
    ("zungjung", hand("345s67s99s", "8s", "kong_open 1111m", "kong_added 7777p"), {}, {"two_kongs": 20}),
    ("zungjung", hand("78m99p", "9m", "pung 222s", "pung 333s", "pung 444s"), {}, {"three_consecutive_triplets": 100}),
    ("zungjung", hand("99p11s", "9p", "pung 111m", "pung 999m", "pung 111p"), {}, {"pure_greater_terminals": 400}),
    ("zungjung", PLAIN, {"last_tile": True}, {"final_discard": 10}),
    ("zungjung", PLAIN, {"options": {"minimum": 0}}, {"chicken_hand": 1}),
    ("riichi", hand("234p567p345s67s88p", "8s"), {**THREE, "bonus": "44z"}, {"pinfu": 1, "tanyao": 1, "kita": 2}),
    ("riichi", hand("444z345s67s888p99m", "8s"), {"options": {"players": 3, "north_value": True}}, {"north": 1}),
    ("hangzhou", hand("123456789m11p9s", None), {**DRAWN, "indicator": "4s", **TEN_HONOURS}, {"ten_honours": 2}),
    ("singapore", hand("67s99m", "8s", "chow 234m", *KONGS[:2]), {**DRAWN, "double_kong": True}, {"double_kong": 10}),
    ("singapore", CHOWS, {"source": "E", "earthly": True}, {"earthly_hand": 10, "all_chows": 4}),
    ("singapore", CHOWS, {"source": "N", "humanly": True}, {"humanly_hand": 10, "all_chows": 4}),
    ("singapore", hand("112255m3377p66s8s", "8s"), {"options": {"seven_pairs": True}}, {"seven_pairs": 10}),
    ("singapore", hand("5z", "5z", *WINDS, "pung 444z"), {}, {"big_four_winds": 10, "all_honours": 10}),
    ("singapore", hand("99s11p", "1p", "pung 111m", "pung 999p", "pung 999m"), {}, {"all_terminals": 10}),
    ("singapore", hand("34s66s888s", "2s", "chow 234s", "pung 666z"), {}, {"all_green": 10, "dragon_pung": 1}),
    ("singapore", hand("5s", "5s", *KONGS), {}, {"all_kongs": 10}),
    ("riichi", hand("456p99s22m", "2m", "pung 111z", "chow 789s"), {}, {"round_wind": 1}),
    ("riichi", hand("456p99s22m", "2m", "chow 789s", "chow 123s"), {"last_tile": True}, {"houtei": 1}),
    ("riichi", hand("33s567m88m", "3s", "pung 333m", "pung 333p"), {}, {"sanshoku_doukou": 2, "tanyao": 1}),
    ("riichi", hand("123m567m345p68s88p", "7s"), {"humanly": True, "options": {"renhou": "mangan"}}, {"renhou": 5}),
    ("riichi", hand("11m99s", "1m", "pung 999m", "pung 111p", "pung 999p"), {}, {"chinroutou": 1}),
    ("riichi", hand("5s", "5s", *KONGS), {}, {"suukantsu": 1}),
    ("riichi", hand("123m456p789s111z5z", "5z"), {**DRAWN, "earthly": True}, {"chiihou": 1}),
]


def total_of(response):
    total = response["total"]
    if response["rules"] != "riichi":
        return total["value"]
    if total.get("yakuman"):
        return f"{total['yakuman']} yakuman"
    fu = f" {total['fu']} fu" if total["value"] < 5 else ""
    return f"{total['value']} han{fu}"


def reading_of(response):
    """The sets and the pair in a line, in any order; special shapes, and all of Hangzhou's, by name."""
    types = [unit["type"] for unit in response["arrangement"]]
    if types in ([], ["pair"] * 7, ["thirteen_orphans"], ["knitted"]):
        return {0: "bonus tiles", 7: "seven pairs", 1: " ".join(types).replace("_", " ")}[len(types)]
    if "knitted" in types:
        rest = [unit["tiles"] for unit in response["arrangement"] if unit["type"] != "knitted"]
        return " ".join(["knitted straight", *("".join(t[0] for t in tiles) + tiles[0][1] for tiles in rest)])
    if types.count("pair") == 7:
        return "eight pairs"
    assert (len(types), types.count("pair")) == (6 if response["rules"] == "taiwanese" else 5, 1)
    if response["rules"] == "hangzhou":
        return "sets and a pair"
    codes = [unit["tiles"] for unit in response["arrangement"]]
    return " ".join(sorted("".join(t[0].replace("0", "5") for t in tiles) + tiles[0][1] for tiles in codes))


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_worked_hand(case):
    response = respond(case["request"])
    expected = case["expected"]
    assert "error" not in response, response
    assert response["legal"] is expected["legal"]
    if not expected["legal"]:
        assert response["reason"]["code"] == expected["reason"]
        assert set(response["payments"].values()) == {0}
        return
    assert {line["id"]: line["value"] for line in response["elements"]} == expected["elements"]
    assert len(response["elements"]) == len(expected["elements"])
    assert total_of(response) == expected["total"]
    named = not expected["reading"][0].isdigit()
    assert reading_of(response) == (expected["reading"] if named else " ".join(sorted(expected["reading"].split())))
    assert response["payments"] == expected["payments"]


@pytest.mark.parametrize(("rules", "tiles", "how", "expected"), MORE, ids=[f"{m[0]}-{next(iter(m[3]))}" for m in MORE])
def test_element_without_a_worked_hand(rules, tiles, how, expected):
    assert elements(scored(rules, tiles, **how)) == expected


@pytest.mark.parametrize("system", systems().values(), ids=systems())
def test_every_element_has_a_hand(system):
    worked = [case["expected"]["elements"] or {} for case in CASES if case["request"]["rules"] == system.id]
    more = [expected for rules, _, _, expected in MORE if rules == system.id]
    missing = {element.id for element in system.elements}.difference(*worked, *more)
    assert missing == ({"nagashi_mangan"} if system.id == "riichi" else set())  # which is no winning hand
    assert all(e.name and e.native and e.value and e.condition for e in system.elements)


def test_every_worked_hand_has_an_id_and_a_basis():
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert {case["basis"] for case in CASES} == {"S", "R", "C"}
