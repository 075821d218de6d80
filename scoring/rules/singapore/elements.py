"""What a Singapore hand can score, in doubles (tai), and which element contains which.

There is no official list. The values follow the Wikipedia article on Singaporean scoring, the blog
"mahjongsingapore" and open implementations where those are silent; every one can be changed by the house rule
``values``. Limit hands are listed at 10 (thirteen orphans at 13), which matters only beyond the usual limit of 5.
Seven pairs, a house rule, count as a limit hand, as in the one implementation that plays them (khengsaurus/mahjong-sg).
"""

from __future__ import annotations

from typing import Final

from scoring.system import Element
from scoring.words.sentence import say

BONUS, SETS, HAND, WIN, LIMIT = "Bonus tiles", "Sets held", "Type of hand", "How it was won", "Limit hands"

_ROWS: Final = (
    ("seat_flower", "Seat Flower", "正花", 1, "each flower or season with the seat's number", BONUS),
    ("flower_set", "Flower Set Bonus", "一台花（花）", 1, "all four flowers, beside the seat flower", BONUS),
    ("season_set", "Season Set Bonus", "一台花（季）", 1, "all four seasons, beside the seat flower", BONUS),
    ("animal", "Animal", "动物", 1, "each animal", BONUS),
    ("animal_set", "Animal Set Bonus", "动物杠加台", 1, "all four animals, beside the animals themselves", BONUS),
    ("dragon_pung", "Pung of Dragons", "箭刻", 1, "each pung or kong of dragons", SETS),
    ("seat_wind", "Pung of the Seat Wind", "门风", 1, "pung or kong of the winner's seat wind", SETS),
    ("prevailing_wind", "Pung of the Prevailing Wind", "圈风", 1, "a pung or kong of the round wind", SETS),
    ("all_pungs", "All Pungs", "碰碰胡", 2, "four pungs or kongs", HAND),
    ("half_flush", "Mixed Suit", "混一色", 2, "one suit and honours", HAND),
    ("full_flush", "Pure Suit", "清一色", 4, "one suit, no honours", HAND),
    (
        "all_chows",
        "All Chows",
        "平胡",
        4,
        "four chows, a pair that is not of dragons, seat or round wind, no bonus tile, and a wait for two different "
        "tiles or a self-draw with a chow still in hand",
        HAND,
    ),
    ("lesser_all_chows", "Lesser All Chows", "小平胡", 1, "all chows, but with a bonus tile", HAND),
    ("small_three_dragons", "Small Three Dragons", "小三元", 3, "two dragon sets and a pair of the third", HAND),
    ("small_four_winds", "Small Four Winds", "小四喜", 2, "three wind sets and a pair of the fourth", HAND),
    ("mixed_terminals", "Mixed Terminals", "混么九", 2, "pungs of 1s, 9s and honours only, both present", HAND),
    ("concealed_hand", "Concealed Hand", "门清", 1, "self-drawn with nothing claimed", WIN),
    ("last_tile", "Last Drawn Tile", "海底捞月", 1, "the last tile that may be drawn, self-drawn", WIN),
    ("replacement_tile", "Replacement Tile", "杠上 / 花上", 1, "drawn to replace a kong or a bonus tile", WIN),
    ("robbing_kong", "Robbing the Kong", "抢杠", 1, "the winning tile was being added to a pung", WIN),
    ("double_kong", "Kong upon Kong", "杠上杠", 10, "replacement tile of two kongs in a row", LIMIT),
    ("heavenly_hand", "Heavenly Hand", "天胡", 10, "the dealer's hand was complete on the deal", LIMIT),
    ("earthly_hand", "Earthly Hand", "地胡", 10, "a non-dealer wins on the dealer's first discard", LIMIT),
    ("humanly_hand", "Humanly Hand", "人胡", 10, "won on another first-round discard before drawing", LIMIT),
    (
        "flower_win",
        "Flower Win",
        "八仙过海 / 七抢一",
        10,
        "all eight flowers and seasons, or seven and the eighth robbed; the hand need not be complete",
        LIMIT,
    ),
    ("thirteen_orphans", "Thirteen Orphans", "十三幺", 13, "one of each 1, 9, wind and dragon, and a second", LIMIT),
    ("seven_pairs", "Seven Pairs", "七对子", 10, "seven pairs, where the house plays them", LIMIT),
    ("big_three_dragons", "Big Three Dragons", "大三元", 10, "sets of all three dragons", LIMIT),
    ("big_four_winds", "Big Four Winds", "大四喜", 10, "sets of all four winds", LIMIT),
    ("all_honours", "All Honours", "字一色", 10, "winds and dragons only", LIMIT),
    ("all_terminals", "All Terminals", "清么九", 10, "pungs of 1s and 9s only", LIMIT),
    ("all_green", "All Green", "绿一色", 10, "only 2, 3, 4, 6, 8 of bamboo and green dragons", LIMIT),
    ("four_concealed_pungs", "Four Concealed Pungs", "四暗刻 / 坎坎胡", 10, "self-drawn, none claimed", LIMIT),
    ("all_kongs", "All Kongs", "十八罗汉", 10, "four kongs", LIMIT),
    ("nine_gates", "Nine Gates", "九莲宝灯", 10, "1112345678999 of one suit before the win", LIMIT),
)

EACH: Final = ("seat_flower", "animal", "dragon_pung")
"""Elements that count once for every tile or set."""

DOUBLES: Final[dict[str, int]] = {row[0]: row[3] for row in _ROWS}
"""Element id -> its listed doubles."""

ELEMENTS: Final[dict[str, Element]] = {
    id_: Element(id_, name, native, say("{n} each", n=value) if id_ in EACH else str(value), condition, group)
    for id_, name, native, value, condition, group in _ROWS
}

ABSORBS: Final[dict[str, tuple[str, ...]]] = {
    "small_three_dragons": ("dragon_pung",),
    "double_kong": ("replacement_tile",),
    "heavenly_hand": ("concealed_hand",),
    "thirteen_orphans": ("concealed_hand",),
    "seven_pairs": ("concealed_hand",),
    "big_three_dragons": ("dragon_pung",),
    "big_four_winds": ("seat_wind", "prevailing_wind", "all_pungs", "half_flush"),
    "all_honours": ("all_pungs",),
    "all_terminals": ("all_pungs",),
    "all_green": ("half_flush", "full_flush"),
    "four_concealed_pungs": ("all_pungs", "concealed_hand"),
    "all_kongs": ("all_pungs",),
    "nine_gates": ("full_flush", "concealed_hand"),
}
"""Element -> the elements it contains, which are then not scored beside it."""
