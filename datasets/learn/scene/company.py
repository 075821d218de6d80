"""How tiles are told from other detections by their company: logistic regression, and counts for each threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from vision.arrays import FloatArray

EVIDENCE: Final = (
    "one",
    "odds",
    "located",
    "spread",
    "printed",
    "others",
    "mean of others",
    "best of others",
    "spread and others",
    "spread and printed",
    "stretched, agreed and blank",
)
"""The columns of :func:`vision.scene.classifier.tile_evidence`."""
CHANCES: Final = tuple(round(0.3 + 0.05 * k, 2) for k in range(14))
"""Chances from which a detection may count as a tile, .3 to .95."""
AS_IT_IS: Final = tuple(float(name == "odds") for name in EVIDENCE)
"""Weights that leave a network's chances as they are."""
STEPS: Final = 30
PENALTY: Final = 1e-3

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class JudgedDetections:
    """Detections of one or more photos.

    Attributes:
        evidence: (n, 11) from :func:`vision.scene.classifier.tile_evidence`.
        known: (n,) of which the truth is known.
        tile: (n,) whether each is known to be a tile.
        right: (n,) whether its best name is known to be that tile's, too.
    """

    evidence: Array
    known: npt.NDArray[np.bool_]
    tile: npt.NDArray[np.bool_]
    right: npt.NDArray[np.bool_]

    def chances(self, weights: tuple[float, ...]) -> FloatArray:
        """(n,) float32 probabilities of being a tile, of all detections, whether or not their truth is known."""
        return tile_chances(self.evidence, np.array(weights))


NONE: Final = JudgedDetections(np.zeros((0, len(EVIDENCE))), *(np.zeros(0, bool) for _ in range(3)))


def merge(photos: Sequence[JudgedDetections]) -> JudgedDetections:
    """The detections of several photos in one."""
    columns = ("evidence", "known", "tile", "right")
    return JudgedDetections(*(np.concatenate([getattr(NONE, c), *(getattr(p, c) for p in photos)]) for c in columns))


def tile_chances(given: Array, weights: Array) -> FloatArray:
    """(n,) chances of being a tile by logistic regression, from (n, 11) evidence and (11,) weights."""
    return np.asarray(expit(given @ weights), np.float32)


def fit(finds: JudgedDetections) -> tuple[float, ...]:
    """The weights under which the known truth is likeliest (Newton's method, with a small ridge).

    Raises:
        ValueError: all detections are tiles, or none is.
    """
    x, y = finds.evidence[finds.known], finds.tile[finds.known]
    if y.all() or not y.any():
        raise ValueError("These finds cannot be told apart: all are tiles, or none is. Give more photos.")
    weights = np.zeros(x.shape[1])
    for _ in range(STEPS):
        chance = tile_chances(x, weights)
        slope = x.T @ (chance - y) + PENALTY * weights
        bend = (x * (chance * (1 - chance))[:, None]).T @ x + PENALTY * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    return tuple(round(float(w), 3) for w in weights)


def counts(finds: JudgedDetections, weights: tuple[float, ...]) -> list[tuple[float, int, int]]:
    """For each of CHANCES: how many of the detections that reach it are right, and how many are not tiles."""
    chance, false = finds.chances(weights), finds.known & ~finds.tile
    return [
        (least, int((finds.right & (chance >= least)).sum()), int((false & (chance >= least)).sum()))
        for least in CHANCES
    ]
