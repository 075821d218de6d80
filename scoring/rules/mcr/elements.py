"""The 81 fan of Mahjong Competition Rules, in points.

A melded and a concealed kong together stand as a fan of their own, whose points the editions give differently.

Source: the official rules of the State Sport Commission of China (1998) in the wording of the World Mahjong
Organization (2006), as they are commonly known; no text lies with the project.
"""

from __future__ import annotations

from typing import Final

from scoring.system import Element, english_name
from scoring.words.sentence import say

SEQUENCES, TRIPLETS, HAND, SPECIAL, WIN, BONUS = (
    "Chows",
    "Pungs and kongs",
    "Tiles of the whole hand",
    "Special hands",
    "How it was won",
    "Flower tiles",
)

_ROWS: Final = (
    ("big_four_winds", "大四喜", 88, "pungs or kongs of all four winds", TRIPLETS),
    ("big_three_dragons", "大三元", 88, "pungs or kongs of all three dragons", TRIPLETS),
    ("all_green", "綠一色", 88, "only 2, 3, 4, 6, 8 of bamboo and green dragons", HAND),
    ("nine_gates", "九蓮寶燈", 88, "1112345678999 of one suit before the win", SPECIAL),
    ("four_kongs", "四槓", 88, "four kongs", TRIPLETS),
    ("seven_shifted_pairs", "連七對", 88, "seven pairs in a row of one suit", SPECIAL),
    ("thirteen_orphans", "十三么", 88, "one of each 1, 9, wind and dragon, and a second", SPECIAL),
    ("all_terminals", "清么九", 64, "only 1s and 9s", HAND),
    ("little_four_winds", "小四喜", 64, "pungs of three winds and a pair of the fourth", TRIPLETS),
    ("little_three_dragons", "小三元", 64, "pungs of two dragons, a pair of the third", TRIPLETS),
    ("all_honors", "字一色", 64, "only winds and dragons", HAND),
    ("four_concealed_pungs", "四暗刻", 64, "four pungs without a claimed tile", TRIPLETS),
    ("pure_terminal_chows", "一色雙龍會", 64, "123 and 789 twice and a pair of 5s, one suit", SEQUENCES),
    ("quadruple_chow", "一色四同順", 48, "four identical chows", SEQUENCES),
    ("four_pure_shifted_pungs", "一色四節高", 48, "four pungs in a row of one suit", TRIPLETS),
    ("four_pure_shifted_chows", "一色四步高", 32, "four chows of one suit, each 1 or each 2 higher", SEQUENCES),
    ("three_kongs", "三槓", 32, "three kongs", TRIPLETS),
    ("all_terminals_and_honors", "混么九", 32, "only 1s, 9s and honours", HAND),
    ("seven_pairs", "七對", 24, "seven pairs; four equal tiles may be two of them", SPECIAL),
    ("greater_honors_and_knitted_tiles", "七星不靠", 24, "one of each honour and seven knitted tiles", SPECIAL),
    ("all_even_pungs", "全雙刻", 24, "pungs and pair of 2 4 6 8", TRIPLETS),
    ("full_flush", "清一色", 24, "one suit, no honours", HAND),
    ("pure_triple_chow", "一色三同順", 24, "three identical chows", SEQUENCES),
    ("pure_shifted_pungs", "一色三節高", 24, "three pungs in a row of one suit", TRIPLETS),
    ("upper_tiles", "全大", 24, "only 7 8 9", HAND),
    ("middle_tiles", "全中", 24, "only 4 5 6", HAND),
    ("lower_tiles", "全小", 24, "only 1 2 3", HAND),
    ("pure_straight", "清龍", 16, "123 456 789 of one suit", SEQUENCES),
    (
        "three_suited_terminal_chows",
        "三色雙龍會",
        16,
        "123 and 789 of two suits and a pair of 5s of the third",
        SEQUENCES,
    ),
    ("pure_shifted_chows", "一色三步高", 16, "three chows of one suit, each 1 or each 2 higher", SEQUENCES),
    ("all_fives", "全帶五", 16, "a 5 in every set and in the pair", HAND),
    ("triple_pung", "三同刻", 16, "pungs of one number in all suits", TRIPLETS),
    ("three_concealed_pungs", "三暗刻", 16, "three pungs without a claimed tile", TRIPLETS),
    ("lesser_honors_and_knitted_tiles", "全不靠", 12, "fourteen different honours and knitted tiles", SPECIAL),
    ("knitted_straight", "組合龍", 12, "147, 258 and 369, each of another suit", SPECIAL),
    ("upper_four", "大於五", 12, "only 6 7 8 9", HAND),
    ("lower_four", "小於五", 12, "only 1 2 3 4", HAND),
    ("big_three_winds", "三風刻", 12, "pungs or kongs of three winds", TRIPLETS),
    ("mixed_straight", "花龍", 8, "123, 456 and 789, each of another suit", SEQUENCES),
    ("reversible_tiles", "推不倒", 8, "only tiles that look alike upside down", HAND),
    ("mixed_triple_chow", "三色三同順", 8, "one chow in all suits", SEQUENCES),
    ("mixed_shifted_pungs", "三色三節高", 8, "pungs of three numbers in a row, each of another suit", TRIPLETS),
    ("chicken_hand", "無番和", 8, "nothing else counts but flower tiles", WIN),
    ("last_tile_draw", "妙手回春", 8, "drawn as the last tile of the wall", WIN),
    ("last_tile_claim", "海底撈月", 8, "won on the discard after the last tile of the wall", WIN),
    ("out_with_replacement_tile", "槓上開花", 8, "drawn as the replacement of a kong", WIN),
    ("robbing_the_kong", "搶槓和", 8, "the winning tile was being added to a pung", WIN),
    ("all_pungs", "碰碰和", 6, "four pungs or kongs", TRIPLETS),
    ("half_flush", "混一色", 6, "one suit and honours", HAND),
    ("mixed_shifted_chows", "三色三步高", 6, "three chows, each 1 higher and each of another suit", SEQUENCES),
    ("all_types", "五門齊", 6, "all three suits, winds and dragons", HAND),
    ("melded_hand", "全求人", 6, "four claimed sets, the pair completed by a discard", WIN),
    ("two_concealed_kongs", "雙暗槓", 6, "two concealed kongs", TRIPLETS),
    ("mixed_kongs", "明暗槓", 5, "a claimed and a concealed kong", TRIPLETS),
    ("two_dragon_pungs", "雙箭刻", 6, "pungs or kongs of two dragons", TRIPLETS),
    ("outside_hand", "全帶么", 4, "a 1, 9 or honour in every set and in the pair", HAND),
    ("fully_concealed_hand", "不求人", 4, "nothing claimed, the winning tile drawn", WIN),
    ("two_melded_kongs", "雙明槓", 4, "two claimed kongs", TRIPLETS),
    ("last_tile", "和絕張", 4, "the three others of the winning tile lay open", WIN),
    ("dragon_pung", "箭刻", 2, "a pung or kong of dragons", TRIPLETS),
    ("prevalent_wind", "圈風刻", 2, "a pung or kong of the round wind", TRIPLETS),
    ("seat_wind", "門風刻", 2, "a pung or kong of the winner's seat wind", TRIPLETS),
    ("concealed_hand", "門前清", 2, "nothing claimed before the winning discard", WIN),
    ("all_chows", "平和", 2, "four chows and a pair of a suit", SEQUENCES),
    ("tile_hog", "四歸一", 2, "all four of a tile, no kong", HAND),
    ("double_pung", "雙同刻", 2, "two pungs of one number", TRIPLETS),
    ("two_concealed_pungs", "雙暗刻", 2, "two pungs without a claimed tile", TRIPLETS),
    ("concealed_kong", "暗槓", 2, "a concealed kong", TRIPLETS),
    ("all_simples", "斷么", 2, "no 1, 9 or honour", HAND),
    ("pure_double_chow", "一般高", 1, "two identical chows", SEQUENCES),
    ("mixed_double_chow", "喜相逢", 1, "one chow in two suits", SEQUENCES),
    ("short_straight", "連六", 1, "two chows of one suit in a row", SEQUENCES),
    ("two_terminal_chows", "老少副", 1, "123 and 789 of one suit", SEQUENCES),
    (
        "pung_of_terminals_or_honors",
        "么九刻",
        1,
        "a pung or kong of 1s, 9s or a wind that scores nothing else",
        TRIPLETS,
    ),
    ("melded_kong", "明槓", 1, "a claimed kong", TRIPLETS),
    ("one_voided_suit", "缺一門", 1, "two of the three suits", HAND),
    ("no_honors", "無字", 1, "no winds or dragons", HAND),
    ("edge_wait", "邊張", 1, "3 to 12 or 7 to 89, no other tile would have won", WIN),
    ("closed_wait", "坎張", 1, "the middle tile of a chow, no other would have won", WIN),
    ("single_wait", "單釣將", 1, "the second tile of the pair, no other would have won", WIN),
    ("self_drawn", "自摸", 1, "the winner drew the winning tile", WIN),
    ("flower_tiles", "花牌", 1, "a flower or season; it does not help to reach the minimum", BONUS),
)
_NAMES: Final = {
    "three_suited_terminal_chows": "Three-Suited Terminal Chows",
    "mixed_kongs": "Melded and Concealed Kong",
    "self_drawn": "Self-Drawn",
}
"""What is written otherwise than its id."""
POINTS: Final = {row[0]: row[2] for row in _ROWS}
ELEMENTS: Final = {
    id_: Element(
        id_,
        _NAMES.get(id_) or english_name(id_),
        native,
        say("{n} each", n=value) if id_ in ("flower_tiles", "tile_hog") else str(value),
        why,
        group,
    )
    for id_, native, value, why, group in _ROWS
}
