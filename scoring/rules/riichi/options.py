"""House rules of riichi."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.options import choice, switch, whole


@dataclass(frozen=True, slots=True)
class RiichiOptions:
    """House rules; the defaults are those of most clubs and game rooms.

    - ``double_wind_fu``: the text has 4, and 2 for some rules.
    - ``chiitoi``: the text has 25 fu, and 50 fu with one han for some rules, in Kansai especially.
    - ``pinfu_tsumo_fu``: the text waives the 2 fu under most rules.
    - ``kiriage``: the text rounds to hundreds only, and makes no mangan of them.
    - ``pao_counters``, ``pao_covers``: as Mahjong Soul words its rules.
    - ``winners``, ``counters_and_sticks``, ``chombo``, ``nagashi``, ``abortive_draws``: as at most tables.
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
        "a discard before the own first draw: nothing, at least a mangan, 5 han beside yaku and dora, or a yakuman",
    )
    min_han: int = whole(1, "han of yaku a win needs, dora not counted", low=1, high=4)
    winners: str = choice(
        "all",
        ("nearest",),
        "who wins where several claim one tile: all, or the nearest after the discarder (head bump)",
    )
    counters_and_sticks: str = choice(
        "nearest",
        ("each",),
        "of several winners the nearest takes counters and sticks, or each takes the counters and his own stick back",
    )
    chombo: str = choice(
        "mangan",
        ("after_placing",),
        "a false win pays a mangan the other way round, or costs 20000 after the placing and nothing at the table",
    )
    nagashi: bool = switch(True, "nagashi mangan is paid at a drawn hand")
    abortive_draws: bool = switch(True, "a hand can be drawn early")
