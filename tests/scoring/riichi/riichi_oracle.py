"""Asks the PyPI package ``mahjong`` what a riichi request is worth."""

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, HandConstants, OptionalRules
from mahjong.meld import Meld

TYPES = {
    "chow": Meld.CHI,
    "pung": Meld.PON,
    "kong_open": Meld.KAN,
    "kong_added": Meld.SHOUMINKAN,
    "kong_concealed": Meld.KAN,
}
NAMES = {
    "Menzen Tsumo": "menzen_tsumo",
    "Riichi": "riichi",
    "Ippatsu": "ippatsu",
    "Chankan": "chankan",
    "Rinshan Kaihou": "rinshan",
    "Haitei Raoyue": "haitei",
    "Houtei Raoyui": "houtei",
    "Double Riichi": "double_riichi",
    "Renhou": "renhou",
    "Renhou (yakuman)": "renhou",
    "Pinfu": "pinfu",
    "Tanyao": "tanyao",
    "Iipeiko": "iipeiko",
    "Yakuhai (haku)": "haku",
    "Yakuhai (hatsu)": "hatsu",
    "Yakuhai (chun)": "chun",
    **{f"Yakuhai ({which} wind {wind})": f"{which}_wind" for which in ("seat", "round") for wind in
       ("east", "south", "west", "north")},
    "Sanshoku Doujun": "sanshoku_doujun",
    "Ittsu": "ittsuu",
    "Chantai": "chanta",
    "Honroutou": "honroutou",
    "Toitoi": "toitoi",
    "San Ankou": "sanankou",
    "San Kantsu": "sankantsu",
    "Sanshoku Doukou": "sanshoku_doukou",
    "Chiitoitsu": "chiitoitsu",
    "Shou Sangen": "shousangen",
    "Honitsu": "honitsu",
    "Junchan": "junchan",
    "Ryanpeikou": "ryanpeiko",
    "Chinitsu": "chinitsu",
    "Kokushi Musou": "kokushi",
    "Chuuren Poutou": "chuuren",
    "Suu Ankou": "suuankou",
    "Daisangen": "daisangen",
    "Shousuushii": "shousuushii",
    "Ryuuiisou": "ryuuiisou",
    "Suu Kantsu": "suukantsu",
    "Tsuu Iisou": "tsuuiisou",
    "Chinroutou": "chinroutou",
    "Dai Suushii": "daisuushii",
    "Kokushi Musou Juusanmen Matchi": "kokushi_13",
    "Suu Ankou Tanki": "suuankou_tanki",
    "Daburu Chuuren Poutou": "junsei_chuuren",
    "Tenhou": "tenhou",
    "Chiihou": "chiihou",
    "Dora": "dora",
    "Aka Dora": "aka_dora",
    "Ura Dora": "ura_dora",
}  # fmt: skip


class Ids:
    """Their tile numbers: kind * 4 + copy, copy 0 of a five being the red one."""

    def __init__(self):
        self.used = set()

    def take(self, code):
        kind = "mpsz".index(code[1]) * 9 + (5 if code[0] == "0" else int(code[0])) - 1
        copies = (0,) if code[0] == "0" else (1, 2, 3, 0)
        found = next(4 * kind + c for c in copies if 4 * kind + c not in self.used)
        self.used.add(found)
        return found


def ask_them(request, **changes):
    """Their answer to our request; ``changes``: fields of their settings."""
    options, context = request["options"], request["context"]
    ids = Ids()
    winning = ids.take(request["winning_tile"])
    tiles = [winning, *(ids.take(t) for t in request["concealed"])]
    melds = []
    for meld in request["melds"]:
        numbers = [ids.take(t) for t in meld["tiles"]]
        tiles += numbers
        melds.append(Meld(TYPES[meld["type"]], numbers, opened=meld["type"] != "kong_concealed"))
    rules = OptionalRules(
        has_open_tanyao=options.get("kuitan", True),
        has_aka_dora=options.get("aka", 3) > 0,
        has_double_yakuman=options.get("double_yakuman", True),
        kazoe_limit=HandConstants.KAZOE_LIMITED if options.get("kazoe", True) else HandConstants.KAZOE_SANBAIMAN,
        kiriage=options.get("kiriage", False),
        fu_for_pinfu_tsumo=options.get("pinfu_tsumo_fu", False),
        renhou_as_yakuman=options.get("renhou", "off") == "yakuman",
        is_three_player=options.get("players") == 3,
    )
    drawn, last, replaced = context["win"] == "self_draw", context.get("last_tile"), context.get("replacement")
    settings = {
        "is_tsumo": drawn,
        "is_riichi": context.get("riichi", False),
        "is_daburu_riichi": context.get("double_riichi", False),
        "is_ippatsu": context.get("ippatsu", False),
        "is_rinshan": bool(replaced),
        "is_chankan": context["win"] == "robbed_kong",
        "is_haitei": bool(last and drawn and not replaced),
        "is_houtei": bool(last and not drawn),
        "is_tenhou": context.get("heavenly", False),
        "is_chiihou": context.get("earthly", False),
        "is_renhou": bool(context.get("humanly") and options.get("renhou", "off") != "off"),
        "player_wind": 27 + "ESWN".index(context["seat"]),
        "round_wind": 27 + "ESWN".index(context["round"]),
        "kyoutaku_number": context["riichi_sticks"],
        "tsumi_number": context["counters"],
        "num_nuki_dora": len(request.get("bonus", ())),
        "options": rules,
    }
    return HandCalculator.estimate_hand_value(
        tiles,
        winning,
        melds=melds,
        dora_indicators=[Ids().take(t) for t in context["dora_indicators"]],
        ura_dora_indicators=[Ids().take(t) for t in context.get("ura_indicators", [])],
        config=HandConfig(**settings | changes),
    )


def elements_of(answer, closed, kita=0):
    """Their yaku as ours: id -> han, or units where they are yakuman; they count norths set aside as other dora."""
    found = {}
    for yaku in answer.yaku:
        han = yaku.han_closed if closed else yaku.han_open
        found[NAMES[yaku.name]] = han // 13 if yaku.is_yakuman else han
    if kita and "dora" in found:
        found |= {"kita": kita, "dora": found["dora"] - kita}
    return {id_: value for id_, value in found.items() if value}


def payments_of(answer, context, players=4):
    """Who pays what by their cost: a self-draw's second and third payer pay ``additional``."""
    seat, cost = context["seat"], answer.cost
    net = dict.fromkeys("ESWN", 0) | {"pot": -cost["kyoutaku_bonus"]}
    seats = "ESWN"[:players]
    if context["win"] != "self_draw":
        net[context["from"]] -= cost["main"] + cost["main_bonus"]
    else:
        for loser in (s for s in seats if s != seat):
            if loser == "E" or seat == "E":
                net[loser] -= cost["main"] + cost["main_bonus"]
            else:
                net[loser] -= cost["additional"] + cost["additional_bonus"]
    net[seat] = -sum(net.values())
    return net
