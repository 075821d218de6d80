"""What Hong Kong players do around the hand."""

from __future__ import annotations

from typing import Final

from scoring.rulebook.custom import Custom
from scoring.rules.hongkong.payment import false_win

# Out of chips, some owe and buy chips back, some play on without risk, some end the game: no rule is followed by all.
CUSTOM: Final = Custom(false_win=false_win)
