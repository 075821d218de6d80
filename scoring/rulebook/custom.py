"""What a rule system does at the table beyond scoring a hand: deal, draws, penalties, instant payments, the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from scoring.context import Context
from scoring.payments import Payments
from scoring.seats import Seat


class Rotation(StrEnum):
    """When the dealer stays."""

    WIN_OR_DRAW = "win_or_draw"
    WIN = "win"
    NEVER = "never"
    WINNER = "winner"
    RIICHI = "riichi"


@dataclass(frozen=True, slots=True)
class Custom:
    """The customs of one system.

    Attributes:
        rotation: when the dealer stays.
        sticks: players lay riichi sticks into a pot, draws pay the players who are ready.
        winners: how many may win on one discard.
        false_win: (offender, house rules) -> the penalty, or None where the rules name no amount.
        claimed_back: (the win that was claimed, its value, house rules) -> the penalty, where it is the win's amount.
        instant: (seat, event, house rules, dealt) -> payment for a rare event, or None where there is none.
        events: the events of ``instant``.
        points: what each player usually begins with; 0 where the rules name nothing.
        course: how a game of these rules runs and ends, where it differs from the usual (``hupai.ledger.course``).
    """

    rotation: Rotation = Rotation.WIN_OR_DRAW
    sticks: bool = False
    winners: int = 3
    false_win: Callable[[Seat, Any], Payments] | None = None
    claimed_back: Callable[[Context, int, Any], Payments] | None = None
    instant: Callable[[Seat, str, Any, bool], Payments] | None = None
    events: tuple[str, ...] = ()
    points: int = 0
    course: Mapping[str, Any] = field(default_factory=dict)
