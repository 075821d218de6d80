"""Riichi agrees with a slow second count on random hands, with liability, wareme and every option.

5,000 hands with HUPAI_FULL=1, else 600.
"""

import os
import random

import pytest

from scoring.request import respond
from scoring.rules.riichi.elements import ALL, WORTH
from tests.scoring.riichi.recount_riichi import recount
from tests.scoring.riichi.riichi_hands import (
    MORE_SWITCHES,
    SWITCHES,
    THREE_SWITCHES,
    riichi_request,
    three_players_request,
)

pytestmark = pytest.mark.slow

WITHOUT_LESSER = ("ippatsu", "pinfu", "tanyao", "haku", "iipeiko", "chiitoitsu", "toitoi", "dora", "daisangen")
HANDS = 5000 if os.environ.get("HUPAI_FULL") else 600


def compare(request):
    """Our elements; fails unless the second count finds the same."""
    ours, theirs = respond(request), recount(request)
    shown = (request, ours, theirs)
    assert "error" not in ours, shown
    assert sum(ours["payments"].values()) == 0
    if isinstance(theirs, str):
        assert not ours["legal"], shown
        assert ours["reason"]["code"] == theirs, shown
        assert set(ours["payments"].values()) == {0}
        return {}
    lines, units, han, fu, payments = theirs
    elements = {line["id"]: line["value"] for line in ours["elements"]}
    assert ours["legal"], shown
    if "any of them" in lines:  # only one yakuman counts, and it does not matter which
        assert len(elements) == 1
        assert elements.keys() <= set(lines["these"])
        assert set(elements.values()) == {lines["any of them"]}
    else:
        assert elements == lines, shown
    assert ours["total"].get("yakuman") == units, shown
    if not units and "renhou" not in lines:
        assert (ours["total"]["value"], ours["total"]["fu"]) == (han, fu), shown
    assert ours["payments"] == payments, shown
    return elements


def test_agrees_with_the_plain_recount():
    rng = random.Random("second count")
    seen, liable = set(), set()
    for _ in range(HANDS):
        request = riichi_request(rng, every=True)
        elements = compare(request)
        seen |= elements.keys()
        penalty = request["context"].get("liable")
        liable |= {penalty["kind"]} if penalty and penalty["kind"] in elements else set()
    assert len(seen) > len(ALL) - 8
    assert HANDS < 5000 or seen == {e.id for e in ALL} - {"nagashi_mangan", "north", "kita"}
    assert liable == {"daisangen", "daisuushii", "suukantsu"}


def test_agrees_on_the_values_of_a_house():
    rng = random.Random("own values")
    valued, switched_off = set(), set()
    for _ in range(HANDS):
        request = riichi_request(rng, every=True)
        own = {id_: rng.choice([1, 2, 4]) for id_ in rng.sample(WORTH, 12)}
        own |= dict.fromkeys(rng.sample(WITHOUT_LESSER, 2), 0)
        request["options"]["values"] = own
        request["context"].pop("liable", None)
        switched_off |= {id_ for id_, n in own.items() if not n}
        valued |= compare(request).keys() & own.keys()
    assert len(valued) > len(WORTH) / 2
    assert switched_off == set(WITHOUT_LESSER)


def test_agrees_on_three_players():
    rng = random.Random("three")
    seen, dealt = set(), set()
    for _ in range(HANDS // 2):
        request = three_players_request(rng, every=True)
        dealt |= {name for name, value in THREE_SWITCHES.items() if request["options"].get(name) == value}
        seen |= compare(request).keys()
    assert seen >= {"north", "kita", "rinshan"}
    assert dealt == THREE_SWITCHES.keys()


def test_every_option_is_dealt():
    rng = random.Random("options")
    used = {(name, value) for _ in range(400) for name, value in riichi_request(rng, every=True)["options"].items()}
    assert used >= {*SWITCHES.items(), *MORE_SWITCHES.items()} - {("renhou", "yakuman"), ("aka", 0)}
