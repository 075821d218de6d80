"""What a Hong Kong hand can score, in faan, and which element absorbs which.

Source of every value: Wikipedia's "Hong Kong mahjong scoring rules". Where that text contradicts itself the choice
is said beside the code or is a house rule.
"""

from __future__ import annotations

from typing import Final

from scoring.system import Element

HAND, SETS, WIN, BONUS = "Type of hand", "Sets held", "How it was won", "Bonus tiles"

_ROWS: Final = (
    ("common_hand", "Common Hand", "平糊", 1, "all four sets are chows", HAND),
    ("all_triplets", "All in Triplets", "對對糊", 3, "all four sets are pongs or kongs", HAND),
    ("seven_pairs", "Seven Pairs", "七對子", 4, "seven pairs; four equal tiles may be two of them", HAND),
    ("mixed_one_suit", "Mixed One Suit", "混一色", 3, "one suit and honours", HAND),
    ("all_one_suit", "All One Suit", "清一色", 7, "one suit, no honours", HAND),
    ("all_honors", "All Honor Tiles", "字一色", 10, "winds and dragons only", HAND),
    ("small_dragons", "Small Dragons", "小三元", 5, "two dragon sets and a pair of the third", HAND),
    ("great_dragons", "Great Dragons", "大三元", 8, "sets of all three dragons", HAND),
    ("small_winds", "Small Winds", "小四喜", 6, "three wind sets and a pair of the fourth", HAND),
    ("great_winds", "Great Winds", "大四喜", 13, "sets of all four winds", HAND),
    ("thirteen_orphans", "Thirteen Orphans", "十三么", 13, "one of each 1, 9, wind and dragon, and a second", HAND),
    ("all_kongs", "All Kongs", "十八羅漢", 13, "four kongs", HAND),
    ("self_triplets", "Self Triplets", "四暗刻", 10, "four concealed pongs, none finished by a discard", HAND),
    ("orphans", "Orphans", "么九", 10, "pongs of 1s and 9s only", HAND),
    ("nine_gates", "Nine Gates", "九子連環", 10, "1112345678999 of one suit before the win", HAND),
    ("seat_wind", "Seat Wind", "門風", 1, "set of the winner's seat wind", SETS),
    ("prevailing_wind", "Prevailing Wind", "圈風", 1, "set of the round wind", SETS),
    ("red_dragon", "Red Dragon", "紅中", 1, "set of red dragons", SETS),
    ("green_dragon", "Green Dragon", "發財", 1, "set of green dragons", SETS),
    ("white_dragon", "White Dragon", "白板", 1, "set of white dragons", SETS),
    ("mixed_orphans", "Mixed Orphans", "混么九", 1, "only honours, 1s and 9s", SETS),
    ("self_pick", "Self-Pick", "自摸", 1, "the winner drew the winning tile", WIN),
    ("concealed_hand", "Win from Wall", "門前清", 1, "nothing claimed before the winning tile", WIN),
    ("robbing_kong", "Robbing Kong", "搶槓", 1, "the winning tile was being added to a pong", WIN),
    ("last_catch", "Win by Last Catch", "海底撈月", 1, "the last tile of the wall, or the discard after it", WIN),
    ("win_by_kong", "Win by Kong", "槓上開花", 1, "replacement tile of a kong or a bonus tile", WIN),
    ("win_by_double_kong", "Win by Double-Kong", "槓上槓", 8, "replacement of a kong made with a replacement", WIN),
    ("heavenly_hand", "Heavenly Hand", "天糊", 13, "the dealer's hand was complete on the deal", WIN),
    ("earthly_hand", "Earthly Hand", "地糊", 13, "won on the dealer's first discard", WIN),
    ("own_flower", "Flower of own Wind", "正花", 1, "the flower with the seat's number", BONUS),
    ("own_season", "Season of own Wind", "正季", 1, "the season with the seat's number", BONUS),
    ("all_flowers", "All Flowers", "一台花", 2, "all four flowers", BONUS),
    ("all_seasons", "All Seasons", "一台花（四季）", 2, "all four seasons", BONUS),
    ("no_bonus_tiles", "No Flowers or Seasons", "無花", 1, "no bonus tile", BONUS),
)
FAAN: Final = {row[0]: row[3] for row in _ROWS}
ELEMENTS: Final = {id_: Element(id_, name, native, str(v), why, group) for id_, name, native, v, why, group in _ROWS}

ABSORBS: Final[dict[str, tuple[str, ...]]] = {
    "seven_pairs": ("concealed_hand",),
    "all_honors": ("all_triplets",),
    "small_dragons": ("red_dragon", "green_dragon", "white_dragon"),
    "great_dragons": ("red_dragon", "green_dragon", "white_dragon"),
    "great_winds": ("seat_wind", "prevailing_wind", "all_triplets"),
    "thirteen_orphans": ("concealed_hand",),
    "all_kongs": ("all_triplets",),
    "self_triplets": ("concealed_hand", "all_triplets"),
    "orphans": ("all_triplets",),
    "nine_gates": ("all_one_suit", "concealed_hand"),
    "win_by_double_kong": ("win_by_kong",),
    "heavenly_hand": ("self_pick", "concealed_hand"),
    "earthly_hand": ("concealed_hand",),
}
"""Element -> the elements it implies, which are then not scored beside it (the stricter one alone counts)."""
