"""The scores agree with a slow second count on 5,000 random hands of every shape."""

import pytest

from scoring.rules.zungjung.table import PATTERNS
from tests.scoring.hand_maker import make_request
from tests.scoring.recounting import chosen, recounted
from tests.scoring.zungjung.recount_zungjung import NUMBERS, recount

pytestmark = pytest.mark.slow

HANDS = 5000
ONCE = [p.id for p in PATTERNS if p.id not in ("value_honour", "chicken_hand")]
OWN_POINTS = (13, 44, 171, 326)  # not those of any pattern, so that the best of a series is known


def house_rules(rng):
    rules = chosen(rng, (0.3, "values", ("official",)))
    if not rules and rng.random() < 0.2:
        rules["values"] = dict(zip(rng.sample(ONCE, 4), OWN_POINTS, strict=True))
    return rules | chosen(
        rng,
        *((0.2, "limit", (None, 100, 320, 400)), (0.2, "minimum", (0, 1, 2, 15, 40))),
        *((0.2, "standard_score", (0, 10, 25, 64)), (0.2, "unit", (1, 5, 100))),
        *((0.3, name, (True,)) for name in ("thirteen_terminals_mixed", "discard_triplets_concealed")),
    )


def deal(rng):
    request = make_request(rng, "zungjung", "f", house_rules(rng))
    request["bonus"] = []
    context = request["context"]
    if not any(m["type"].startswith("kong") for m in request["melds"]):
        context.pop("replacement", None)
    tiles = [*request["concealed"], request["winning_tile"], *(t for m in request["melds"] for t in m["tiles"])]
    free = context["win"] == "discard" and not context.get("earthly") and tiles.count(request["winning_tile"]) < 4
    if free and rng.random() < 0.3:
        context["responsible"] = rng.choice(["none", *(s for s in "ESWN" if s != context["seat"])])
    return request


def test_agrees_with_the_plain_recount():
    wins, seen = 0, set()
    for request, response, expected in recounted("zung jung, own values", HANDS, deal, recount):
        numbers, value, raw, legal, payments = expected
        found = [NUMBERS[line["id"]] for line in response["elements"] for _ in range(line["count"])]
        if response["total"]["limit"] == "listed limit":
            assert found[0] in numbers, (request, response)
            numbers = found
        elif found == ["0.0"]:
            found = []
        assert sorted(found) == sorted(numbers), (request, response)
        assert (response["total"]["value"], response["total"]["uncapped"]) == (value, raw), (request, response)
        assert response["legal"] is legal, (request, response)
        assert response["payments"] == {**payments, "pot": 0}, (request, response)
        wins += legal
        seen |= {line["id"] for line in response["elements"]}
    assert wins > 0.7 * HANDS
    assert seen == NUMBERS.keys()
