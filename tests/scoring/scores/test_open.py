"""What nearly every hand turns on, and what it would change while nobody has said it."""

import pytest

from scoring.request import respond
from scoring.rules import systems
from tests.scoring import asking
from tests.scoring.test_golden import CASES

PINFU = asking.hand("234m567m345p67s22s", "8s")
NO_YAKU = asking.hand("111m345m345p78s22s", "9s")


def open_of(rules, hand, win="discard", **how):
    """Name -> (value supposed, whether it wins, the change) of what is open."""
    answer = respond({**asking.ask(rules, hand, win=win, **how), "open": True})
    now = answer["payments"][how.get("seat", "S")]
    assert all(one["income"] - one["change"] == now for one in answer["open"]), answer
    return {one["name"]: (one["value"], one["legal"], one["change"]) for one in answer["open"]}


@pytest.mark.parametrize(
    ("hand", "how", "expected"),
    [
        (PINFU, {}, {"riichi": (True, True, 1900), "dora_indicators": (["1m"], True, 1900)}),
        (
            PINFU,
            {"riichi": True, "dora_indicators": ["1z"]},
            {"ippatsu": (True, True, 3800), "ura_indicators": (["1m"], True, 3800)},
        ),
        (PINFU, {"double_riichi": True, "ippatsu": True, "dora_indicators": ["1z"], "ura_indicators": ["1z"]}, {}),
        (NO_YAKU, {}, {"riichi": (True, True, 1300), "dora_indicators": (["2m"], False, 0)}),
        (asking.hand("345m345p78s22s", "9s", "pung 777z"), {}, {"dora_indicators": (["2m"], True, 1000)}),
    ],
    ids=["nothing said", "riichi", "all said", "no yaku", "an open meld"],
)
def test_riichi_and_its_indicators(hand, how, expected):
    assert open_of("riichi", hand, **how) == expected


ORPHANS = asking.hand("19m19p19s1234567z", "1m")
FLUSH = asking.hand("1122334455667m", "7m")


@pytest.mark.parametrize(
    ("hand", "how", "asked"),
    [
        (ORPHANS, {}, set()),
        (FLUSH, {"riichi": True, "ippatsu": True}, {"dora_indicators"}),
        (FLUSH, {"riichi": True, "ippatsu": True, "dora_indicators": ["1m"]}, set()),
    ],
    ids=["yakuman", "counted, but not yet", "counted"],
)
def test_nothing_is_asked_above_a_yakuman(hand, how, asked):
    assert open_of("riichi", hand, **how).keys() == asked


def test_nothing_is_supposed_of_tiles_that_do_not_win_or_came_from_nobody_knows_whom():
    assert open_of("riichi", asking.hand("123p456p789p11s1m9m", "1s")) == {}
    told = {"rules": "riichi", "result": {"value": 3, "fu": 40}, "context": {"seat": "S", "win": "self_draw"}}
    assert respond({**told, "open": True})["open"] == []
    request = asking.ask("riichi", PINFU)
    request["context"]["from"] = None
    assert respond({**request, "open": True})["open"] == []


def test_an_indicator_is_supposed_that_can_lie_there():
    """The four white dragons are in the hand, so none of them shows green; for three, nine shows one of characters."""
    kan = asking.hand("234p567p22s6z6z", "2s", "kong_concealed 5555z")
    assert open_of("riichi", kan)["dora_indicators"][0] == ["1p"]
    three = {"options": {"players": 3}}
    nines = asking.hand("111p345p678p77s1m1m", "1m")
    assert open_of("riichi", nines, **three)["dora_indicators"][0] == ["2p"]
    triplets = asking.hand("111p333p555s77s9m9m", "7s")
    assert open_of("riichi", triplets, **three)["dora_indicators"][0] == ["1m"]
    assert open_of("riichi", triplets)["dora_indicators"][0] == ["8m"]


def test_the_dealers_streak_matters_where_the_dealer_wins_or_pays():
    hand = asking.hand("123m456m789m345p67s99s", "8s")
    assert open_of("taiwanese", hand, win="self_draw", seat="E")["streak"][0] == 2
    assert open_of("taiwanese", hand, win="self_draw", seat="E")["streak"][2] > 0
    assert open_of("taiwanese", hand, source="W") == {}
    assert "streak" not in open_of("taiwanese", hand, win="self_draw", seat="E", streak=3)


def test_a_wild_tile_is_not_guessed():
    assert open_of("hangzhou", asking.hand("123m456m789m345p9s", "9s"), win="self_draw", indicator="permanent") == {}


def test_what_is_open_comes_true_once_it_is_said():
    """Of every worked hand: with the answer that was supposed the score is the one that was told, else what it was."""
    told = 0
    for case in CASES:
        answer = respond({**case["request"], "open": True})
        context, now = case["request"]["context"], (answer.get("legal"), answer.get("payments"))
        supposed = {one["name"]: (one["value"], one["legal"], one["income"]) for one in answer.get("open", ())}
        asked = set(supposed)
        if answer.get("legal") and now[1]:
            left = [(name, value) for name, value in (("riichi", True), ("streak", 2)) if name not in context]
            same = (True, now[1][context["seat"]])
            supposed = {name: (value, *same) for name, value in left} | supposed
        for name, (value, *then) in supposed.items():
            answer = respond({**case["request"], "context": {**context, name: value}})
            if name in asked or "error" not in answer:
                assert [answer["legal"], answer["payments"][context["seat"]]] == then, case
                told += 1
    assert told > 100


def test_prompts_are_questions_of_their_system():
    assert all(set(system.prompts) <= set(system.asks) for system in systems().values())
    assert respond(asking.ask("riichi", PINFU)).keys().isdisjoint({"open"})
    assert respond({**asking.ask("riichi", PINFU), "open": "yes"})["error"]["field"] == "open"
