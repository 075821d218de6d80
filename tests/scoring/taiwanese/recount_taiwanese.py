"""A second count of Taiwanese hands, written from the tables alone: lists of codes, no shared code, no speed."""

from collections import Counter
from fractions import Fraction

from tests.scoring.hands.plain_splits import ORDER, readings

SEATS = "ESWN"
WINDS = ["1z", "2z", "3z", "4z"]
DRAGONS = ["5z", "6z", "7z"]
TAI = {
    1: """dragon_pung round_wind seat_wind other_wind half_claimed concealed_hand self_drawn single_wait robbing_kong
       on_replacement last_tile_draw last_tile_claim own_flower own_season other_flower dealer melded_kong
       declared_ready no_flowers""",
    2: "three_concealed all_chows all_claimed all_flowers all_seasons streak concealed_kong plain_tiles",
    3: "fully_concealed",
    4: "earthly_ready little_dragons half_flush all_pungs three_kongs",
    5: "four_concealed",
    8: """eight_flowers seven_flowers human_hand heavenly_ready little_winds big_dragons five_concealed full_flush
       eight_pairs four_kongs""",
    16: "earthly_hand big_winds all_honours five_kongs",
    24: "heavenly_hand",
}
WORTH = {name: tai for tai, names in TAI.items() for name in names.split()}
OWN_VALUE = {
    **{"heavenly_hand": "heavenly", "earthly_hand": "earthly", "human_hand": "human"},
    **{name: name for name in ("heavenly_ready", "earthly_ready", "all_honours", "eight_pairs")},
}
SELDOM = (
    *("five_kongs", "four_kongs", "three_kongs", "concealed_kong", "melded_kong"),
    *("declared_ready", "plain_tiles", "no_flowers"),
)


def worth(name, options):
    usual = 0 if name in SELDOM else WORTH[name]
    return options.get("values", {}).get(name, options.get(OWN_VALUE.get(name, ""), usual))


def eight_pairs(tiles):
    counts = sorted(Counter(tiles).values())
    return len(tiles) == 17 and counts.count(3) == 1 and all(n in (2, 3, 4) for n in counts)


def waits(request):
    """The kinds that complete the concealed tiles; who holds all four of a kind waits for it formally only."""
    held = request["concealed"]
    mine = [*held, *(t for m in request["melds"] for t in m["tiles"])]
    formal = request["options"].get("single_wait") == "formal"
    pairs = request["options"].get("eight_pairs", 8) and not request["melds"]
    return [
        kind
        for kind in ORDER
        if (formal or mine.count(kind) < 4) and (readings([*held, kind]) or (pairs and eight_pairs([*held, kind])))
    ]


def flower_part(request):
    options, context, held = request["options"], request["context"], set(request["bonus"])
    number = SEATS.index(context["seat"]) + 1
    flower = f"f{number}"
    if options.get("west_flower") == "bamboo" and number in (3, 4):
        flower = "f4" if number == 3 else "f3"
    own = {flower: "own_flower", f"g{number}": "own_season"}
    found = Counter()
    for letter, name in (("f", "all_flowers"), ("g", "all_seasons")):
        mine = {code for code in held if code[0] == letter}
        whole = len(mine) == 4 and worth(name, options)
        found[name] += bool(whole)
        if whole and not options.get("flower_set_keeps_own"):
            continue
        for code in mine:
            if code in own:
                found[own[code]] += 1
            elif options.get("every_flower"):
                found["other_flower"] += 1
    return found


def set_part(request, sets, pair, done):
    """``sets``: tuples, melds first; ``done``: the index of the set that was completed, or None for the pair."""
    options, context, melds = request["options"], request["context"], request["melds"]
    drawn = context["win"] == "self_draw"
    found = Counter()
    pungs = [(i, s) for i, s in enumerate(sets) if s[0] == s[1]]
    kinds = [s[0] for _, s in pungs]
    hidden = 0
    for i, _ in pungs:
        hidden += melds[i]["type"] == "kong_concealed" if i < len(melds) else (drawn or i != done)
    for number, name in ((3, "three_concealed"), (4, "four_concealed"), (5, "five_concealed")):
        found[name] += hidden == number
    if len(pungs) == 5:
        honours = {t[1] for t in [*kinds, pair]} == {"z"}
        covered = hidden == 5 or honours or len(set(kinds) & set(WINDS)) == 4
        beside = options.get("pungs_beside", True) and not (honours and not options.get("honours_beside", True))
        found["all_pungs"] += not covered or beside
    kongs = [m["type"] for m in melds if m["type"].startswith("kong")]
    many = {3: "three_kongs", 4: "four_kongs", 5: "five_kongs"}.get(len(kongs))
    if many and worth(many, options):
        found[many] += 1
    else:
        found["concealed_kong"] += kongs.count("kong_concealed")
        found["melded_kong"] += len(kongs) - kongs.count("kong_concealed")
    found.update(honour_part(request, kinds, pair))
    if not pungs and (pair[1] != "z" or options.get("chows_any_pair")):
        two_sided = options.get("chows_any_wait", False)
        if done is not None:
            low, at = sets[done][0], sets[done].index(request["winning_tile"])
            two_sided = two_sided or (at == 0 and low[0] != "7") or (at == 2 and low[0] != "1")
        flowers = request["bonus"] and not options.get("chows_with_flowers")
        found["all_chows"] += two_sided and not flowers and (not drawn or options.get("chows_self_drawn", False))
    return found


def honour_part(request, kinds, pair):
    options, context = request["options"], request["context"]
    found = Counter()
    winds = [k for k in kinds if k in WINDS]
    dragons = [k for k in kinds if k in DRAGONS]
    four = len(winds) == 4 or (len(winds) == 3 and pair in WINDS)
    if four:
        found["big_winds" if len(winds) == 4 else "little_winds"] = 1
    three = len(dragons) == 3 or (len(dragons) == 2 and pair in DRAGONS)
    if three:
        found["big_dragons" if len(dragons) == 3 else "little_dragons"] = 1
    if not three or options.get("dragons_beside"):
        found["dragon_pung"] += len(dragons)
    beside = {"little": len(winds) == 3}.get(options.get("winds_beside"), options.get("winds_beside"))
    if not four or beside:
        named = {"seat_wind": context["seat"], "round_wind": context["round"]}
        own = {name: WINDS[SEATS.index(wind)] for name, wind in named.items() if worth(name, options)}
        found.update(name for name, wind in own.items() if wind in winds)
        if options.get("every_wind"):
            found["other_wind"] += sum(k not in own.values() for k in winds)
    return found


def win_part(request, *, single, pairs):
    options, context, melds = request["options"], request["context"], request["melds"]
    drawn = context["win"] == "self_draw"
    dealt = context.get("heavenly") or context.get("earthly")
    ready = next((name for name in ("heavenly_ready", "earthly_ready") if context.get(name)), None)
    closed = all(m["type"] == "kong_concealed" for m in melds)
    open_ = sum(m["type"] != "kong_concealed" for m in melds) == 5
    found = Counter()
    found["heavenly_hand"] += context.get("heavenly", False)
    found["earthly_hand"] += context.get("earthly", False)
    human = context.get("humanly", False) and options.get("human", 8) > 0
    found["human_hand"] += human
    # A ready hand that the house does not value takes nothing away, and neither does a human one.
    ready = ready if ready and options.get(ready, 1) else None
    if ready:
        found[ready] += 1
    begged = "half_claimed" if drawn else "all_claimed"
    open_ = open_ and worth(begged, options)
    found[begged] += bool(open_)
    if not dealt:
        pairs = pairs and not options.get("concealed_beside")
        whole = closed and drawn and not ready and not pairs
        found["fully_concealed"] += whole
        found["self_drawn"] += drawn and not whole
        found["concealed_hand"] += closed and not drawn and not ready and not human and not pairs
    elif options.get("self_drawn_beside"):
        found["self_drawn"] += drawn
    found["declared_ready"] += context.get("declared_ready", False) and not ready
    if single and not context.get("heavenly") and (not open_ or options.get("single_wait_beside")):
        found["single_wait"] += 1
    found["robbing_kong"] += context["win"] == "robbed_kong"
    kong = any(m["type"].startswith("kong") for m in melds)
    replaced = context.get("replacement", False) and (kong or options.get("flower_replacement", True))
    found["on_replacement"] += bool(replaced or context.get("double_kong")) and not dealt
    if context.get("last_tile"):
        found["last_tile_draw" if drawn else "last_tile_claim"] += 1
    return found


def colour_part(tiles):
    suits = {t[1] for t in tiles}
    if suits == {"z"}:
        return Counter(all_honours=1)
    if len(suits - {"z"}) > 1:
        return Counter()
    return Counter(half_flush=1) if "z" in suits else Counter(full_flush=1)


def dealer_part(request):
    streak = request["context"].get("streak", 1)
    return Counter(dealer=1, streak=streak - 1) if request["context"]["seat"] == "E" else Counter()


def every_count(request):
    """The elements of every reading of a hand."""
    options, context, melds = request["options"], request["context"], request["melds"]
    base = dealer_part(request)
    if context.get("flower_win"):
        yield base + Counter(["eight_flowers" if context["win"] == "self_draw" else "seven_flowers"])
    winning = request["winning_tile"]
    if not winning or context.get("flower_win"):
        return
    hand = [*request["concealed"], winning]
    shown = [tuple(m["tiles"]) for m in melds]
    tiles = hand + [t for s in shown for t in s]
    base = base + flower_part(request) + colour_part(tiles)
    if not request["bonus"]:
        plain = worth("plain_tiles", options) and all(t[1] != "z" for t in tiles)
        base = base + Counter(["plain_tiles" if plain else "no_flowers"])
    found = waits(request)
    for sets, pair in readings(hand):
        whole = shown + sets
        for done in [i for i, s in enumerate(whole) if i >= len(shown) and winning in s] + [None] * (pair == winning):
            narrow = done is None
            if done is not None and whole[done][0] != whole[done][1]:
                low, at = whole[done][0][0], whole[done].index(winning)
                narrow = at == 1 or (at == 2 and low == "1") or (at == 0 and low == "7")
            single = narrow and (options.get("single_wait") == "shape" or len(found) == 1)
            yield base + win_part(request, single=single, pairs=False) + set_part(request, whole, pair, done)
    if not melds and options.get("eight_pairs", 8) and eight_pairs(hand):
        [pung] = [k for k, n in Counter(hand).items() if n == 3]
        yield (
            base
            + win_part(request, single=False, pairs=True)
            + honour_part(request, [pung], "")
            + Counter(eight_pairs=1)
        )


def recount(request):
    """The elements of the best readings, equally good ones, with how often they count, and their tai; or None."""
    options, found = request["options"], []
    for counts in every_count(request):
        kept = {name: n for name, n in counts.items() if n and worth(name, options)}
        found.append((sum(worth(name, options) * n for name, n in kept.items()), kept))
    most = max((total for total, _ in found), default=None)
    return None if most is None else ([kept for total, kept in found if total == most], most)


def paid(request, total):
    """Net payments of a legal win of these tai."""
    options, context = request["options"], request["context"]
    base, unit = (Fraction(str(options.get(name, usual))) for name, usual in (("base", 30), ("unit", 10)))
    most = options.get("max_tai")
    net = dict.fromkeys([*SEATS, "pot"], Fraction(0))
    for seat in SEATS:
        if seat == context["seat"] or (context["win"] != "self_draw" and seat != context["from"]):
            continue
        tai = total + (1 + 2 * (context.get("streak", 1) - 1) if seat == "E" else 0)
        if most is not None:
            streak = 2 * context.get("streak", 1) - 1
            between = streak * ("E" in (seat, context["seat"])) * (options.get("max_tai_of") == "hand")
            tai = min(tai, most + between)
        net[seat] -= base + tai * unit
        net[context["seat"]] += base + tai * unit
    return net
