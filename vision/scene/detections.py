"""A photo -> its detections: quads found, rectified and classified, in its negative, too, where few tiles show."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from vision.classify.classifier import Classifier
from vision.classify.crops import rectify_all
from vision.detect.detector import QuadDetector, ScoredQuads
from vision.detect.negative import negative
from vision.detect.scales import VIEW_SIDE, search
from vision.geometry import extents, resized
from vision.io.photo import Photo
from vision.reading import SURE, FloatArray, ImageArray

Clock: TypeAlias = dict[str, float]
"""Milliseconds by stage of one reading."""
MOST_TILES: Final = 400
"""Most detections that are classified, the surest first: well above the 152 tiles of the largest set on a table."""
ODD_SIZE: Final = 1.9
"""Detections this many times smaller than the rest, dice and print, do not decide how sharp the view must be."""


@contextmanager
def timed(stage: str, clock: Clock) -> Iterator[None]:
    """Add the time that the block takes to a stage."""
    start = time.perf_counter()
    try:
        yield
    finally:
        clock[stage] = clock.get(stage, 0.0) + 1e3 * (time.perf_counter() - start)


@dataclass(frozen=True, slots=True)
class Detections:
    """What detector and classifier report for one photo, highest score first; which are tiles is decided later.

    Attributes:
        quads: (n, 4, 2) float32 pixels of the upright original, clockwise, first edge a short one.
        located: (n,) float32 scores of the detector, 0-1.
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
    crops: ImageArray
    probabilities: FloatArray
    turns: npt.NDArray[np.intp]
    embeddings: FloatArray
    size: FloatArray
    negative: bool = False

    def __post_init__(self) -> None:
        if any(len(v) != len(self) for v in (self.located, self.crops, self.probabilities, self.turns)):
            raise ValueError("quads, scores, crops and what was read of them must be equally many")

    def __len__(self) -> int:
        return len(self.quads)


def looks_at(photo: Photo, detector: QuadDetector, classifier: Classifier, clock: Clock) -> tuple[Detections, ...]:
    """The detections in a photo and, where they show hardly a printed face, those in its negative as well.

    Black and dark tiles with light print look like others in the negative.
    """
    first = _look(photo, detector, classifier, clock, thorough=True)
    if _shown(first, classifier) >= 1:
        return (first,)
    with timed("decode", clock):
        view = photo.view(VIEW_SIDE)
        turned = Photo(negative(view))
    second = _look(turned, detector, classifier, clock, thorough=False)
    quads = resized(second.quads, (photo.width / view.shape[1], photo.height / view.shape[0]))
    return first, replace(second, quads=quads, size=first.size, negative=True)


def _shown(seen: Detections, classifier: Classifier) -> float:
    """How much a look shows: the number of sure printed faces times their share of what was found."""
    columns = classifier.columns
    plain = np.isin(seen.probabilities.argmax(axis=1), (columns.white, columns.back, columns.none))
    printed = (seen.probabilities.max(axis=1) >= SURE) & ~plain
    return float(printed.sum() * printed.mean()) if len(seen) else 0.0


def _look(photo: Photo, detector: QuadDetector, classifier: Classifier, clock: Clock, thorough: bool) -> Detections:
    with timed("decode", clock):
        photo.view(VIEW_SIDE)
    with timed("find", clock):
        found = search(photo, detector, thorough=thorough).only(slice(MOST_TILES))
    with timed("decode", clock):
        view = _sharp_enough(photo, found, classifier.crop[0])
    with timed("classify", clock):
        quads = resized(found.quads, (view.shape[1] / photo.width, view.shape[0] / photo.height))
        crops = rectify_all(view, quads, classifier.crop, classifier.margin)
        read = classifier(crops)
    size = np.array([photo.width, photo.height], np.float32)
    return Detections(found.quads, found.scores, crops, read.probabilities, read.turns, read.embeddings, size)


def _sharp_enough(photo: Photo, found: ScoredQuads, width: int) -> ImageArray:
    """The smallest view of the photo in which every tile is as wide as its crop, ``width`` pixels, or the original.

    Detections much smaller than the rest are dice and print more often than tiles; they do not count here.
    """
    if not len(found):
        return photo.view(VIEW_SIDE)
    edges = extents(found.quads)[:, 0]
    edge = float(edges[edges > np.median(edges) / ODD_SIZE].min())
    return photo.view(math.ceil(max(photo.width, photo.height) * min(1.0, width / max(edge, 1.0))))
