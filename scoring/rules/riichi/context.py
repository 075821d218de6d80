"""What riichi asks about a win that no other rules ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoring.basics.context_field import context_field
from scoring.basics.quick import quick
from scoring.context import Context
from scoring.seats import Seat
from scoring.tiles import Tile

_AFTER: Final = ("context.ippatsu", "context.ura_indicators")


@quick
@dataclass(frozen=True, slots=True)
class RiichiContext(Context):
    """The circumstances of a riichi win."""

    riichi: bool = context_field(
        "switch", False, "the winner declared riichi", leads_to=_AFTER, when=("closed", "!double_riichi")
    )
    double_riichi: bool = context_field("switch", False, "riichi in the first turn", leads_to=_AFTER, when=("closed",))
    ippatsu: bool = context_field(
        "switch", False, "won within a turn of riichi, without a call between", when=("riichi|double_riichi", "closed")
    )
    dora_indicators: tuple[Tile, ...] = context_field(
        "tiles", [], "the dora indicators turned up", flag="dora", leads_to=("context.ura_indicators",)
    )
    ura_indicators: tuple[Tile, ...] = context_field(
        "tiles",
        [],
        "the indicators underneath, after riichi",
        flag="ura",
        when=("riichi|double_riichi", "closed", "dora_indicators"),
    )
    robbed_concealed: bool = context_field(
        "switch",
        False,
        "the robbed kan was a concealed one",
        follows=("concealed", "melds", "winning_tile"),
        when=("robbed_kong", "unmelded", "!house.rob_concealed_kan"),
    )
    counters: int = context_field("number", 0, "counters on the table (honba)", place="table")
    riichi_sticks: int = context_field("number", 0, "riichi sticks the winner takes, his own included", place="table")
    wareme: Seat | None = context_field(
        "seat", None, "the seat where the wall was broken, when that rule is played", place="table"
    )
