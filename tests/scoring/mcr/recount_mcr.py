"""A second, slow and plain count of Mahjong Competition Rules. For the test beside it.

Fan of several sets are not looked for in an order: every choice of them is tried against the principles, and the best
is taken. What a fan rules out is written here once more, from the rules and not from the code.
"""

from collections import Counter
from itertools import combinations, pairwise, permutations

from tests.scoring.hands.plain_splits import ORDER, nine_gates, readings, seven_pairs, thirteen_orphans

POINTS = {
    88: "big_four_winds big_three_dragons all_green nine_gates four_kongs seven_shifted_pairs thirteen_orphans",
    64: "all_terminals little_four_winds little_three_dragons all_honors four_concealed_pungs pure_terminal_chows",
    48: "quadruple_chow four_pure_shifted_pungs",
    32: "four_pure_shifted_chows three_kongs all_terminals_and_honors",
    24: "seven_pairs greater_honors_and_knitted_tiles all_even_pungs full_flush pure_triple_chow pure_shifted_pungs "
    "upper_tiles middle_tiles lower_tiles",
    16: "pure_straight three_suited_terminal_chows pure_shifted_chows all_fives triple_pung three_concealed_pungs",
    12: "lesser_honors_and_knitted_tiles knitted_straight upper_four lower_four big_three_winds",
    8: "mixed_straight reversible_tiles mixed_triple_chow mixed_shifted_pungs chicken_hand last_tile_draw "
    "last_tile_claim out_with_replacement_tile robbing_the_kong",
    6: "all_pungs half_flush mixed_shifted_chows all_types melded_hand two_concealed_kongs two_dragon_pungs",
    5: "mixed_kongs",
    4: "outside_hand fully_concealed_hand two_melded_kongs last_tile",
    2: "dragon_pung prevalent_wind seat_wind concealed_hand all_chows tile_hog double_pung two_concealed_pungs "
    "concealed_kong all_simples",
    1: "pure_double_chow mixed_double_chow short_straight two_terminal_chows pung_of_terminals_or_honors melded_kong "
    "one_voided_suit no_honors edge_wait closed_wait single_wait self_drawn",
}
WORTH = {name: points for points, names in POINTS.items() for name in names.split()}
SUITS = "mps"
GREEN = {"2s", "3s", "4s", "6s", "8s", "6z"}
ALIKE = {*(f"{n}p" for n in "1234589"), *(f"{n}s" for n in "245689"), "5z"}
STRAIGHTS = [[f"{low + step}{s}" for low, s in zip((1, 2, 3), order, strict=True) for step in (0, 3, 6)]
             for order in permutations(SUITS)]  # fmt: skip
# Which fan cannot stand beside these, whatever else the hand has.
NEVER_BESIDE = {
    "no_honors": "nine_gates seven_shifted_pairs all_terminals pure_terminal_chows all_even_pungs full_flush "
    "upper_tiles middle_tiles lower_tiles three_suited_terminal_chows all_fives upper_four lower_four all_chows "
    "all_simples",
    "all_simples": "all_even_pungs middle_tiles all_fives",
    "concealed_hand": "nine_gates seven_shifted_pairs seven_pairs thirteen_orphans four_concealed_pungs "
    "greater_honors_and_knitted_tiles lesser_honors_and_knitted_tiles",
    "fully_concealed_hand": "nine_gates seven_shifted_pairs seven_pairs thirteen_orphans four_concealed_pungs "
    "greater_honors_and_knitted_tiles lesser_honors_and_knitted_tiles",
    "full_flush": "nine_gates seven_shifted_pairs pure_terminal_chows",
    "half_flush": "all_green",
    "all_pungs": "big_four_winds four_kongs all_terminals all_honors four_concealed_pungs four_pure_shifted_pungs "
    "all_terminals_and_honors all_even_pungs",
    "outside_hand": "all_terminals all_honors all_terminals_and_honors",
    "pung_of_terminals_or_honors": "nine_gates all_terminals all_honors all_terminals_and_honors big_four_winds",
    "double_pung": "all_terminals",
    "seat_wind": "big_four_winds",
    "prevalent_wind": "big_four_winds",
    "all_types": "thirteen_orphans greater_honors_and_knitted_tiles lesser_honors_and_knitted_tiles",
    "all_terminals_and_honors": "thirteen_orphans",
    "all_chows": "pure_terminal_chows three_suited_terminal_chows",
    "tile_hog": "quadruple_chow",
    "upper_four": "upper_tiles",
    "lower_four": "lower_tiles",
    "one_voided_suit": "reversible_tiles",
    "last_tile": "robbing_the_kong",
    "single_wait": "four_kongs seven_pairs seven_shifted_pairs thirteen_orphans melded_hand",
    "self_drawn": "last_tile_draw out_with_replacement_tile",
    "seven_pairs": "seven_shifted_pairs",
    "two_concealed_pungs": "two_concealed_kongs",
}


def recount(request):
    """None for no hand, else (names and how often they count, points without flowers)."""
    concealed = request["concealed"] + [request["winning_tile"]]
    melds = [(m["type"], sorted(m["tiles"])) for m in request["melds"]]
    best = None
    for shape, sets, pair, won in every_reading(request, concealed, melds):
        fans = counted(request, concealed, melds, shape, sets, pair, won)
        total = sum(worth(request, name) * n for name, n in fans.items())
        if best is None or total > best[1]:
            best = fans, total
    return best


def worth(request, name):
    listed = request["options"].get(name, WORTH[name]) if name.endswith("_kongs") else WORTH[name]
    return request["options"].get("values", {}).get(name, listed)


def every_reading(request, concealed, melds):
    """(shape, sets, pair, what the winning tile completed: a set's index, ``pair``, ``rest``)."""
    tile = request["winning_tile"]
    for sets, pair in readings(concealed):
        spots = [i for i, s in enumerate(sets) if tile in s] + ["pair"] * (pair == tile)
        for spot in spots:
            yield "sets", sets, pair, spot
    if len(melds) < 2:
        for straight in STRAIGHTS:
            rest = list(concealed)
            if set(straight) <= set(rest):
                for t in straight:
                    rest.remove(t)
                for sets, pair in readings(rest):
                    spots = [i for i, s in enumerate(sets) if tile in s] + ["pair"] * (pair == tile)
                    for spot in spots + ["rest"] * (tile in straight):
                        yield "straight", sets, pair, spot
    if melds:
        return
    if seven_pairs(concealed):
        yield "pairs", [], None, "pair"
    if thirteen_orphans(concealed):
        yield "orphans", [], None, "pair"
    if knitted(concealed):
        yield "knitted", [], None, "rest"


def knitted(tiles):
    suited = {t for t in tiles if t[1] != "z"}
    return len(set(tiles)) == 14 and any(suited <= set(straight) for straight in STRAIGHTS)


def counted(request, concealed, melds, shape, sets, pair, won):
    """The fan of one reading, the best choice of them."""
    fixed = Counter(of_the_tiles(request, concealed, melds, shape, sets, pair) + of_the_win(request, concealed, melds))
    fixed.update(of_the_wait(request, concealed, sets, won) if shape in ("sets", "straight", "pairs") else [])
    whole = [tuple(s) for s in sets] + [tuple(tiles) for _, tiles in melds]
    if shape in ("sets", "straight"):
        fixed.update(of_honours_and_kongs(request, melds, sets, pair, won))
        chows = [s for s in whole if s[0] != s[1]]
        pungs = [s[0] for s in whole if s[0] == s[1]]
        best = None
        for some in chosen(chow_fans([tuple(sorted(s)) for s in chows], pair)):
            for others in chosen(pung_fans(pungs, pair)):
                fans = allowed(fixed + Counter(some) + Counter(others), request)
                total = sum(worth(request, name) * n for name, n in fans.items())
                if best is None or total > best[1]:
                    best = fans, total
        fans = best[0]
    else:
        fans = allowed(fixed, request)
    return fans or Counter({"chicken_hand": 1})


def allowed(fans, request):
    """Without what never stands beside another that is there; the others are looked at after they are cleared."""
    left = Counter(fans)
    of_2006 = request["options"].get("contained") == "2006"
    gates = left["nine_gates"]
    for name in sorted(fans, key=lambda n: -WORTH[n]):
        others = NEVER_BESIDE.get(name, "").split()
        if of_2006 and name in ("fully_concealed_hand", "half_flush", "double_pung"):
            continue
        if of_2006 and name in ("edge_wait", "closed_wait"):
            others = [*others, "knitted_straight"]
        if name == "pung_of_terminals_or_honors" and gates and not of_2006:
            left[name] -= 1  # the nine gates are made of one
            others.remove("nine_gates")
        if any(left[other] for other in others):
            del left[name]
    if left["fully_concealed_hand"]:
        del left["self_drawn"]
    return +left


def chosen(fans):
    """Every choice of fan that the principles allow: each joins at most one set that was joined before."""
    found = [[]]

    def more(names, used, done):
        for i, (name, sets) in enumerate(fans):
            if i not in done and len(used & sets) <= (1 if used else 0):
                found.append([*names, name])
                more([*names, name], used | sets, done | {i})

    more([], frozenset(), frozenset())
    return found


def chow_fans(chows, pair):
    """(name, which chows) of everything that some chows make."""
    lows = [(int(c[0][0]), c[0][1]) for c in chows]
    found = []
    for size in (2, 3, 4):
        for some in combinations(range(len(chows)), size):
            name = {2: two_chows, 3: three_chows, 4: four_chows}[size](sorted(lows[i] for i in some), pair)
            if name:
                found.append((name, frozenset(some)))
    return found


def two_chows(lows, _):
    (a, s), (b, z) = lows
    if s != z:
        return "mixed_double_chow" if a == b else None
    return {0: "pure_double_chow", 3: "short_straight", 6: "two_terminal_chows"}.get(b - a)


def three_chows(lows, _):
    numbers, suits = [n for n, _ in lows], {s for _, s in lows}
    steps = {numbers[1] - numbers[0], numbers[2] - numbers[1]}
    if len(suits) == 1:
        if numbers == [1, 4, 7]:
            return "pure_straight"
        return {0: "pure_triple_chow", 1: "pure_shifted_chows", 2: "pure_shifted_chows"}.get(
            steps.pop() if len(steps) == 1 else None
        )
    if len(suits) == 3:
        if numbers == [1, 4, 7]:
            return "mixed_straight"
        return {0: "mixed_triple_chow", 1: "mixed_shifted_chows"}.get(steps.pop() if len(steps) == 1 else None)
    return None


def four_chows(lows, pair):
    numbers, suits = [n for n, _ in lows], [s for _, s in lows]
    if len(set(suits)) == 1:
        steps = {b - a for a, b in pairwise(numbers)}
        if steps == {0}:
            return "quadruple_chow"
        if steps in ({1}, {2}):
            return "four_pure_shifted_chows"
        return "pure_terminal_chows" if numbers == [1, 1, 7, 7] and pair == "5" + suits[0] else None
    two = sorted(set(suits))
    if len(two) == 2 and sorted(lows) == sorted((n, s) for n in (1, 7) for s in two):
        third = (set(SUITS) - set(two)).pop()
        return "three_suited_terminal_chows" if pair == "5" + third else None
    return None


def pung_fans(pungs, pair):
    """(name, which pungs) of everything that numbered pungs make."""
    numbered = [(int(t[0]), t[1]) for t in pungs if t[1] != "z"]
    found = []
    for size in (2, 3, 4):
        for some in combinations(range(len(numbered)), size):
            numbers = sorted(numbered[i][0] for i in some)
            suits = {numbered[i][1] for i in some}
            row = all(b - a == 1 for a, b in pairwise(numbers))
            name = None
            if size == 2 and numbers[0] == numbers[1]:
                name = "double_pung"
            elif size == 3 and len(suits) == 3:
                name = "mixed_shifted_pungs" if row else "triple_pung" if numbers[0] == numbers[2] else None
            elif size == 3 and len(suits) == 1 and row:
                name = "pure_shifted_pungs"
            elif size == 4 and len(suits) == 1 and row:
                name = "four_pure_shifted_pungs"
            if name:
                found.append((name, frozenset(some)))
    return found


def of_honours_and_kongs(request, melds, sets, pair, won):
    """Dragons, winds, kongs, concealed pungs."""
    seat, round_ = (f"{'ESWN'.index(request['context'][key]) + 1}z" for key in ("seat", "round"))
    triples = [s[0] for s in sets if s[0] == s[1]] + [tiles[0] for _, tiles in melds if tiles[0] == tiles[1]]
    dragons = [t for t in triples if t in ("5z", "6z", "7z")]
    winds = [t for t in triples if t in ("1z", "2z", "3z", "4z")]
    found = []
    if len(dragons) == 3:
        found.append("big_three_dragons")
    elif len(dragons) == 2:
        found.append("little_three_dragons" if pair in ("5z", "6z", "7z") else "two_dragon_pungs")
    found += ["dragon_pung"] * (len(dragons) == 1)
    if len(winds) == 4:
        found.append("big_four_winds")
    elif len(winds) == 3:
        found.append("little_four_winds" if pair in ("1z", "2z", "3z", "4z") else "big_three_winds")
    found += ["seat_wind"] * (seat in winds) + ["prevalent_wind"] * (round_ in winds)
    if len(winds) < 3:
        found += ["pung_of_terminals_or_honors" for t in winds if t not in (seat, round_)]
    found += ["pung_of_terminals_or_honors" for t in triples if t[1] != "z" and t[0] in "19"]
    found += ["all_pungs"] * (len(triples) == 4)
    dark = sum(kind == "kong_concealed" for kind, _ in melds)
    light = sum(kind in ("kong_open", "kong_added") for kind, _ in melds)
    if dark + light >= 3:
        found.append({3: "three_kongs", 4: "four_kongs"}[dark + light])
    elif dark + light == 2:
        found.append(("two_melded_kongs", "mixed_kongs", "two_concealed_kongs")[dark])
    else:
        found += ["concealed_kong"] * dark + ["melded_kong"] * light
    claimed = request["context"]["win"] != "self_draw"
    hidden = dark + sum(s[0] == s[1] and not (claimed and i == won) for i, s in enumerate(sets))
    if hidden >= 2:
        found.append({2: "two_concealed_pungs", 3: "three_concealed_pungs", 4: "four_concealed_pungs"}[hidden])
    return found


def of_the_tiles(request, concealed, melds, shape, sets, pair):
    every = concealed + [t for _, tiles in melds for t in tiles]
    kinds, suits = set(every), {t[1] for t in every} - {"z"}
    honours = {t for t in kinds if t[1] == "z"}
    numbers = {t[0] for t in kinds if t[1] != "z"}
    found = ["all_green"] * (kinds <= GREEN) + ["reversible_tiles"] * (kinds <= ALIKE)
    if numbers <= {"1", "9"}:
        found.append("all_honors" if not numbers else "all_terminals_and_honors" if honours else "all_terminals")
    if len(suits) == 1:
        found.append("half_flush" if honours else "full_flush")
    found += ["one_voided_suit"] * (len(suits) == 2)
    if len(suits) == 3 and honours & {"1z", "2z", "3z", "4z"} and honours & {"5z", "6z", "7z"}:
        found.append("all_types")
    if not honours:
        found.append("no_honors")
        found += ["all_simples"] * (not numbers & {"1", "9"})
        for name, span in (("upper_tiles", "789"), ("middle_tiles", "456"), ("lower_tiles", "123")):
            found += [name] * (numbers <= set(span))
        found += ["upper_four"] * (numbers <= set("6789")) + ["lower_four"] * (numbers <= set("1234"))
    kongs = {tiles[0] for kind, tiles in melds if kind.startswith("kong")}
    found += ["tile_hog"] * sum(every.count(t) == 4 and t not in kongs for t in kinds)
    whole = [tuple(s) for s in sets] + [tuple(tiles) for _, tiles in melds]
    if shape == "sets":
        groups = [*whole, (pair, pair)]
        found += ["outside_hand"] * all(any(t[1] == "z" or t[0] in "19" for t in g) for g in groups)
        found += ["all_fives"] * all(any(t[1] != "z" and t[0] == "5" for t in g) for g in groups)
        found += ["all_even_pungs"] * all(g[0] == g[1] and g[0][1] != "z" and g[0][0] in "2468" for g in groups)
    if shape in ("sets", "straight"):
        found += ["all_chows"] * (pair[1] != "z" and all(s[0] != s[1] for s in whole))
    found += ["nine_gates"] * nine_gates(request["concealed"], melds) * (len(suits) == 1 and not honours)
    if shape == "pairs":
        low = sorted(kinds, key=ORDER.index)
        row = len(low) == 7 and not honours and int(low[-1][0]) - int(low[0][0]) == 6 and len(suits) == 1
        found += ["seven_pairs"] + ["seven_shifted_pairs"] * row
    found += ["thirteen_orphans"] * (shape == "orphans")
    if shape == "knitted":
        found.append("greater_honors_and_knitted_tiles" if len(honours) == 7 else "lesser_honors_and_knitted_tiles")
    found += ["knitted_straight"] * (shape == "straight" or (shape == "knitted" and len(honours) == 5))
    return found


def of_the_win(request, concealed, melds):
    context, tile = request["context"], request["winning_tile"]
    drawn = context["win"] == "self_draw"
    claims = [tiles for kind, tiles in melds if kind != "kong_concealed"]
    found = ["self_drawn"] * drawn
    if context.get("last_tile"):
        found.append("last_tile_draw" if drawn else "last_tile_claim")
    found += ["out_with_replacement_tile"] * bool(context.get("replacement") or context.get("double_kong"))
    found += ["robbing_the_kong"] * (context["win"] == "robbed_kong")
    open_ = [t for tiles in claims for t in tiles]
    found += ["last_tile"] * bool(context.get("last_of_kind") or open_.count(tile) == 3)
    if not claims:
        found.append("fully_concealed_hand" if drawn else "concealed_hand")
    found += ["melded_hand"] * (len(claims) == 4 and not drawn)
    return found


def of_the_wait(request, concealed, sets, won):
    tile = request["winning_tile"]
    if won == "pair":
        name = "single_wait"
    elif won == "rest" or sets[won][0] == sets[won][1]:
        return []
    else:
        run = sorted(sets[won])
        if tile == run[1]:
            name = "closed_wait"
        elif (tile == run[0] and run[2][0] == "9") or (tile == run[2] and run[0][0] == "1"):
            name = "edge_wait"
        else:
            return []
    before = request["concealed"]
    near = {f"{n}{t[1]}" for t in before for n in range(1, 10) if t[1] != "z"} | {t for t in before if t[1] == "z"}
    held = before + [t for m in request["melds"] for t in m["tiles"]]
    drawable = request["options"].get("single_wait") == "only"
    others = [t for t in near - {tile} if not (drawable and held.count(t) == 4)]
    return [name] if not any(complete([*before, t]) for t in others) else []


def complete(tiles):
    if readings(tiles) or seven_pairs(tiles) or thirteen_orphans(tiles) or (len(tiles) == 14 and knitted(tiles)):
        return True
    for straight in STRAIGHTS:
        rest = list(tiles)
        if set(straight) <= set(rest):
            for t in straight:
                rest.remove(t)
            if readings(rest):
                return True
    return False
