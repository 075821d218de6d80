"""Why a hand is worth no more: every absorption, the next best reading, the next step, other house rules."""

import pytest

from scoring.request import parse_request, respond
from scoring.rules import systems
from tests.scoring import asking
from tests.scoring.mcr import contained_mcr
from tests.scoring.taiwanese import contained_taiwanese

NINE = "1112345678999m"
ORPHANS = "19m19p19s1234567z"


def ask(rules, concealed, winning, *melds, win="self_draw", **how):
    return {**asking.ask(rules, asking.hand(concealed, winning, *melds), win=win, **how), "why": True}


def pungs(*tiles):
    return [f"pung {t}" for t in tiles]


KONGS = ("kong_open 1111m", "kong_open 9999p", "kong_open 3333s", "kong_open 5555p")
# rules, the element that contains others, what they are, the hand
CONTAINED = [
    ("hongkong", "seven_pairs", "concealed_hand", ask("hongkong", "1133m5577p2244s7z", "7z")),
    ("hongkong", "all_honors", "all_triplets", ask("hongkong", "555z6z", "6z", *pungs("111z", "333z", "777z"))),
    (
        *("hongkong", "small_dragons", "red_dragon green_dragon"),
        ask("hongkong", "234m67m55z", "5m", *pungs("666z", "777z")),
    ),
    ("hongkong", "small_dragons", "white_dragon", ask("hongkong", "234m67m66z", "5m", *pungs("555z", "777z"))),
    (
        *("hongkong", "great_dragons", "red_dragon green_dragon white_dragon"),
        ask("hongkong", "23m99p", "4m", *pungs("555z", "666z", "777z")),
    ),
    (
        *("hongkong", "great_winds", "seat_wind prevailing_wind all_triplets"),
        ask("hongkong", "9p", "9p", *pungs("111z", "222z", "333z", "444z")),
    ),
    ("hongkong", "thirteen_orphans", "concealed_hand", ask("hongkong", ORPHANS, "1m")),
    ("hongkong", "all_kongs", "all_triplets", ask("hongkong", "8m", "8m", *KONGS)),
    (
        *("hongkong", "self_triplets", "concealed_hand all_triplets"),
        ask("hongkong", "111m333p555s77s99p", "9p"),
    ),
    ("hongkong", "orphans", "all_triplets", ask("hongkong", "9s", "9s", *pungs("111m", "999p", "111s", "999m"))),
    ("hongkong", "nine_gates", "all_one_suit concealed_hand", ask("hongkong", NINE, "5m")),
    (
        *("hongkong", "win_by_double_kong", "win_by_kong"),
        ask("hongkong", "23m88p678s", "4m", *KONGS[:2], replacement=True, double_kong=True),
    ),
    (
        *("hongkong", "heavenly_hand", "self_pick concealed_hand"),
        ask("hongkong", "123m456p789s111z5z", "5z", seat="E", heavenly=True),
    ),
    (
        *("hongkong", "earthly_hand", "concealed_hand"),
        ask("hongkong", "123m456p789s222z5z", "5z", win="discard", earthly=True, source="E"),
    ),
    ("singapore", "small_three_dragons", "dragon_pung", ask("singapore", "234m67m55z", "5m", *pungs("666z", "777z"))),
    (
        *("singapore", "double_kong", "replacement_tile"),
        ask("singapore", "23m88p678s", "4m", *KONGS[:2], replacement=True, double_kong=True),
    ),
    (
        *("singapore", "heavenly_hand", "concealed_hand"),
        ask("singapore", "123m456p789s111z5z", "5z", seat="E", heavenly=True),
    ),
    ("singapore", "thirteen_orphans", "concealed_hand", ask("singapore", ORPHANS, "1m")),
    (
        *("singapore", "seven_pairs", "concealed_hand"),
        ask("singapore", "1133m5577p2244s7z", "7z", options={"seven_pairs": True}),
    ),
    (
        *("singapore", "big_three_dragons", "dragon_pung"),
        ask("singapore", "23m99p", "4m", *pungs("555z", "666z", "777z")),
    ),
    (
        *("singapore", "big_four_winds", "seat_wind prevailing_wind all_pungs half_flush"),
        ask("singapore", "9p", "9p", *pungs("111z", "222z", "333z", "444z")),
    ),
    ("singapore", "all_honours", "all_pungs", ask("singapore", "555z6z", "6z", *pungs("111z", "333z", "777z"))),
    ("singapore", "all_terminals", "all_pungs", ask("singapore", "9s", "9s", *pungs("111m", "999p", "111s", "999m"))),
    ("singapore", "all_green", "half_flush", ask("singapore", "23s666z88s", "4s", *pungs("222s", "666s"))),
    ("singapore", "all_green", "full_flush", ask("singapore", "23234888s22s", "4s", "pung 666s")),
    (
        *("singapore", "four_concealed_pungs", "all_pungs concealed_hand"),
        ask("singapore", "111m333p555s77s99p", "9p"),
    ),
    ("singapore", "all_kongs", "all_pungs", ask("singapore", "8m", "8m", *KONGS)),
    ("singapore", "nine_gates", "full_flush concealed_hand", ask("singapore", NINE, "5m")),
    ("riichi", "double_riichi", "riichi", ask("riichi", "234m567m234p67s88s", "5s", double_riichi=True)),
    ("riichi", "ryanpeiko", "iipeiko", ask("riichi", "223344m556677p8s", "8s")),
    ("riichi", "junchan", "chanta", ask("riichi", "123m789m123p12s99s", "3s")),
    ("riichi", "chinitsu", "honitsu", ask("riichi", "1122345678999m", "3m")),
    *contained_mcr.LINES,
    *contained_taiwanese.LINES,
]


@pytest.mark.parametrize(("rules", "by", "inner", "asked"), CONTAINED, ids=[f"{r}-{b}-{i}" for r, b, i, _ in CONTAINED])
def test_what_an_element_contains_is_told_and_not_counted(rules, by, inner, asked):
    answer = respond(asked)
    assert by in {e["id"] for e in answer["elements"]}
    left = {e["id"]: e["by"] for e in answer["why"]["not_counted"]}
    for id_ in inner.split():
        assert left[id_] == by
        assert id_ not in {e["id"] for e in answer["elements"]}


def test_every_line_of_every_absorption_table_has_a_hand():
    listed = {(s.id, by, inner) for s in systems().values() for by, all_ in s.absorbs.items() for inner in all_}
    assert listed == {(rules, by, inner) for rules, by, all_, _ in CONTAINED for inner in all_.split()}


def test_house_rules_that_keep_an_element_take_it_off_the_list():
    asked = ask("hongkong", "111m333p555s77s99p", "9p", options={"self_triplets_keep_all_triplets": True})
    answer = respond(asked)
    assert "all_triplets" in {e["id"] for e in answer["elements"]}
    assert "all_triplets" not in {e["id"] for e in answer["why"]["not_counted"]}


@pytest.mark.parametrize(
    ("asked", "by", "inner"),
    [
        (ask("zungjung", "111222m345p12s99s", "3s"), None, ""),
        (ask("zungjung", "223344m223344p5s", "5s"), "double_two_sequences", "two_identical_sequences"),
        (ask("zungjung", "9p", "9p", *pungs("111z", "222z", "333z", "444z")), "big_four_winds", "all_triplets"),
        (ask("riichi", ORPHANS, "1m"), "kokushi_13", "menzen_tsumo"),
    ],
)
def test_series_and_hands_that_count_alone(asked, by, inner):
    left = {e["id"]: e["by"] for e in respond(asked)["why"]["not_counted"]}
    assert left == {} if by is None else left[inner] == by


def test_one_yakuman_alone_names_the_others():
    asked = ask("riichi", "555z66z", "6z", *pungs("111z", "333z", "777z"), options={"multiple_yakuman": False})
    asked["concealed"], asked["winning_tile"] = "55z66z", "5z"
    left = {e["id"] for e in respond(asked)["why"]["not_counted"]}
    assert left & {"toitoi", "haku", "chun"}


def test_the_second_best_reading():
    asked = ask("riichi", "111222333m99p45s", "6s", riichi=True, win="discard")
    answer = respond(asked)
    assert "iipeiko" not in str(answer["why"]["not_counted"])
    second = answer["why"]["second_best"]
    assert second.startswith("Read as 123m 123m 123m 456s 99p it would be ")


def test_one_reading_alone_has_no_second():
    assert respond(ask("hongkong", "123m456p789s111z5z", "5z"))["why"]["second_best"] is None


@pytest.mark.parametrize(
    ("asked", "steps"),
    [
        # 5 faan pay as 4 to 6 do: the next step is at 7.
        (ask("hongkong", "123m456m345p78s22p", "9s", seat="W", bonus="f3g3"), [(2, "faan", 256, 128)]),
        (
            ask("hongkong", "345s67s99m", "8s", "chow 234m", "pung 888p", bonus="f1", options={"min_faan": 3}),
            [(2, "faan", 64, None)],
        ),
        (ask("hongkong", ORPHANS, "1m"), []),
        (ask("singapore", "234m67m55z", "5m", *pungs("666z", "777z")), []),
        (ask("riichi", "234m567m234p67s88s", "5s"), [(1, "han", 5200, 2700), (10, "fu", 4000, 2700)]),
        (ask("hangzhou", "123m456m345p78s22p", "9s", indicator="1z"), [(1, "doubles", 8, 4)]),
    ],
)
def test_the_next_step(asked, steps):
    told = [(s["more"], s["unit"], s["income"], s["now"]) for s in respond(asked)["why"]["next_steps"]]
    assert told == steps


def test_house_rules_are_those_that_change_something():
    asked = ask("hongkong", "123m456m345p78s22p", "9s", seat="E")
    rules = {(r["option"], r["value"]): r for r in respond(asked)["why"]["house_rules"]}
    now = respond(asked)["payments"]["E"]
    for (option, value), rule in rules.items():
        other = respond({**asked, "options": {option: value}})
        assert (other["legal"], other["payments"]["E"]) == (rule["legal"], rule["income"])
        assert rule["change"] == rule["income"] - now
    assert rules["dealer_doubling", False]["change"] == -now // 2
    assert ("seven_pairs", False) not in rules


def test_nobody_knows_whose_tile_it_was():
    asked = ask("hongkong", "555z6z", "6z", *pungs("111z", "333z", "777z"), win="discard")
    asked["context"]["from"] = None
    why = respond(asked)["why"]
    assert {e["id"] for e in why["not_counted"]} == {"all_triplets", "white_dragon", "red_dragon"}
    assert why["next_steps"] == why["house_rules"] == []


def test_without_the_question_there_is_no_why():
    asked = ask("riichi", ORPHANS, "1m")
    del asked["why"]
    assert "why" not in respond(asked)
    assert parse_request(asked).score().why.not_counted
    assert respond({**asked, "why": "yes"})["error"]["field"] == "why"


def test_tiles_that_make_no_hand_have_nothing_to_tell():
    why = respond(ask("hongkong", "1357m2468p13579s", "1z"))["why"]
    assert why == {"not_counted": [], "second_best": None, "next_steps": [], "house_rules": []}
