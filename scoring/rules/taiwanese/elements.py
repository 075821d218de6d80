"""The tai table of Taiwanese 16-tile mahjong, and which elements contain which.

Source: the tables of tai that :data:`scoring.rules.taiwanese.options.PRESETS` names, where they agree; where they do
not, the value or the reading is a house rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from scoring.system import Element
from scoring.words.sentence import say

DEAL, DEALT, HAND, SETS, WIN, BONUS = (
    "The deal",
    "Dealt and ready hands",
    "Type of hand",
    "Sets held",
    "How it was won",
    "Bonus tiles",
)

_ROWS: Final = (
    ("eight_flowers", "Eight Flowers", "八仙過海", 8, "won by all eight flowers and seasons", BONUS),
    ("seven_flowers", "Seven Rob One", "七搶一", 8, "won by seven flowers and seasons and the robbed eighth", BONUS),
    ("heavenly_hand", "Heavenly Hand", "天胡", 24, "the dealer's hand was complete on the deal", DEALT),
    ("earthly_hand", "Earthly Hand", "地胡", 16, "a non-dealer's first tile drawn, nothing claimed before", DEALT),
    ("human_hand", "Human Hand", "人胡", 8, "won on a discard before the winner's first draw", DEALT),
    ("heavenly_ready", "Heavenly Ready", "天聽", 8, "waiting since the deal", DEALT),
    ("earthly_ready", "Earthly Ready", "地聽", 4, "ready since the first discard, nothing claimed before", DEALT),
    ("big_winds", "Big Four Winds", "大四喜", 16, "pungs or kongs of all four winds", SETS),
    ("little_winds", "Little Four Winds", "小四喜", 8, "pungs of three winds and a pair of the fourth", SETS),
    ("big_dragons", "Big Three Dragons", "大三元", 8, "pungs or kongs of all three dragons", SETS),
    ("little_dragons", "Little Three Dragons", "小三元", 4, "pungs of two dragons, a pair of the third", SETS),
    ("five_concealed", "Five Concealed Pungs", "五暗刻", 8, "five pungs without a claimed tile", SETS),
    ("four_concealed", "Four Concealed Pungs", "四暗刻", 5, "four pungs without a claimed tile", SETS),
    ("three_concealed", "Three Concealed Pungs", "三暗刻", 2, "three pungs without a claimed tile", SETS),
    ("five_kongs", "Five Kongs", "五槓", 16, "five kongs", SETS),
    ("four_kongs", "Four Kongs", "四槓", 8, "four kongs", SETS),
    ("three_kongs", "Three Kongs", "三槓", 4, "three kongs", SETS),
    ("concealed_kong", "Concealed Kong", "暗槓", 2, "a concealed kong", SETS),
    ("melded_kong", "Melded Kong", "明槓", 1, "a claimed kong", SETS),
    ("dragon_pung", "Dragon Pung", "三元牌", 1, "a pung or kong of dragons", SETS),
    ("round_wind", "Round Wind", "圈風", 1, "a pung or kong of the round wind", SETS),
    ("seat_wind", "Seat Wind", "門風", 1, "a pung or kong of the winner's seat wind", SETS),
    ("other_wind", "Other Wind", "見字", 1, "a pung or kong of another wind", SETS),
    ("all_honours", "All Honours", "字一色", 16, "only winds and dragons", HAND),
    ("full_flush", "Full Flush", "清一色", 8, "one suit, no honours", HAND),
    ("half_flush", "Half Flush", "混一色", 4, "one suit and honours", HAND),
    ("eight_pairs", "Seven Pairs and a Pung", "嚦咕嚦咕", 8, "seven pairs and a pung, nothing claimed", HAND),
    ("all_pungs", "All Pungs", "碰碰胡", 4, "five pungs or kongs", HAND),
    (
        "all_chows",
        "All Chows",
        "平胡",
        2,
        "five chows and a pair of a suit, no flower, a two-sided wait, another's tile",
        HAND,
    ),
    ("all_claimed", "Melded Hand", "全求人", 2, "five claimed sets, the pair completed by a discard", WIN),
    ("half_claimed", "Half Melded Hand", "半求人", 1, "five claimed sets, the pair completed by a drawn tile", WIN),
    ("fully_concealed", "Fully Concealed", "門清自摸", 3, "nothing claimed, the winning tile drawn", WIN),
    ("concealed_hand", "Concealed Hand", "門清", 1, "nothing claimed before the winning discard", WIN),
    ("self_drawn", "Self-Drawn", "自摸", 1, "the winner drew the winning tile", WIN),
    ("declared_ready", "Declared Ready", "報聽", 1, "the winner had declared that the hand was ready", WIN),
    ("single_wait", "Single Wait", "獨聽", 1, "an edge, a middle or a pair wait", WIN),
    ("robbing_kong", "Robbing a Kong", "搶槓", 1, "the winning tile was being added to a pung", WIN),
    ("on_replacement", "Out on a Replacement", "槓上開花", 1, "drawn as a replacement tile", WIN),
    ("last_tile_draw", "Last Tile Draw", "海底撈月", 1, "drawn as the last tile of the wall", WIN),
    ("last_tile_claim", "Last Tile Claim", "河底撈魚", 1, "won on the discard after the last tile of the wall", WIN),
    ("all_flowers", "Flower Kong", "花槓（花）", 2, "all four flowers", BONUS),
    ("all_seasons", "Season Kong", "花槓（季）", 2, "all four seasons", BONUS),
    ("own_flower", "Own Flower", "正花", 1, "the flower with the seat's number", BONUS),
    ("own_season", "Own Season", "正花（季）", 1, "the season with the seat's number", BONUS),
    ("other_flower", "Other Flower", "見花", 1, "any other flower or season", BONUS),
    ("plain_tiles", "No Honours, No Flowers", "無字無花", 2, "no winds, dragons, flowers and seasons", BONUS),
    ("no_flowers", "No Flowers", "無花", 1, "no flowers and no seasons", BONUS),
    ("dealer", "Dealer", "莊家", 1, "the winner is the dealer", DEAL),
    ("streak", "Dealer's Streak", "連莊拉莊", 2, "each hand that the dealer has stayed", DEAL),
)
TAI: Final = {row[0]: row[3] for row in _ROWS}
SELDOM: Final = (
    "five_kongs",
    "four_kongs",
    "three_kongs",
    "concealed_kong",
    "melded_kong",
    "declared_ready",
    "plain_tiles",
    "no_flowers",
)
"""Elements of few tables: they count only where the house gives them a value."""
_EACH: Final = ("dragon_pung", "other_wind", "other_flower", "streak")


def _listed_value(id_: str, value: int) -> str:
    if id_ in SELDOM:
        return say("{n} where played", n=value)
    return say("{n} each", n=value) if id_ in _EACH else str(value)


ELEMENTS: Final = {
    id_: Element(id_, name, native, _listed_value(id_, value), why, group)
    for id_, name, native, value, why, group in _ROWS
}

_CLOSED: Final = ("fully_concealed", "concealed_hand")
_FLOWERS: Final = ("all_flowers", "all_seasons", "own_flower", "own_season", "other_flower")
ABSORBS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "eight_flowers": ("self_drawn", *_FLOWERS),
        "seven_flowers": _FLOWERS,
        "heavenly_hand": (*_CLOSED, "self_drawn", "single_wait", "on_replacement"),
        "earthly_hand": (*_CLOSED, "self_drawn", "on_replacement"),
        "human_hand": ("concealed_hand",),
        "heavenly_ready": (*_CLOSED, "declared_ready"),
        "earthly_ready": (*_CLOSED, "declared_ready"),
        "big_winds": ("round_wind", "seat_wind", "other_wind"),
        "little_winds": ("round_wind", "seat_wind", "other_wind"),
        "big_dragons": ("dragon_pung",),
        "little_dragons": ("dragon_pung",),
        "eight_pairs": _CLOSED,
        "five_kongs": ("concealed_kong", "melded_kong"),
        "four_kongs": ("concealed_kong", "melded_kong"),
        "three_kongs": ("concealed_kong", "melded_kong"),
        "plain_tiles": ("no_flowers",),
        "all_claimed": ("single_wait",),
        "half_claimed": ("single_wait",),
        "fully_concealed": ("concealed_hand", "self_drawn"),
        "all_flowers": ("own_flower",),
        "all_seasons": ("own_season",),
    }
)
"""Element -> those that it contains, under the usual house rules."""
