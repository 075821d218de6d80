"""Some of a photo's detections."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.scene import Detections


def subset(seen: Detections, which: np.ndarray | slice) -> Detections:
    """The detections that a mask, an array of indices or a slice selects."""
    names = ("quads", "located", "spread", "crops", "probabilities", "turns", "embeddings")
    return replace(seen, **{name: getattr(seen, name)[which] for name in names})
