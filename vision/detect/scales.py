"""Which sizes to search a photo at: one cheap pass tells where and how large the tiles are, a second one looks closer.

The detector reads tiles best within a range of sizes (``tile_px`` of its metadata). A photo of one hand seldom needs
more than the first pass; a table seen from afar, a steep view or a close-up of three tiles gets one more at the size
that suits, of the part of the photo that holds tiles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from vision.arrays import FloatArray, extents, rescale_quads, shares_inside, tile_sizes
from vision.detect.detector import THRESHOLD, QuadDetector, ScoredQuads
from vision.detect.nms import non_maximum_suppression
from vision.io.photo import Photo

FIRST_SIDE_PX: Final = 640
"""Longer side of a photo of 4:3 in the first pass, pixels."""
FIRST_PIXELS: Final = FIRST_SIDE_PX**2 * 3 // 4
"""Area of such a photo. Longer ones, such as screenshots of phones, have as many pixels, if they are not longer than
``MAX_FIRST_SIDE_PX``: tiles in a strip then become too large."""
MAX_FIRST_SIDE_PX: Final = 800
GLANCE_SCALE: Final = 1 / 4
"""Size of a glance beside the first pass, which finds tiles too large for it, such as one that fills the photo."""
VIEW_SIDE_PX: Final = 2 * FIRST_SIDE_PX
"""Longer side the photo is decoded to for searching, pixels."""
MAX_SIDE_PX: Final = 1600
"""Longer side of the largest window that a later pass searches, pixels; a photo smaller than this is not enlarged
further, which shows nothing more of it."""
MAX_PASS_PIXELS: Final = 1_300_000
"""Largest area of a later pass, pixels; it takes four times as long as the first pass, and 300 MB."""
CLOSER_FACTOR: Final = 1.15
"""A later pass shows small tiles this much larger than the least size the detector reads well. A larger factor
costs time (1.4: half as much again) and found no more tiles in 782 photos."""
MARGIN_SIDES: Final = (1.5, 3.0)
"""How many tile sides a later pass reaches beyond every detection, across the direction of the nearest other one and
along it: what the first pass overlooks are the ends of rows of small tiles."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One look at a photo, resized so that its longer side has ``side`` pixels.

    Only the window is looked at: (x0, y0, x1, y1), shares of the photo's width and height.
    """

    side: int
    window: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)


def search_photo(photo: Photo, detector: QuadDetector, *, thorough: bool = True) -> ScoredQuads:
    """The tiles of a photo, in pixels of the upright original, the surest first; scores are the detector's own.

    Where the first pass finds nothing, other sizes are tried if ``thorough``.
    """
    low, high = detector.tile_px
    look = partial(_run_pass, photo, detector)
    side = first_side(photo.width, photo.height)
    glance = look(Pass(round(GLANCE_SCALE * side)))
    glance = glance.only(_span_px(glance, GLANCE_SCALE * side / max(photo.width, photo.height)) >= low)
    first = _concatenate([look(Pass(side)), glance])
    sure = first.only(first.scores > THRESHOLD)
    later = plan_later_passes(sure, photo.width, photo.height, low, high) if len(sure) or thorough else []
    found = _concatenate([first, *map(look, later)])
    single = found.only(non_maximum_suppression(found.quads, found.scores))
    # Of 72 faces in 1,911 photos that the edge cut by more than half only one was labelled, and it was misread.
    return single.only(shares_inside(single.quads, photo.width, photo.height) >= 0.5)


def first_side(width: int, height: int) -> int:
    """Longer side, pixels, of a photo of this size in the first pass."""
    short, long = sorted((width, height))
    return min(MAX_FIRST_SIDE_PX, max(FIRST_SIDE_PX, round(math.sqrt(FIRST_PIXELS * long / short))))


def _concatenate(finds: Sequence[ScoredQuads]) -> ScoredQuads:
    rows = ([getattr(f, name) for f in finds] for name in ("quads", "scores", "spread"))
    return ScoredQuads(*map(np.concatenate, rows))


def _span_px(found: ScoredQuads, scale: float) -> FloatArray:
    """(n,) what a steep view leaves of each tile, its width or its height, in pixels of the photo resized."""
    return np.asarray(extents(found.quads).min(axis=1) * scale, np.float32)


def plan_later_passes(first: ScoredQuads, width: int, height: int, low: float, high: float) -> list[Pass]:
    """The passes to run on a photo of this size after the first; where that found nothing, other sizes are tried.

    Tiles with a narrower span of ``low`` to ``high`` pixels are those that the detector reads best.
    """
    if not len(first):
        return [Pass(2 * first_side(width, height)), Pass(FIRST_SIDE_PX // 2)]
    full, side = max(width, height), first_side(width, height)
    # One odd detection must not decide, so small and large are the 15th and 85th percentiles.
    small, large = np.percentile(_span_px(first, side / full), [15, 85]).tolist()
    passes = []
    if small < low:
        x0, y0, x1, y1 = window = _window(first.quads, width, height)
        across, down = (x1 - x0) * width / full, (y1 - y0) * height / full
        by_area = math.sqrt(MAX_PASS_PIXELS / (across * down))
        most = min(MAX_SIDE_PX / max(across, down), max(MAX_SIDE_PX, full), by_area)
        passes.append(Pass(round(min(most, side * CLOSER_FACTOR * low / small)), window))
    if large > high:
        further = max(FIRST_SIDE_PX // 5, round(side * 0.7 * high / large))
        passes.append(Pass(further, _window(first.quads, width, height)))
    return passes


def _window(quads: FloatArray, width: int, height: int) -> tuple[float, float, float, float]:
    margin = tile_sizes(quads)[:, None] * (MARGIN_SIDES[0] + (MARGIN_SIDES[1] - MARGIN_SIDES[0]) * _rows_along(quads))
    corners = np.array([(quads.min(axis=1) - margin).min(axis=0), (quads.max(axis=1) + margin).max(axis=0)])
    left, top, right, bottom = np.clip(corners / np.array([width, height], np.float32), 0, 1).ravel().tolist()
    return left, top, right, bottom


def _rows_along(quads: FloatArray) -> FloatArray:
    """(n, 2) how much each quad's row runs along x and along y, 0-1: the direction to the nearest other quad."""
    if len(quads) < 2:
        return np.ones((len(quads), 2), np.float32)
    middles = quads.mean(axis=1)
    apart = middles[None] - middles[:, None]
    distance = np.linalg.norm(apart, axis=2)
    np.fill_diagonal(distance, np.inf)
    step = apart[np.arange(len(quads)), distance.argmin(axis=1)]
    return np.asarray(np.abs(step) / np.maximum(distance.min(axis=1), 1e-3)[:, None], np.float32)


def _run_pass(photo: Photo, detector: QuadDetector, look: Pass) -> ScoredQuads:
    """One pass; quads in pixels of the upright original."""
    view = photo.view(max(VIEW_SIDE_PX, look.side))
    height, width = view.shape[:2]
    x0, y0, x1, y1 = look.window
    left, top = int(x0 * width), int(y0 * height)
    part = view[top : max(top + 1, math.ceil(y1 * height)), left : max(left + 1, math.ceil(x1 * width))]
    found = detector(part, look.side / max(width, height))
    quads = rescale_quads(found.quads + np.array([left, top]), (photo.width / width, photo.height / height))
    return replace(found, quads=quads)
