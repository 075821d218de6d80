"""What Hangzhou asks about a win that no other rules ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scoring.basics.context_field import context_field
from scoring.basics.quick import quick
from scoring.context import Context
from scoring.seats import Seat
from scoring.tiles import Tile

PERMANENT: Final = "permanent"
"""The word for white dragons that are wild in every hand."""


@quick
@dataclass(frozen=True, slots=True)
class HangzhouContext(Context):
    """The circumstances of a Hangzhou win. ``banker`` is None when nobody said who; east is then taken to be."""

    indicator: Tile | str | None = context_field(
        "tile",
        None,
        "the indicator tile, or permanent when the white dragons are wild",
        words=(PERMANENT,),
        leads_to=("context.indicator",),
        when=("!house.permanent",),
    )
    banker: Seat | None = context_field("seat", Seat.E.value, "the dealer's seat", unsaid=None, place="table")
    streak: int = context_field(
        "number", 1, "the dealer's hand in a row, from 1", low=1, first="the dealer's first hand", place="table"
    )
    floats: int = context_field(
        "number",
        0,
        "wild tiles floated in a row before the win",
        leads_to=("context.liable", "context.doubles_after"),
        when=("self_draw",),
    )
    kong_streak: int = context_field(
        "number",
        0,
        "kongs in a row before the win",
        follows=("melds",),
        when=("self_draw", "kong"),
    )
    honours: int = context_field(
        "number",
        0,
        "winds and dragons discarded from the start of the hand, where ten of them win",
        place="rare",
        leads_to=("winning_tile",),
        when=("self_draw", "house.ten_honours"),
    )
    fed: Mapping[tuple[Seat, Seat], int] = context_field(
        "fed",
        {},
        "who fed whom how many open sets",
        place="rare",
        follows=("melds",),
        when=("self_draw|discard", "self_draw|house.liability_on_claim"),
    )
    doubles_after: int = context_field(
        "number",
        0,
        "floats and kongs made after the discard of who is liable for a float",
        place="rare",
        when=("liable",),
    )
