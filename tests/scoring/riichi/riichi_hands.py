"""Deals random riichi requests in contract form, most of them wins; knows nothing of the code under test."""

from tests.scoring.hand_maker import KINDS, ORPHANS, STYLES, deal, most

SWITCHES = {
    "double_yakuman": False,
    "kazoe": False,
    "kiriage": True,
    "kuitan": False,
    "pinfu_tsumo_fu": True,
    "renhou": "yakuman",
    "aka": 0,
}
MORE_SWITCHES = {
    "multiple_yakuman": False,
    "double_wind_fu": 2,
    "chiitoi": "50fu1han",
    "pao_suukantsu": True,
    "counter_points": 1500,
    "renhou": "mangan",
    "aka": 4,
    "min_han": 2,
}
THREE_SWITCHES = {"kita": False, "kita_rinshan": False, "north_value": True, "tsumo_loss": False}


CHOW_STYLES = ("outer", "outer_suited", "three_colours", "straight", "twins", "same_triplets", "ambiguous")


def run(low, suit):
    return [f"{low + i}{suit}" for i in range(3)]


def chow_sets(rng, style):
    """Four sets and a pair around one pattern, as five lists; copies of a tile are not counted here."""
    suit, low = rng.choice("mps"), rng.randint(1, 7)
    pool = [k for k in ORPHANS if k[1] != "z"] if style == "outer_suited" else ORPHANS
    if style.startswith("outer"):
        sets = [run(rng.choice([1, 7]), rng.choice("mps")) for _ in range(rng.randint(1, 4))]
        sets += [[rng.choice(pool)] * 3 for _ in range(4 - len(sets))]
        return sets, [rng.choice(pool)] * 2
    other = run(rng.randint(1, 7), rng.choice("mps")) if rng.random() < 0.6 else [rng.choice(KINDS)] * 3
    last = run(rng.randint(1, 7), rng.choice("mps")) if rng.random() < 0.6 else [rng.choice(KINDS)] * 3
    sets = {
        "three_colours": [run(low, s) for s in "mps"] + [other],
        "straight": [run(n, suit) for n in (1, 4, 7)] + [other],
        "twins": [run(low, suit), run(low, suit), other, other if rng.random() < 0.5 else last],
        "same_triplets": [[f"{low}{s}"] * 3 for s in "mps"] + [other],
        "ambiguous": [run(max(1, min(7, low + rng.randint(-2, 2))), suit) for _ in range(4)],
    }[style]
    return sets, [f"{rng.randint(1, 9)}{suit}" if style == "ambiguous" else rng.choice(KINDS)] * 2


def deal_chows(rng, style):
    """Concealed tiles (the winning one among them) and melds."""
    while True:
        sets, pair = chow_sets(rng, style)
        if most([t for s in sets for t in s] + pair) <= 4:
            break
    opened = rng.choice([0, 0, 0, 1, 2])
    rng.shuffle(sets)
    melds = [{"type": "pung" if len(set(s)) == 1 else "chow", "tiles": s} for s in sets[:opened]]
    return [t for s in sets[opened:] for t in s] + pair, melds, None


def house_rules(rng, every):
    """Options: those that other programs have too, or all of them."""
    pool = [*SWITCHES.items(), *(MORE_SWITCHES.items() if every else [("renhou", "mangan")])]
    return {name: value for name, value in pool if rng.random() < 0.15}


def other_seats(seat):
    return [s for s in "ESWN" if s != seat]


def redden(rng, tiles, aka):
    """Make some fives of these lists red, as a set with ``aka`` red fives allows; a set of all four has its reds."""
    left = {"m": 1, "p": 2 if aka == 4 else 1, "s": 1} if aka >= 3 else {}
    for suit, reds in left.items():
        places = [(group, i) for group in tiles for i, t in enumerate(group) if t == f"5{suit}"]
        least = max(0, len(places) - (4 - reds))
        rng.shuffle(places)
        for group, i in places[: max(least, rng.choice([0, reds, 1]))]:
            group[i] = f"0{suit}"


def riichi_request(rng, every=False):
    """One request without contradictions; ``every``: with liability, wareme and the options of no other program."""
    style = rng.choice(STYLES + CHOW_STYLES)
    concealed, melds, winning = (deal_chows if style in CHOW_STYLES else deal)(rng, style)
    options = house_rules(rng, every)
    seat = rng.choice("ESWN")
    for meld in melds:
        meld["tiles"] = list(meld["tiles"])
    won = [concealed.pop(concealed.index(winning or rng.choice(concealed)))]
    redden(rng, [concealed, won, *(m["tiles"] for m in melds)], options.get("aka", 3))
    rng.shuffle(concealed)
    for meld in melds:
        meld["from"] = claimed_from(rng, meld["type"], seat)
    request = {
        "rules": "riichi",
        "options": options,
        "concealed": concealed,
        "melds": melds,
        "winning_tile": won[0],
        "context": circumstances(rng, concealed, melds, won[0], seat),
    }
    if every:
        add_liability(rng, request)
    return request


def claimed_from(rng, kind, seat):
    if kind == "kong_concealed" or rng.random() < 0.3:
        return None
    return "ESWN"["ESWN".index(seat) - 1] if kind == "chow" else rng.choice(other_seats(seat))


def plain(t):
    return f"5{t[1]}" if t[0] == "0" else t


def circumstances(rng, concealed, melds, winning, seat):
    held = [plain(t) for t in [*concealed, winning, *(t for m in melds for t in m["tiles"])]]
    closed = all(m["type"] == "kong_concealed" for m in melds)
    kong = any(m["type"].startswith("kong") for m in melds)
    context = {"seat": seat, "round": rng.choice("EEESWN"), "win": rng.choice(["self_draw", "discard"])}
    context["counters"] = rng.choice([0, 0, 0, 1, 2, 7])
    context["riichi_sticks"] = rng.choice([0, 0, 0, 1, 3])
    if held.count(plain(winning)) == 1 and rng.random() < 0.2:
        context["win"] = "robbed_kong"
    robbed = context["win"] == "robbed_kong"
    if context["win"] != "self_draw":
        context["from"] = rng.choice(other_seats(seat))
    wall = [k for k in KINDS for _ in range(4 - held.count(k)) if not (robbed and k == plain(winning))]
    rng.shuffle(wall)
    turned = min(rng.choice([0, 1, 1, 1, 2, 5]), 5 - robbed)
    context["dora_indicators"] = wall[:turned]
    if not melds and not robbed and rng.random() < 0.15 and dealt(context):
        return context
    if closed and rng.random() < 0.6:
        context["double_riichi" if rng.random() < 0.2 else "riichi"] = True
        context["ura_indicators"] = wall[turned : 2 * turned]
        if rng.random() < 0.25:
            context["ippatsu"] = True
    if context["win"] == "self_draw" and kong and not context.get("ippatsu") and rng.random() < 0.3:
        context["replacement"] = True
    at_once = context.get("double_riichi") and context.get("ippatsu")
    if not robbed and not at_once and rng.random() < 0.12:
        context["last_tile"] = True
    return context


def dealt(context):
    """Make it a win before the own first discard, where seat and win allow that."""
    if context["win"] == "self_draw":
        context["heavenly" if context["seat"] == "E" else "earthly"] = True
        return True
    context["humanly"] = context["seat"] != "E"
    return context["humanly"]


def add_liability(rng, request):
    """Wareme, and somebody who is liable where the melds allow it."""
    context, melds = request["context"], request["melds"]
    if rng.random() < 0.3:
        context["wareme"] = rng.choice("ESWN")
    claimed = [m for m in melds if m["type"] != "kong_concealed"]
    fed = {
        "daisangen": [m for m in claimed if m["tiles"][0] in ("5z", "6z", "7z")],
        "daisuushii": [m for m in claimed if m["tiles"][0] in ("1z", "2z", "3z", "4z")],
    }
    every = {
        "daisangen": {"5z", "6z", "7z"} <= {m["tiles"][0] for m in melds},
        "daisuushii": {"1z", "2z", "3z", "4z"} <= {m["tiles"][0] for m in melds},
    }
    if request["options"].get("pao_suukantsu"):
        fed["suukantsu"] = [m for m in melds if m["type"] == "kong_open"]
        every["suukantsu"] = sum(m["type"].startswith("kong") for m in melds) == 4
    for kind, sets in fed.items():
        if every[kind] and sets and rng.random() < 0.8:
            source = rng.choice(sets)["from"] or rng.choice(other_seats(context["seat"]))
            context["liable"] = {"seat": source, "kind": kind}


def fits_three(request):
    """Whether the hand has no chow melds and no 2m to 8m, and names nobody in the north."""
    context, melds = request["context"], request["melds"]
    tiles = [*request["concealed"], request["winning_tile"], *(t for m in melds for t in m["tiles"])]
    named = [context["seat"], context["round"], context.get("from"), context.get("wareme")]
    named += [(context.get("liable") or {}).get("seat"), *(m["from"] for m in melds)]
    chows = any(m["type"] == "chow" for m in melds)
    return not chows and "N" not in named and not any(t[1] == "m" and t[0] not in "19" for t in tiles)


def three_players_request(rng, every=False):
    """One request of a game of three without contradictions, with norths set aside; ``every``: see riichi_request."""
    while True:
        request = riichi_request(rng, every)
        if fits_three(request):
            break
    context, options = request["context"], request["options"] | {"players": 3}
    options |= {name: value for name, value in THREE_SWITCHES.items() if every and rng.random() < 0.4}
    for name in ("dora_indicators", "ura_indicators"):
        context[name] = [t for t in context.get(name, []) if t[1] != "m" or t[0] in "19"]
    context["ura_indicators"] = context["ura_indicators"][: len(context["dora_indicators"])]
    shown = [*request["concealed"], request["winning_tile"], *(t for m in request["melds"] for t in m["tiles"])]
    shown += context["dora_indicators"] + context["ura_indicators"]
    robbed = context["win"] == "robbed_kong" and request["winning_tile"] == "4z"
    dealt_win = any(context.get(name) for name in ("heavenly", "earthly", "humanly"))
    if options.get("kita", True) and not dealt_win and not robbed:
        request["bonus"] = ["4z"] * rng.randint(0, 4 - shown.count("4z"))
        replaced = options.get("kita_rinshan", True) and context["win"] == "self_draw" and not context.get("ippatsu")
        if request["bonus"] and replaced and rng.random() < 0.3:
            context["replacement"] = True
    return request | {"options": options}
