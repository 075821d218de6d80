"""Whether confidence is calibrated for small and for large tiles: stated confidence against the share that is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from datasets.learn.calibration import calibration_error
from datasets.quads import tile_sizes
from scripts.accuracy.matching import PhotoResult

SMALL_PX: Final = 30
"""Side of a tile (root of the area), pixels of the photo, below which detections are also counted by themselves."""
CERTAIN: Final = 0.99
"""Detections with at least this confidence are also counted by themselves."""


def confidence_by_size(results: Sequence[PhotoResult]) -> dict[str, dict[str, float]]:
    """What all detections, and small ones, state and how many are right; number and share right of the sure ones.

    A detection that is on no tile is wrong. What nobody can tell counts neither way.
    """
    detections = [(t.seen, t.right) for r in results for t in r.tiles if t.seen is not None]
    detections += [(s, False) for r in results for s in r.false_alarms]
    sure, right = np.array([s.confidence for s, _ in detections]), np.array([hit for _, hit in detections], float)
    small = tile_sizes(np.array([s.corners for s, _ in detections], np.float32).reshape(-1, 4, 2)) < SMALL_PX
    some = {"confidence": np.ones(len(detections), bool), f"confidence below {SMALL_PX} px": small}
    return {name: _calibration(sure[these], right[these]) for name, these in some.items() if these.any()}


def _calibration(sure: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> dict[str, float]:
    certain = sure >= CERTAIN
    figures = {"confidence": sure.mean(), "right": right.mean(), "error": calibration_error(sure, right)}
    figures |= {"sure_right": right[certain].mean()} if certain.any() else {}
    rounded = {name: round(float(value), 4) for name, value in figures.items()}
    return {"detections": len(sure), "sure": int(certain.sum()), **rounded}
