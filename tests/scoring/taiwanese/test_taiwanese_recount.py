"""The scores agree with a slow second count on 2,500 random hands of every shape; 5,000 with HUPAI_FULL=1."""

import os
from fractions import Fraction

import pytest

from tests.scoring.hand_maker import make_request
from tests.scoring.recounting import recounted
from tests.scoring.taiwanese.recount_taiwanese import SELDOM, WORTH, paid, recount

pytestmark = pytest.mark.slow

HANDS = 5000 if os.environ.get("HUPAI_FULL") else 2500


VALUES = {name: WORTH[name] for name in SELDOM} | {"all_flowers": 0, "all_seasons": 0, "last_tile_claim": 0}
NO_OWN_WINDS = {"half_claimed": 0, "round_wind": 0, "seat_wind": 0}


def house_rules(rng):
    rules = {}
    for name, values in (
        *(("base", (0, "0.5")), ("unit", (1, "2.5")), ("min_tai", (1, 3)), ("max_tai", (4, 10))),
        *(("heavenly", (16,)), ("earthly", (8,)), ("human", (0, 16)), ("all_honours", (8,)), ("eight_pairs", (0, 16))),
        *(("heavenly_ready", (0, 16)), ("earthly_ready", (0, 8)), ("single_wait", ("shape", "formal"))),
        *((name, (True,)) for name in ("chows_any_wait", "chows_any_pair", "concealed_beside", "self_drawn_beside")),
        *(("honours_beside", (False,)), ("max_tai_of", ("hand",)), ("values", (VALUES, NO_OWN_WINDS))),
        *((name, (True,)) for name in ("chows_with_flowers", "chows_self_drawn", "every_wind", "every_flower")),
        *((name, (True,)) for name in ("flower_set_keeps_own", "dragons_beside")),
        ("winds_beside", (True, "little")),
        *(("single_wait_beside", (True,)), ("flower_replacement", (False,)), ("pungs_beside", (False,))),
        ("west_flower", ("bamboo",)),
    ):
        if rng.random() < 0.12:
            rules[name] = rng.choice(values)
    return rules


def deal(rng):
    """A hand of any style whose circumstances hold no contradiction."""
    request = make_request(rng, "taiwanese", "fg", house_rules(rng), many=5)
    context = request["context"]
    if context.pop("earthly", False):  # here it is drawn, and the human hand is claimed
        context.update(rng.choice(({"humanly": True}, {"win": "self_draw", "earthly": True})))
        if context["win"] == "self_draw":
            context.pop("from")
    if rng.random() < 0.4:
        context["streak"] = rng.choice((2, 3, 5))
    dealt = any(context.get(name) for name in ("heavenly", "earthly", "humanly"))
    closed = all(m["type"] == "kong_concealed" for m in request["melds"])
    if closed and not dealt and rng.random() < 0.2:
        context[rng.choice(("heavenly_ready", "earthly_ready"))] = True
    if not dealt and rng.random() < 0.1:
        context["declared_ready"] = True
    return request


def test_agrees_with_the_plain_recount():
    wins, seen = 0, set()
    for request, response, expected in recounted("sixteen", HANDS, deal, recount):
        counts, total = expected
        options = request["options"]
        assert response["total"]["uncapped"] == total, (request, response, counts)
        named = {line["id"]: line["count"] for line in response["elements"]}
        assert named in counts, (request, response, counts)
        dealers = sum(line["value"] for line in response["elements"] if line["id"] in ("dealer", "streak"))
        beyond = dealers if options.get("max_tai_of") == "hand" else 0
        assert response["total"]["value"] == min(total, options.get("max_tai", total) + beyond)
        assert response["legal"] is (total - dealers >= options.get("min_tai", 0)), (request, response)
        if response["legal"]:
            net = {account: Fraction(str(amount)) for account, amount in response["payments"].items()}
            assert net == paid(request, total), (request, response)
        wins += response["legal"]
        seen |= named.keys()
    assert wins > 0.5 * HANDS
    assert HANDS < 5000 or WORTH.keys() - seen == {"eight_flowers", "seven_flowers"}  # no tile wins those
