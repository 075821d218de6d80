"""Animals and red fives lie in few sets: where no other in the photo is sure, one is believed less.

The networks learn from scenes with many of them, so in photographs they see more than there are: what looks like an
animal is often another bird, what looks like a red five a dealer's die or a sign.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.classes import Classes
from vision.geometry import BoolArray
from vision.reading import FloatArray

SURE: Final = 0.97
"""Probability from which one animal, or one red five, shows that the set has them."""
ANIMALS: Final = 0.2
"""Odds on an animal are this many times what the reader says, where no animal is sure."""
REDS: Final = 0.05
"""The same for a red five and the plain five together, of what looks most like a red one: a red five may be none, but
is hardly another tile. In 1,751 photos both leave 9 of 28 false animals and 17 of 24 false red fives, and all 107 red
fives; in 160 rendered ones the same 30 of 31 animals are named right."""


def seldom(probabilities: FloatArray, tiles: BoolArray, classes: Classes) -> FloatArray:
    """Weigh what the reader says of animals and red fives by how seldom they are.

    Args:
        probabilities: (n, classes), rows sum to 1.
        tiles: (n,) which finds are likely tiles at all; only they show what the set has.
        classes: which column is what.

    Returns:
        (n, classes); rows sum to 1.
    """
    weights = np.ones_like(probabilities)
    animals, reds = list(classes.animals), [red for red, _ in classes.reds]
    if not (probabilities[tiles][:, animals] >= SURE).any():
        weights[:, animals] = ANIMALS
    if not (probabilities[tiles][:, reds] >= SURE).any():
        best = probabilities.argmax(axis=1)
        for red, five in classes.reds:
            weights[np.ix_(best == red, [red, five])] = REDS
    weighed = probabilities * weights
    return np.asarray(weighed / weighed.sum(axis=1, keepdims=True), np.float32)
