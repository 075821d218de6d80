"""House rules of Hong Kong, and the tables that turn faan into money."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from scoring.errors import Fault
from scoring.options import amount, choice, switch, whole

_SIMPLIFIED: Final = (1, 2, 2, 2, 4, 4, 4, 8)  # from 3 faan, the last for 10 and more
_LEAST: Final = 3  # the faan of its first cell
_TRADITIONAL: Final = (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64)
_CANTON: Final = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384)
_FROM_THREE: Final = ("simplified", "canton")


@dataclass(frozen=True, slots=True)
class HongKongOptions:
    """House rules."""

    table: str = choice(
        "traditional",
        ("simplified", "canton", "traditional4", "parlor", "unlimited"),
        "faan to money: traditional (doubles to 4, half doubles after), simplified (1 2 4 8), canton, traditional4 "
        "(flat from 4 faan), parlor (always 1), unlimited (2 to the faan, no cap)",
    )
    min_faan: int | str = whole(
        "auto",
        "faan a win needs; auto is 3 for simplified and canton, else 0; the simplified table pays nothing below 3",
        high=13,
        words=("auto",),
    )
    max_faan: int = whole(13, "faan are cut to this, except by the unlimited table", low=1, high=40)
    dealer_doubling: bool = switch(True, "east pays and is paid double")
    canton_settlement: str = choice(
        "doubling", ("columns",), "canton table: the usual doubling, or its printed columns (discarder alone pays)"
    )
    min_needs_pattern: bool = switch(False, "the minimum must include a faan for the hand or its sets")
    rob_kong_pays_all: bool = switch(True, "the robbed player pays for everyone")
    seven_pairs: bool = switch(True, "seven pairs win")
    concealed_requires_self_pick: bool = switch(False, "Win from Wall counts on a self-drawn tile only")
    flower_set_keeps_own: bool = switch(False, "the own flower still counts beside its full set")
    bonus_tiles_in_play: bool = switch(True, "flowers and seasons are used; off: none of their rows counts")
    unit: Decimal = amount("1", "money for one unit of the table")


def base_of(faan: int, options: HongKongOptions) -> int:
    """The table's figure for this many faan (after the cap), in units; canton's is its discard column."""
    table = options.table
    if table == "simplified":
        return _SIMPLIFIED[min(max(faan, _LEAST), 10) - _LEAST]
    if table == "canton":
        return _CANTON[min(faan, 13)]
    if table == "traditional4":
        return _TRADITIONAL[min(faan, 4)]
    if table == "parlor":
        return 1
    return 2**faan if table == "unlimited" else _TRADITIONAL[min(faan, 10)]


def minimum_of(options: HongKongOptions) -> int:
    """The faan a win needs; the simplified table has no cells below 3, so less is no win there."""
    if isinstance(options.min_faan, int):
        return max(options.min_faan, _LEAST) if options.table == "simplified" else options.min_faan
    return 3 if options.table in _FROM_THREE else 0


def option_faults(options: HongKongOptions) -> list[Fault]:
    """House rules that contradict each other."""
    need = minimum_of(options)
    if options.table == "unlimited" or options.max_faan >= need:
        return []
    cut = f"Faan are cut to {options.max_faan} but"
    if options.table == "simplified" and options.max_faan < _LEAST:  # no lower minimum would help
        message = f"{cut} the simplified table pays nothing below {_LEAST}: raise max_faan to {need} or more."
    else:
        message = f"{cut} a win needs {need}: raise max_faan or lower min_faan."
    return [Fault("bad_option", message, "options.max_faan")]
