"""What a picture without colour cannot tell: a red five from a plain one, a blank white dragon from a back."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import FloatArray, ImageArray
from vision.classify.columns import Columns

MIN_COLOUR_DEVIATION: Final = 0.5
"""Mean standard deviation of the colour differences in crops, of 255, from which a picture counts as coloured: of 887
pictures 32 are greyscale and have 0, all others have 1.4 or more."""
STEP_PX: Final = 4
"""One pixel in so many, along and across, is looked at: enough to tell, and cheap enough for each frame of a camera."""
LIKELIER_SHARE: Final = 3 / 4
"""Share of the likelier of two faces that only colour tells apart for certain: low enough to be asked about. In grey
photographs the likelier of red and plain five was right of 113 in 131."""


def shows_colour(crops: ImageArray) -> bool:
    """Whether (n, h, w, 3) uint8 RGB crops of one picture show any colour, a cast aside; true of no crops."""
    some = crops[:, ::STEP_PX, ::STEP_PX].astype(np.float32)
    apart = some[..., ::2] - some[..., 1:2]
    return not len(crops) or float(apart.std(axis=(1, 2)).mean()) >= MIN_COLOUR_DEVIATION


def without_colour(probabilities: FloatArray, columns: Columns) -> FloatArray:
    """(n, classes) the same probabilities, unsure where only colour tells two faces apart; the likelier one stays."""
    found = probabilities.copy()
    for one, other in (*columns.fives, (columns.white, columns.back)):
        both, first = found[:, one] + found[:, other], found[:, one] >= found[:, other]
        share = np.where(first, LIKELIER_SHARE, 1 - LIKELIER_SHARE)
        found[:, one], found[:, other] = both * share, both * (1 - share)
    return found
