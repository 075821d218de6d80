"""The scores agree with a slow second count on 5,000 random hands of every shape."""

from fractions import Fraction

import pytest

from scoring.rules.singapore.elements import DOUBLES
from tests.scoring.hand_maker import make_request
from tests.scoring.recounting import chosen, recounted
from tests.scoring.singapore.recount_singapore import recount

pytestmark = pytest.mark.slow

HANDS = 5000


def house_rules(rng):
    rules = chosen(
        rng,
        *((0.3, "limit", (None, 6, 3, 12)), (0.3, "over_bonus", (10, "0.25")), (0.3, "base", ("0.3", 10, 0.1, 1))),
        *((0.25, name, (True,)) for name in ("shooter", "dealer_doubling", "seven_pairs")),
        *((0.2, "rounding", ("up",)), (0.3, "discarder", ("twice",)), (0.2, "min", (0, 2, 3))),
        (0.2, "rob_kong_bao", (False,)),
    )
    if rng.random() < 0.2:
        rules["values"] = {name: rng.choice([2, 6]) for name in rng.sample(sorted(DOUBLES), 3)}
    return rules


def deal(rng):
    request = make_request(rng, "singapore", "fga", house_rules(rng))
    context = request["context"]
    others = [s for s in "ESWN" if s != context["seat"]]
    if rng.random() < 0.1:
        context["liable"] = {"seat": rng.choice(others), "kind": "bao"}
    first_round = context["win"] == "discard" and not request["melds"] and context["seat"] != "E"
    if first_round and not context.get("earthly") and rng.random() < 0.1:
        context.pop("last_tile", None)
        context["humanly"] = True
    dealt = any(context.get(name) for name in ("heavenly", "earthly", "humanly"))
    if not dealt and context["win"] != "discard" and rng.random() < 0.08:
        flowers = [f"{s}{n}" for s in "fg" for n in range(1, 5)]
        animals = [b for b in request["bonus"] if b[0] == "a"]
        context["flower_win"] = True
        if context["win"] == "robbed_kong":
            flowers.remove(rng.choice(flowers))
            request["winning_tile"] = None
        request["bonus"] = flowers + animals
    return request


def money(value):
    return Fraction(str(value))


def test_agrees_with_the_plain_recount():
    wins, seen = 0, set()
    for request, response, (elements, total, payments) in recounted("singapore", HANDS, deal, recount):
        found = {line["id"]: line["value"] for line in response["elements"]}
        assert len(found) == len(response["elements"]), (request, response)
        assert found == elements, (request, response)
        assert response["total"]["uncapped"] == total, (request, response)
        assert response["legal"] is (payments is not None), (request, response)
        if payments is None:
            assert response["reason"]["code"] == "below_minimum"
            assert set(response["payments"].values()) == {0}
            continue
        wins += 1
        seen |= found.keys()
        assert {k: money(v) for k, v in response["payments"].items()} == payments, (request, response)
    assert wins > 0.8 * HANDS
    assert seen == DOUBLES.keys()
