"""What riichi players do around the hand."""

from __future__ import annotations

from typing import Final

from scoring.rulebook.custom import Custom, Rotation
from scoring.rules.riichi.payments.draws import chombo

CUSTOM: Final = Custom(
    rotation=Rotation.RIICHI,
    sticks=True,
    false_win=lambda offender, _: chombo(offender),
    points=25_000,
    # East and south are played (hanchan); who is below zero ends the game; a last dealer who leads need not go on.
    course={"rounds": 2, "out_of_points": "ends_below_zero", "dealer_ends": "win", "ties": "seat"},
)
