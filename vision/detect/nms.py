"""Non-maximum suppression of quads."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from vision.arrays import FloatArray, boxes_overlap
from vision.geometry import overlap_ratios

MAX_COVERED_SHARE: Final = 0.5
"""The NMS threshold: a quad is suppressed when it and a better one share at least this much of the smaller of the two.
IoU would miss a cut-off quad inside a whole one, where it is small; tiles side by side hardly overlap at all."""


def non_maximum_suppression(quads: FloatArray, scores: FloatArray) -> npt.NDArray[np.intp]:
    """Which of (n, 4, 2) quads with (n,) scores to keep: greedily the best first, none that covers a better one.

    Returns:
        Indices, best first; the first of equals counts as better.
    """
    near = boxes_overlap(quads, quads)
    kept: list[int] = []
    for i in np.argsort(-scores, kind="stable").tolist():
        if all(overlap_ratios(quads[i], quads[j])[1] < MAX_COVERED_SHARE for j in kept if near[i, j]):
            kept.append(i)
    return np.array(kept, np.intp)
