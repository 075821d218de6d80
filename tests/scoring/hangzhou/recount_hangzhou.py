"""A second, slow and plain count of Hangzhou, from the printed rules alone: every tile is tried for every wild."""

from fractions import Fraction
from itertools import combinations_with_replacement

from tests.scoring.hands.plain_splits import ORDER, readings, sets_of


def left_over(tiles):
    """How many tiles of each suit are left when threes are taken away: sets never mix suits."""
    suits = [t[1] for t in tiles]
    return [suits.count(s) % 3 for s in "mpsz"]


def sets_and_eye(tiles):
    return sorted(left_over(tiles)) == [0, 0, 0, 2] and readings(tiles)


def sets_alone(tiles):
    return not any(left_over(tiles)) and sets_of(tiles)


def only_pairs(tiles):
    return all(tiles.count(t) % 2 == 0 for t in tiles)


def every_way(natural, wilds):
    for tiles in combinations_with_replacement(ORDER, wilds):
        yield [*natural, *tiles]


def shapes(natural, wilds, melds):
    """Which of the two shapes the tiles can be."""
    found = set()
    for tiles in every_way(natural, wilds):
        if "sets" not in found and sets_and_eye(tiles):
            found.add("sets")
        if not melds and "pairs" not in found and only_pairs(tiles):
            found.add("pairs")
        if found == {"sets", "pairs"} or (melds and found):
            break
    return found


def waits_for_anything(natural, wilds, melds):
    """One wild taken away, the rest of the 13 is four sets or six pairs."""
    if not wilds:
        return False
    return any(sets_alone(t) or (not melds and only_pairs(t)) for t in every_way(natural, wilds - 1))


def recount(request):
    """None for no hand, else (element -> factor, product, refusal codes, seat -> amount)."""
    options, context, melds = request["options"], request["context"], request["melds"]
    if context.get("honours"):
        ladder = {"own_tile": [1, 2, 4, 8, 16], "wild_eye": [2, 4, 8, 16, 32]}[options["ten_honours"]]
        worth = ladder[context["honours"] - 10]
        return {"ten_honours": worth}, worth, [], paid(request, worth, {})
    permanent = options.get("permanent") or context.get("indicator") == "permanent"
    wild = "5z" if permanent else context["indicator"]

    def natural(tiles):
        return [wild if t == "5z" else t for t in tiles if t != wild]

    before, won = request["concealed"], request["winning_tile"]
    wilds = before.count(wild)
    after = wilds + (won == wild)
    shown = natural([*before, won])
    own = options.get("values", {})
    forms = {form for form in shapes(shown, after, melds) if form == "sets" or own.get("seven_pairs") != 0}
    if not forms:
        return None
    anything = waits_for_anything(natural(before), wilds, melds)
    drawn = context["win"] == "self_draw"
    common = {}
    if drawn and anything:
        common["wild_eye"] = 2
        if context.get("floats"):
            common["fortune_float"] = 2 ** context["floats"]
    kongs = context.get("kong_streak") or (2 if context.get("double_kong") else 1 if context.get("replacement") else 0)
    if kongs:
        common["kong_bloom"] = 2**kongs
    if context["win"] == "robbed_kong":
        common["robbing_kong"] = 2
    if "pairs" in forms:
        common["seven_pairs"] = 2
        if not after and (drawn or options.get("seven_pairs_pure_on_claim", True)):
            common["seven_pairs_pure"] = 2
        quads = sum(shown.count(t) == 4 for t in set(shown))
        if quads:
            common["deluxe"] = own.get("deluxe", 2) ** quads
    common |= {name: own[name] for name in common if name in own and name != "deluxe"}
    common = {name: factor for name, factor in common.items() if factor}
    product = 1
    for factor in common.values():
        product *= factor
    codes = [] if drawn else refusals(context, options, won == wild, anything)
    return common, product, codes, {s: Fraction(0) for s in "ESWN"} if codes else paid(request, product, common)


def refusals(context, options, wild, anything):
    streak = 3 if options.get("immediate_third_banker") else context["streak"]
    robbed = context["win"] == "robbed_kong"
    need = options.get("rob_min_streak", 3) if robbed else 3
    codes = ["wall_only"] * bool(options.get("wall_only")) + ["fortune_claimed"] * wild + ["wild_eye_claim"] * anything
    codes += ["claim_needs_streak"] * (streak < need)
    return codes + ["claim_needs_banker"] * (context.get("banker", "E") not in (context["seat"], context["from"]))


def may_be_liable(request, giver, taker):
    """Whether the house lets three sets from one player to another make liable."""
    options, context = request["options"], request["context"]
    rule, streak = options.get("liability_between", "anybody"), context["streak"]
    if options.get("immediate_third_banker"):
        streak = max(streak, 3)
    if rule == "anybody" or streak < options.get("liability_between_from", 1):
        return True
    with_banker = context.get("banker", "E") in (giver, taker)
    if rule != "not_chows":
        return with_banker and rule == "banker"
    possible = {m["type"] for m in request["melds"] if m.get("from") in (None, giver)} - {"kong_concealed"}
    return with_banker or taker != context["seat"] or possible != {"chow"}


def paid(request, product, common):
    options, context = request["options"], request["context"]
    winner, banker = context["seat"], context.get("banker", "E")
    losers = list("ESWN"[("ESWN".index(winner) + 1) :] + "ESWN"[: "ESWN".index(winner)])
    streak = 3 if options.get("immediate_third_banker") else context["streak"]
    staying = {1: 2, 2: 4}.get(streak, 8)
    unit = Fraction(str(options.get("unit", 1)))
    due = {p: unit * product * (staying if banker in (p, winner) else 1) for p in losers}
    fed = dict(context.get("fed") or {})
    for giver in losers:
        mine = sum(m.get("from") == giver and m["type"] != "kong_concealed" for m in request["melds"])
        fed[f"{giver}>{winner}"] = max(mine, fed.get(f"{giver}>{winner}", 0))
    times = {
        p: (fed.get(f"{p}>{winner}", 0) >= 3 and may_be_liable(request, p, winner))
        + 2 * (fed.get(f"{winner}>{p}", 0) >= 3 and may_be_liable(request, winner, p))
        for p in losers
    }
    whole = sum(due.values())
    if context["win"] == "robbed_kong":
        owed = {p: whole if p == context["from"] else 0 for p in losers}
    elif context["win"] == "discard":
        amount = due[context["from"]]
        extra = times if options.get("liability_on_claim") else dict.fromkeys(losers, 0)
        owed = {p: amount * ((p == context["from"]) + extra[p]) for p in losers}
    elif context.get("liable"):
        later = common.get("fortune_float", 2) // 2 * common.get("kong_bloom", 1)  # all but the first float
        later = min(later, 2 ** context.get("doubles_after", 1))
        early = {p: due[p] / later for p in losers}
        if any(times.values()):
            early = {p: times[p] * whole / later for p in losers}
        owed = {p: early[p] + (whole - whole / later) * (p == context["liable"]["seat"]) for p in losers}
    elif any(times.values()):
        owed = {p: times[p] * whole for p in losers}
    else:
        owed = due
    left = options.get("remaining", {})
    if not isinstance(left, dict):
        left = dict.fromkeys("ESWN", left)
    owed = {p: min(amount, Fraction(str(left[p]))) if p in left else amount for p, amount in owed.items()}
    return {**{p: -amount for p, amount in owed.items()}, winner: sum(owed.values())}
