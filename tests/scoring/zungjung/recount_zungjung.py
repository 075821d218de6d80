"""A second, slow and plain count of Zung Jung, from the printed rules alone. For the test beside it."""

from collections import Counter

from scoring.rules.zungjung.table import PATTERNS
from tests.scoring.hands.plain_splits import nine_gates, readings, seven_pairs, thirteen_orphans

POINTS = {
    "1.1": 5, "1.2": 5, "1.3": 5, "2.1.1": 40, "2.1.2": 100, "2.2": 480, "3.1": 10, "3.2.1": 40, "3.2.2": 130,
    "3.3.1": 30, "3.3.2": 120, "3.3.3": 320, "3.3.4": 400, "3.4": 320, "4.1": 30, "4.2.1": 5, "4.2.2": 30,
    "4.2.3": 125, "4.3.1": 5, "4.3.2": 20, "4.3.3": 120, "4.3.4": 480, "5.1.1": 10, "5.1.2": 55, "5.1.3": 120,
    "5.1.4": 480, "6.1": 35, "6.2.1": 30, "6.2.2": 120, "7.1": 40, "7.2.1": 100, "7.2.2": 200, "8.1.1": 40,
    "8.1.2": 50, "8.1.3": 100, "8.1.4": 400, "9.1.1": 10, "9.1.2": 10, "9.2": 10, "9.3": 10, "9.4.1": 155,
    "9.4.2": 155, "10.1": 200, "10.2": 30,
}  # fmt: skip
OFFICIAL = {"2.1.2": 80, "5.1.2": 60, "10.1": 160}
NUMBERS = {p.id: p.number for p in PATTERNS}
WINDS, DRAGONS = ["1z", "2z", "3z", "4z"], ["5z", "6z", "7z"]


def recount(request):
    """None for no hand, else (numbers of the patterns that count, value, raw sum, legal, seat -> amount)."""
    options, context = request["options"], request["context"]
    concealed = request["concealed"] + [request["winning_tile"]]
    melds = [(m["type"], tuple(m["tiles"])) for m in request["melds"]]
    best = None
    for numbers in every_reading(request, concealed, melds):
        candidate = valued(numbers, options)
        if best is None or candidate[1:3] > best[1:3]:
            best = candidate
    if best is None:
        return None
    numbers, value, raw = best
    official = options.get("values") == "official"
    minimum = options.get("minimum", 0 if official else 5)
    if not numbers and minimum <= 1:
        value = raw = 1
    legal = value >= minimum
    return numbers, value, raw, legal, paid(value, context, options) if legal else dict.fromkeys("ESWN", 0)


def valued(numbers, options):
    own = options.get("values", {})
    worth = POINTS | (OFFICIAL if own == "official" else {NUMBERS[id_]: points for id_, points in own.items()})
    kept = []
    for number in numbers:
        series = number.split(".")[:2]
        rivals = [n for n in numbers if n.split(".")[:2] == series]
        if number == "3.1" or worth[number] == max(worth[n] for n in rivals):
            kept.append(number)
    raw = sum(worth[n] for n in kept)
    listed = [n for n in kept if worth[n] >= 320]
    if listed:
        top = max(worth[n] for n in listed)
        return [n for n in listed if worth[n] == top], top, raw
    limit = options.get("limit", 320)
    return kept, raw if limit is None else min(raw, limit), raw


def every_reading(request, concealed, melds):
    context = request["context"]
    claimed = context["win"] != "self_draw" and not request["options"].get("discard_triplets_concealed")
    every = concealed + [t for _, tiles in melds for t in tiles]
    for sets, pair in readings(concealed):
        # a tile won from another opens one triplet, where it went into one
        spots = [i for i, s in enumerate(sets) if request["winning_tile"] in s]
        if pair == request["winning_tile"]:
            spots.append(None)
        for spot in spots:
            hidden = [s for i, s in enumerate(sets) if s[0] == s[1] and not (claimed and i == spot)]
            hidden += [tiles for kind, tiles in melds if kind == "kong_concealed"]
            whole = list(sets) + [tiles for _, tiles in melds]
            yield standard(request, every, whole, pair, hidden, melds) + luck(context)
    if not melds and seven_pairs(concealed):
        yield ["10.2", *about_tiles(every), *luck(context)]
    if not melds and thirteen_orphans(concealed):
        yield ["10.1", *["8.1.3"] * bool(request["options"].get("thirteen_terminals_mixed")), *luck(context)]


def luck(context):
    found = []
    if context.get("last_tile"):
        found.append("9.1.1" if context["win"] == "self_draw" else "9.1.2")
    if context.get("replacement") or context.get("double_kong"):
        found.append("9.2")
    if context["win"] == "robbed_kong":
        found.append("9.3")
    found += ["9.4.1"] * bool(context.get("heavenly")) + ["9.4.2"] * bool(context.get("earthly"))
    return found


def about_tiles(tiles):
    suits = {t[1] for t in tiles} - {"z"}
    honours = [t for t in tiles if t[1] == "z"]
    outside = [t for t in tiles if t[1] == "z" or t[0] in "19"]
    found = []
    if not outside:
        found.append("1.3")
    if len(suits) == 1:
        found.append("2.1.1" if honours else "2.1.2")
    if not suits:
        found.append("3.4")
    if outside == tiles:
        found.append("8.1.3")
        if not honours:
            found.append("8.1.4")
    return found


def standard(request, tiles, sets, pair, hidden, melds):
    found = about_tiles(tiles)
    runs = [s for s in sets if s[0] != s[1]]
    runs = [tuple(sorted(s)) for s in runs]
    triples = [s[0] for s in sets if s[0] == s[1]]
    if len(runs) == 4:
        found.append("1.1")
    if all(kind == "kong_concealed" for kind, _ in melds):
        found.append("1.2")
    if nine_gates(request["concealed"], melds) and len({t[1] for t in tiles}) == 1:
        found.append("2.2")
    own = "ESWN".index(request["context"]["seat"])
    found += ["3.1" for t in triples if t in DRAGONS or t == WINDS[own]]
    dragons = sum(t in DRAGONS for t in triples)
    winds = sum(t in WINDS for t in triples)
    found += ["3.2.1"] * (dragons == 2 and pair in DRAGONS) + ["3.2.2"] * (dragons == 3)
    found += ["3.3.1"] * (winds == 2 and pair in WINDS) + ["3.3.2"] * (winds >= 3)
    found += ["3.3.3"] * (winds == 3 and pair in WINDS) + ["3.3.4"] * (winds == 4)
    if len(triples) == 4:
        found.append("4.1")
    found += [f"4.2.{n - 1}" for n in range(2, len(hidden) + 1)]
    kongs = sum(kind.startswith("kong") for kind, _ in melds)
    found += [f"4.3.{n}" for n in range(1, kongs + 1)]
    often = sorted(Counter(runs).values(), reverse=True)
    for size, number in ((2, "5.1.1"), (3, "5.1.3"), (4, "5.1.4")):
        if often and often[0] >= size:
            found.append(number)
    if often[:1] == [4] or often[:2] == [2, 2]:
        found.append("5.1.2")
    found += across_suits(runs, triples, pair)
    found += in_a_row(runs, triples)
    outside = [any(t[1] == "z" or t[0] in "19" for t in s) for s in [*sets, (pair, pair)]]
    if all(outside):
        found += ["8.1.1"] + ["8.1.2"] * all(t[1] != "z" for t in tiles)
    return found


def across_suits(runs, triples, pair):
    found = []
    for n in "123456789":
        lows = {s[0][1] for s in runs if s[0][0] == n}
        if len(lows) == 3:
            found.append("6.1")
        suits = {t[1] for t in triples if t[0] == n} - {"z"}
        if len(suits) == 3:
            found.append("6.2.2")
        if len(suits) == 2 and pair[0] == n and pair[1] in {"m", "p", "s"} - suits:
            found.append("6.2.1")
    return found


def in_a_row(runs, triples):
    found = []
    for suit in "mps":
        lows = {s[0][0] for s in runs if s[0][1] == suit}
        if {"1", "4", "7"} <= lows:
            found.append("7.1")
        numbers = "".join(n for n in "123456789" if n + suit in triples)
        for size, number in ((3, "7.2.1"), (4, "7.2.2")):
            if any("123456789"[i : i + size] in numbers for i in range(10 - size)):
                found.append(number)
    return found


def paid(value, context, options):
    winner = context["seat"]
    losers = [s for s in "ESWN" if s != winner]
    official = options.get("values") == "official"
    shared = options.get("standard_score", 25 if official else 30)
    who = context.get("responsible", "auto")
    who = context.get("from") if who == "auto" else who
    unit = options.get("unit", 1)
    if context["win"] == "self_draw" or who == "none" or value <= shared:
        amounts = dict.fromkeys(losers, -value * unit)
    else:
        amounts = dict.fromkeys(losers, -shared * unit)
        amounts[who] = -(3 * value - 2 * shared) * unit
    return {**amounts, winner: 3 * value * unit}
