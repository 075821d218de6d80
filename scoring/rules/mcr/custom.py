"""What players of Mahjong Competition Rules do around the hand."""

from __future__ import annotations

from typing import Final

from scoring.rulebook.custom import Custom, Rotation
from scoring.rules.mcr.payment import false_win

# Sixteen hands, four rounds of four: the deal passes after every one, and one player wins.
CUSTOM: Final = Custom(rotation=Rotation.NEVER, winners=1, false_win=false_win)
