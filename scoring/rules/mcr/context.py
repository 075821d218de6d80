"""What Mahjong Competition Rules ask about a win that no other rules ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoring.basics.context_field import context_field
from scoring.basics.quick import quick
from scoring.context import Context
from scoring.errors import Fault
from scoring.hand import KONG_CONCEALED
from scoring.system import Case
from scoring.words.sentence import say


@quick
@dataclass(frozen=True, slots=True)
class McrContext(Context):
    """The circumstances of a win under Mahjong Competition Rules."""

    last_of_kind: bool = context_field(
        "switch", False, "the three other tiles of the winning kind lay open on the table", follows=("winning_tile",)
    )


def last_of_kind_faults(case: Case[Any]) -> list[Fault]:
    """The three others lay open: the winner conceals none of them, and no other is in his hand."""
    tile = case.hand.winning_tile
    if tile is None or not case.context.convert_to(McrContext).last_of_kind:
        return []
    hidden = case.hand.held[tile.kind] - 1
    hidden += sum(m.kind == tile.kind for m in case.hand.melds if m.type is KONG_CONCEALED)
    if not hidden:
        return []
    message = say(
        "The three other {t} lay open on the table, so the winner cannot conceal another {u}.", t=tile, u=tile
    )
    return [Fault("contradiction", message, "context.last_of_kind")]
