"""Taiwanese mahjong by the published tables of tai; what one does not say keeps its default."""

from __future__ import annotations

from typing import Final

from scoring.rulebook.presets import Preset

PRESETS: Final = (
    Preset(
        *("taiwan-overview", "Overview of tai", "台數表一覽"),
        "nh48jid.com, 台灣十六張麻將：台數表一覽",
        {"heavenly": 24, "earthly": 16, "human": 8},
        unsettled=("base", "unit", "max_tai", "heavenly_ready", "earthly_ready", "flower_replacement"),
    ),
    Preset(
        *("taiwan-association", "Association's table, 2009", "協會台數表（2009）"),
        "atawmj.org.tw, 台數計算, as revised on 26 December 2009, its rows of one, two and four tai",
        {"single_wait": "shape", "west_flower": "bamboo", "flower_replacement": True, "earthly_ready": 4},
        unsettled=("base", "unit", "max_tai", "heavenly", "earthly", "human", "all_honours", "eight_pairs"),
    ),
    Preset(
        *("taiwan-2023", "Table of 2023", "2023 台數表"),
        "chh.cx, 2023 台灣最新麻將 16 張台數表",
        {
            **{"single_wait": "only", "flower_replacement": True, "all_honours": 8, "values": {"four_kongs": 8}},
            **{"chows_any_wait": True, "chows_any_pair": True, "chows_self_drawn": True},
        },
        unsettled=("base", "unit", "max_tai", "eight_pairs", "heavenly", "earthly", "human", "heavenly_ready"),
    ),
)
"""In the order they are listed to people."""
