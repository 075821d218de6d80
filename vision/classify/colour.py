"""What a picture without colour cannot tell: a red five from a plain one, a blank white dragon from a back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vision.metadata import Columns

MIN_COLOUR_DEVIATION: Final = 0.5
"""Mean of what the crops of a picture say of their colour (:meth:`vision.device.DeviceCrops.prints`) from which it
counts as coloured: of 887 pictures 32 are greyscale and have 0, all others have 1.4 or more."""
LIKELIER_SHARE: Final = 3 / 4
"""Share of the likelier of two faces that only colour tells apart for certain: low enough to be asked about. In grey
photographs the likelier of red and plain five was right of 113 in 131."""


def without_colour(probabilities: Sequence[float], columns: Columns) -> list[float]:
    """The probabilities of a crop, unsure where only colour tells two faces apart; the likelier one stays."""
    found = list(probabilities)
    for one, other in (*columns.fives, (columns.white, columns.back)):
        both, share = found[one] + found[other], LIKELIER_SHARE if found[one] >= found[other] else 1 - LIKELIER_SHARE
        found[one], found[other] = both * share, both * (1 - share)
    return found
