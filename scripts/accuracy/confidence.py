"""Whether confidence is calibrated for small and for large tiles: stated confidence against the share that is right."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from scripts.accuracy.matching import PhotoResult, calibration
from vision.geometry import sides

EDGES: Final = (0, 30, 60, 100_000)
"""Sides of tiles (root of the area), pixels of the photo, between which detections are counted together."""
CERTAIN: Final = 0.99
"""Detections with at least this confidence are also counted by themselves."""


def confidence_by_size(results: Sequence[PhotoResult]) -> dict[str, dict[str, Any]]:
    """By size, and ``all``: detections, mean confidence, share right, calibration error; number and share of sure ones.

    A detection that is on no tile is wrong. What nobody can tell counts neither way.
    """
    finds = [(o.seen, o.right) for r in results for o in r.outcomes if o.seen is not None]
    finds += [(s, False) for r in results for s in r.false_alarms]
    if not finds:
        return {}
    sure = np.array([s.confidence for s, _ in finds])
    right = np.array([hit for _, hit in finds])
    side = sides(np.array([s.corners for s, _ in finds], np.float32))
    figures = {"all": _share(sure, right)}
    for low, high in pairwise(EDGES):
        these = (side >= low) & (side < high)
        if these.any():
            figures[f"{low}-{high} px" if high < EDGES[-1] else f"{low} px on"] = _share(sure[these], right[these])
    return figures


def _share(sure: Any, right: Any) -> dict[str, Any]:
    certain = sure >= CERTAIN
    return {
        "finds": len(sure),
        "confidence": round(float(sure.mean()), 4),
        "right": round(float(right.mean()), 4),
        "error": calibration(sure.tolist(), right.tolist())[0],
        "sure": int(certain.sum()),
        "sure_right": round(float(right[certain].mean()), 4) if certain.any() else None,
    }
