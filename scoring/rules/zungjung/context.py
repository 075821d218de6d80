"""What Zung Jung asks about a win that no other rules ask."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.basics.context_field import context_field
from scoring.basics.quick import quick
from scoring.context import Context
from scoring.seats import Seat
from scoring.tiles import Tile


@quick
@dataclass(frozen=True, slots=True)
class ZungJungContext(Context):
    """The circumstances of a Zung Jung win. ``turn_discards`` are (seat, tile) in the order of play."""

    responsible: Seat | str = context_field(
        "responsible",
        "auto",
        "who gave the tile: auto is the discarder",
        words=("auto", "none"),
        place="rare",
        when=("!self_draw",),
    )
    turn_discards: tuple[tuple[Seat, Tile], ...] = context_field(
        "discards",
        [],
        "discards of the same turn before the winning one: seat and tile each",
    )
