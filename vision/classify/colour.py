"""What a picture without colour cannot tell: a red five from a plain one, a blank white dragon from a back."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.classify.columns import Columns
from vision.reading import FloatArray, ImageArray

MIN_COLOUR_DEVIATION: Final = 0.5
"""Mean standard deviation of the colour differences in crops, of 255, from which a picture counts as coloured: of 887
pictures 32 are greyscale and have 0, all others have 1.4 or more."""
STEP_PX: Final = 4
"""One pixel in so many, along and across, is looked at: enough to tell, and cheap enough for each frame of a camera."""
RED_SHARE: Final = 1 / 4
"""Share of the fives of a suit that are red in a set that has them."""
LIKELIER_SHARE: Final = 3 / 4
"""Share of the likelier of white dragon and back where only the colour would tell: low enough to be asked about."""


def shows_colour(crops: ImageArray) -> bool:
    """Whether (n, h, w, 3) uint8 RGB crops of one picture show any colour, a cast aside; true of no crops."""
    some = crops[:, ::STEP_PX, ::STEP_PX].astype(np.float32)
    apart = some[..., ::2] - some[..., 1:2]
    return not len(crops) or float(apart.std(axis=(1, 2)).mean()) >= MIN_COLOUR_DEVIATION


def without_colour(probabilities: FloatArray, columns: Columns) -> FloatArray:
    """(n, classes) the same probabilities, undecided about what only colour tells apart.

    Red and plain fives share their sum as in a set with red ones, white dragon and back so that the likelier stays.
    """
    found = probabilities.copy()
    for red, plain in columns.fives:
        both = found[:, red] + found[:, plain]
        found[:, red], found[:, plain] = both * RED_SHARE, both * (1 - RED_SHARE)
    white, back = found[:, columns.white], found[:, columns.back]
    both, share = white + back, np.where(white >= back, LIKELIER_SHARE, 1 - LIKELIER_SHARE)
    found[:, columns.white], found[:, columns.back] = both * share, both * (1 - share)
    return found
