"""Flowers, seasons and animals, looked at again both ways up by a network that learnt nothing else.

Sets agree on what a bonus tile's caption says but not on its picture, and captions are small: a network for all faces
goes by the picture too often.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from scoring.tiles import PLAIN
from vision.arrays import FloatArray, ImageArray
from vision.classify.classifier import BATCH_CROPS, softmax
from vision.errors import ModelError
from vision.models.zoo import Model

MIN_BONUS_CHANCE: Final = 0.05
"""Crops whose chance of showing a bonus tile is above this are looked at again."""
_BONUS: Final = tuple(tile.code for tile in PLAIN if tile.is_bonus)


class BonusClassifier:
    """Redistributes a crop's chance of showing a bonus tile among the bonus tiles, by two looks: both ways up."""

    def __init__(self, model: Model, labels: Sequence[str]) -> None:
        """Take the network and the column labels of the classifier whose crops it reads.

        Raises:
            ModelError: its metadata lack what is needed, or it does not know the classifier's bonus tiles.
        """
        known = list(model.value("labels"))
        if set(known) != {label for label in labels if label in _BONUS}:
            message = "The models do not know the same flowers, seasons and animals; install hupai again."
            raise ModelError(message, code="model_unsuitable")
        self.model, self.temperature = model, float(model.value("temperature"))
        self._given = np.array([labels.index(code) for code in known], np.intp)

    def __call__(self, crops: ImageArray, probabilities: FloatArray) -> FloatArray:
        """Name the bonus tiles of (n, height, width, 3) crops anew, given the classifier's (n, classes) probabilities.

        Returns:
            (n, classes) probabilities: each row's total for bonus tiles is as before, its split among them is new.
        """
        # Contiguous rows: otherwise the order of summation, and so the last bit, depends on the number of rows.
        given = np.ascontiguousarray(probabilities[:, self._given]).sum(axis=1)
        rows = np.flatnonzero(given > MIN_BONUS_CHANCE)
        changed = probabilities.copy()
        for start in range(0, len(rows), BATCH_CROPS):
            some = rows[start : start + BATCH_CROPS]
            both = [self.model.run(way, ["face"])[0] for way in (crops[some], crops[some, ::-1, ::-1])]
            shares = softmax(np.mean(both, axis=0) / self.temperature)
            changed[np.ix_(some, self._given)] = given[some, None] * shares
        return changed
