"""What detector and classifier report for one photo."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.arrays import FloatArray, ImageArray


@dataclass(frozen=True, slots=True)
class Detections:
    """What detector and classifier report for one photo, the surest first; which are tiles is decided later.

    Attributes:
        quads: (n, 4, 2) float32 pixels of the upright original, clockwise, first edge a short one.
        located: (n,) float32 scores of the detector, 0-1.
        spread: (n,) float32 how far the detector's cells disagree on each, see :class:`vision.detect.nms.ScoredQuad`.
        crops: (n, height, width, 3) uint8 RGB, one for each quad, upright or turned by quarters.
        probabilities: (n, classes) float32 of the classifier, rows sum to 1.
        turns: (n,) quarter turns that bring the picture's top-left corner to the first place.
        embeddings: (n, D) float32 of the classifier.
        size: (2,) float32 width and height of the photo, pixels.
        negative: whether they were found in and cut from the photo's negative.

    Raises:
        ValueError: the arrays have not one row for each quad.
    """

    quads: FloatArray
    located: FloatArray
    spread: FloatArray
    crops: ImageArray
    probabilities: FloatArray
    turns: npt.NDArray[np.intp]
    embeddings: FloatArray
    size: FloatArray
    negative: bool = False

    def __post_init__(self) -> None:
        rows = (self.located, self.spread, self.crops, self.probabilities, self.turns)
        if any(len(v) != len(self) for v in rows):
            raise ValueError("quads, scores, crops and what was read of them must be equally many")

    def __len__(self) -> int:
        return len(self.quads)
