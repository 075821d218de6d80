"""A photo -> its detections: quads found, rectified and classified.

Where hardly a face with dark print shows, the photo's negative is searched as well.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np

from vision.arrays import BoolArray, FloatArray, ImageArray, to_quad
from vision.classify.classifier import Classifier
from vision.detect.detector import QuadDetector, resize_image, search_photo
from vision.detect.nms import ScoredQuad
from vision.detect.scales import VIEW_SIDE_PX, plan_view
from vision.geometry import Quad, rescale_quad
from vision.io.photo import Photo
from vision.models.backend import Backend
from vision.reading import SURE
from vision.scene.detections import Detections

Clock: TypeAlias = dict[str, float]
"""Milliseconds by stage of one reading."""
MAX_DETECTIONS: Final = 400
"""Most detections that are classified, the surest first: well above the 152 tiles of the largest set on a table."""
PRINTED: Final = 0.6
"""A crop shows print up to here, its middle being 0 and its edge 1; ``BARE``: where it shows the tile around that."""
BARE: Final = (0.7, 0.84)


@contextmanager
def time_stage(stage: str, clock: Clock) -> Iterator[None]:
    """Add the time that the block takes to a stage."""
    start = time.perf_counter()
    try:
        yield
    finally:
        clock[stage] = clock.get(stage, 0.0) + 1e3 * (time.perf_counter() - start)


def detect(photo: Photo, detector: QuadDetector, classifier: Classifier, clock: Clock) -> tuple[Detections, ...]:
    """The detections in a photo and, where they show hardly a face with dark print, those in its negative as well.

    Black and dark tiles with light print look like others in the negative.
    """
    first = _search_and_classify(photo, detector, classifier, clock, thorough=True)
    if _count_printed(first, classifier) >= 1:
        return (first,)
    inverted = _open_negative(photo, classifier.backend, clock)
    second = _search_and_classify(inverted, detector, classifier, clock, thorough=False)
    return first, _from_negative(second, inverted, photo)


def _open_negative(photo: Photo, backend: Backend, clock: Clock) -> Photo:
    with time_stage("decode", clock):
        view = photo.view(VIEW_SIDE_PX)
        factor = max(1, max(view.shape) // VIEW_SIDE_PX)  # only a JPEG is decoded smaller
        small = resize_image(view, view.shape[1] // factor, view.shape[0] // factor)
        return Photo(backend.negative(small))


def _from_negative(seen: Detections, shown: Photo, photo: Photo) -> Detections:
    """What was found in the negative that was ``shown``, in pixels of the photo."""
    by = photo.width / shown.width, photo.height / shown.height
    quads = [rescale_quad(to_quad(quad), by) for quad in seen.quads]
    return replace(seen, quads=_array(quads), size=np.array([photo.width, photo.height], np.float32), negative=True)


def _count_printed(seen: Detections, classifier: Classifier) -> float:
    """How much the detections show: the number of sure printed faces times their share of what was found.

    Only print that is darker than its tile counts: of light print the negative may tell more.
    """
    columns = classifier.columns
    plain = np.isin(seen.probabilities.argmax(axis=1), (columns.white, columns.back, columns.none))
    printed = (seen.probabilities.max(axis=1) >= SURE) & ~plain
    dark = int(_has_dark_print(seen.crops[printed]).sum())
    return dark * dark / max(len(seen), 1)


def _has_dark_print(crops: ImageArray) -> BoolArray:
    """(n,) whether the middle of a crop, where the print is, is darker than the tile around it."""
    light = crops.mean(axis=3)
    down, across = (np.abs(np.linspace(-1, 1, side)) for side in light.shape[1:])
    apart = np.maximum(down[:, None], across)
    bare = np.median(light[:, (apart > BARE[0]) & (apart < BARE[1])], axis=1)
    return np.asarray(bare >= light[:, apart < PRINTED].mean(axis=1))


def _search_and_classify(
    photo: Photo, detector: QuadDetector, classifier: Classifier, clock: Clock, thorough: bool
) -> Detections:
    with time_stage("decode", clock):
        photo.view(VIEW_SIDE_PX)
    with time_stage("find", clock):
        found = search_photo(photo, detector, thorough=thorough)[:MAX_DETECTIONS]
    return _classify(photo, found, classifier, clock)


def _classify(photo: Photo, found: Sequence[ScoredQuad], classifier: Classifier, clock: Clock) -> Detections:
    """What one search found, and what the classifier makes of it."""
    quads = [one.quad for one in found]
    with time_stage("decode", clock):
        view = photo.view(plan_view(quads, photo.width, photo.height, classifier.crop[0]))
    with time_stage("classify", clock):
        by = view.shape[1] / photo.width, view.shape[0] / photo.height
        in_view = _array([rescale_quad(quad, by) for quad in quads])
        crops = classifier.backend.crops(view, in_view, classifier.crop, classifier.margin)
        read = classifier(crops)
    size = np.array([photo.width, photo.height], np.float32)
    located, spread = (np.array([getattr(one, of) for one in found], np.float32) for of in ("score", "spread"))
    return Detections(_array(quads), located, spread, crops, read.probabilities, read.turns, read.embeddings, size)


def _array(quads: Sequence[Quad]) -> FloatArray:
    return np.array(quads, np.float32).reshape(-1, 4, 2)
