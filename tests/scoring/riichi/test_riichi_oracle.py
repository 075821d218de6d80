"""Riichi agrees with the PyPI package ``mahjong`` on random hands: legality, every yaku, han, fu and payments.

50,000 hands with HUPAI_FULL=1, else 1,500. One difference is known, and is checked for what it is: renhou as a
mangan. Their renhou is five han more for the hand; ours is a mangan that stands alone, when the hand is worth less.
"""

import os
import random

import pytest

from scoring.request import respond
from scoring.rules.riichi.elements import ALL
from tests.scoring.riichi.riichi_hands import riichi_request, three_players_request
from tests.scoring.riichi.riichi_oracle import ask_them, elements_of, payments_of

pytestmark = pytest.mark.slow

HANDS = 50_000 if os.environ.get("HUPAI_FULL") else 1500
MANGAN = 8000


def renhou_mangan(request, theirs):
    """The payments of a mangan where renhou as a mangan is worth more than the hand, else None."""
    context = request["context"]
    if not context.get("humanly") or request["options"].get("renhou") != "mangan":
        return None
    if theirs.error is None and (theirs.cost["main"] >= MANGAN or any(y.is_yakuman for y in theirs.yaku)):
        return None
    each = 100 * (request["options"].get("players", 4) - 1)
    counters, sticks = each * context["counters"], 1000 * context["riichi_sticks"]
    net = dict.fromkeys("ESWN", 0) | {"pot": -sticks}
    net[context["from"]] -= MANGAN + counters
    net[context["seat"]] += MANGAN + counters + sticks
    return net


def compare(request):
    """Whether the hand wins; fails unless both say the same of it. Returns our elements."""
    mangan = request["context"].get("humanly") and request["options"].get("renhou") == "mangan"
    ours, theirs = respond(request), ask_them(request, **({"is_renhou": False} if mangan else {}))
    shown = (request, ours, theirs.yaku, theirs.cost, theirs.error)
    assert "error" not in ours, shown
    not_a_hand = theirs.error == "hand_not_winning"
    stands_alone = None if not_a_hand else renhou_mangan(request, theirs)
    elements = {line["id"]: line["value"] for line in ours["elements"]}
    if stands_alone:
        assert elements == {"renhou": 5}, shown
        assert ours["payments"] == stands_alone, shown
        assert ours["total"]["limit"] == "mangan"
        return elements
    assert ours["legal"] is (theirs.error is None), shown
    if theirs.error:
        code = "not_a_winning_hand" if not_a_hand else theirs.error
        assert ours["reason"]["code"] == code, shown
        return {}
    closed = all(m["type"] == "kong_concealed" for m in request["melds"])
    assert elements == elements_of(theirs, closed, len(request.get("bonus", ()))), shown
    assert ours["total"]["value"] == theirs.han, shown
    assert ours["total"].get("yakuman") or ours["total"]["fu"] == theirs.fu, shown
    assert ours["payments"] == payments_of(theirs, request["context"], request["options"].get("players", 4)), shown
    return elements


def test_agrees_with_the_package():
    rng = random.Random("riichi")
    seen, wins = set(), 0
    for _ in range(HANDS):
        elements = compare(riichi_request(rng))
        seen |= elements.keys()
        wins += bool(elements)
    assert wins > 0.8 * HANDS
    assert seen == {e.id for e in ALL} - {"nagashi_mangan", "north", "kita"}  # every yaku of four players occurs


def test_agrees_with_the_package_on_three_players():
    rng = random.Random("three")
    kita = 0
    for _ in range(HANDS // 3):
        kita += "kita" in compare(three_players_request(rng))
    assert kita > HANDS // 30
