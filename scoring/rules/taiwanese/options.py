"""House rules and presets of Taiwanese mahjong: where the tables of tai differ, and what is left to every table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from scoring.options import choice, decimal_option, element_values, switch, whole
from scoring.rulebook.presets import Preset
from scoring.rulebook.shapes import Shapes
from scoring.rules.taiwanese.elements import ABSORBS, SELDOM, TAI
from scoring.system import Case

MAX_TAI: Final = 40
"""The highest value an element may be given."""


@dataclass(frozen=True, slots=True)
class TaiwaneseOptions:
    """House rules; where the tables differ, the default has its reason.

    - ``base``, ``unit``: stakes differ from table to table; 30 and 10 are small ones, and only their ratio matters.
    - ``heavenly``, ``earthly``, ``human``, ``heavenly_ready``, ``earthly_ready``, ``all_honours``: the tables give
      these few hands different values; the defaults are those of the one that lists most of them.
    - ``single_wait``: the tables say that nothing else would have won, or name the three waits alone. Only, since the
      name of it says single; a tile of which the winner holds all four could not have won, melded or not.
    - ``values``: of few tables only, such as 四槓 (table of 2023), and apps value other elements otherwise.
    - ``false_win``: no table of tai names an amount. Public score keepers let the offender pay all three the base and a
      fixed number of tai, 8 or 5; others 30, or what the hand would have come to, and some of them the dealer's tai as
      well. 8, which one of them offers to be changed; what a house pays otherwise is entered as payments.
    - ``max_tai_of``: the dealer's are tai as well.
    - ``self_drawn_beside``, ``concealed_beside``: those hands are drawn, or concealed, anyhow.
    - ``honours_beside``: as ``pungs_beside``.
    - ``flower_replacement``: two of the tables name the replacement of a flower beside that of a kong.
    - ``flower_set_keeps_own``, ``dragons_beside``, ``winds_beside``, ``single_wait_beside``: of two elements, one a
      part of the other, the larger alone counts, as it is said of dragons and winds. All others are added.
    - ``pungs_beside``: nothing says that five concealed pungs or only honours stand for five pungs.
    - ``chows_with_flowers``, ``chows_self_drawn``: the tables ask for no flower and another's tile.
    - ``west_flower``: which flower is west's is printed on the tiles, and differs; the chrysanthemum is the third
      where nobody says otherwise.
    - ``eight_pairs``: the tables that know the hand give it 8; some houses leave it out.
    - ``fourth_kong_wins``: of the table of 2023 (完成四槓時，即以胡牌計算), if the house counts ``four_kongs``.
    - ``every_wind``, ``every_flower``: played in many houses, in none of the tables.
    """

    base: Decimal = decimal_option("30", "money that every payment begins with (底)", zero=True)
    unit: Decimal = decimal_option("10", "money for one tai")
    min_tai: int = whole(0, "tai that a win needs, those of the dealer left out", high=40)
    max_tai: int | None = whole(None, "tai are cut to this", low=1, words=(None,))
    max_tai_of: str = choice(
        "all", ("hand",), "what is cut: all tai, or those of the hand, to which the dealer's are added"
    )
    false_win: int = whole(8, "tai that a false win pays each of the others, with the base", high=100)
    heavenly: int = whole(24, "tai of a heavenly hand", low=8, high=40)
    earthly: int = whole(16, "tai of an earthly hand", low=8, high=40)
    human: int = whole(8, "tai of a human hand; 0: it counts nothing", high=40)
    heavenly_ready: int = whole(8, "tai of waiting since the deal; 0: it counts nothing", high=40)
    earthly_ready: int = whole(4, "tai of waiting since the first discard; 0: it counts nothing", high=40)
    all_honours: int = whole(16, "tai of only winds and dragons", low=8, high=40)
    eight_pairs: int = whole(8, "tai of seven pairs and a pung (嚦咕嚦咕); 0: they do not win", high=40)
    single_wait: str = choice(
        "only",
        ("formal", "shape"),
        "a single wait: where no other tile could have won; where none would have, tiles the hand uses up among "
        "them; or by the shape of the wait alone",
    )
    chows_any_wait: bool = switch(False, "All Chows asks for no two-sided wait")
    chows_any_pair: bool = switch(False, "All Chows may have a pair of honours")
    chows_with_flowers: bool = switch(False, "All Chows may hold flowers")
    chows_self_drawn: bool = switch(False, "All Chows may be self-drawn")
    flower_replacement: bool = switch(True, "the replacement of a flower counts as that of a kong does")
    fourth_kong_wins: bool = switch(False, "a player's fourth kong wins at once, and the dealer does not stay")
    every_wind: bool = switch(False, "a pung of any wind counts (見字), once where round and seat wind have no tai")
    every_flower: bool = switch(False, "every flower counts, not the seat's alone (見花)")
    west_flower: str = choice("chrysanthemum", ("bamboo",), "the flower of west; the other is north's")
    flower_set_keeps_own: bool = switch(False, "the seat's own flower still counts beside its full set")
    dragons_beside: bool = switch(False, "dragon pungs count beside Little and Big Three Dragons")
    winds_beside: object = choice(
        False, (True, "little"), "round and seat wind count beside Little and Big Four Winds, or the little alone"
    )
    single_wait_beside: bool = switch(False, "the single wait counts beside Melded Hand and Half Melded Hand")
    pungs_beside: bool = switch(True, "All Pungs counts beside All Honours, Big Four Winds, Five Concealed Pungs")
    honours_beside: bool = switch(True, "All Pungs counts beside All Honours where it does beside the other two")
    concealed_beside: bool = switch(False, "Concealed Hand and Fully Concealed count beside Seven Pairs and a Pung")
    self_drawn_beside: bool = switch(False, "Self-Drawn counts beside Heavenly and Earthly Hand")
    values: Mapping[str, int] = element_values(TAI, MAX_TAI, "tai", {"four_kongs": 8, "half_claimed": 0})


_BESIDE: Final = (
    ("flower_set_keeps_own", ("all_flowers", "all_seasons"), ("own_flower", "own_season")),
    ("dragons_beside", ("big_dragons", "little_dragons"), ("dragon_pung",)),
    ("winds_beside", ("big_winds", "little_winds"), ("round_wind", "seat_wind", "other_wind")),
    ("single_wait_beside", ("all_claimed", "half_claimed"), ("single_wait",)),
    ("concealed_beside", ("eight_pairs",), ("fully_concealed", "concealed_hand")),
    ("self_drawn_beside", ("heavenly_hand", "earthly_hand"), ("self_drawn",)),
)
"""House rule, elements, what then counts beside them."""
_OF_PUNGS: Final = ("all_honours", "big_winds", "five_concealed")


SHAPES: Final = Shapes(sets=5, seven_pairs=False, orphans=False, eight_pairs=True)


def tai_values(case: Case[TaiwaneseOptions]) -> Mapping[str, int]:
    """Element -> its tai in this house; 0: not played."""
    return {**listed_tai(case), **dict.fromkeys(SELDOM, 0), **case.options.values}


def listed_tai(case: Case[TaiwaneseOptions]) -> Mapping[str, int]:
    """Element -> its tai by the tables."""
    options = case.options
    return {
        **TAI,
        "heavenly_hand": options.heavenly,
        "earthly_hand": options.earthly,
        "human_hand": options.human,
        "heavenly_ready": options.heavenly_ready,
        "earthly_ready": options.earthly_ready,
        "all_honours": options.all_honours,
        "eight_pairs": options.eight_pairs,
    }


def shapes_played(options: TaiwaneseOptions) -> Shapes:
    """Return five sets and a pair, and seven pairs and a pung where the house values them."""
    return SHAPES.less(eight_pairs=bool(options.values.get("eight_pairs", options.eight_pairs)))


def absorbs_of(case: Case[TaiwaneseOptions]) -> Mapping[str, tuple[str, ...]]:
    """Element -> those that it contains in this house."""
    options = case.options
    beside = {(by, one) for rule, outer, inner in _BESIDE if getattr(options, rule) for by in outer for one in inner}
    if options.winds_beside == "little":
        beside = {(by, one) for by, one in beside if by != "big_winds"}
    found = {by: tuple(one for one in inner if (by, one) not in beside) for by, inner in ABSORBS.items()}
    for by in _OF_PUNGS:
        if not options.pungs_beside or (by == "all_honours" and not options.honours_beside):
            found[by] = (*found.get(by, ()), "all_pungs")
    return found


PRESETS: Final = (
    Preset(
        "taiwan-overview",
        "Overview of tai",
        "台數表一覽",
        "nh48jid.com, 台灣十六張麻將：台數表一覽",
        {"heavenly": 24, "earthly": 16, "human": 8},
        unsettled=("base", "unit", "max_tai", "heavenly_ready", "earthly_ready", "flower_replacement"),
    ),
    Preset(
        "taiwan-association",
        "Association's table, 2009",
        "協會台數表（2009）",
        "atawmj.org.tw, 台數計算, as revised on 26 December 2009, its rows of one, two and four tai",
        {"single_wait": "shape", "west_flower": "bamboo", "flower_replacement": True, "earthly_ready": 4},
        unsettled=("base", "unit", "max_tai", "heavenly", "earthly", "human", "all_honours", "eight_pairs"),
    ),
    Preset(
        "taiwan-2023",
        "Table of 2023",
        "2023 台數表",
        "chh.cx, 2023 台灣最新麻將 16 張台數表",
        {
            "single_wait": "only",
            "flower_replacement": True,
            "all_honours": 8,
            "fourth_kong_wins": True,
            "values": {"four_kongs": 8},
            "chows_any_wait": True,
            "chows_any_pair": True,
            "chows_self_drawn": True,
        },
        unsettled=("base", "unit", "max_tai", "eight_pairs", "heavenly", "earthly", "human", "heavenly_ready"),
    ),
    Preset(
        "gamesofa",
        "Gamesofa",
        "神來也麻將",
        "gamesofa.com, 台數表, and its classroom godgame.com.tw, as told item by item in a public study of rules "
        "(青雀 127, 2026); beside Earthly Ready a self-draw counts 2 there and 1 here",
        {
            "heavenly": 24,
            "earthly": 16,
            "human": 8,
            "heavenly_ready": 0,
            "earthly_ready": 4,
            "all_honours": 8,
            "honours_beside": False,
            "eight_pairs": 0,
            "winds_beside": "little",
            "flower_replacement": True,
            "west_flower": "chrysanthemum",
            "values": {"declared_ready": 1, "last_tile_claim": 0},
        },
        unsettled=("base", "unit", "max_tai", "single_wait", "self_drawn_beside"),
    ),
    Preset(
        "star31",
        "Star 31, every flower and wind",
        "明星3缺1（見花見字）",
        "gametower.com.tw, Star31, 台數計算, its table of 見花見字, as two public programs list it; Human Hand and "
        "Seven Rob One are not in it",
        {
            "heavenly": 24,
            "earthly": 16,
            "human": 0,
            "heavenly_ready": 8,
            "earthly_ready": 4,
            "all_honours": 8,
            "eight_pairs": 0,
            "every_wind": True,
            "every_flower": True,
            "flower_set_keeps_own": True,
            "flower_replacement": True,
            "west_flower": "bamboo",
            "values": {
                "round_wind": 0,
                "seat_wind": 0,
                "plain_tiles": 2,
                "melded_kong": 1,
                "concealed_kong": 2,
                "declared_ready": 1,
                "half_claimed": 0,
                "last_tile_claim": 0,
                "seven_flowers": 0,
            },
        },
        unsettled=(
            *("base", "unit", "max_tai", "single_wait", "flower_set_keeps_own", "winds_beside", "self_drawn_beside"),
        ),
    ),
)
"""In the order they are listed to people."""
