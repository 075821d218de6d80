"""Why a hand is worth no more: every absorption, the next best reading, the next step, other house rules."""

import pytest

from scoring.request import parse_request, respond
from scoring.rules import systems
from scoring.rules.taiwanese import elements
from tests.scoring import asking
from tests.scoring.requests.rare_requests import RARE
from tests.scoring.test_golden import CASES

NINE = "1112345678999m"
ORPHANS = "19m19p19s1234567z"


def ask(rules, concealed, winning, *melds, win="self_draw", **how):
    return {**asking.ask(rules, asking.hand(concealed, winning, *melds), win=win, **how), "why": True}


def pungs(*tiles):
    return [f"pung {t}" for t in tiles]


def mcr(concealed, winning, *melds, **how):
    return ask("mcr", concealed, winning, *melds, **how)


def taiwanese(concealed="123m456m789p345p67s99s", winning="8s", *melds, **how):
    return ask("taiwanese", concealed, winning, *melds, **how)


CLAIMED = {"win": "discard"}
FIRST = {"seat": "E", "heavenly": True}
KONGS = ("kong_open 1111m", "kong_open 9999p", "kong_concealed 7777s", "kong_added 3333s")
FLOWERS = {"every_flower": True, "flower_set_keeps_own": True}
SELDOM = {"values": dict.fromkeys(elements.SELDOM, 1)}
# Hands with what contains what, where no worked hand has it.
MORE = [
    ask("hongkong", "555z6z", "6z", *pungs("111z", "333z", "777z")),
    ask("hongkong", "234m67m55z", "5m", *pungs("666z", "777z")),
    ask("hongkong", "8m", "8m", *KONGS),
    ask("hongkong", "23m88p678s", "4m", *KONGS[:2], replacement=True, double_kong=True),
    ask("singapore", "23m88p678s", "4m", *KONGS[:2], replacement=True, double_kong=True),
    ask("singapore", ORPHANS, "1m"),
    ask("singapore", "1133m5577p2244s7z", "7z", options={"seven_pairs": True}),
    ask("singapore", "555z6z", "6z", *pungs("111z", "333z", "777z")),
    ask("singapore", "23s666z88s", "4s", *pungs("222s", "666s")),
    ask("singapore", "23234888s22s", "4s", "pung 666s"),
    ask("singapore", "8m", "8m", *KONGS),
    ask("singapore", NINE, "5m"),
    mcr(NINE, "1m", **CLAIMED),
    mcr("9m19p19s11234567z", "1m"),
    mcr("222m444p777s888s5m", "5m", **CLAIMED),
    mcr("147m25p36s123456z", "7z"),
    mcr("14m258p369s12345z", "6z"),
    mcr("567p888m67s33z", "8s", "chow 234m", win="robbed_kong", last_of_kind=True),
    mcr("345m67m99m", "5m", *pungs("222z", "888m"), **CLAIMED),
    taiwanese("", None, flower_win=True, bonus="f1f2f3f4g1g2g3g4", options=FLOWERS),
    taiwanese("", None, flower_win=True, win="robbed_kong", bonus="f1f2f3g1g2g3g4", options=FLOWERS),
    taiwanese("123m456m789p345p68s99s", "7s", **FIRST),
    taiwanese(bonus="f3", replacement=True, **FIRST),
    *(taiwanese(declared_ready=True, options=SELDOM, **{ready: True}) for ready in ("heavenly_ready", "earthly_ready")),
    *(taiwanese("9s", "9s", *KONGS, last, options=SELDOM) for last in ("kong_open 8888m", "chow 678m")),
    taiwanese("67s99p", "8s", *pungs("111z", "222z", "333z", "444z"), options={"every_wind": True}),
    taiwanese("456m67s44z", "8s", *pungs("111z", "222z", "333z"), options={"every_wind": True}),
]


@pytest.mark.parametrize("rules", systems())
def test_every_line_of_an_absorption_table_is_told_and_not_counted(rules):
    told = set()
    for asked in (*(case["request"] for case in CASES), *RARE, *MORE):
        answer = respond({**asked, "why": True}) if asked["rules"] == rules else {"error": "of other rules"}
        if "error" not in answer:
            left = {(e["by"], e["id"]) for e in answer["why"]["not_counted"]}
            assert not {e["id"] for e in answer["elements"]} & {inner for _, inner in left}
            told |= left
    assert told >= {(by, inner) for by, every in systems()[rules].absorbs.items() for inner in every}


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
    assert why == {"not_counted": [], "second_best": None, "next_steps": [], "nearest": [], "house_rules": []}
