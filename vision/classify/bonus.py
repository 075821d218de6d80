"""Flowers, seasons and animals, looked at again: both ways up, and by a network that learnt nothing else.

Sets agree on what a bonus tile's caption says but not on its picture, and captions are small: a network for all faces
goes by the picture too often.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from scoring.tiles import PLAIN
from vision.classify.classifier import BATCH, softmax
from vision.errors import ModelError
from vision.models.zoo import Model
from vision.reading import FloatArray, ImageArray

ASKED: Final = 0.05
"""Crops are looked at again from this chance on that they show a bonus tile."""
LEAST: Final = 1e-9
"""Chances are taken for no less, so that they have logarithms."""
_BONUS: Final = tuple(tile.code for tile in PLAIN if tile.is_bonus)


class BonusClassifier:
    """Shares the chance that a crop shows a bonus tile out anew among them, by several looks together."""

    def __init__(self, models: Sequence[Model]) -> None:
        """Take networks that read crops of one size: the classifier's first, whose labels the columns have.

        The last one's ``temperature`` is that of the looks together.

        Raises:
            ModelError: their metadata lack what is needed, or they do not know the same bonus tiles.
        """
        self.models = tuple(models)
        labels = [list(model.value("labels")) for model in models]
        codes = [code for code in _BONUS if code in labels[0]]
        if any(set(known) & set(_BONUS) != set(codes) for known in labels):
            raise ModelError(
                "The models do not know the same flowers, seasons and animals; install hupai again.",
                code="model_unsuitable",
            )
        self._columns = [np.array([known.index(code) for code in codes], np.intp) for known in labels]
        self._seen, self.temperature = (float(models[k].value("temperature")) for k in (0, -1))

    def __call__(self, crops: ImageArray, probabilities: FloatArray) -> FloatArray:
        """Name the bonus tiles anew.

        Args:
            crops: (n, height, width, 3) uint8 RGB, upright or turned by quarters.
            probabilities: (n, classes) of the classifier, rows sum to 1.

        Returns:
            (n, classes) the same chances of being a bonus tile at all, otherwise shared out among them.
        """
        columns = self._columns[0]
        # Rows in one piece: otherwise the order of a sum, and its last bit, hangs on how many rows there are.
        given = np.ascontiguousarray(probabilities[:, columns]).sum(axis=1)
        rows = np.flatnonzero(given > ASKED)
        changed = probabilities.copy()
        for start in range(0, len(rows), BATCH):
            some = rows[start : start + BATCH]
            looks = [self._seen * np.log(probabilities[np.ix_(some, columns)] + LEAST), *self._more(crops[some])]
            changed[np.ix_(some, columns)] = given[some, None] * softmax(np.mean(looks, axis=0) / self.temperature)
        return changed

    def _more(self, crops: ImageArray) -> list[FloatArray]:
        """Logits (n, codes) of every look but the classifier's first, which is known."""
        ways = crops, np.ascontiguousarray(crops[:, ::-1, ::-1])
        return [
            np.asarray(model.run(way, ["face"])[0][:, columns], np.float32)
            for k, (model, columns) in enumerate(zip(self.models, self._columns, strict=True))
            for way in (ways if k else ways[1:])
        ]
