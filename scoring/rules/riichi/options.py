"""House rules and presets of riichi: tournaments, leagues, web sites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scoring.options import choice, element_values, switch, whole
from scoring.rulebook.presets import Preset
from scoring.rules.riichi.elements import WORTH

MAX_HAN: Final = 13
"""The highest value an element may be given."""


@dataclass(frozen=True, slots=True)
class RiichiOptions:
    """House rules; the defaults are those of most clubs and game rooms.

    - ``double_wind_fu``: the text has 4, and 2 for some rules.
    - ``chiitoi``: the text has 25 fu, and 50 fu with one han for some rules, in Kansai especially.
    - ``pinfu_tsumo_fu``: the text waives the 2 fu under most rules.
    - ``kiriage``: the text rounds to hundreds only, and makes no mangan of them.
    - ``pao_counters``, ``pao_covers``: as Mahjong Soul words its rules.
    - ``winners``, ``counters_and_sticks``, ``counter_points``, ``chombo``, ``nagashi``, ``abortive_draws``: as at most
      tables.
    - ``rob_concealed_kan``: sites and leagues differ; a win is asked about it only where it is off.
    - ``kita`` and what follows: as Tenhou and Mahjong Soul play with three.
    """

    double_yakuman: bool = switch(True, "the stricter yakuman count twice; off: every yakuman counts once")
    multiple_yakuman: bool = switch(True, "several yakuman add up; off: only the highest counts")
    kazoe: bool = switch(True, "13 han or more are a counted yakuman; off: they stay a sanbaiman")
    kiriage: bool = switch(False, "4 han 30 fu and 3 han 60 fu are rounded up to a mangan")
    aka: int = whole(3, "red fives in the set: 3 is one of each suit, 4 a second one of dots, 0 none", high=4)
    kuitan: bool = switch(True, "tanyao counts for open hands too")
    double_wind_fu: int = choice(4, (2,), "fu of a pair that is seat wind and round wind at once")
    chiitoi: str = choice("25fu2han", ("50fu1han",), "what seven pairs are worth")
    pinfu_tsumo_fu: bool = switch(
        False, "a self-draw scores its 2 fu even where nothing else does, so pinfu is won by discard only"
    )
    pao_suukantsu: bool = switch(False, "who gives the fourth kan is liable for suukantsu too")
    pao_counters: str = choice(
        "liable", ("discarder",), "who pays the counters where a liable player and a discarder share: one of the two"
    )
    pao_covers: str = choice(
        "yakuman", ("hand",), "what is paid by liability: its own yakuman, or the whole hand with every other yakuman"
    )
    renhou: str = choice(
        "off",
        ("mangan", "5han", "yakuman"),
        "a discard before one's first draw: nothing, at least a mangan, 5 han beside yaku and dora, or a yakuman",
    )
    values: Mapping[str, int] = element_values(
        WORTH,
        MAX_HAN,
        "han",
        {"honitsu": 2, "ippatsu": 0},
        note="; yakuman count in yakuman, and open hands lose as much as listed",
    )
    min_han: int = whole(1, "han of yaku a win needs, dora not counted", low=1, high=4)
    rob_concealed_kan: bool = switch(False, "thirteen orphans may rob a concealed kan, too")
    winners: str = choice(
        "all",
        ("two", "three_draw", "nearest"),
        "who wins where several claim one tile: all; the nearest two after the discarder; two, while three draw the "
        "hand early (sanchahou); or the nearest alone (head bump)",
    )
    counters_and_sticks: str = choice(
        "nearest",
        ("each",),
        "of several winners the nearest takes counters and sticks, or each takes the counters and his own stick back",
    )
    counter_points: int = choice(300, (1500,), "points for a counter, a third of them from each on a self-draw")
    chombo: str = choice(
        "mangan",
        ("after_placing",),
        "a false win pays at the table, a mangan the other way round; or it costs points after the placing",
    )
    chombo_points: int | None = whole(
        None,
        "what a false win costs, at the table in equal parts to the others; none: a mangan there, 20000 after the "
        "placing",
        low=300,
        high=100_000,
        words=(None,),
    )
    nagashi: bool = switch(True, "nagashi mangan is paid at a drawn hand")
    abortive_draws: bool = switch(True, "a hand can be drawn early")
    players: int = choice(4, (3,), "players; three play without 2m to 8m, without chows, and nobody sits north")
    kita: bool = switch(True, "with three players a north may be set aside: it is replaced, and counts as a dora")
    kita_rinshan: bool = switch(True, "with three players the replacement of a north set aside makes rinshan as well")
    north_value: bool = switch(False, "with three players norths are a value for everybody")
    tsumo_loss: bool = switch(
        True, "with three players nobody pays north's share of a self-draw; off: the others pay half of it each"
    )
    noten_3000: bool = switch(False, "with three players those not ready pay 3000 in all at a draw; off: 2000")

    def __hash__(self) -> int:
        """For tables of amounts, which house rules are a key of; all others, and ``values``, are compared."""
        return hash((self.players, self.kiriage, self.counter_points))


# What a source was not seen to say is unsettled and stays at its default. Figures of the course are points. A game
# keeps the options it was begun with: what is corrected here holds for games that begin later.
_HANCHAN: Final = {"rounds": 2, "ties": "share"}
_TOURNAMENT: Final = {"chombo": "after_placing", "nagashi": False, "abortive_draws": False}
_WRC: Final = {
    "aka": 0,
    "kuitan": True,
    "renhou": "5han",
    "double_yakuman": False,
    "kazoe": False,
    "kiriage": True,
    "pao_suukantsu": False,
    "winners": "nearest",
    **_TOURNAMENT,
}
_WRC_COURSE: Final = {
    **_HANCHAN,
    "uma": [15_000, 5_000, -5_000, -15_000],
    "dealer_ends": "off",
    "sticks_left": "nobody",
}
_TENHOU: Final = {
    "aka": 3,
    "kuitan": True,
    "kiriage": False,
    "kazoe": True,
    "double_yakuman": False,
    "multiple_yakuman": True,
    "double_wind_fu": 4,
    "pao_covers": "hand",
    "rob_concealed_kan": False,
}
_MAHJONG_SOUL: Final = {
    "aka": 3,
    "kuitan": True,
    "double_yakuman": True,
    "multiple_yakuman": True,
    "kazoe": True,
    "kiriage": False,
    "double_wind_fu": 4,
    "pao_suukantsu": False,
    "pao_covers": "yakuman",
    "winners": "all",
    "rob_concealed_kan": True,
}
_SANMA: Final = {
    "players": 3,
    "kita": True,
    "kita_rinshan": True,
    "north_value": False,
    "tsumo_loss": True,
    "noten_3000": False,
}

PRESETS: Final = (
    Preset(
        "ema",
        "EMA 2016",
        "欧州麻雀協会",
        "European Mahjong Association, Rules for Japanese Mahjong, 2016 edition (3.3.9 liability, 3.4 draws), as told "
        "by riichi.wiki and by the ruleset ema of the tournament software Pantheon (several winners, chombo, nagashi)",
        {
            "aka": 0,
            "kuitan": True,
            "renhou": "mangan",
            "double_yakuman": False,
            "multiple_yakuman": False,
            "kazoe": False,
            "kiriage": False,
            "pao_suukantsu": False,
            "pao_counters": "discarder",
            "counters_and_sticks": "each",
            **_TOURNAMENT,
        },
        points=30_000,
        course={**_HANCHAN, "uma": [15_000, 5_000, -5_000, -15_000], "dealer_ends": "off", "out_of_points": "owes"},
        unsettled=("double_wind_fu", "rob_concealed_kan"),
    ),
    Preset(
        "wrc",
        "World Riichi Championship 2015",
        "世界麻雀選手権（2015）",
        "World Riichi Championship Rules, 2015 (5.7 no abortive draws, 5.7.6 one winner, 5.9.1 no agari-yame, 6.5 yaku "
        "are cumulative, as the errata of 2014 say of renhou; of 6.5.4 only the heading was seen, five han yaku in "
        "2014, mangan yaku in 2015), as told by ooyamaneko.net, riichi.wiki, the ruleset wrc of the tournament "
        "software Pantheon and the scorer riichi-pointer-js (renhou)",
        {**_WRC, "multiple_yakuman": False},
        points=30_000,
        course=_WRC_COURSE,
        unsettled=("double_wind_fu", "renhou", "pao_counters", "rob_concealed_kan", "out_of_points"),
    ),
    Preset(
        "wrc-2022",
        "World Riichi Championship 2022",
        "世界麻雀選手権（2022）",
        "World Riichi Championship Rules, 2015, with what the summary of rule changes of March 2022 says of hands "
        "(several yakuman add up, a pair of the round's and one's own wind has 2 fu), as told by issue 29 of "
        "riichi-pointer-js, a scorer; what it says of play and of payments was not seen",
        {**_WRC, "multiple_yakuman": True, "double_wind_fu": 2},
        points=30_000,
        course=_WRC_COURSE,
        unsettled=(
            *("renhou", "pao_suukantsu", "pao_counters", "rob_concealed_kan", "winners"),
            *("chombo", "nagashi", "abortive_draws", "uma", "dealer_ends", "sticks_left", "out_of_points"),
        ),
    ),
    Preset(
        "mleague",
        "M-League",
        "Mリーグ",
        "M.League official rules (m-league.jp), as told by riichi.wiki and k-bys.work",
        {
            "aka": 3,
            "kuitan": True,
            "kiriage": True,
            "kazoe": False,
            "double_yakuman": False,
            "multiple_yakuman": True,
            "double_wind_fu": 2,
            "pao_suukantsu": True,
            "winners": "nearest",
        },
        points=25_000,
        course={
            **_HANCHAN,
            "return_points": 30_000,
            "uma": [30_000, 10_000, -10_000, -30_000],
            "dealer_ends": "off",
            "out_of_points": "owes",
        },
        unsettled=("renhou", "pao_counters", "rob_concealed_kan", "chombo", "nagashi", "abortive_draws"),
    ),
    Preset(
        "tenhou",
        "Tenhou",
        "天鳳",
        "tenhou.net, as told by kobalab's list of what his own game has in common with it, by the PyPI package "
        "mahjong, which was held against its games, by the rules of RiichiEnv (liability, three winners, concealed "
        "kans), by Pantheon's tenhounet, and by the results in its logs (uma; 10, 5, -5, -10 where only east is "
        "played); whether who gives a fourth kan is liable they do not tell alike",
        {**_TENHOU, "winners": "three_draw"},
        points=25_000,
        course={
            "rounds": 2,
            "ties": "seat",
            "return_points": 30_000,
            "uma": [20_000, 10_000, -10_000, -20_000],
            "extension": 30_000,
            "out_of_points": "ends_below_zero",
            "dealer_ends": "win_or_ready",
        },
        unsettled=("renhou", "pao_suukantsu"),
    ),
    Preset(
        "mahjongsoul",
        "Mahjong Soul",
        "雀魂",
        "Mahjong Soul's ranked games, as told by RiichiEnv, whose counting and ends of a game were held against its "
        "records (liability for dragons and winds alone, no kiriage), by a published scorer, and by riichi.wiki and "
        "Amae-Koromo (points that count as zero, uma)",
        _MAHJONG_SOUL,
        points=25_000,
        course={
            "rounds": 2,
            "ties": "seat",
            "return_points": 25_000,
            "uma": [15_000, 5_000, -5_000, -15_000],
            "extension": 30_000,
            "out_of_points": "ends_below_zero",
            "dealer_ends": "win_or_ready",
        },
        unsettled=("renhou",),
    ),
    Preset(
        "tenhou-sanma",
        "Tenhou, three players",
        "天鳳三麻",
        "tenhou.net for three players, as told by RiichiEnv, which was held against its games (norths, draws, "
        "counters, points), by the PyPI package mahjong, by Akagi (counters), by mahjongcollege.com (tsumo loss), and "
        "by the results in its logs (uma); of who gives a fourth kan as tenhou",
        {**_TENHOU, **_SANMA},
        points=35_000,
        course={
            "rounds": 2,
            "ties": "seat",
            "return_points": 40_000,
            "uma": [20_000, 0, -20_000],
            "extension": 40_000,
            "out_of_points": "ends_below_zero",
            "dealer_ends": "win_or_ready",
        },
        unsettled=("renhou", "pao_suukantsu", "abortive_draws"),
    ),
    Preset(
        "mahjongsoul-sanma",
        "Mahjong Soul, three players",
        "雀魂三麻",
        "Mahjong Soul's ranked games for three players, as told by RiichiEnv, which was held against its games "
        "(norths, draws, counters, points, liability), by Akagi (counters, norths), by mahjong-portal.com (norths, "
        "40,000), and by riichi.wiki and Amae-Koromo (points that count as zero, uma)",
        {**_MAHJONG_SOUL, **_SANMA},
        points=35_000,
        course={
            "rounds": 2,
            "ties": "seat",
            "return_points": 35_000,
            "uma": [15_000, 0, -15_000],
            "extension": 40_000,
            "out_of_points": "ends_below_zero",
            "dealer_ends": "win_or_ready",
        },
        unsettled=("renhou",),
    ),
)
"""In the order they are listed to people."""
