"""A slow second count of riichi requests, written from the specification: lists of codes, no shortcuts.

Groups are (kind, tiles, open, kan) with kind ``run``, ``three`` or ``two``; tiles are plain codes.
"""

from collections import Counter, namedtuple

from tests.scoring.hands.plain_splits import nine_gates, readings, thirteen_orphans

Group = namedtuple("Group", "kind tiles open kan")
Count = namedtuple("Count", "legal base real han fu lines units")

DRAGONS = {"5z": "haku", "6z": "hatsu", "7z": "chun"}
WINDS = dict(zip("ESWN", ("1z", "2z", "3z", "4z"), strict=True))
GREEN = {"2s", "3s", "4s", "6s", "8s", "6z"}
DOUBLE = {"kokushi_13", "suuankou_tanki", "daisuushii", "junsei_chuuren"}
HAN = {  # concealed, open
    "riichi": (1, 0), "double_riichi": (2, 0), "ippatsu": (1, 0), "menzen_tsumo": (1, 0), "pinfu": (1, 0),
    "iipeiko": (1, 0), "tanyao": (1, 1), "haku": (1, 1), "hatsu": (1, 1), "chun": (1, 1), "seat_wind": (1, 1),
    "round_wind": (1, 1), "haitei": (1, 1), "houtei": (1, 1), "rinshan": (1, 1), "chankan": (1, 1),
    "sanshoku_doujun": (2, 1), "ittsuu": (2, 1), "chanta": (2, 1), "toitoi": (2, 2), "sanankou": (2, 2),
    "sanshoku_doukou": (2, 2), "sankantsu": (2, 2), "honroutou": (2, 2), "shousangen": (2, 2), "honitsu": (3, 2),
    "north": (1, 1), "junchan": (3, 2), "ryanpeiko": (3, 0), "chinitsu": (6, 5),
}  # fmt: skip


def plain(t):
    return f"5{t[1]}" if t[0] == "0" else t


def orphan(t):
    return t[1] == "z" or t[0] in "19"


def after(indicator, players=4):
    """The dora of an indicator."""
    t = plain(indicator)
    if t == "1m" and players == 3:
        return "9m"
    if t[1] != "z":
        return f"{int(t[0]) % 9 + 1}{t[1]}"
    return {"4z": "1z", "7z": "5z"}.get(t) or f"{int(t[0]) + 1}z"


class Request:
    def __init__(self, request):
        self.options, self.context = request["options"], request["context"]
        self.seat, self.win = self.context["seat"], self.context["win"]
        self.winning = plain(request["winning_tile"])
        self.before = [plain(t) for t in request["concealed"]]
        self.hand = [*self.before, self.winning]
        self.all = [*request["concealed"], request["winning_tile"], *(t for m in request["melds"] for t in m["tiles"])]
        self.melds = [
            Group(
                "run" if m["type"] == "chow" else "three",
                tuple(sorted(plain(t) for t in m["tiles"])),
                m["type"] != "kong_concealed",
                m["type"].startswith("kong"),
            )
            for m in request["melds"]
        ]
        self.opened = any(m.open for m in self.melds)
        self.drawn = self.win == "self_draw"
        self.tiles = [plain(t) for t in self.all]
        self.players = self.options.get("players", 4)
        self.kita = list(request.get("bonus", []))
        self.own = self.options.get("values", {})
        self.values = {"4z"} if self.players == 3 and self.options.get("north_value") else set()

    def option(self, name, default):
        return self.options.get(name, default)

    def han(self, id_):
        """Of a yaku in this house: who opens his hand loses as much as he usually does, and keeps one."""
        concealed, opened = HAN[id_]
        if id_ not in self.own:
            return opened if self.opened else concealed
        return max(1, self.own[id_] - (concealed - opened) * self.opened) if self.own[id_] else 0


def recount(request):
    """(lines, units or None, han, fu, payments), or the code of the refusal."""
    r = Request(request)
    counts = [count for reading in all_readings(r) for count in [count_reading(r, *reading)]]
    if not counts:
        return "not_a_winning_hand"
    best = max(counts, key=lambda c: (c.legal, c.base, c.real, c.han, c.fu))
    if not best.base:
        return "no_yaku"
    if not best.legal:
        return "below_minimum"
    return best.lines, best.units, best.han, best.fu, payments(r, best)


def all_readings(r):
    """(shape, groups, group the winning tile completed)."""
    for sets, pair in readings(r.hand):
        groups = [Group("three" if len(set(s)) == 1 else "run", s, False, False) for s in sets]
        groups.append(Group("two", (pair, pair), False, False))
        for i, group in enumerate(groups):
            if r.winning in group.tiles:
                done = list(groups)
                if not r.drawn and group.kind == "three":
                    done[i] = group._replace(open=True)
                yield "sets", done + r.melds, group
    counts = Counter(r.hand)
    if not r.melds and len(counts) == 7 and set(counts.values()) == {2} and r.own.get("chiitoitsu") != 0:
        yield "pairs", [], None
    if not r.melds and thirteen_orphans(r.hand):
        yield "orphans", [], None


def count_reading(r, shape, groups, done):
    yakuman = yakuman_of(r, shape, groups, done)
    if yakuman:
        return count_yakuman(r, yakuman)
    lines = {id_: han for id_ in yaku_of(r, groups, done) if (han := r.han(id_))}
    if shape == "pairs":
        lines["chiitoitsu"] = r.own.get("chiitoitsu", 1 if r.option("chiitoi", "") == "50fu1han" else 2)
    fu = fu_of(r, shape, groups, done, "pinfu" in lines)
    own = sum(lines.values())
    legal = own >= r.option("min_han", 1)
    if own:
        lines |= dora_of(r)
    han = sum(lines.values())
    base = base_of(r, han, fu) if own else 0
    mangan = r.context.get("humanly") and r.option("renhou", "off") == "mangan"
    if mangan and (not legal or base < 2000):
        return Count(True, 2000, 0, 0, 0, {"renhou": 5}, None)
    return Count(legal, base, 0, han, fu, lines, None)


def count_yakuman(r, yakuman):
    units = {id_: r.own.get(id_, 2 if id_ in DOUBLE and r.option("double_yakuman", True) else 1) for id_ in yakuman}
    if not r.option("multiple_yakuman", True):
        kind = (r.context.get("liable") or {}).get("kind")
        top = max(units.values())
        first = [id_ for id_ in units if units[id_] == top]
        kept = kind if kind in first else None
        units = {kept: top} if kept else {"any of them": top, "these": first}
        return Count(True, 8000 * top, 1, 13 * top, 0, units, top)
    total = sum(units.values())
    return Count(True, 8000 * total, 1, 13 * total, 0, units, total)


def yakuman_of(r, shape, groups, done):
    found = []
    threes = [g for g in groups if g.kind == "three"]
    heads = {g.tiles[0] for g in threes}
    pair = next((g.tiles[0] for g in groups if g.kind == "two"), None)
    if shape == "orphans":
        found.append("kokushi_13" if r.before.count(r.winning) == 1 else "kokushi")
    if len(threes) == 4 and not any(g.open for g in threes):
        found.append("suuankou_tanki" if done.kind == "two" else "suuankou")
    if set(DRAGONS) <= heads:
        found.append("daisangen")
    winds = heads & set(WINDS.values())
    if len(winds) == 4:
        found.append("daisuushii")
    elif len(winds) == 3 and pair in WINDS.values():
        found.append("shousuushii")
    if all(t[1] == "z" for t in r.tiles):
        found.append("tsuuiisou")
    if all(t[0] in "19" and t[1] != "z" for t in r.tiles):
        found.append("chinroutou")
    if set(r.tiles) <= GREEN:
        found.append("ryuuiisou")
    for suit in "mps":
        needed = Counter(f"{n}{suit}" for n in "1112345678999")
        if not r.melds and all(t[1] == suit for t in r.hand) and not needed - Counter(r.hand):
            found.append("junsei_chuuren" if nine_gates(r.before, r.melds) else "chuuren")
    if sum(g.kan for g in groups) == 4:
        found.append("suukantsu")
    found += [id_ for flag, id_ in (("heavenly", "tenhou"), ("earthly", "chiihou")) if r.context.get(flag)]
    if r.context.get("humanly") and r.option("renhou", "off") == "yakuman":
        found.append("renhou")
    return [id_ for id_ in found if r.own.get(id_) != 0]


def yaku_of(r, groups, done):
    c = r.context
    found = {id_ for id_ in ("riichi", "double_riichi", "ippatsu") if c.get(id_)}
    if r.drawn and not r.opened:
        found.add("menzen_tsumo")
    if r.win == "robbed_kong":
        found.add("chankan")
    if c.get("replacement"):
        found.add("rinshan")
    elif c.get("last_tile"):
        found.add("haitei" if r.drawn else "houtei")
    if not any(orphan(t) for t in r.tiles) and (not r.opened or r.option("kuitan", True)):
        found.add("tanyao")
    if all(orphan(t) for t in r.tiles):
        found.add("honroutou")
    suits = {t[1] for t in r.tiles}
    if len(suits - {"z"}) == 1:
        found.add("honitsu" if "z" in suits else "chinitsu")
    return found | group_yaku(r, groups, done)


def group_yaku(r, groups, done):
    found = set()
    runs = [g.tiles for g in groups if g.kind == "run"]
    threes = [g for g in groups if g.kind == "three"]
    heads = [g.tiles[0] for g in threes]
    if is_pinfu(r, groups, done):
        found.add("pinfu")
    twins = sum(n // 2 for n in Counter(runs).values())
    if twins and not r.opened:
        found.add("ryanpeiko" if twins == 2 else "iipeiko")
    firsts = {t[0] for t in runs}
    if any({f"{n}{s}" for s in "mps"} <= firsts for n in range(1, 8)):
        found.add("sanshoku_doujun")
    if any({f"{n}{s}" for n in (1, 4, 7)} <= firsts for s in "mps"):
        found.add("ittsuu")
    if groups and runs and all(any(orphan(t) for t in g.tiles) for g in groups):
        found.add("chanta" if any(t[1] == "z" for t in r.tiles) else "junchan")
    if len(threes) == 4:
        found.add("toitoi")
    if sum(not g.open for g in threes) == 3:
        found.add("sanankou")
    if any({f"{n}{s}" for s in "mps"} <= set(heads) for n in range(1, 10)):
        found.add("sanshoku_doukou")
    if sum(g.kan for g in groups) == 3:
        found.add("sankantsu")
    pair = next((g.tiles[0] for g in groups if g.kind == "two"), None)
    if sum(t in DRAGONS for t in heads) == 2 and pair in DRAGONS:
        found.add("shousangen")
    found |= {DRAGONS[t] for t in heads if t in DRAGONS}
    if WINDS[r.seat] in heads:
        found.add("seat_wind")
    if WINDS[r.context["round"]] in heads:
        found.add("round_wind")
    if r.values & set(heads):
        found.add("north")
    return found


def wait_of(r, done):
    """``two-sided``, ``shanpon``, or what scores two fu."""
    if done.kind != "run":
        return "shanpon" if done.kind == "three" else "tanki"
    low, _, high = (int(t[0]) for t in done.tiles)
    n = int(r.winning[0])
    if n not in (low, high):
        return "kanchan"
    return "penchan" if (low, n) == (1, 3) or (high, n) == (9, 7) else "two-sided"


def pair_fu(r, groups):
    pair = next(g.tiles[0] for g in groups if g.kind == "two")
    winds = [WINDS[r.seat], WINDS[r.context["round"]]].count(pair)
    return 2 if pair in DRAGONS or pair in r.values else r.option("double_wind_fu", 4) if winds == 2 else 2 * winds


def is_pinfu(r, groups, done):
    if r.opened or sum(g.kind == "run" for g in groups) < 4 or (r.drawn and r.option("pinfu_tsumo_fu", False)):
        return False
    return wait_of(r, done) == "two-sided" and not pair_fu(r, groups)


def fu_of(r, shape, groups, done, pinfu):
    if shape == "pairs":
        return 50 if r.option("chiitoi", "") == "50fu1han" else 25
    if pinfu and r.drawn:
        return 20
    extra = pair_fu(r, groups)
    for g in groups:
        if g.kind == "three":
            fu = 2 * (2 if orphan(g.tiles[0]) else 1) * (1 if g.open else 2)
            extra += fu * (4 if g.kan else 1)
    extra += 2 * (wait_of(r, done) in ("kanchan", "penchan", "tanki")) + 2 * r.drawn
    if r.opened and not extra:
        return 30
    total = 20 + 10 * (not r.opened and not r.drawn) + extra
    return total + -total % 10


def dora_of(r):
    found = {}
    for id_, field in (("dora", "dora_indicators"), ("ura_dora", "ura_indicators")):
        found[id_] = sum((r.tiles + r.kita).count(after(t, r.players)) for t in r.context.get(field, []))
    found["kita"] = len(r.kita)
    found["aka_dora"] = sum(t[0] == "0" for t in r.all)
    return {id_: own for id_, n in found.items() if (own := n * r.own.get(id_, 1))}


def base_of(r, han, fu):
    if han >= 13 and r.option("kazoe", True):
        return 8000
    for least, base in ((11, 6000), (8, 4000), (6, 3000), (5, 2000)):
        if han >= least:
            return base
    if r.option("kiriage", False) and (han, fu) in ((4, 30), (3, 60)):
        return 2000
    return min(2000, fu * 2 ** (2 + han))


def hundred(n):
    return n + -n % 100


def payments(r, best):
    c, winner = r.context, r.seat
    losers = [s for s in "ESWN"[: r.players] if s != winner]
    each = r.option("counter_points", 300) // 3
    all_of_it = each * len(losers)
    dues = dict.fromkeys(losers, 0)
    liable, units = c.get("liable"), 0
    if liable and best.units:
        units = best.lines.get(liable["kind"], 0)
    rest = best.base - 8000 * units
    whole = 6 if winner == "E" else 4
    if r.drawn:
        north = hundred(rest * (2 if winner == "E" else 1)) if not r.option("tsumo_loss", True) else 0
        for loser in losers:
            dues[loser] += hundred(rest * (2 if "E" in (loser, winner) else 1))
            if r.players == 3 and rest:
                dues[loser] = hundred(dues[loser] + north // 2)
    else:
        dues[c["from"]] += hundred(rest * whole)
    if units:
        if r.drawn and r.option("tsumo_loss", True):
            whole = sum(2 if "E" in (loser, winner) else 1 for loser in losers)
        part = 8000 * units * whole
        dues[liable["seat"]] += part if r.drawn else part // 2
        if not r.drawn:
            dues[c["from"]] += part // 2
        dues[liable["seat"]] += all_of_it * c["counters"]
    else:
        for loser in losers if r.drawn else [c["from"]]:
            dues[loser] += (each if r.drawn else all_of_it) * c["counters"]
    if c.get("wareme"):
        dues = {s: 2 * n if c["wareme"] in (s, winner) else n for s, n in dues.items()}
    net = dict.fromkeys("ESWN", 0) | {s: -n for s, n in dues.items()} | {"pot": -1000 * c["riichi_sticks"]}
    return net | {winner: -sum(net.values())}
