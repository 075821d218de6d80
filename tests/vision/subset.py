"""Some of a photo's detections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vision.scene.detections import Detections


def subset(seen: Detections, which: Iterable[int]) -> Detections:
    """The detections at these indices; the crops stay those of all."""
    return replace(seen, found=[seen.found[i] for i in which])
