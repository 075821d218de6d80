"""No house rule is there for nothing: every value of every option gives some request another answer."""

import json
from pathlib import Path

import pytest

from scoring.options import options_of
from scoring.request import respond
from scoring.rules import systems
from scoring.rules.riichi import noten_payments
from scoring.seats import Seat
from tests.scoring.asking import ask, hand
from tests.scoring.requests.rare_requests import RARE

GOLDEN = Path(__file__).parents[2] / "golden"
DRAWN = {"win": "self_draw"}
# Options that list no values.
OPEN = {
    "hongkong": {
        "min_faan": (3, 8),
        "max_faan": (1, 8),
        "pays_from": (2,),
        "unit": (5, "0.1"),
        "values": ({"self_pick": 0},),
    },
    "zungjung": {
        **{"standard_score": (25,), "minimum": (0, 16), "limit": (40, None), "false_win": (10,), "unit": ("0.1",)},
        "values": ("official", {"value_honour": 20}, {"seven_pairs": 0}),
    },
    "hangzhou": {"remaining": (1, {"E": "2.5"}), "unit": ("0.5",), "values": ({"wild_eye": 4}, {"seven_pairs": 0})},
    "singapore": {
        **{"base": (1, "0.3"), "limit": (1, 6, None), "over_bonus": (10,), "min": (0, 3)},
        **{"values": ({"animal": 2}, {"all_chows": 0}), "false_win": (1,)},
    },
    "riichi": {
        **{"aka": (0, 1, 2, 4), "min_han": (2, 4), "chombo_points": (300, 12_000)},
        "values": ({"riichi": 2}, {"dora": 0}, {"suuankou_tanki": 0}),
    },
    "mcr": {
        **{"min_points": (0, 7, 12), "base": (0, 10), "two_concealed_kongs": (4, 8), "mixed_kongs": (3, 6)},
        **{"false_win": (0, 30), "unit": ("0.5",), "values": ({"last_tile": 6}, {"single_wait": 0})},
    },
    "taiwanese": {
        **{"base": (0, "0.5"), "unit": (1,), "min_tai": (1, 9), "max_tai": (1, 20), "heavenly": (8, 16)},
        **{"false_win": (0, 20), "earthly": (8,), "human": (0, 16), "heavenly_ready": (0, 16), "earthly_ready": (0, 8)},
        **{"all_honours": (8,), "eight_pairs": (0, 16), "values": ({"all_pungs": 0},)},
    },
}
OF_THREE = ("kita", "kita_rinshan", "north_value", "tsumo_loss", "noten_3000")  # options of riichi for three
NO_PATTERN = hand("234m888p345s67s99m", "8s")
KANS = tuple(f"kong_open {kind * 4}{suit}" for kind, suit in (("1", "m"), ("3", "m"), ("7", "p"), ("9", "s")))
DRAGONS = ("pung 555z N", "pung 666z N", "pung 777z W")
MORE = (
    ask("hongkong", NO_PATTERN, options={"min_faan": 3}, **DRAWN),
    ask("hongkong", hand("1199m1199p11s22z3z", "3z")),
    ask("hongkong", hand("222m666p88s99s", "9s", "kong_concealed 4444m"), **DRAWN),
    ask("hongkong", hand("1112344678999p", "5p"), bonus="f1", **DRAWN),
    ask("singapore", hand("112255m3377p66s8s", "8s")),
    *(
        ask(
            *("singapore", hand("67s99m", "8s", "chow 234m", "pung 888p", "kong_concealed 3333s")),
            **{"bonus": "a1", "options": {"limit": 1, "instant": instant}},
        )
        for instant in (False, True)
    ),
    *(ask("riichi", hand(f"678m9s{fives}", "9s"), **DRAWN) for fives in ("345m340p067p", "340m067p340s")),
    ask("riichi", hand("123m456m789m23s99p", "4s"), humanly=True),
    ask("riichi", hand("2s", "2s", *KANS), liable={"seat": "W", "kind": "suukantsu"}, **DRAWN),
    ask("riichi", hand("119m19p19s123456z", "7z"), win="robbed_kong", robbed_concealed=True),
    ask("riichi", hand("234p567p345s67s88p", "8s"), bonus="4z"),
    ask("riichi", hand("234p567p345s67s88p", "8s"), bonus="4z", replacement=True, **DRAWN),
    ask("riichi", hand("444z345s67s888p99m", "8s"), riichi=True),
    ask("singapore", hand("111m333p555s777p9m", "9m")),
    ask("mcr", hand("1234444678m456p", "1m")),
    ask("taiwanese", hand("4m777m456m", "4m", "chow 789m E", "pung 333p E", "pung 222s E")),
    ask("taiwanese", hand("123m456m789p345p67s22z", "8s")),
    ask("taiwanese", hand("24m5s1z", None, *KANS), options={"values": {"four_kongs": 8}}, **DRAWN),
    ask("riichi", hand("111z2z", "2z", *DRAGONS), source="N", liable={"seat": "W", "kind": "daisangen"}, counters=1),
)


def requests(rules):
    worked = json.loads((GOLDEN / f"{rules}.json").read_text(encoding="utf-8"))
    return [*(case["request"] for case in worked), *(asked for asked in (*MORE, *RARE) if asked["rules"] == rules)]


def answers(system, option, value):
    """What the requests, a false win and play come to with this value; a request that makes no sense comes to None."""
    rules = {option: value}
    three = {"players": 3} if option in OF_THREE else {}
    for asked in requests(system.id):
        response = respond({**asked, "options": {**asked["options"], **three, **rules}})
        told = {k: response.get(k) for k in ("legal", "elements", "total", "payments", "payments_if_from")}
        yield None if "error" in response else told
    penalty = system.conventions.false_win
    house = options_of(system.option_class, {**three, **rules}, system.name)
    yield penalty(Seat.S, house).to_json() if penalty else None
    yield noten_payments([Seat.S], house).to_json() if system.id == "riichi" else None
    yield system.conventions.play(house) if system.conventions.play else None


@pytest.mark.parametrize(
    ("system", "option"), [pytest.param(s, o, id=f"{s.id}-{o.name}") for s in systems().values() for o in s.options]
)
def test_every_value_of_every_option_changes_some_answer(system, option):
    values = OPEN[system.id].get(option.name, tuple(v for v in option.values if v != option.default))
    assert values
    usual = list(answers(system, option.name, plain(option.default)))
    for value in values:
        changed = answers(system, option.name, value)
        assert any(a != b and (a or b) for a, b in zip(usual, changed, strict=True)), value


def plain(value):
    """A default as JSON has it."""
    return value if isinstance(value, bool | int | str | dict | None) else str(value)
