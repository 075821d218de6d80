"""Every yaku and yakuman: id, names, han, condition. Values are those of the project's riichi specification."""

from __future__ import annotations

from typing import Final

from scoring.system import Element, Line
from scoring.tiles import DRAGONS, WINDS
from scoring.words.sentence import say

TIMING, SEQUENCES, TRIPLETS, TILES, SHAPE, DORA, YAKUMAN, DRAW = (
    "How it was won",
    "Sequences",
    "Triplets",
    "Kinds of tiles",
    "Whole hand",
    "Dora (no yaku)",
    "Yakuman",
    "Drawn hand",
)

# id, English name, Japanese name, han concealed, han open (0: concealed only), condition, group
_YAKU: Final = (
    ("riichi", "Riichi", "立直", 1, 0, "riichi was declared", TIMING),
    ("double_riichi", "Double riichi", "ダブル立直", 2, 0, "riichi on the first uninterrupted turn", TIMING),
    ("ippatsu", "Ippatsu", "一発", 1, 0, "won within one uninterrupted go-around of riichi", TIMING),
    ("menzen_tsumo", "Menzen tsumo", "門前清自摸和", 1, 0, "concealed hand, self-drawn", TIMING),
    ("pinfu", "Pinfu", "平和", 1, 0, "four sequences, a worthless pair, a two-sided wait", SEQUENCES),
    ("iipeiko", "Iipeikou", "一盃口", 1, 0, "the same sequence twice", SEQUENCES),
    ("tanyao", "Tanyao", "断么九", 1, 1, "only 2 to 8", TILES),
    ("haku", "Haku, white dragon", "役牌 白", 1, 1, "triplet of white dragons", TRIPLETS),
    ("hatsu", "Hatsu, green dragon", "役牌 發", 1, 1, "triplet of green dragons", TRIPLETS),
    ("chun", "Chun, red dragon", "役牌 中", 1, 1, "triplet of red dragons", TRIPLETS),
    ("seat_wind", "Seat wind", "自風", 1, 1, "triplet of the winner's seat wind", TRIPLETS),
    ("round_wind", "Round wind", "場風", 1, 1, "triplet of the round wind", TRIPLETS),
    ("north", "North", "役牌 北", 1, 1, "triplet of norths, where three play with their value", TRIPLETS),
    ("haitei", "Haitei", "海底摸月", 1, 1, "self-drawn last tile, no kan replacement", TIMING),
    ("houtei", "Houtei", "河底撈魚", 1, 1, "the discard after the last tile", TIMING),
    ("rinshan", "Rinshan kaihou", "嶺上開花", 1, 1, "self-drawn replacement tile of a kan", TIMING),
    ("chankan", "Chankan", "槍槓", 1, 1, "the winning tile was being added to a kan", TIMING),
    ("chiitoitsu", "Chiitoitsu", "七対子", 2, 0, "seven different pairs", SHAPE),
    ("sanshoku_doujun", "Sanshoku doujun", "三色同順", 2, 1, "the same sequence in all three suits", SEQUENCES),
    ("ittsuu", "Ittsuu", "一気通貫", 2, 1, "sequences 123, 456, 789 of one suit", SEQUENCES),
    ("chanta", "Chanta", "混全帯么九", 2, 1, "a terminal or honour in every group, with a sequence", TILES),
    ("toitoi", "Toitoi", "対々和", 2, 2, "four triplets", TRIPLETS),
    ("sanankou", "Sanankou", "三暗刻", 2, 2, "three concealed triplets", TRIPLETS),
    ("sanshoku_doukou", "Sanshoku doukou", "三色同刻", 2, 2, "the same triplet in three suits", TRIPLETS),
    ("sankantsu", "Sankantsu", "三槓子", 2, 2, "three kans", TRIPLETS),
    ("honroutou", "Honroutou", "混老頭", 2, 2, "only terminals and honours", TILES),
    ("shousangen", "Shousangen", "小三元", 2, 2, "two dragon triplets and a dragon pair", TRIPLETS),
    ("honitsu", "Honitsu", "混一色", 3, 2, "one suit and honours", TILES),
    ("junchan", "Junchan", "純全帯么九", 3, 2, "a terminal in every group, with a sequence", TILES),
    ("ryanpeiko", "Ryanpeikou", "二盃口", 3, 0, "two sequences, each twice", SEQUENCES),
    ("chinitsu", "Chinitsu", "清一色", 6, 5, "one suit, no honours", TILES),
)
_DORA: Final = (
    ("dora", "Dora", "ドラ", "tiles that a dora indicator points to"),
    ("ura_dora", "Ura dora", "裏ドラ", "tiles that an indicator turned up for the riichi points to"),
    ("aka_dora", "Red fives", "赤ドラ", "red fives"),
    ("kita", "Kita", "抜きドラ", "norths set aside, with three players"),
)
# id, English name, Japanese name, units with double_yakuman, condition
_YAKUMAN: Final = (
    ("kokushi", "Kokushi musou", "国士無双", 1, "one of each terminal and honour, and a second"),
    ("kokushi_13", "Kokushi musou, thirteen-sided", "国士無双十三面", 2, "thirteen orphans waiting for all thirteen"),
    ("suuankou", "Suuankou", "四暗刻", 1, "four concealed triplets"),
    (
        "suuankou_tanki",
        "Suuankou tanki",
        "四暗刻単騎",
        2,
        "four concealed triplets, won on the pair",
    ),
    ("daisangen", "Daisangen", "大三元", 1, "triplets of all three dragons"),
    ("shousuushii", "Shousuushii", "小四喜", 1, "three wind triplets and a pair of the fourth"),
    ("daisuushii", "Daisuushii", "大四喜", 2, "triplets of all four winds"),
    ("tsuuiisou", "Tsuuiisou", "字一色", 1, "winds and dragons only"),
    ("chinroutou", "Chinroutou", "清老頭", 1, "1s and 9s only"),
    ("ryuuiisou", "Ryuuiisou", "緑一色", 1, "only 2, 3, 4, 6, 8 of bamboo and green dragons"),
    ("chuuren", "Chuuren poutou", "九蓮宝燈", 1, "concealed 1112345678999 of a suit and one more"),
    ("junsei_chuuren", "Junsei chuuren poutou", "純正九蓮宝燈", 2, "1112345678999 of one suit before the win"),
    ("suukantsu", "Suukantsu", "四槓子", 1, "four kans"),
    ("tenhou", "Tenhou", "天和", 1, "the dealer's dealt hand was complete"),
    ("chiihou", "Chiihou", "地和", 1, "self-drawn on the winner's first draw, nothing called before"),
)

RENHOU: Final = Element(
    "renhou",
    "Renhou",
    "人和",
    "mangan, 5 han or yakuman (option)",
    "a discard before the winner's first draw",
    TIMING,
)
NAGASHI: Final = Element(
    "nagashi_mangan",
    "Nagashi mangan",
    "流し満貫",
    "mangan",
    "a drawn hand, the player's discards all terminals and honours, none of them claimed",
    DRAW,
)


def _listed_han(concealed: int, opened: int) -> str:
    if not opened:
        return say("{n} concealed", n=concealed)
    return str(concealed) if concealed == opened else say("{n}, open {m}", n=concealed, m=opened)


YAKU: Final = {
    id_: Element(id_, name, native, _listed_han(concealed, opened), why, group)
    for id_, name, native, concealed, opened, why, group in _YAKU
}
HAN: Final = {row[0]: (row[3], row[4]) for row in _YAKU}
"""id -> (han of a concealed hand, han of an open one)."""
ABSORBS: Final[dict[str, tuple[str, ...]]] = {
    "double_riichi": ("riichi",),
    "ryanpeiko": ("iipeiko",),
    "junchan": ("chanta",),
    "chinitsu": ("honitsu",),
}
"""Yaku -> the yaku it contains, which is not scored beside it. Beside a yakuman nothing else is."""
DORAS: Final = {id_: Element(id_, name, native, say("{n} each", n=1), why, DORA) for id_, name, native, why in _DORA}
YAKUMANS: Final = {
    id_: Element(id_, name, native, "double yakuman" if units == 2 else "yakuman", why, YAKUMAN)
    for id_, name, native, units, why in _YAKUMAN
}
UNITS: Final = {row[0]: row[3] for row in _YAKUMAN}
"""id -> yakuman units where doubles are played."""
PAO_SETS: Final = {"daisangen": DRAGONS, "daisuushii": WINDS}
"""Yakuman for which whoever fed the last of these sets is liable -> the kinds of its sets."""
WORTH: Final = (*HAN, *DORAS, *UNITS)
"""Everything that has a value of its own, by id: neither Renhou nor Nagashi mangan, whose house rules say theirs."""
ALL: Final = (*YAKU.values(), *DORAS.values(), RENHOU, NAGASHI, *YAKUMANS.values())

YAKU_LINES: Final = {id_: (Line(YAKU[id_], han[0]), Line(YAKU[id_], han[1])) for id_, han in HAN.items()}
"""id -> the lines of a yaku that needs no tiles to be named: of a concealed hand, of an open one."""


def yaku_line(id_: str, opened: bool, about: tuple[object, ...]) -> Line:
    """The line of a yaku with the tiles that make it."""
    return Line(YAKU[id_], HAN[id_][opened], 1, about)
