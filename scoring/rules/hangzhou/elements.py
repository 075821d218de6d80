"""What doubles a Hangzhou hand.

Source: the rules of Hangzhou mahjong as written down in the blog kzpn200 (2018); what it leaves open is said where
it is decided.
"""

from __future__ import annotations

from typing import Final

from scoring.system import Element
from scoring.words.sentence import say

_HAND, _WIN = "Type of hand", "How it was won"

_ROWS: Final = (
    (
        "wild_eye",
        "Wild Eye",
        "暴头",
        "x{n}",
        "self-draw on four finished sets (or six pairs) and a single wild tile, so that every tile wins",
        _WIN,
    ),
    (
        "fortune_float",
        "Wild Tile Float",
        "财飘",
        "x{n} each",
        "a wild tile thrown on a winning hand, then won by Wild Eye on the next turn",
        _WIN,
    ),
    ("kong_bloom", "Kong Bloom", "杠开", "x{n} each", "supplement tile; every kong of the streak counts", _WIN),
    ("robbing_kong", "Robbing a Kong", "拉杠", "x{n}", "the winning tile was being added to an open pung", _WIN),
    ("seven_pairs", "Seven Pairs", "七对", "x{n}", "seven pairs, wild tiles allowed", _HAND),
    ("seven_pairs_pure", "Seven Pairs without Wild Tiles", "清七对", "x{n}", "no wild tile among the 14 tiles", _HAND),
    ("deluxe", "Deluxe", "豪华", "x{n} each", "four equal natural tiles as two of the pairs", _HAND),
    (
        "ten_honours",
        "Ten Honours",
        "十风",
        "x{n} or more",
        "the first ten discards are winds and dragons, where the house plays it; every one more doubles",
        _WIN,
    ),
)
ELEMENTS: Final[dict[str, Element]] = {
    id_: Element(id_, name, native, say(value, n=1 if id_ == "ten_honours" else 2), condition, group)
    for id_, name, native, value, condition, group in _ROWS
}
