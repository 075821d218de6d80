"""What players in Taiwan do around the hand."""

from __future__ import annotations

from typing import Final

from scoring.rulebook.custom import Custom

# The dealer stays after a win of his and after a drawn hand; what a false win costs, no table says.
CUSTOM: Final = Custom()
