"""A second count of Singapore hands, written from the rules alone: lists of codes, no shared code, no speed."""

import math
from fractions import Fraction

from tests.scoring.hands.plain_splits import ORDER, nine_gates, readings, seven_pairs, thirteen_orphans

SEATS = "ESWN"
FLOWERS = [f"{s}{n}" for s in "fg" for n in range(1, 5)]
DRAGONS = ("5z", "6z", "7z")
WINDS = ("1z", "2z", "3z", "4z")
LISTED = {
    1: """seat_flower flower_set season_set animal animal_set dragon_pung seat_wind prevailing_wind lesser_all_chows
       concealed_hand last_tile replacement_tile robbing_kong""",
    2: "all_pungs half_flush small_four_winds mixed_terminals",
    3: "small_three_dragons",
    4: "full_flush all_chows",
    10: """double_kong heavenly_hand earthly_hand humanly_hand flower_win big_three_dragons big_four_winds all_honours
        all_terminals all_green four_concealed_pungs all_kongs nine_gates seven_pairs""",
    13: "thirteen_orphans",
}
VALUES = {name: value for value, names in LISTED.items() for name in names.split()}


def bonus_part(request):
    context, bonus = request["context"], set(request["bonus"])
    if context.get("flower_win"):
        bonus |= set(FLOWERS)
    number = str(SEATS.index(context["seat"]) + 1)
    found = {"seat_flower": ("f" + number in bonus) + ("g" + number in bonus)}
    found["flower_set"] = bonus >= set(FLOWERS[:4])
    found["season_set"] = bonus >= set(FLOWERS[4:])
    found["animal"] = sum(b[0] == "a" for b in bonus)
    found["animal_set"] = found["animal"] == 4
    found["flower_win"] = bool(context.get("flower_win"))
    return found


def win_part(request):
    context = request["context"]
    drawn = context["win"] == "self_draw"
    return {
        "concealed_hand": drawn and all(m["type"] == "kong_concealed" for m in request["melds"]),
        "last_tile": drawn and context.get("last_tile", False),
        "replacement_tile": context.get("replacement", False),
        "robbing_kong": context["win"] == "robbed_kong",
        "double_kong": context.get("double_kong", False),
        "heavenly_hand": context.get("heavenly", False),
        "earthly_hand": context.get("earthly", False),
        "humanly_hand": context.get("humanly", False),
    }


def colour_part(request, tiles):
    suits = {t[1] for t in tiles}
    gates = nine_gates(request["concealed"], request["melds"])
    return {
        "all_honours": suits == {"z"},
        "half_flush": len(suits) == 2 and "z" in suits,
        "full_flush": len(suits) == 1 and suits != {"z"} and not gates,
        "nine_gates": gates,
        "all_green": all(t in ("2s", "3s", "4s", "6s", "8s", "6z") for t in tiles),
    }


def wait_count(request):
    held = request["concealed"] + [t for m in request["melds"] for t in m["tiles"]]
    plays = request["options"].get("seven_pairs")
    return sum(
        held.count(kind) < 4
        and bool(readings([*request["concealed"], kind]) or (plays and seven_pairs([*request["concealed"], kind])))
        for kind in ORDER
    )


def set_part(request, sets, pair, completed):
    """``sets``: tuples with the melds among them; ``completed``: index of the set the winning tile is in, or None."""
    context, melds = request["context"], request["melds"]
    drawn = context["win"] == "self_draw"
    winds = [WINDS[SEATS.index(context["seat"])], WINDS[SEATS.index(context["round"])]]
    pungs = [s for s in sets if len(set(s)) == 1]
    tiles = [t for s in sets for t in s] + [pair]
    found = {}
    if not pungs:
        plain_pair = pair not in DRAGONS and pair not in winds
        if plain_pair and ((drawn and len(melds) < 4) or wait_count(request) >= 2):
            found["lesser_all_chows" if request["bonus"] else "all_chows"] = True
    hidden = 0
    for i, s in enumerate(sets):
        if len(set(s)) == 1:
            if i < len(melds):
                hidden += melds[i]["type"] == "kong_concealed"
            else:
                hidden += drawn or i != completed
    four_hidden = drawn and hidden == 4
    kongs = sum(len(s) == 4 for s in sets) == 4
    dragons = sum(s[0] in DRAGONS for s in pungs)
    wind_sets = sum(s[0] in WINDS for s in pungs)
    outside = all(t[1] == "z" or t[0] in "19" for t in tiles)
    honours = any(t[1] == "z" for t in tiles)
    suited = any(t[1] != "z" for t in tiles)
    found["big_three_dragons"] = dragons == 3
    found["small_three_dragons"] = dragons == 2 and pair in DRAGONS
    if not found["big_three_dragons"] and not found["small_three_dragons"]:
        found["dragon_pung"] = dragons
    found["big_four_winds"] = wind_sets == 4
    found["small_four_winds"] = wind_sets == 3 and pair in WINDS
    if wind_sets < 4:
        found["seat_wind"] = any(s[0] == winds[0] for s in pungs)
        found["prevailing_wind"] = any(s[0] == winds[1] for s in pungs)
    if len(pungs) == 4:
        found["all_terminals"] = outside and not honours
        found["four_concealed_pungs"] = four_hidden
        found["all_kongs"] = kongs
        all_honours = not suited
        found["mixed_terminals"] = outside and honours and suited
        found["all_pungs"] = not (found["all_terminals"] or four_hidden or kongs or wind_sets == 4 or all_honours)
    return found


def absorb(found, own):
    if found.get("four_concealed_pungs") or found.get("nine_gates") or found.get("heavenly_hand"):
        found["concealed_hand"] = 0
    if found.get("thirteen_orphans") or found.get("seven_pairs"):
        found["concealed_hand"] = 0
    if found.get("double_kong"):
        found["replacement_tile"] = 0
    if found.get("all_green"):
        found["half_flush"] = found["full_flush"] = 0
    if found.get("big_four_winds"):
        found["half_flush"] = 0
    return {name: own.get(name, VALUES[name]) * int(n) for name, n in found.items() if n}


def every_count(request):
    """The elements of every reading of a hand."""
    context = request["context"]
    base, own = bonus_part(request), request["options"].get("values", {})
    counts = [absorb(dict(base), own)] if context.get("flower_win") else []
    winning, melds = request["winning_tile"], request["melds"]
    if not winning:
        return counts
    hand = [*request["concealed"], winning]
    tiles = hand + [t for m in melds for t in m["tiles"]]
    always = base | win_part(request)
    shown = [tuple(m["tiles"]) for m in melds]
    for sets, pair in readings(hand):
        whole = shown + sets
        for i in [i for i, s in enumerate(whole) if i >= len(shown) and winning in s] + [None] * (pair == winning):
            counts.append(absorb(always | colour_part(request, tiles) | set_part(request, whole, pair, i), own))
    if not melds and request["options"].get("seven_pairs") and seven_pairs(hand):
        counts.append(absorb(always | colour_part(request, tiles) | {"seven_pairs": True}, own))
    if not melds and thirteen_orphans(hand):
        counts.append(absorb(always | {"thirteen_orphans": True}, own))
    return counts


def recount(request):
    """None for no winning shape, else (elements, total before the limit, payments or None below the minimum)."""
    counts = every_count(request)
    if not counts:
        return None
    options, context = request["options"], request["context"]
    best = max(counts, key=lambda c: sum(c.values()))
    total = sum(best.values())
    legal = total >= options.get("min", 1)
    return best, total, (pay(total, options, context) if legal else None)


def pay(total, options, context):
    limit = options.get("limit", 5)
    capped = total if limit is None else min(total, limit)
    first = Fraction(str(options.get("base", "0.5"))) * 2**capped
    second = 2 * first
    if options.get("rounding") == "up":
        first, second = (Fraction(1, 2) if x <= Fraction(1, 2) else Fraction(math.ceil(x)) for x in (first, second))
    extra = (total - capped) * Fraction(str(options.get("over_bonus", 0)))
    first, second = first + extra, second + extra
    seat, drawn = context["seat"], context["win"] == "self_draw"
    dues = {s: second if drawn or s == context["from"] else first for s in SEATS if s != seat}
    if options.get("discarder") == "twice" and not drawn:
        dues[context["from"]] = 2 * first
    if options.get("dealer_doubling"):
        dues = {s: d * 2 if "E" in (s, seat) else d for s, d in dues.items()}
    payer = None
    if context["win"] == "robbed_kong" and options.get("rob_kong_bao", True):
        payer = context["from"]
    if not drawn and options.get("shooter"):
        payer = context["from"]
    if context.get("liable"):
        payer = context["liable"]["seat"]
    if payer:
        dues = {s: sum(dues.values()) if s == payer else 0 for s in dues}
    return {**{s: -d for s, d in dues.items()}, seat: sum(dues.values()), "pot": 0}
