"""Deals random requests in contract form, most of them wins of every shape; knows nothing of the code under test."""

SUITS = [f"{n}{s}" for s in "mps" for n in range(1, 10)]
HONOURS = [f"{n}z" for n in range(1, 8)]
KINDS = SUITS + HONOURS
ORPHANS = [f"{n}{s}" for s in "mps" for n in (1, 9)] + HONOURS
GREENS = ["2s", "3s", "4s", "6s", "8s", "6z"]
STYLES = (
    *("any", "any", "any", "chows", "chows", "one_suit_chows", "pungs", "pungs", "flush", "half_flush", "honours"),
    *("terminals", "orphan_pungs", "dragons", "winds", "green", "same_suit_pungs"),
    *("seven_pairs", "seven_pairs_suit", "orphans", "nine_gates", "broken"),
)


def chow(rng, suit):
    low = rng.randint(1, 7)
    return [f"{low + i}{suit}" for i in range(3)]


def pung(rng, pool):
    return [rng.choice(pool)] * 3


def some_sets(rng, style, many=4):
    """Sets and a pair of one style, each a list; copies of a tile are not counted here."""
    suit = rng.choice("mps")
    mine = [f"{n}{suit}" for n in range(1, 10)]
    if style in ("chows", "one_suit_chows"):
        pool = mine if style == "one_suit_chows" else KINDS
        sets = [chow(rng, suit if style == "one_suit_chows" else rng.choice("mps")) for _ in range(many)]
    elif style in ("flush", "half_flush"):
        pool = mine + (HONOURS if style == "half_flush" else [])
        sets = [chow(rng, suit) if rng.random() < 0.6 else pung(rng, pool) for _ in range(many)]
    elif style == "green":
        pool = GREENS
        sets = [["2s", "3s", "4s"] if rng.random() < 0.4 else pung(rng, pool) for _ in range(many)]
    elif style in ("dragons", "winds"):
        special = HONOURS[4:] if style == "dragons" else HONOURS[:4]
        kinds = rng.sample(special, len(special))
        few = rng.randint(2, len(special))
        sets = [[kind] * 3 for kind in kinds[:few]]
        rest = rng.choice([KINDS, mine, HONOURS])
        while len(sets) < many:
            sets.append(chow(rng, suit) if rest is not HONOURS and rng.random() < 0.5 else pung(rng, rest))
        pool = special if rng.random() < 0.6 else rest
    else:
        pool = {
            "honours": HONOURS,
            "terminals": [k for k in ORPHANS if k[1] != "z"],
            "orphan_pungs": ORPHANS,
            "same_suit_pungs": mine,
        }.get(style, KINDS)
        if style in {"any", "broken"}:
            sets = [chow(rng, rng.choice("mps")) if rng.random() < 0.6 else pung(rng, pool) for _ in range(many)]
        elif style == "same_suit_pungs":  # 111222333: pungs that may be chows
            low = rng.randint(1, 7)
            sets = [[f"{low + i}{suit}"] * 3 for i in range(3)] + [pung(rng, KINDS) for _ in range(many - 3)]
        else:
            sets = [pung(rng, pool) for _ in range(many)]
    return [*sets, [rng.choice(pool)] * 2]


def most(tiles):
    return max(tiles.count(t) for t in set(tiles))


def deal_sets(rng, style, many=4):
    """Concealed tiles (the winning one among them) and melds of an ordinary hand."""
    while True:
        *sets, pair = some_sets(rng, style, many)
        if most([t for s in sets for t in s] + pair) <= 4:
            break
    melds, concealed = [], list(pair)
    open_rate = rng.choice([0, 0, 0.3, 0.6, 1])
    kong_rate = rng.choice([0, 0.2, 0.5, 1])
    held = [t for s in sets for t in s] + pair
    for tiles in sets:
        is_pung = len(set(tiles)) == 1
        opened = rng.random() < open_rate
        if is_pung and held.count(tiles[0]) == 3 and rng.random() < kong_rate:
            kind = rng.choice(["kong_open", "kong_added"]) if opened else "kong_concealed"
            melds.append({"type": kind, "tiles": tiles + tiles[:1]})
        elif opened:
            melds.append({"type": "pung" if is_pung else "chow", "tiles": tiles})
        else:
            concealed += tiles
    return concealed, melds


def deal(rng, style, many=4):
    """Concealed tiles (the winning one among them), melds, and the winning tile where the shape fixes it."""
    if many == 5 and style.startswith("seven_pairs"):
        return _seven_pairs_and_a_pung(rng), [], None
    if many == 4 and style == "orphans":
        return [*ORPHANS, rng.choice(ORPHANS)], [], None
    if many == 4 and style == "nine_gates":
        suit = rng.choice("mps")
        winning = f"{rng.randint(1, 9)}{suit}"
        return [f"{n}{suit}" for n in "1112345678999"] + [winning], [], rng.choice([winning, None])
    if style.startswith("seven_pairs"):
        suit = rng.choice("mps")
        pool = rng.choice([KINDS, HONOURS, ORPHANS])
        if style == "seven_pairs_suit":
            pool = [f"{n}{suit}" for n in range(1, 10)] + rng.choice([[], HONOURS])
        kinds = rng.sample(pool, 7)
        if rng.random() < 0.2:
            kinds[0] = kinds[1]
        return kinds * 2, [], None
    concealed, melds = deal_sets(rng, style, many)
    if style == "broken":
        held = concealed + [t for m in melds for t in m["tiles"]]
        concealed[rng.randrange(len(concealed))] = rng.choice([k for k in KINDS if held.count(k) < 4])
    return concealed, melds, None


def _seven_pairs_and_a_pung(rng):
    pool = rng.choice([KINDS, KINDS, HONOURS + ORPHANS[:2]])
    *pairs, third = rng.sample(pool, 8)
    if rng.random() < 0.2:
        pairs[0] = pairs[1]
    return [*pairs * 2, *[third] * 3]


def make_request(rng, rules, letters, options=None, many=4):
    """One random request whose context holds no contradiction.

    ``letters``: the bonus tiles in play; ``many``: sets beside the pair.
    """
    style = rng.choice(STYLES)
    concealed, melds, winning = deal(rng, style, many)
    winning = winning or rng.choice(concealed)
    concealed.remove(winning)
    rng.shuffle(concealed)
    bonus = [f"{s}{n}" for s in letters for n in range(1, 5)]
    bonus = rng.sample(bonus, rng.choice([0, 0, 1, 2, 3, len(bonus)]))
    if rng.random() < 0.1:
        bonus += [f"{rng.choice(letters)}{n}" for n in range(1, 5)]
        bonus = sorted(set(bonus))
    return {
        "rules": rules,
        "options": options or {},
        "concealed": concealed,
        "melds": melds,
        "winning_tile": winning,
        "bonus": bonus,
        "context": circumstances(rng, concealed, melds, winning, bonus),
    }


def circumstances(rng, concealed, melds, winning, bonus):
    seat = rng.choice("ESWN")
    others = [s for s in "ESWN" if s != seat]
    held = concealed + [winning] + [t for m in melds for t in m["tiles"]]
    kongs = sum(m["type"].startswith("kong") for m in melds)
    context = {"seat": seat, "round": rng.choice("ESWN"), "win": rng.choice(["self_draw", "discard"])}
    if held.count(winning) == 1 and rng.random() < 0.2:
        context["win"] = "robbed_kong"
    drawn = context["win"] == "self_draw"
    if not drawn:
        context["from"] = rng.choice(others)
    if rng.random() < 0.15 and not melds and drawn and seat == "E":
        return context | {"heavenly": True}
    if rng.random() < 0.15 and not melds and context["win"] == "discard" and seat != "E":
        return context | {"from": "E", "earthly": True}
    if drawn and (kongs or bonus) and rng.random() < 0.2:
        context["replacement"] = True
    if drawn and kongs > 1 and rng.random() < 0.2:
        context["double_kong"] = True
    if context["win"] != "robbed_kong" and rng.random() < 0.15:
        context["last_tile"] = True
    return context
