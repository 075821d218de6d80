"""A photo -> its detections: quads found, rectified and classified, in its negative, too, where few tiles show."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.classify.classifier import Classifier
from vision.classify.crops import rectify_all
from vision.detect.detector import QuadDetector, ScoredQuads
from vision.detect.negative import negative
from vision.detect.scales import VIEW_SIDE, search
from vision.geometry import extents
from vision.io.photo import Photo
from vision.reading import SURE, FloatArray, ImageArray
from vision.scene.classes import Classes

LEAST_LOCATED: Final = 0.65
"""Detections with a lower detector score are dropped."""
MOST_TILES: Final = 400
"""Most detections that are classified, the surest first: well above the 152 tiles of the largest set on a table."""
ODD_SIZE: Final = 1.9
"""Detections this many times smaller than the rest, dice and print, do not decide how sharp the view must be."""
SHOWS_ENOUGH: Final = 1.0
"""A photo is searched in negative, too, where its sure printed faces times their share of all detections are fewer."""


@dataclass(slots=True)
class Clock:
    """Milliseconds by stage of one reading; a stage timed twice adds up."""

    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def time(self, stage: str) -> Iterator[None]:
        """Add the time the block takes to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.spent[stage] = self.spent.get(stage, 0.0) + 1e3 * (time.perf_counter() - start)


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
        """Check that the arrays have one row for each quad.

        Raises:
            ValueError: they have not.
        """
        if any(len(v) != len(self) for v in (self.located, self.crops, self.probabilities, self.turns)):
            raise ValueError("quads, scores, crops and what was read of them must be equally many")

    def __len__(self) -> int:
        return len(self.quads)


class TwoStageDetector:
    """QuadDetector, crop rectification and classifier, one after the other."""

    def __init__(self, detector: QuadDetector, classifier: Classifier) -> None:
        """Take the loaded networks."""
        self._quads_of, self._classifier = detector, classifier
        classes = Classes.of(classifier.labels, classifier.none)
        self._plain = [classes.white, classes.back, classes.none]

    def __call__(self, photo: Photo, clock: Clock | None = None) -> tuple[Detections, ...]:
        """Detect the tiles of a photo.

        Returns:
            The detections and, where they show hardly a printed face, those in the negative as well: one
            look or two. Black and dark tiles with light print look like others in the negative.

        Raises:
            PhotoError: the photo's data breaks off or makes no sense.
        """
        clock = clock or Clock()
        first = self._look(photo, clock)
        if self._shown(first) >= SHOWS_ENOUGH:
            return (first,)
        with clock.time("decode"):
            view = photo.view(VIEW_SIDE)
            turned = Photo(negative(view))
        second = self._look(turned, clock, thorough=False)
        to_photo = np.array([photo.width / view.shape[1], photo.height / view.shape[0]], np.float32)
        return first, replace(second, quads=(second.quads + 0.5) * to_photo - 0.5, size=first.size, negative=True)

    def _shown(self, seen: Detections) -> float:
        """How much a look shows: the number of sure printed faces times their share of what was found."""
        printed = (seen.probabilities.max(axis=1) >= SURE) & ~np.isin(seen.probabilities.argmax(axis=1), self._plain)
        return float(printed.sum() * printed.mean()) if len(seen) else 0.0

    def _look(self, photo: Photo, clock: Clock, *, thorough: bool = True) -> Detections:
        with clock.time("decode"):
            photo.view(VIEW_SIDE)
        with clock.time("find"):
            found = search(photo, self._quads_of, thorough=thorough)
            found = found.only(np.flatnonzero(found.scores >= LEAST_LOCATED)[:MOST_TILES])
        with clock.time("decode"):
            view = self._sharp_enough(photo, found)
        with clock.time("classify"):
            to_view = np.array([view.shape[1] / photo.width, view.shape[0] / photo.height], np.float32)
            quads = (found.quads + 0.5) * to_view - 0.5
            crops = rectify_all(view, quads, self._classifier.crop, self._classifier.margin)
            read = self._classifier(crops)
        size = np.array([photo.width, photo.height], np.float32)
        return Detections(found.quads, found.scores, crops, read.probabilities, read.turns, read.embeddings, size)

    def _sharp_enough(self, photo: Photo, found: ScoredQuads) -> ImageArray:
        """The smallest view of the photo that has a pixel for every pixel of the crops, or the original.

        Detections much smaller than the rest are dice and print more often than tiles; they do not count here.
        """
        if not len(found):
            return photo.view(VIEW_SIDE)
        edges = extents(found.quads)[:, 0]
        edge = float(edges[edges > np.median(edges) / ODD_SIZE].min())
        return photo.view(
            math.ceil(max(photo.width, photo.height) * min(1.0, self._classifier.crop[0] / max(edge, 1.0)))
        )
