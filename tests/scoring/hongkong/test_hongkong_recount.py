"""The scores agree with a slow second count on 5,000 random hands of every shape."""

from fractions import Fraction

import pytest

from tests.scoring.hand_maker import make_request
from tests.scoring.hongkong.recount_hongkong import FAAN, recount
from tests.scoring.recounting import chosen, recounted

pytestmark = pytest.mark.slow

HANDS = 5000
TABLES = ("traditional", "4-6-8", "5-7-9", "simplified", "canton", "traditional4", "parlor", "unlimited", "full_spicy")


def house_rules(rng):
    rules = chosen(rng, (0.6, "table", TABLES))
    if rules.get("table") == "canton":
        rules["canton_settlement"] = rng.choice(["doubling", "columns"])
    rules |= chosen(rng, (0.2, "min_faan", ("auto", 3, 4, 5)), (0.2, "max_faan", (7, 8, 10, 13, 20)))
    if rng.random() < 0.1:
        rules["values"] = {name: rng.choice([0, 2, 6]) for name in rng.sample(sorted(FAAN), 3)}
    off = ("dealer_doubling", "rob_kong_pays_all", "seven_pairs", "bonus_tiles_in_play", "self_triplets_kongs")
    on = (
        *("min_needs_pattern", "concealed_requires_self_pick", "flower_set_keeps_own", "rob_kong_as_self_pick"),
        *("seven_pairs_mixed_orphans", "self_triplets_keep_all_triplets", "nine_gates_self_drawn"),
    )
    return rules | chosen(
        rng,
        *((0.1, "unit", ("0.25", 3)), (0.1, "pays_from", (1, 2, 4))),
        (0.3, "small_winds_pair", ("not_round", "not_seat", "neither")),
        *((0.15, name, (False,)) for name in off),
        *((0.15, name, (True,)) for name in on),
    )


def deal(rng):
    request = make_request(rng, "hongkong", "fg", house_rules(rng))
    context = request["context"]
    kong = any(m["type"].startswith("kong") for m in request["melds"])
    if not request["options"].get("bonus_tiles_in_play", True) and not kong:
        context.pop("replacement", None)  # without bonus tiles only a kong is replaced
    if rng.random() < 0.1:
        others = [s for s in "ESWN" if s != context["seat"]]
        context["liable"] = {"seat": rng.choice(others), "kind": "other"}
    return request


def test_agrees_with_the_plain_recount():
    wins, seen = 0, set()
    for request, response, (elements, capped, total, payments) in recounted("hong kong", HANDS, deal, recount):
        assert {line["id"]: line["value"] for line in response["elements"]} == elements, (request, response)
        assert len(response["elements"]) == len(elements)
        assert (response["total"]["value"], response["total"]["uncapped"]) == (capped, total), (request, response)
        assert response["legal"] is (payments is not None), (request, response)
        if payments is None:
            assert response["reason"]["code"] == "below_minimum"
            assert set(response["payments"].values()) == {0}
            continue
        wins += 1
        seen |= elements.keys()
        found = {seat: Fraction(str(amount)) for seat, amount in response["payments"].items()}
        assert found == payments, (request, response)
    assert wins > 0.75 * HANDS
    assert seen == FAAN.keys()
