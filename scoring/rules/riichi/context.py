"""What riichi asks about a win that no other rules ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoring.basics.circumstance import asked
from scoring.basics.quick import quickly_made
from scoring.context import Context
from scoring.seats import Seat
from scoring.tiles import Tile

_AFTER: Final = ("context.ippatsu", "context.ura_indicators")


@quickly_made
@dataclass(frozen=True, slots=True)
class RiichiContext(Context):
    """The circumstances of a riichi win."""

    riichi: bool = asked("switch", False, "the winner declared riichi", leads_to=_AFTER, when=("closed",))
    double_riichi: bool = asked("switch", False, "riichi in the first turn", leads_to=_AFTER, when=("closed",))
    ippatsu: bool = asked(
        "switch", False, "won within a turn of riichi, without a call between", when=("riichi|double_riichi", "closed")
    )
    dora_indicators: tuple[Tile, ...] = asked("tiles", [], "the dora indicators turned up", flag="dora")
    ura_indicators: tuple[Tile, ...] = asked("tiles", [], "the indicators underneath, after riichi", flag="ura")
    counters: int = asked("number", 0, "counters on the table (honba)", place="table")
    riichi_sticks: int = asked("number", 0, "riichi sticks the winner takes, his own included", place="table")
    wareme: Seat | None = asked(
        "seat", None, "the seat where the wall was broken, when that rule is played", place="table"
    )
