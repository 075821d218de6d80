"""What each rule system does at the table beyond scoring a hand: rotation, draws, penalties, instant payments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hupai.ledger.rotation import Rotation
from scoring.payments import Payments
from scoring.rules.hongkong import false_win as hongkong_false_win
from scoring.rules.riichi import chombo
from scoring.rules.singapore.payment import INSTANT, instant_payments
from scoring.seats import Seat

STICK: Final = 1000
"""What declaring riichi lays into the pot."""


@dataclass(frozen=True, slots=True)
class Custom:
    """The customs of one system.

    Attributes:
        rotation: when the dealer stays.
        sticks: players lay riichi sticks into a pot, draws pay the players who are ready.
        winners: how many may win on one discard.
        false_win: (offender, house rules) -> the penalty, or None where the rules name no amount.
        instant: (seat, event, house rules, dealt) -> payment for a rare event, or None where there is none.
        events: the events of ``instant``.
    """

    rotation: Rotation = Rotation.WIN_OR_DRAW
    sticks: bool = False
    winners: int = 3
    false_win: Callable[[Seat, Any], Payments] | None = None
    instant: Callable[[Seat, str, Any, bool], Payments] | None = None
    events: tuple[str, ...] = ()


CUSTOMS: Final[Mapping[str, Custom]] = {
    "hongkong": Custom(false_win=hongkong_false_win),
    # Zung Jung is played in sixteen hands: the deal passes after every one.
    "zungjung": Custom(rotation=Rotation.NEVER, winners=1),
    # There the winner of a hand is the banker of the next one; the banker stays when he wins, and at a draw.
    "hangzhou": Custom(rotation=Rotation.WINNER, winners=1),
    "singapore": Custom(
        instant=lambda seat, event, options, dealt: instant_payments(seat, event, options, dealt=dealt),
        events=tuple(INSTANT),
    ),
    "riichi": Custom(rotation=Rotation.RIICHI, sticks=True, false_win=lambda offender, _: chombo(offender)),
}


def custom_of(rules: str) -> Custom:
    """The customs of a system by its id; a system without an entry has the usual ones."""
    return CUSTOMS.get(rules, Custom())
