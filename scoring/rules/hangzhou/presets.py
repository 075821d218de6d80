"""Hangzhou under the names people use; what differs from game to game is the chips each player begins with."""

from __future__ import annotations

from typing import Final

from scoring.rulebook.presets import Preset

_BLOG: Final = "kzpn200, rules of Hangzhou mahjong (2018)"
_CHIPS: Final = {"out_of_points": "pays_what_is_left"}

PRESETS: Final = (
    Preset(*("hz-40", "40 chips", "四十点"), f"{_BLOG}: who has lost them owes nothing", points=40, course=_CHIPS),
    Preset(*("hz-50", "50 chips", "五十点"), f"{_BLOG}: who has lost them owes nothing", points=50, course=_CHIPS),
    Preset(*("hz-100", "100 chips", "一百点"), f"{_BLOG}: who has lost them owes nothing", points=100, course=_CHIPS),
    Preset(
        *("hz-white", "White dragons are the fortunes", "白板财神"),
        f"{_BLOG}: a variation without an indicator",
        {"permanent": True},
    ),
    Preset(
        *("hz-wall", "Self-drawn wins only", "自摸胡"),
        f"{_BLOG}: a variation in which nothing is claimed or robbed",
        {"wall_only": True},
    ),
)
"""In the order they are listed to people."""
