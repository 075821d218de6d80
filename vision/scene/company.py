"""The chance that a detection is a tile, given the others: a lone plain one is less often a tile than one of many."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from vision.geometry import BoolArray
from vision.reading import FloatArray

Numbers = npt.NDArray[np.floating[Any]]

EVIDENCE: Final = ("one", "odds", "located", "printed", "others", "mean of others")
"""The columns of :func:`evidence`."""


def evidence(tile: FloatArray, located: FloatArray, printed: BoolArray) -> FloatArray:
    """The evidence that each detection of a photo is a tile.

    Args:
        tile: (n,) chances of being a tile.
        located: (n,) scores of the detector.
        printed: (n,) which show a printed face.

    Returns:
        (n, 6): 1, log-odds of ``tile`` and ``located``, ``printed``, the logarithm of 1 + the expected number of tiles
        among the other detections, and the mean chance of the others.
    """
    others = tile.sum() - tile
    columns = [np.ones_like(tile), _odds(tile), _odds(located), printed, np.log1p(others)]
    return np.asarray(np.column_stack([*columns, others / max(len(tile) - 1, 1)]), np.float32)


def in_company(given: Numbers, weights: Numbers) -> FloatArray:
    """(n,) chances of being a tile by logistic regression: ``given`` (n, 6) by :func:`evidence`, ``weights`` (6,)."""
    return np.asarray(1 / (1 + np.exp(-given @ weights)), np.float32)


def _odds(chance: FloatArray) -> FloatArray:
    within = np.clip(chance, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(within / (1 - within)), np.float32)
