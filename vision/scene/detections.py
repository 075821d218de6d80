"""What detector and classifier report for one photo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vision.device import DeviceCrops
from vision.geometry import Quad


@dataclass(frozen=True, slots=True)
class Detection:
    """What may be a tile.

    Attributes:
        quad: pixels of the upright original, clockwise, first edge a short one.
        located: score of the detector, 0-1.
        spread: how far the detector's cells disagree, see :class:`vision.detect.nms.ScoredQuad`.
        probabilities: of the classifier's classes, summing to 1.
        turns: quarter turns that bring the picture's top-left corner to the first place.
        embedding: D numbers of the classifier.
        colours: 23 numbers, see :meth:`vision.device.DeviceCrops.colours`.
        darker: how much darker the print is than the tile around it, grey levels; negative where it is lighter.
        coloured: how far the crop's colours differ, grey levels.
        redder: how much redder than the tile all four outer dots of a five are at least, if it is one, grey levels.
    """

    quad: Quad
    located: float
    spread: float
    probabilities: Sequence[float]
    turns: int
    embedding: Sequence[float]
    colours: Sequence[float]
    darker: float
    coloured: float
    redder: float


@dataclass(frozen=True, slots=True)
class Detections:
    """What detector and classifier report for one photo, the surest first; which are tiles is decided later.

    Attributes:
        found: the detections.
        crops: on the device, one for each of them, upright or turned by quarters.
        width, height: of the photo, pixels.
        negative: whether they were found in and cut from the photo's negative.
    """

    found: Sequence[Detection]
    crops: DeviceCrops
    width: int
    height: int
    negative: bool = False

    def __len__(self) -> int:
        return len(self.found)
