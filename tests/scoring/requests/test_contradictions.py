"""What several systems refuse by the same check, tried in each system that has it."""

import pytest

from scoring.errors import InvalidRequest
from scoring.request import parse_request
from scoring.rules import MODULES
from tests.scoring.asking import ask, fitting, hand

CLOSED = ("123m456m345p78s22p", "9s")
OPEN = ("345s67s99m", "8s", "chow 234m", "pung 888p")
BY_FLOWERS = ("", None)
SEVEN = "f2f3f4g1g2g3g4"
DRAWN = {"win": "self_draw"}
DEALT = ("hongkong", "zungjung", "singapore", "riichi", "taiwanese")
FIRST_DISCARD = ("hongkong", "zungjung", "singapore")
FIRST_ROUND = ("singapore", "taiwanese")
WITH_FLOWERS = ("hongkong", "singapore", "taiwanese")
OTHERS = {name: tuple(rules for rules in MODULES if rules != name) for name in ("riichi", "singapore", "hangzhou")}
CHECKS = [
    (DEALT, CLOSED, {**DRAWN, "heavenly": True}, "context.heavenly"),
    (DEALT, OPEN, {**DRAWN, "seat": "E", "heavenly": True}, "context.heavenly"),
    (FIRST_DISCARD, CLOSED, {**DRAWN, "earthly": True}, "context.earthly"),
    (FIRST_DISCARD, CLOSED, {"source": "N", "earthly": True}, "context.earthly"),
    (FIRST_DISCARD, OPEN, {"source": "E", "earthly": True}, "context.earthly"),
    (FIRST_ROUND, CLOSED, {"seat": "E", "humanly": True}, "context.humanly"),
    (FIRST_ROUND, CLOSED, {**DRAWN, "humanly": True}, "context.humanly"),
    (FIRST_ROUND, OPEN, {"humanly": True}, "context.humanly"),
    (MODULES, ("456s78s99m", "6s", *OPEN[2:]), {"win": "robbed_kong"}, "context.win"),
    (MODULES, CLOSED, {**DRAWN, "replacement": True}, "context.replacement"),
    (OTHERS["riichi"], (*OPEN[:3], "kong_open 8888p"), {**DRAWN, "double_kong": True}, "context.double_kong"),
    (("mcr", "zungjung", "hangzhou"), CLOSED, {**DRAWN, "replacement": True, "bonus": "f1"}, "context.replacement"),
    (MODULES, (OPEN[0], None, *OPEN[2:]), {}, "winning_tile"),
    (OTHERS["riichi"], ("340s67s99m", *OPEN[1:]), {}, "concealed"),
    (OTHERS["singapore"], OPEN, {"bonus": "a1"}, "bonus"),
    (OTHERS["hangzhou"], (*OPEN[:2], "chow 2m5z4m", OPEN[3]), {}, "melds"),
    (FIRST_ROUND, BY_FLOWERS, {**DRAWN, "flower_win": True, "bonus": SEVEN}, "context.flower_win"),
    (FIRST_ROUND, BY_FLOWERS, {"win": "robbed_kong", "flower_win": True, "bonus": SEVEN[2:]}, "context.flower_win"),
    (FIRST_ROUND, BY_FLOWERS, {"flower_win": True, "bonus": f"f1{SEVEN}"}, "context.flower_win"),
    (FIRST_ROUND, CLOSED, {"win": "robbed_kong", "flower_win": True, "bonus": SEVEN}, "context.flower_win"),
    (
        *(FIRST_ROUND, BY_FLOWERS),
        {**DRAWN, "seat": "E", "heavenly": True, "flower_win": True, "bonus": f"f1{SEVEN}"},
        "context.flower_win",
    ),
]


@pytest.mark.parametrize(
    ("rules", "tiles", "how", "field"),
    [pytest.param(rules, *case, id=f"{rules}-{i}") for i, (systems, *case) in enumerate(CHECKS) for rules in systems],
)
def test_a_contradiction_is_refused_by_its_field(rules, tiles, how, field):
    concealed, winning, *melds = tiles
    more = {"indicator": "9p"} if rules == "hangzhou" else {}
    with pytest.raises(InvalidRequest) as caught:
        parse_request(ask(rules, hand(fitting(rules, concealed), winning, *melds), **how, **more)).score()
    assert field in {fault.field for fault in caught.value.faults}


@pytest.mark.parametrize("rules", WITH_FLOWERS)
def test_a_flower_is_replaced_too_where_flowers_are_played(rules):
    asked = ask(rules, hand(fitting(rules, CLOSED[0]), CLOSED[1]), **DRAWN, bonus="f1", replacement=True)
    assert parse_request(asked).score().legal
    if rules == "hongkong":
        with pytest.raises(InvalidRequest, match="needs a kong"):
            parse_request(asked | {"options": {"bonus_tiles_in_play": False}}).score()


def test_the_dealer_has_no_earthly_hand():
    for rules in FIRST_DISCARD:
        with pytest.raises(InvalidRequest, match="cannot be E"):
            parse_request(ask(rules, hand(*CLOSED), seat="E", source="N", earthly=True)).score()
