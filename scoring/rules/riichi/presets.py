"""Riichi under the names people use: tournaments, leagues, web sites.

What a source was not seen to say is ``unsettled`` and stays at its default. Figures of the course are points.

A game keeps the options it was begun with: what is mended here holds for games that begin later.
"""

from __future__ import annotations

from typing import Final

from scoring.rulebook.presets import Preset

_HANCHAN: Final = {"rounds": 2, "ties": "share"}
_SINGLE: Final = {"double_yakuman": False, "multiple_yakuman": False}
_TOURNAMENT: Final = {"chombo": "after_placing", "nagashi": False, "abortive_draws": False}

PRESETS: Final = (
    Preset(
        *("ema", "EMA 2016", "欧州麻雀協会"),
        "European Mahjong Association, Rules for Japanese Mahjong, 2016 edition (3.3.9 liability, 3.4 draws), as told "
        "by riichi.wiki and by the ruleset ema of the tournament software Pantheon (several winners, chombo, nagashi)",
        {
            **{"aka": 0, "kuitan": True, "renhou": "mangan", **_SINGLE, "kazoe": False, "kiriage": False},
            **{"pao_suukantsu": False, "pao_counters": "discarder", "counters_and_sticks": "each", **_TOURNAMENT},
        },
        points=30_000,
        course={**_HANCHAN, "uma": [15_000, 5_000, -5_000, -15_000], "dealer_ends": "off", "out_of_points": "owes"},
        unsettled=("double_wind_fu",),
    ),
    Preset(
        *("wrc", "World Riichi Championship 2015", "世界麻雀選手権（2015）"),
        "World Riichi Championship Rules, 2015 (5.7 no abortive draws, 5.7.6 one winner, 5.9.1 no agari-yame, 6.5 yaku "
        "are cumulative, as the errata of 2014 say of renhou; 6.5.4 was not seen), as told by ooyamaneko.net, "
        "riichi.wiki and the ruleset wrc of the tournament software Pantheon",
        {
            **{"aka": 0, "kuitan": True, "renhou": "5han", **_SINGLE, "kazoe": False, "kiriage": True},
            **{"pao_suukantsu": False, "winners": "nearest", **_TOURNAMENT},
        },
        points=30_000,
        course={
            **_HANCHAN,
            "uma": [15_000, 5_000, -5_000, -15_000],
            "dealer_ends": "off",
            "sticks_left": "nobody",
        },
        unsettled=("double_wind_fu", "renhou", "pao_counters", "out_of_points"),
    ),
    Preset(
        *("mleague", "M-League", "Mリーグ"),
        "M.League official rules (m-league.jp), as told by riichi.wiki and k-bys.work",
        {
            **{"aka": 3, "kuitan": True, "kiriage": True, "kazoe": False, "double_yakuman": False},
            **{"multiple_yakuman": True, "double_wind_fu": 2, "pao_suukantsu": True, "winners": "nearest"},
        },
        points=25_000,
        course={
            **_HANCHAN,
            "return_points": 30_000,
            "uma": [30_000, 10_000, -10_000, -30_000],
            "dealer_ends": "off",
            "out_of_points": "owes",
        },
        unsettled=("renhou", "pao_counters", "chombo", "nagashi", "abortive_draws"),
    ),
    Preset(
        *("tenhou", "Tenhou", "天鳳"),
        "tenhou.net, as told by kobalab's list of what his own game has in common with it, by the PyPI package "
        "mahjong, which was held against its games, by the rules of RiichiEnv (liability) and by Pantheon's tenhounet",
        {
            **{"aka": 3, "kuitan": True, "kiriage": False, "kazoe": True, "double_yakuman": False},
            **{"multiple_yakuman": True, "double_wind_fu": 4, "pao_covers": "hand"},
        },
        points=25_000,
        course={
            **{"rounds": 2, "ties": "seat", "return_points": 30_000, "extension": 30_000},
            **{"out_of_points": "ends_below_zero", "dealer_ends": "win_or_ready"},
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
        unsettled=(
            *("kiriage", "renhou", "pao_suukantsu"),
            *("return_points", "extension", "dealer_ends", "out_of_points"),
        ),
    ),
)
"""In the order they are listed to people."""
