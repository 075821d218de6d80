"""Mahjong Competition Rules under the names people use."""

from __future__ import annotations

from typing import Final

from scoring.rulebook.presets import Preset

PRESETS: Final = (
    Preset(
        *("mcr-china", "Guobiao, as counted in China", "國標（中國）"),
        "PyMahjongGB 1.4 (Peking University), by what it counts",
        {"two_concealed_kongs": 6, "mixed_kongs": 5, "single_wait": "formal", "contained": "1998"},
    ),
    Preset(
        *("mcr-2006", "World Mahjong Organization, 2006", "世界麻將組織（2006）"),
        "Mahjong Competition Rules (2006), as Tom Sloper lists its fan and its false win (sloperama.com, 2006-2007, "
        "column 296), with the WMO's explanation of what contains what; of a wait that is used up it says nothing, "
        "and is taken as the scorers jan-js-lib and GB-Mahjong take it",
        {
            **{"two_concealed_kongs": 8, "mixed_kongs": 6, "single_wait": "only", "contained": "2006"},
            "false_win": 10,
        },
        unsettled=("single_wait",),
    ),
)
"""In the order they are listed to people."""
