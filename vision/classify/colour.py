"""What colour leaves open: without any a red five and a blank white dragon, with red edges a five of dots."""

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

RED_EDGES: Final = 4.0
"""How red the outer dots of a five that is read as a plain one are at least where it may be a red one whose rings are
only edged in red, see :meth:`vision.device.DeviceCrops.prints`: of 105 plain ones in photographs that teach one reaches
it, at most one in a hundred being asked about. Redder by so much than another five of its photo, 16 of 17 are red."""


def without_colour(probabilities: Sequence[float], columns: Columns) -> list[float]:
    """The probabilities of a crop, unsure where only colour tells two faces apart; the likelier one stays."""
    found = list(probabilities)
    for one, other in (*columns.fives, (columns.white, columns.back)):
        both, share = found[one] + found[other], LIKELIER_SHARE if found[one] >= found[other] else 1 - LIKELIER_SHARE
        found[one], found[other] = both * share, both * (1 - share)
    return found


def with_red_edges(probabilities: Sequence[float], columns: Columns, *, likelier_red: bool) -> list[float]:
    """The probabilities of a five of dots with red in its outer dots, read as a plain one: hardly sure of either."""
    found, share = list(probabilities), LIKELIER_SHARE if likelier_red else 1 - LIKELIER_SHARE
    red, plain = columns.dots
    both = found[red] + found[plain]
    found[red], found[plain] = both * share, both * (1 - share)
    return found
