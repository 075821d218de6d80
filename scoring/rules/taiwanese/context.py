"""What Taiwanese mahjong asks about a win that other rules do not ask, and what makes no sense in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.basics.context_field import context_field
from scoring.basics.quick import quick
from scoring.context import Context, Win
from scoring.errors import Fault
from scoring.seats import Seat
from scoring.system import Case


@quick
@dataclass(frozen=True, slots=True)
class TaiwaneseContext(Context):
    """The circumstances of a Taiwanese win; the dealer is east."""

    dealt_replacement: ClassVar[bool] = True

    streak: int = context_field(
        "number", 1, "the dealer's hand in a row, from 1", low=1, first="the dealer's first hand", place="table"
    )
    heavenly_ready: bool = context_field(
        "switch", False, "the hand waited since the deal, and was left as it was", when=("closed", "!earthly_ready")
    )
    earthly_ready: bool = context_field(
        "switch",
        False,
        "the hand waited since the winner's first discard, nothing claimed before",
        when=("closed", "!heavenly_ready"),
    )
    declared_ready: bool = context_field("switch", False, "the winner had declared that the hand was ready")


def context_faults(case: Case[Any]) -> list[Fault]:
    """An earthly hand is drawn; who was ready from the start claimed nothing and has not won before."""
    c, hand = case.context.convert_to(TaiwaneseContext), case.hand
    faults = []
    if c.earthly:
        if c.seat is Seat.E:
            faults.append(("earthly", "The dealer cannot have an earthly hand: seat cannot be E."))
        if c.win is not Win.SELF_DRAW:
            faults.append(("earthly", "Here an earthly hand wins on the first tile drawn: win must be self_draw."))
        if hand.melds:
            faults.append(("earthly", "An earthly hand has no melds."))
    ready = [name for name in ("heavenly_ready", "earthly_ready") if getattr(c, name)]
    if (c.heavenly or c.earthly or c.humanly) and (ready or c.declared_ready):
        name = ready[0] if ready else "declared_ready"
        faults.append((name, "A hand that wins before the first discard was never ready."))
    if len(ready) > 1:
        faults.append(("earthly_ready", "A hand was ready since the deal or since the first discard, not both."))
    for name in ready[:1]:
        if not hand.is_concealed:
            message = "A player who was ready from the start has claimed nothing: only concealed kongs may be melded."
            faults.append((name, message))
        if c.flower_win:
            faults.append((name, "A flower win asks for no ready hand."))
    return [Fault("contradiction", message, f"context.{name}") for name, message in faults]
