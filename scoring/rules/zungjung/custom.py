"""What players of Zung Jung do around the hand."""

from __future__ import annotations

from typing import Final

from scoring.rulebook.custom import Custom, Rotation
from scoring.rules.zungjung.payment import false_win

# Sixteen hands, four rounds of four: the deal passes after every one.
CUSTOM: Final = Custom(rotation=Rotation.NEVER, winners=1, false_win=false_win)
