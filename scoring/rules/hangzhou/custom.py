"""What players in Hangzhou do around the hand."""

from __future__ import annotations

from typing import Final

from scoring.rulebook.custom import Custom, Rotation
from scoring.rules.hangzhou.payment import false_win

CUSTOM: Final = Custom(
    # The winner is the next banker; the banker stays when he wins, and at a draw. So the end is a matter of time, and a
    # player who has lost his chips, 50 of them for example, owes nothing and plays on.
    rotation=Rotation.WINNER,
    winners=1,
    claimed_back=false_win,
    points=50,
    course={"rounds": None, "out_of_points": "pays_what_is_left"},
)
