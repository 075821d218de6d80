"""What Zung Jung asks about a win that no other rules ask."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.basics.circumstance import asked
from scoring.basics.quick import quickly_made
from scoring.context import Context
from scoring.seats import Seat
from scoring.tiles import Tile


@quickly_made
@dataclass(frozen=True, slots=True)
class ZungJungContext(Context):
    """The circumstances of a Zung Jung win. ``turn_discards`` are (seat, tile) in the order of play."""

    responsible: Seat | str = asked(
        "responsible",
        "auto",
        "who gave the tile: auto is the discarder",
        more=", or who `turn_discards` say; `none`, or a seat",
        words=("auto", "none"),
        place="rare",
        when=("!self_draw",),
    )
    turn_discards: tuple[tuple[Seat, Tile], ...] = asked(
        "discards",
        [],
        "discards of the same turn before the winning one: seat and tile each",
        more=", from the winner's last turn to the winning one, which ends them: "
        '`[{"seat": "W", "tile": "8s"}]`. Whoever threw the winning tile\'s kind first since then is responsible, '
        "nobody if it was the winner himself",
    )
