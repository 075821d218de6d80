"""House rules and presets of Hong Kong, and the tables that turn faan into money."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from scoring.errors import Fault
from scoring.options import choice, decimal_option, element_values, switch, whole
from scoring.rulebook.presets import Preset
from scoring.rules.hongkong.elements import FAAN
from scoring.words.sentence import say

_TABLES: Final = {
    "traditional": (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64),
    "4-6-8": (1, 2, 4, 8, 16, 16, 32, 32, 64),
    "5-7-9": (1, 2, 4, 8, 16, 32, 32, 64, 64, 128),
    "simplified": (1, 1, 1, 1, 2, 2, 2, 4, 4, 4, 8),
    "canton": (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384),
    "traditional4": (1, 2, 4, 8, 16),
    "parlor": (1,),
}
"""Table -> its figures from 0 faan on, of canton's the discard column; the last one is for more faan, too. The others
double without end."""
_SIMPLIFIED_MIN_FAAN: Final = 3  # its first cell
_TOO_LOW: Final = "Faan are cut to {n} but the simplified table pays nothing below {m}: raise max_faan to {k} or more."
_FROM_THREE: Final = ("simplified", "canton", "unlimited", "full_spicy")
MAX_FAAN: Final = 40
"""The highest value an element may be given."""


@dataclass(frozen=True, slots=True)
class HongKongOptions:
    """House rules; where the source text names a variation or can be read two ways, the default has its reason.

    - ``values``: some tables count an element otherwise, or not at all.
    - ``table``: the only table of the text that pays from 0 faan up to a limit and agrees with its own prose.
    - ``canton_settlement``: the prose and all three examples double the discard column; the printed self-draw column is
      half of what they pay.
    - ``dealer_doubling``: the prose and all nine examples double for East; the columns of the traditional table do not.
    - ``min_faan``: the styles differ; the unlimited one imposes a minimum, typically three, as two of the tables do.
    - ``pays_from``: some styles let a hand of one faan or less win for nothing (2 here); the tables pay every hand.
    - ``min_needs_pattern``: called generally accepted. Off, since a hand that is concealed, self-picked and without
      flowers is widely let win.
    - ``rob_kong_as_self_pick``: a robbed kong is penalised like twelve pieces, a penalty for self-picked hands. Off,
      since the same row adds a faan for the robbery and none for a self-pick: all losses are then a discard's.
    - ``seven_pairs``: played by some variants only. On, so that every row of the table counts.
    - ``small_winds_pair``: some variations disallow the prevailing or the seat wind as its pair; the row does not.
    - ``seven_pairs_mixed_orphans``: Mixed Orphans asks for tiles only, so seven pairs could have it. Off, since the row
      of Seven Pairs lists what it may stand beside, and this is not in the list.
    - ``self_triplets_keep_all_triplets``: the rows beside it leave All in Triplets out in so many words, this one does
      not. Off, since of two criteria, one a part of the other, the text scores the stricter alone.
    - ``self_triplets_kongs``: "unmelded" leaves open whether a concealed kong will do. On: nothing of it was claimed.
    - ``nine_gates_self_drawn``: the concealment the text asks for would admit any drawn tile. Off, since the name is
      explained by the nine tiles that win.
    - ``concealed_requires_self_pick``: an additional requirement of some variations.
    - ``flower_set_keeps_own``: the seat's flower is a part of the set, and the stricter of two criteria counts alone.
    """

    table: str = choice(
        "traditional",
        ("4-6-8", "5-7-9", "simplified", "canton", "traditional4", "parlor", "unlimited", "full_spicy"),
        "faan to money: traditional (doubles to 4, then at 7 and 10), 4-6-8 and 5-7-9 (the same with those steps), "
        "simplified (1 2 4 8), canton, traditional4 (flat from 4 faan), parlor (always 1), unlimited (2 to the faan, "
        "no cap), full_spicy (2 to the faan, up to max_faan)",
    )
    min_faan: int | str = whole(
        "auto",
        "faan a win needs; auto is 3 for simplified, canton, unlimited and full_spicy, else 0; the simplified table "
        "pays nothing below 3",
        high=13,
        words=("auto",),
    )
    max_faan: int = whole(13, "faan are cut to this, except by the unlimited table", low=1, high=MAX_FAAN)
    values: Mapping[str, int] = element_values(FAAN, MAX_FAAN, "faan", {"all_triplets": 2, "seat_wind": 0})
    pays_from: int = whole(0, "a win of fewer faan is a win but pays nothing", high=13)
    dealer_doubling: bool = switch(True, "east pays and is paid double")
    canton_settlement: str = choice(
        "doubling", ("columns",), "canton table: the usual doubling, or its printed columns (discarder alone pays)"
    )
    min_needs_pattern: bool = switch(False, "the minimum must include a faan for the hand or its sets")
    rob_kong_pays_all: bool = switch(True, "the robbed player pays for everyone")
    rob_kong_as_self_pick: bool = switch(False, "a robbed kong is paid as a self-picked hand would be")
    seven_pairs: bool = switch(True, "seven pairs win")
    seven_pairs_mixed_orphans: bool = switch(False, "Mixed Orphans counts beside Seven Pairs")
    small_winds_pair: str = choice(
        "any",
        ("not_round", "not_seat", "neither"),
        "the pair of Small Winds: any wind, not the round wind, not the seat wind, or neither of the two",
    )
    self_triplets_keep_all_triplets: bool = switch(False, "All in Triplets counts beside Self Triplets")
    self_triplets_kongs: bool = switch(True, "concealed kongs count for Self Triplets")
    nine_gates_self_drawn: bool = switch(False, "a self-drawn Nine Gates need not have waited for all nine tiles")
    concealed_requires_self_pick: bool = switch(False, "Win from Wall counts on a self-drawn tile only")
    flower_set_keeps_own: bool = switch(False, "the seat's own flower still counts beside its full set")
    bonus_tiles_in_play: bool = switch(True, "flowers and seasons are used; off: none of their rows counts")
    unit: Decimal = decimal_option("1", "money for one unit of the table")


def base_of(faan: int, options: HongKongOptions) -> int:
    """The table's figure for this many faan (after the cap), in units."""
    figures = _TABLES.get(options.table)
    return 2**faan if figures is None else figures[min(faan, len(figures) - 1)]


def minimum_of(options: HongKongOptions) -> int:
    """The faan a win needs; the simplified table has no cells below 3, so less is no win there."""
    if isinstance(options.min_faan, int):
        return max(options.min_faan, _SIMPLIFIED_MIN_FAAN) if options.table == "simplified" else options.min_faan
    return 3 if options.table in _FROM_THREE else 0


def option_faults(options: HongKongOptions) -> list[Fault]:
    """House rules that contradict each other."""
    need = minimum_of(options)
    if options.table == "unlimited":
        return []
    if options.max_faan < options.pays_from:
        message = say(
            "Faan are cut to {n} but a win pays from {m}: lower pays_from.", n=options.max_faan, m=options.pays_from
        )
        return [Fault("bad_option", message, "options.pays_from")]
    if options.max_faan >= need:
        return []
    if options.table == "simplified" and options.max_faan < _SIMPLIFIED_MIN_FAAN:  # no lower minimum would help
        message = say(_TOO_LOW, n=options.max_faan, m=_SIMPLIFIED_MIN_FAAN, k=need)
    else:
        cut = "Faan are cut to {n} but a win needs {m}: raise max_faan or lower min_faan."
        message = say(cut, n=options.max_faan, m=need)
    return [Fault("bad_option", message, "options.max_faan")]


_ARTICLE: Final = "Wikipedia, Hong Kong mahjong scoring rules"
_NOBODY_DOUBLES: Final = "bigproduction.com's table of what each pays doubles for nobody's seat"

PRESETS: Final = (
    Preset(
        "half-spicy",
        "Half spicy, 3 faan",
        "三番起糊半辣上",
        f"{_ARTICLE}: the table of 0 to 13 faan (Canton); mahjongfinder.com names the style; {_NOBODY_DOUBLES}",
        {"table": "canton", "min_faan": 3, "max_faan": 13, "dealer_doubling": False},
        unsettled=("dealer_doubling",),
    ),
    Preset(
        "full-spicy",
        "Full spicy, 3 faan",
        "三番起糊辣辣上",
        f"{_ARTICLE}: every faan doubles; mahjongfinder.com names the style and 8, 10 or 13 faan as its "
        f"limit; {_NOBODY_DOUBLES}",
        {"table": "full_spicy", "min_faan": 3, "max_faan": 10, "dealer_doubling": False},
        unsettled=("max_faan", "dealer_doubling"),
    ),
    Preset(
        "hk-modern",
        "Modern style",
        "新派",
        f"{_ARTICLE}: limits at 4, 7 and 10 faan, and one faan to win where it is played for money",
        {"table": "traditional", "min_faan": 1},
    ),
    Preset(
        "hk-2-2",
        "2-2, half flush and triplets at two",
        "對對混一色各兩番",
        "edderiofer's list of Hong Kong tables (EpicOrange/riichi_advanced, issue 180), after Perlmen and Chan: two "
        "faan for All in Triplets and Mixed One Suit, four or five for All One Suit",
        {"values": {"all_triplets": 2, "mixed_one_suit": 2, "all_one_suit": 4}},
        unsettled=("values", "table", "min_faan"),
    ),
    Preset(
        "hk-traditional",
        "Traditional style, 4-faan limit",
        "老派四番滿糊",
        f"{_ARTICLE}: more than 4 faan pay as 4",
        {"table": "traditional4"},
    ),
    Preset(
        "hk-simplified",
        "Simplified table, 3 faan",
        "三番起糊簡化",
        f"{_ARTICLE}: the simplified table",
        {"table": "simplified", "min_faan": 3},
    ),
    Preset(
        "hk-parlour",
        "Parlour style",
        "麻雀館",
        f"{_ARTICLE}: every win pays the same",
        {"table": "parlor"},
    ),
)
"""In the order they are listed to people."""
