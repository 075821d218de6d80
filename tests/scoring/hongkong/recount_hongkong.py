"""A second count of Hong Kong hands, written from the rules alone: lists of codes, no shared code, no speed."""

from fractions import Fraction

from tests.scoring.hands.plain_splits import nine_gates, readings, seven_pairs, thirteen_orphans

SEATS = "ESWN"
DRAGONS = {"5z": "white_dragon", "6z": "green_dragon", "7z": "red_dragon"}
WINDS = ("1z", "2z", "3z", "4z")
LISTED = {
    1: """common_hand seat_wind prevailing_wind red_dragon green_dragon white_dragon mixed_orphans self_pick
       concealed_hand robbing_kong last_catch win_by_kong own_flower own_season no_bonus_tiles""",
    2: "all_flowers all_seasons",
    3: "all_triplets mixed_one_suit",
    4: "seven_pairs",
    5: "small_dragons",
    6: "small_winds",
    7: "all_one_suit",
    8: "great_dragons win_by_double_kong",
    10: "all_honors self_triplets orphans nine_gates",
    13: "great_winds thirteen_orphans all_kongs heavenly_hand earthly_hand",
}
FAAN = {name: value for value, names in LISTED.items() for name in names.split()}
NOT_PATTERNS = """self_pick concealed_hand robbing_kong last_catch win_by_kong win_by_double_kong own_flower own_season
    all_flowers all_seasons no_bonus_tiles"""  # but heavenly and earthly hands stand alone


def unplayed(request):
    """What counts nothing in this house: it scores no hand, and takes nothing from what it contains."""
    return {name for name, value in request["options"].get("values", {}).items() if not value}


def around(request):
    """Everything that is not the shape of the tiles."""
    context, options, bonus = request["context"], request["options"], request["bonus"]
    drawn, out = context["win"] == "self_draw", unplayed(request)
    blessed = [name for name in ("heavenly", "earthly") if context.get(name) and f"{name}_hand" not in out]
    found = {f"{name}_hand" for name in blessed}
    if drawn and "heavenly" not in blessed:
        found.add("self_pick")
    clean = all(m["type"] == "kong_concealed" for m in request["melds"])
    if clean and (drawn or not options.get("concealed_requires_self_pick")):
        found.add("concealed_hand")
    if context["win"] == "robbed_kong":
        found.add("robbing_kong")
    if context.get("double_kong") and "win_by_double_kong" not in out:
        found.add("win_by_double_kong")
    elif context.get("replacement"):
        found.add("win_by_kong")
    if context.get("last_tile"):
        found.add("last_catch")
    if blessed:
        found.discard("concealed_hand")
    if options.get("bonus_tiles_in_play", True):
        number = SEATS.index(context["seat"]) + 1
        for letter, one, four in (("f", "own_flower", "all_flowers"), ("g", "own_season", "all_seasons")):
            whole = [b for b in bonus if b[0] == letter]
            full = len(whole) == 4 and four not in out
            if full:
                found.add(four)
            if f"{letter}{number}" in whole and (not full or options.get("flower_set_keeps_own")):
                found.add(one)
        if not bonus:
            found.add("no_bonus_tiles")
    return found


def nine_gates_held(request):
    """Before the win, or (a house rule) after it where the last tile was drawn."""
    concealed, melds = request["concealed"], request["melds"]
    if nine_gates(concealed, melds):
        return True
    drawn = request["context"]["win"] == "self_draw" and request["options"].get("nine_gates_self_drawn")
    whole = [*concealed, request["winning_tile"]]
    return drawn and any(nine_gates(whole[:i] + whole[i + 1 :], melds) for i in range(len(whole)))


def colours(request, tiles):
    suits = {t[1] for t in tiles}
    if suits == {"z"}:
        return {"all_honors"}
    if len(suits) == 2 and "z" in suits:
        return {"mixed_one_suit"}
    if len(suits) == 1:
        nine = nine_gates_held(request) and "nine_gates" not in unplayed(request)
        return {"nine_gates"} if nine else {"all_one_suit"}
    return set()


def shape(request, sets, pair, completed):
    """The elements of four sets and a pair; ``completed``: index of the set with the winning tile, or None."""
    context, melds, options = request["context"], request["melds"], request["options"]
    drawn = context["win"] == "self_draw"
    pungs = [s for s in sets if len(set(s)) == 1]
    kinds = {s[0] for s in pungs}
    found, out = set(), unplayed(request)
    if not pungs:
        found.add("common_hand")
    tiles = [t for s in sets for t in s] + [pair]
    if len(pungs) == 4:
        stronger = set()
        hidden = 0
        for i in range(4):
            if i < len(melds):
                hidden += melds[i]["type"] == "kong_concealed"
            else:
                hidden += drawn or i != completed
        four_hidden = hidden == 4 and (options.get("self_triplets_kongs", True) or not any(len(s) == 4 for s in sets))
        if all(len(s) == 4 for s in sets):
            stronger.add("all_kongs")
        if kinds == set(WINDS):
            stronger.add("great_winds")
        honours = [t for t in tiles if t[1] == "z"]
        if all(t[1] == "z" or t[0] in "19" for t in tiles):
            if not honours:
                stronger.add("orphans")
            elif len(honours) < len(tiles):
                found.add("mixed_orphans")
            else:
                stronger.add("all_honors")
        stronger -= out
        if four_hidden and "self_triplets" not in out:
            found.add("self_triplets")
            if not stronger and options.get("self_triplets_keep_all_triplets"):
                found.add("all_triplets")
        elif not stronger:
            found.add("all_triplets")
        found |= stronger
    held = kinds & DRAGONS.keys()
    if len(held) == 3 and "great_dragons" not in out:
        found.add("great_dragons")
    elif len(held) == 2 and pair in DRAGONS and "small_dragons" not in out:
        found.add("small_dragons")
    else:
        found |= {DRAGONS[k] for k in held}
    barred = {"not_round": [context["round"]], "not_seat": [context["seat"]]}
    barred["neither"] = barred["not_round"] + barred["not_seat"]
    barred = [WINDS[SEATS.index(s)] for s in barred.get(options.get("small_winds_pair"), [])]
    if len(kinds & set(WINDS)) == 3 and pair in WINDS and pair not in barred:
        found.add("small_winds")
    if "great_winds" not in found:
        if WINDS[SEATS.index(context["seat"])] in kinds:
            found.add("seat_wind")
        if WINDS[SEATS.index(context["round"])] in kinds:
            found.add("prevailing_wind")
    return found


def every_count(request):
    winning, melds = request["winning_tile"], request["melds"]
    hand = [*request["concealed"], winning]
    tiles = hand + [t for m in melds for t in m["tiles"]]
    always, colour, out = around(request), colours(request, tiles), unplayed(request)
    shown = [tuple(m["tiles"]) for m in melds]
    counts = []
    for sets, pair in readings(hand):
        whole = shown + sets
        for i in [i for i, s in enumerate(whole) if i >= len(shown) and winning in s] + [None] * (pair == winning):
            found = always | colour | shape(request, whole, pair, i)
            if "self_triplets" in found or "nine_gates" in found:
                found.discard("concealed_hand")
            counts.append(found)
    alone = always - {"concealed_hand"}
    if not melds and request["options"].get("seven_pairs", True) and "seven_pairs" not in out and seven_pairs(hand):
        outer = {t for t in tiles if t[1] == "z" or t[0] in "19"}
        mixed = outer == set(tiles) and {"z"} < {t[1] for t in tiles}
        extra = {"mixed_orphans"} if mixed and request["options"].get("seven_pairs_mixed_orphans") else set()
        counts.append(alone | colour | extra | {"seven_pairs"})
    if not melds and "thirteen_orphans" not in out and thirteen_orphans(hand):
        counts.append(alone | {"thirteen_orphans"})
    return [found - out for found in counts]


def recount(request):
    """None for no winning shape, else (elements, faan after the cap, faan before it, payments or None)."""
    counts = every_count(request)
    if not counts:
        return None
    options, context = request["options"], request["context"]
    worth = FAAN | options.get("values", {})
    best = max(counts, key=lambda found: sum(worth[name] for name in found))
    total = sum(worth[name] for name in best)
    table = options.get("table", "traditional")
    capped = total if table == "unlimited" else min(total, options.get("max_faan", 13))
    need = options.get("min_faan", "auto")
    if need == "auto":
        need = 3 if table in ("simplified", "canton", "unlimited", "full_spicy") else 0
    legal = capped >= need
    if need and options.get("min_needs_pattern") and best <= set(NOT_PATTERNS.split()):
        legal = False
    return {name: worth[name] for name in best}, capped, total, pay(capped, table, options, context) if legal else None


def base(faan, table):
    if table == "parlor":
        return 1
    if table in ("unlimited", "full_spicy"):
        return 2**faan
    if table == "simplified":
        return 8 if faan >= 10 else 4 if faan >= 7 else 2 if faan >= 4 else 1
    if table == "canton":
        if faan <= 4:
            return 2**faan
        half_steps = {5: 24, 6: 32, 7: 48, 8: 64, 9: 96, 10: 128, 11: 192, 12: 256}
        return half_steps.get(faan, 384)
    if table == "traditional4":
        return min(2**faan, 16)
    if table in ("4-6-8", "5-7-9"):
        steps = [int(n) for n in table.split("-")]
        passed = sum(faan >= step for step in steps)
        return 2 ** (steps[0] - 1 + passed) if passed else 2**faan
    return 64 if faan >= 10 else 32 if faan >= 7 else min(2**faan, 16)


def pay(faan, table, options, context):
    seat, win, source = context["seat"], context["win"], context.get("from")
    if faan < options.get("pays_from", 0):
        return dict.fromkeys([*SEATS, "pot"], 0)
    drawn = win == "self_draw" or (win == "robbed_kong" and options.get("rob_kong_as_self_pick"))
    one = base(faan, table) * Fraction(str(options.get("unit", 1)))
    dues = {}
    for loser in SEATS.replace(seat, ""):
        if table == "canton" and options.get("canton_settlement") == "columns":
            dues[loser] = one / 2 if drawn else one if loser == source else 0
            continue
        dues[loser] = one
        if drawn or loser == source:
            dues[loser] *= 2
        if options.get("dealer_doubling", True) and "E" in (loser, seat):
            dues[loser] *= 2
    payer = None
    if win == "robbed_kong" and options.get("rob_kong_pays_all", True):
        payer = source
    if context.get("liable"):
        payer = context["liable"]["seat"]
    whole = sum(dues.values())
    if payer:
        dues = {s: whole if s == payer else 0 for s in dues}
    return {**{s: -d for s, d in dues.items()}, seat: whole, "pot": 0}
