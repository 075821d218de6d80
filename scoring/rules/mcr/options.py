"""House rules and presets of Mahjong Competition Rules, where the editions or tables differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from scoring.options import choice, decimal_option, element_values, switch, whole
from scoring.rulebook.presets import Preset
from scoring.rules.mcr.elements import POINTS

MAX_POINTS: Final = 320
"""The highest value a fan may be given."""


@dataclass(frozen=True, slots=True)
class McrOptions:
    """House rules.

    - ``two_concealed_kongs``, ``mixed_kongs``: 6 and 5 as it is counted in China today; the edition of 2006 has 8 and
      6 (preset `mcr-2006`).
    - ``single_wait``: formal, as it is ruled and counted in China today. The book of 2006 says "waiting solely" and
      nothing about a kind that is used up; programs that follow it drop such a kind.
    - ``contained``: of the two texts the older is counted in China today.
    - ``false_win``: 10 to each of the others, as the tournaments of 2006 had it; where the points are taken from the
      offender alone, set 0 and enter the penalty.
    """

    min_points: int = whole(8, "points without flower tiles that a win needs", high=88)
    flowers: bool = switch(True, "flower tiles are played, a point each")
    base: int = whole(8, "points that every loser pays beside those of the hand", high=88)
    two_concealed_kongs: int = whole(6, "points of two concealed kongs", low=4, high=8)
    mixed_kongs: int = whole(5, "points of a claimed and a concealed kong together", low=3, high=6)
    values: Mapping[str, int] = element_values(POINTS, MAX_POINTS, "points", {"last_tile": 2, "melded_hand": 0})
    single_wait: str = choice(
        "formal",
        ("only",),
        "a single wait: where no other tile would complete the hand, or none of which the hand does not hold all four",
    )
    contained: str = choice(
        "1998",
        ("2006",),
        "1998: special hands contain Fully Concealed Hand, All Green Half Flush, All Terminals Double Pung, Nine Gates "
        "one pung; 2006: special hands contain Concealed Hand alone, Nine Gates every pung, a Knitted Straight the "
        "edge and the closed wait",
    )
    false_win: int = whole(10, "points that a false win pays each of the others", high=320)
    unit: Decimal = decimal_option("1", "money for one point")


PRESETS: Final = (
    Preset(
        "mcr-china",
        "Guobiao, as counted in China",
        "國標（中國）",
        "PyMahjongGB 1.4 (Peking University), by what it counts",
        {"two_concealed_kongs": 6, "mixed_kongs": 5, "single_wait": "formal", "contained": "1998"},
    ),
    Preset(
        "mcr-2006",
        "World Mahjong Organization, 2006",
        "世界麻將組織（2006）",
        "Mahjong Competition Rules (2006), as Tom Sloper lists its fan and its false win (sloperama.com, 2006-2007, "
        "column 296), with the WMO's explanation of what contains what; of a wait that is used up it says nothing, "
        "and is taken as the scorers jan-js-lib and GB-Mahjong take it",
        {
            "two_concealed_kongs": 8,
            "mixed_kongs": 6,
            "single_wait": "only",
            "contained": "2006",
            "false_win": 10,
        },
        unsettled=("single_wait",),
    ),
)
"""In the order they are listed to people."""
