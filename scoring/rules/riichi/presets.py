"""Riichi under the names people use: tournaments, leagues, web sites.

What a source was not seen to say is ``unsettled`` and stays at its default. Figures of the course are points.
"""

from __future__ import annotations

from typing import Final

from scoring.rulebook.presets import Preset

_HANCHAN: Final = {"rounds": 2, "ties": "share"}
_SINGLE: Final = {"double_yakuman": False, "multiple_yakuman": False}

PRESETS: Final = (
    Preset(
        *("ema", "EMA 2016", "欧州麻雀協会"),
        "European Mahjong Association, Rules for Japanese Mahjong, 2016 edition, as told by riichi.wiki and by the "
        "ruleset ema of the tournament software Pantheon",
        {
            **{"aka": 0, "kuitan": True, "renhou": "mangan", **_SINGLE, "kazoe": False, "kiriage": False},
            "pao_suukantsu": False,
        },
        points=30_000,
        course={**_HANCHAN, "uma": [15_000, 5_000, -5_000, -15_000], "dealer_ends": "off", "out_of_points": "owes"},
        unsettled=("double_wind_fu",),
    ),
    Preset(
        *("wrc", "World Riichi Championship", "世界麻雀選手権"),
        "World Riichi Championship Rules, 2015, as told by riichi.wiki and by the clubs that play them",
        {
            **{"aka": 0, "kuitan": True, "renhou": "mangan", **_SINGLE, "kazoe": False, "kiriage": True},
            "pao_suukantsu": False,
        },
        points=30_000,
        course={**_HANCHAN, "uma": [15_000, 5_000, -5_000, -15_000], "dealer_ends": "off"},
        unsettled=("double_wind_fu",),
    ),
    Preset(
        *("mleague", "M-League", "Mリーグ"),
        "M.League official rules (m-league.jp), as told by riichi.wiki and k-bys.work",
        {
            **{"aka": 3, "kuitan": True, "kiriage": True, "kazoe": False, "double_yakuman": False},
            **{"multiple_yakuman": True, "double_wind_fu": 2, "pao_suukantsu": True},
        },
        points=25_000,
        course={
            **_HANCHAN,
            "return_points": 30_000,
            "uma": [30_000, 10_000, -10_000, -30_000],
            "dealer_ends": "off",
            "out_of_points": "owes",
        },
        unsettled=("renhou",),
    ),
    Preset(
        *("tenhou", "Tenhou", "天鳳"),
        "tenhou.net, as told by kobalab's list of what his own game has in common with it, and by the PyPI package "
        "mahjong, which was held against its games",
        {
            **{"aka": 3, "kuitan": True, "kiriage": False, "kazoe": True, "double_yakuman": False},
            **{"multiple_yakuman": True, "double_wind_fu": 4},
        },
        points=25_000,
        course={
            **{"rounds": 2, "ties": "seat", "return_points": 30_000, "extension": 30_000},
            "out_of_points": "ends_below_zero",
        },
        unsettled=("renhou", "pao_suukantsu"),
    ),
    Preset(
        *("mahjongsoul", "Mahjong Soul", "雀魂"),
        "Mahjong Soul's ranked games, as told by the rule sets of RiichiEnv and of a published scorer",
        {
            **{"aka": 3, "kuitan": True, "double_yakuman": True, "multiple_yakuman": True, "kazoe": True},
            "double_wind_fu": 4,
        },
        points=25_000,
        course={"rounds": 2},
        unsettled=("kiriage", "renhou", "pao_suukantsu"),
    ),
)
"""In the order they are listed to people."""
