"""What players in Singapore do around the hand."""

from __future__ import annotations

from typing import Final

from scoring.rulebook.custom import Custom
from scoring.rules.singapore.payment import INSTANT, false_win, instant_payments

CUSTOM: Final = Custom(
    false_win=false_win,
    instant=lambda seat, event, options, dealt: instant_payments(seat, event, options, dealt=dealt),
    events=tuple(INSTANT),
)
