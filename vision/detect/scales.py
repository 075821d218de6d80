"""Which sizes to search a photo at: one cheap pass tells where and how large the tiles are, a second one looks closer.

The detector reads tiles best within a range of sizes (``tile_px`` of its metadata). A photo of one hand seldom needs
more than the first pass; a table seen from afar, a steep view or a close-up of three tiles gets one more at the size
that suits, of the part of the photo that holds tiles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.detect.detector import QuadDetector, ScoredQuads
from vision.detect.nms import non_maximum_suppression
from vision.geometry import least_spans, overlap, sides
from vision.io.photo import Photo
from vision.reading import FloatArray

FIRST_SIDE: Final = 640
"""Longer side of the photo in the first pass, pixels."""
GLANCE_SIDE: Final = 160
"""The same for a glance beside the first pass, which finds tiles too large for it, such as one that fills the photo."""
BLIND_SIDES: Final = (1280, 320)
"""Longer sides at which to search when the first pass finds nothing likely, pixels."""
LEAST_SIDE: Final = 128
MOST_SIDE: Final = 1600
"""Least and greatest longer side that the photo is resized to for a later pass, pixels."""
MOST_PIXELS: Final = 1_300_000
"""Largest area of a later pass, pixels; it takes four times as long as the first pass, and 300 MB."""
VIEW_SIDE: Final = 1280
"""Longer side the photo is decoded to for searching, pixels."""
CLOSER: Final = 1.15
"""A later pass shows small tiles this much larger than the least size the detector reads well. A larger factor
costs time (1.4: half as much again) and found no more tiles in 782 photos."""
LIKELY: Final = 0.3
"""Detections of the first pass with a lower score say nothing about where and how large the tiles are."""
AROUND: Final = (1.5, 3.0)
"""How many tile sides a later pass reaches beyond every likely detection, across the direction of the nearest other
one and along it: what the first pass overlooks are the ends of rows of small tiles."""
SHOWN: Final = 0.5
"""A face of which less than this share lies within the picture is left out. Of 72 such faces in 1,911 photos only one
was labelled, and it was misread."""
OUT_OF_RANGE: Final = 0.8
"""Factor on the score of a tile found at a size the detector does not read well, so that a better view wins."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One look at a photo.

    Attributes:
        side: length that the photo's longer side is resized to, pixels.
        window: (x0, y0, x1, y1) shares of the photo's width and height that are looked at.
    """

    side: int
    window: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)


def search(photo: Photo, detector: QuadDetector, blind: Sequence[int] = BLIND_SIDES) -> ScoredQuads:
    """Find the tiles of a photo.

    Args:
        photo: where to look.
        detector: the network.
        blind: longer sides at which to search it when the first pass finds nothing likely, pixels.

    Returns:
        Quads in pixels of the upright original, the surest first; scores are the detector's own.

    Raises:
        PhotoError: the photo's data breaks off or makes no sense.
    """
    low, high = detector.tile_px
    full = max(photo.width, photo.height)
    passes = [Pass(FIRST_SIDE), Pass(GLANCE_SIDE)]
    glance = _look(photo, detector, passes[1])
    finds = [_look(photo, detector, passes[0]), glance.only(least_spans(glance.quads) * (GLANCE_SIDE / full) >= low)]
    for later in later_passes(_joined(finds), photo.width, photo.height, low, high, blind):
        passes.append(later)
        finds.append(_look(photo, detector, later))
    joined = _joined(finds)
    spans = np.concatenate([least_spans(f.quads) * (p.side / full) for f, p in zip(finds, passes, strict=True)])
    trust = np.where((spans >= low / 2) & (spans <= high), joined.scores, OUT_OF_RANGE * joined.scores)
    single = joined.only(non_maximum_suppression(joined.quads, trust.astype(np.float32)))
    return single.only(shown(single.quads, photo.width, photo.height) >= SHOWN)


def shown(quads: FloatArray, width: int, height: int) -> FloatArray:
    """(n,) the share of each of (n, 4, 2) quads that lies within a picture of this size, pixels."""
    size = np.array([width, height], np.float32)
    picture = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * size - 0.5
    shares = np.ones(len(quads), np.float32)
    for i in np.flatnonzero(((quads < -0.5) | (quads > size - 0.5)).any(axis=(1, 2))):
        shares[i] = overlap(quads[i], picture)[1]
    return shares


def _joined(finds: Sequence[ScoredQuads]) -> ScoredQuads:
    return ScoredQuads(np.concatenate([f.quads for f in finds]), np.concatenate([f.scores for f in finds]))


def later_passes(
    first: ScoredQuads, width: int, height: int, low: float, high: float, blind: Sequence[int] = BLIND_SIDES
) -> list[Pass]:
    """The passes to run after the first one.

    Args:
        first: what the first pass found, in pixels of the photo.
        width, height: of the photo.
        low, high: the sizes (narrower span, pixels) the detector reads best.
        blind: longer sides at which to search when the first pass found nothing likely, pixels.
    """
    likely = first.scores >= LIKELY
    if not likely.any():
        return [Pass(side) for side in blind]
    quads, full = first.quads[likely], max(width, height)
    spans = least_spans(quads) * (FIRST_SIDE / full)
    # One odd detection must not decide, so small and large are the 15th and 85th percentiles.
    small, large = (float(v) for v in np.percentile(spans, [15, 85]))
    window = _window(quads, width, height)
    passes = []
    if small < low:
        seen = (window[2] - window[0]) * (window[3] - window[1]) * width * height / full**2
        most = min(MOST_SIDE, math.sqrt(MOST_PIXELS / seen))
        passes.append(Pass(round(min(most, FIRST_SIDE * CLOSER * low / small)), window))
    if large > high:
        passes.append(Pass(round(max(LEAST_SIDE, FIRST_SIDE * 0.7 * high / large)), window))
    return passes


def _window(quads: FloatArray, width: int, height: int) -> tuple[float, float, float, float]:
    margin = sides(quads)[:, None] * (AROUND[0] + (AROUND[1] - AROUND[0]) * _rows_along(quads))
    size = np.array([width, height], np.float32)
    start = np.clip((quads.min(axis=1) - margin).min(axis=0) / size, 0, 1)
    stop = np.clip((quads.max(axis=1) + margin).max(axis=0) / size, 0, 1)
    return float(start[0]), float(start[1]), float(stop[0]), float(stop[1])


def _rows_along(quads: FloatArray) -> FloatArray:
    """(n, 2) how much each quad's row runs along x and along y, 0-1: the direction to the nearest other quad."""
    if len(quads) < 2:
        return np.ones((len(quads), 2), np.float32)
    middles = quads.mean(axis=1)
    apart = middles[None] - middles[:, None]
    distance = np.linalg.norm(apart, axis=2)
    np.fill_diagonal(distance, np.inf)
    nearest = distance.argmin(axis=1)
    each = np.arange(len(quads))
    return np.asarray(np.abs(apart[each, nearest]) / np.maximum(distance[each, nearest], 1e-3)[:, None], np.float32)


def _look(photo: Photo, detector: QuadDetector, look: Pass) -> ScoredQuads:
    """One pass; quads in pixels of the original."""
    view = photo.view(max(VIEW_SIDE, look.side))
    height, width = view.shape[:2]
    x0, y0, x1, y1 = look.window
    left, top = int(x0 * width), int(y0 * height)
    part = view[top : max(top + 1, math.ceil(y1 * height)), left : max(left + 1, math.ceil(x1 * width))]
    found = detector(part, look.side / max(width, height))
    to_full = np.array([photo.width / width, photo.height / height], np.float32)
    return ScoredQuads((found.quads + [left, top] + 0.5).astype(np.float32) * to_full - 0.5, found.scores)
