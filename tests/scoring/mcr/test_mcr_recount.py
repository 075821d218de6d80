"""The scores agree with a slow second count on 2,500 random hands of every shape; 5,000 with HUPAI_FULL=1."""

import os
from collections import Counter

import pytest

from tests.scoring.hand_maker import HONOURS, chow, circumstances, make_request
from tests.scoring.mcr.recount_mcr import STRAIGHTS, WORTH, recount
from tests.scoring.recounting import recounted

pytestmark = pytest.mark.slow

# Where a pung fan were worth less than what it contains, the rules do not say which counts.
OF_PUNGS = {f"{name}_pungs" for name in ("mixed_shifted", "pure_shifted", "four_pure_shifted")}
OWN = sorted(WORTH.keys() - OF_PUNGS - {"double_pung", "triple_pung"})
HANDS = 5000 if os.environ.get("HUPAI_FULL") else 2500
# One point each: which of them is named, where a chow could join either, is a matter of taste.
PAIRS = {"pure_double_chow", "mixed_double_chow", "short_straight", "two_terminal_chows"}


def house_rules(rng):
    rules = {}
    for name, values in (
        ("min_points", (0, 1, 12)),
        ("flowers", (False,)),
        ("base", (0, 10)),
        ("two_concealed_kongs", (8,)),
        ("mixed_kongs", (6,)),
        ("single_wait", ("only",)),
        ("contained", ("2006",)),
        ("unit", (5,)),
    ):
        if rng.random() < 0.15:
            rules[name] = rng.choice(values)
    if rng.random() < 0.2:
        rules["values"] = {fan: rng.choice([2, 7, 30]) for fan in rng.sample(OWN, 3)}
    return rules


def deal(rng):
    """A hand of any style, now and then of related chows or of knitted tiles; nothing contradicts itself."""
    request = make_request(rng, "mcr", "fg", house_rules(rng))
    if rng.random() < 0.3:
        special = rng.choice((_related, _related, _straight, _singles, _span, _dragons))
        concealed, melds = special(rng)
        winning = rng.choice(concealed)
        concealed.remove(winning)
        context = circumstances(rng, concealed, melds, winning, request["bonus"])
        request |= {"concealed": concealed, "melds": melds, "winning_tile": winning, "context": context}
    context, winning = request["context"], request["winning_tile"]
    kongs = sum(m["type"].startswith("kong") for m in request["melds"])
    if not kongs:
        context.pop("replacement", None)
    held = request["concealed"] + [t for m in request["melds"] for t in m["tiles"]]
    if not any(context.get(name) for name in ("heavenly", "earthly")) and winning not in held and rng.random() < 0.2:
        context["last_of_kind"] = True
    return request


def _related(rng):
    """Chows that have to do with each other, and a pair."""
    while True:
        suit, low = rng.choice("mps"), rng.randint(1, 7)
        sets = []
        for _ in range(4):
            sets.append([f"{low + i}{suit}" for i in range(3)])
            suit = rng.choice([suit, *"mps"])
            low = rng.choice([low, *(n for n in (low - 1, low + 1, low + 2, low + 3, low + 6, 1, 7) if 1 <= n <= 7)])
        pair = [rng.choice(["5m", "5p", "5s", "2m", "9s", "3z"])] * 2
        tiles = [t for s in sets for t in s] + pair
        if max(Counter(tiles).values()) <= 4:
            opened = rng.choice((0, 0, 1, 2, 3))
            melds = [{"type": "chow", "tiles": s} for s in sets[:opened]]
            return [t for s in sets[opened:] for t in s] + pair, melds


def _span(rng):
    """Sets of a few neighbouring numbers, or of even ones."""
    low, high = rng.choice(((1, 3), (4, 6), (7, 9), (1, 4), (6, 9), (3, 7), (0, 0)))
    while True:
        pool = [f"{n}{s}" for n in (range(low, high + 1) if high else (2, 4, 6, 8)) for s in "mps"]
        sets = []
        for _ in range(4):
            first = rng.choice(pool)
            n = int(first[0])
            run = [f"{n + i}{first[1]}" for i in range(3)]
            sets.append(run if n + 2 <= high and rng.random() < 0.6 else [first] * 3)
        pair = [rng.choice(pool)] * 2
        if max(Counter([t for s in sets for t in s] + pair).values()) <= 4:
            opened = rng.choice((0, 1, 2, 4))
            melds = [{"type": "chow" if s[0] != s[1] else "pung", "tiles": s} for s in sets[:opened]]
            return [t for s in sets[opened:] for t in s] + pair, melds


def _dragons(rng):
    """123 and 789 twice, in one suit or in two, and a pair of fives."""
    one, two, other = rng.choice(["mmm", "sss", "mps", "psm", "spm"])
    sets = [[f"{n + i}{suit}" for i in range(3)] for suit in (one, two) for n in (1, 7)]
    opened = rng.choice((0, 1, 2))
    melds = [{"type": "chow", "tiles": s} for s in sets[:opened]]
    return [t for s in sets[opened:] for t in s] + [f"5{other}"] * 2, melds


def _straight(rng):
    """A knitted straight, a set and a pair."""
    while True:
        straight = rng.choice(STRAIGHTS)
        tiles = chow(rng, rng.choice("mps")) if rng.random() < 0.6 else [rng.choice([*straight, *HONOURS])] * 3
        pair = [rng.choice([*straight, *HONOURS])] * 2
        if max(Counter([*straight, *tiles, *pair]).values()) <= 4:
            if rng.random() < 0.4:
                kind = "pung" if tiles[0] == tiles[1] else "chow"
                return [*straight, *pair], [{"type": kind, "tiles": tiles}]
            return [*straight, *tiles, *pair], []


def _singles(rng):
    return rng.sample([*rng.choice(STRAIGHTS), *HONOURS], 14), []


def test_agrees_with_the_plain_recount():
    wins, seen = 0, set()
    for request, response, (fans, points) in recounted("guobiao", HANDS, deal, recount):
        options = request["options"]
        flowers = len(request["bonus"]) if options.get("flowers", True) else 0
        assert response["total"]["value"] == points + flowers, (request, response, fans)
        found = {line["id"]: line["count"] for line in response["elements"] if line["id"] != "flower_tiles"}
        if "values" not in options:  # by which two readings may come to the same
            assert _named(found) == _named(fans), (request, response, fans)
        assert response["legal"] is (points >= options.get("min_points", 8)), (request, response)
        if response["legal"]:
            assert response["payments"] == paid(request, points + flowers), (request, response)
        wins += response["legal"]
        seen |= {line["id"] for line in response["elements"]}
    assert wins > 0.5 * HANDS
    assert WORTH.keys() - seen <= {"chicken_hand"}  # in which nothing at all may count


def _named(fans):
    """How often each counts, those of two chows taken together."""
    return Counter({name: n for name, n in fans.items() if name not in PAIRS}) + Counter(
        {"two chows": sum(n for name, n in fans.items() if name in PAIRS)}
    )


def paid(request, points):
    context, options = request["context"], request["options"]
    base, unit = options.get("base", 8), options.get("unit", 1)
    net = dict.fromkeys("ESWN", 0) | {"pot": 0}
    for seat in set("ESWN") - {context["seat"]}:
        whole = context["win"] == "self_draw" or seat == context["from"]
        amount = (base + points * whole) * unit
        net[seat] -= amount
        net[context["seat"]] += amount
    return net
