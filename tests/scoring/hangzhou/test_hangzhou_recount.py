"""The scores agree with a slow second count that tries every tile for every wild.

2,500 random hands; 5,000 with HUPAI_FULL=1.
"""

import os
from fractions import Fraction

import pytest

from scoring.rules.hangzhou.elements import ELEMENTS
from tests.scoring.hands.plain_splits import ORDER, sets_of
from tests.scoring.hangzhou.recount_hangzhou import recount
from tests.scoring.recounting import chosen, recounted

pytestmark = pytest.mark.slow

HANDS = 5000 if os.environ.get("HUPAI_FULL") else 2500
OWN = ("wild_eye", "robbing_kong", "seven_pairs", "seven_pairs_pure", "deluxe")  # what may have another value
KINDS = [t for t in ORDER if t != "5z"]  # what natural tiles can be: white dragons are wild or stand in


def a_set(rng, pool):
    if rng.random() < 0.6:
        low, suit = rng.randint(1, 7), rng.choice("mps")
        return [f"{low + i}{suit}" for i in range(3)]
    return [rng.choice(pool)] * 3


def lists(rng, pool):
    """Natural tiles of a hand: sets and an eye, as (tiles, melds)."""
    while True:
        sets = [a_set(rng, pool) for _ in range(4)]
        pair = [rng.choice(pool)] * 2
        every = [t for s in sets for t in s] + pair
        if max(every.count(t) for t in every) <= 4:
            break
    concealed, melds = pair, []
    opened = rng.choice([0, 0, 0, 0.4, 1])
    for tiles in sets:
        pung = tiles[0] == tiles[1]
        if pung and every.count(tiles[0]) == 3 and rng.random() < 0.3:
            kind = rng.choice(["kong_open", "kong_added", "kong_concealed"])
            melds.append({"type": kind, "tiles": [*tiles, tiles[0]]})
        elif rng.random() < opened:
            melds.append({"type": "pung" if pung else "chow", "tiles": tiles})
        else:
            concealed = concealed + tiles
    return concealed, melds


def deal(rng):
    options = house_rules(rng)
    indicator = rng.choice([*ORDER, "5z", "permanent"]) if rng.random() < 0.5 else rng.choice(["4s", "1m", "7z"])
    if options.get("permanent"):
        indicator = None
    wild = "5z" if indicator in (None, "permanent") else indicator
    supply = 4 if indicator in (None, "permanent") else 3
    pool = rng.choice([KINDS, KINDS, [f"{n}{rng.choice('mps')}" for n in range(1, 10)], [*KINDS[-6:], "1m", "9s"]])
    if rng.random() < 0.3:
        kinds = rng.sample(KINDS, 7)
        for i in range(rng.choice([0, 0, 1, 2, 3])):
            kinds[i] = kinds[6 - i]
        concealed, melds = kinds * 2, []
    else:
        concealed, melds = lists(rng, pool)
    rng.shuffle(concealed)
    wilds = min(rng.choices([0, 1, 2, 3, 4], [30, 35, 22, 11, 2])[0], supply, len(concealed))
    concealed[:wilds] = ["wild"] * wilds
    at = rng.randrange(len(concealed))
    if wilds and rng.random() < 0.35:  # the winning tile is the wild one's eye: any tile would do
        held = concealed + [t for m in melds for t in m["tiles"]]
        other = concealed[1] if len(concealed) > 1 else None
        if other is not None:
            pairs = [i for i, t in enumerate(concealed) if t != "wild"]
            at = rng.choice(pairs or [0])
            concealed[at] = rng.choice([k for k in KINDS if held.count(k) < 4])
    if rng.random() < 0.12:
        held = concealed + [t for m in melds for t in m["tiles"]]
        concealed[rng.randrange(len(concealed))] = rng.choice([k for k in KINDS if held.count(k) < 4])
    winning = concealed.pop(at)

    def lie(tiles):
        return [wild if t == "wild" else "5z" if t == wild else t for t in tiles]

    winning = lie([winning])[0]
    concealed = lie(concealed)
    melds = [{**m, "tiles": lie(m["tiles"])} for m in melds]
    context = circumstances(rng, concealed, melds, winning, wild, supply, options)
    if indicator is not None:
        context["indicator"] = indicator
    if options.get("ten_honours") and rng.random() < 0.5:
        winning, context = None, by_honours(rng, concealed, melds, context)
    return {
        "rules": "hangzhou",
        "options": options,
        "concealed": concealed,
        "melds": melds,
        "winning_tile": winning,
        "context": context,
    }


def by_honours(rng, concealed, melds, context):
    """The same circumstances, won by what was discarded."""
    left = 28 - sum(t[1] == "z" for t in [*concealed, *(t for m in melds for t in m["tiles"])])
    context = {k: v for k, v in context.items() if k in ("seat", "banker", "streak", "fed", "indicator")}
    return {**context, "win": "self_draw", "honours": rng.randint(10, min(14, left))}


def house_rules(rng):
    options = chosen(
        rng,
        *((0.15, name, (True,)) for name in ("permanent", "wall_only", "immediate_third_banker")),
        *((0.5, name, (True,)) for name in ("liability_on_claim", "float_liability")),
        *((0.3, "rob_min_streak", (2, 3)), (0.3, "seven_pairs_pure_on_claim", (True, False))),
        (0.3, "unit", (5, "0.5", "0.3")),
    )
    if rng.random() < 0.5:
        options["liability_between"] = rng.choice(["anybody", "banker", "not_chows", "nobody"])
        options["liability_between_from"] = rng.choice([1, 1, 2, 3])
    options |= chosen(rng, (0.2, "ten_honours", ("own_tile", "wild_eye")))
    if rng.random() < 0.2:
        options["values"] = {name: rng.choice([0, 3, 4]) for name in rng.sample(OWN, 2)}
    return options | chosen(rng, (0.2, "remaining", (40, "7.5", {"E": 3, "W": 0}, {"N": "0.25"})))


def circumstances(rng, concealed, melds, winning, wild, supply, options):
    seat, banker = rng.choice("ESWN"), rng.choice("ESWN")
    others = [s for s in "ESWN" if s != seat]
    context = {"seat": seat, "banker": banker, "streak": rng.choice([1, 2, 3, 3, 5])}
    everything = [*concealed, winning, *(t for m in melds for t in m["tiles"])]
    context["win"] = rng.choice(["self_draw", "self_draw", "discard"])
    if everything.count(winning) == 1 and rng.random() < 0.25:
        context["win"] = "robbed_kong"
    if context["win"] != "self_draw":
        context["from"] = banker if banker != seat and rng.random() < 0.7 else rng.choice(others)
    elif rng.random() < 0.5:
        kongs = sum(m["type"].startswith("kong") for m in melds)
        context["kong_streak"] = rng.randint(0, kongs)
        if kongs and rng.random() < 0.3:
            context["replacement"] = True
        if kongs > 1 and context["kong_streak"] != 1 and rng.random() < 0.3:
            context["double_kong"] = True
    spare = supply - everything.count(wild)
    if rng.random() < 0.5:
        context["floats"] = rng.randint(0, max(0, min(spare, supply - 1)))
    kongs = context.get("kong_streak") or (2 if context.get("double_kong") else 1 if context.get("replacement") else 0)
    later = context.get("floats", 0) - 1 + kongs
    if options.get("float_liability") and context.get("floats") and later and context["win"] == "self_draw":
        context["liable"] = {"seat": rng.choice(others), "kind": "float"}
        if later > 1 or rng.random() < 0.5:
            context["doubles_after"] = rng.randint(1, later)
    fed = {}
    for receiver in others:
        if rng.random() < 0.2:
            fed[f"{rng.choice([s for s in 'ESWN' if s != receiver])}>{receiver}"] = rng.randint(1, 4)
    opened = [m for m in melds if m["type"] != "kong_concealed"]
    one = rng.choice(others)
    if opened and rng.random() < 0.3:
        fed[f"{one}>{seat}"] = len(opened)
    elif rng.random() < 0.7:
        for m in opened:
            m["from"] = one if rng.random() < 0.8 else rng.choice(others)
            if m["type"] == "chow" and m["from"] != "ESWN"["ESWN".index(seat) - 1]:
                m["from"] = None
    return {**context, "fed": fed}


def money(value):
    return Fraction(str(value))


def fortune_of(request):
    white = request["options"].get("permanent") or request["context"].get("indicator") == "permanent"
    return "5z" if white else request["context"]["indicator"]


def are_a_set(unit, fortune):
    """Whether a fortune stands for any tile, a white dragon for the indicator and all else for itself, as it says."""
    faces = unit.get("stands_for", unit["tiles"])
    plain = [fortune if t == "5z" else t for t in unit["tiles"]]
    kind, run = unit["type"], sets_of(faces) and len(set(faces)) == 3
    return (run if kind == "chow" else len(set(faces)) == 1) and all(
        face == tile or (tile == fortune and shown == fortune)
        for tile, shown, face in zip(plain, unit["tiles"], faces, strict=True)
    )


def test_agrees_with_the_plain_recount():
    wins, seen, refused = 0, set(), set()
    for request, response, (elements, product, codes, payments) in recounted("hangzhou", HANDS, deal, recount):
        assert {line["id"]: line["value"] for line in response["elements"]} == elements, (request, response)
        assert response["total"]["value"] == product, (request, response)
        assert (response["reason"] or {}).get("code") == (codes[0] if codes else None), (request, response)
        assert {k: money(v) for k, v in response["payments"].items()} == {**payments, "pot": 0}, (request, response)
        if "honours" not in request["context"]:
            shown = sorted(t for unit in response["arrangement"] for t in unit["tiles"])
            melded = [t for m in request["melds"] for t in m["tiles"]]
            assert shown == sorted([*request["concealed"], request["winning_tile"], *melded]), (request, response)
            assert all(are_a_set(unit, fortune_of(request)) for unit in response["arrangement"]), (request, response)
        wins += response["legal"]
        seen |= elements.keys()
        refused |= set(codes)
    assert wins > 0.5 * HANDS
    assert HANDS < 5000 or seen == ELEMENTS.keys()
    assert refused == {"wall_only", "fortune_claimed", "wild_eye_claim", "claim_needs_streak", "claim_needs_banker"}
