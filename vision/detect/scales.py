"""Which sizes to search a photo at: one cheap pass tells where and how large the tiles are, later ones look closer.

The detector reads tiles best within a range of sizes (``tile_px`` of its metadata). A photo of one hand seldom needs
more than the first pass; a table seen from afar, a steep view or a close-up of three tiles gets one more at the size
that suits, of the part of the photo that holds tiles. Where tiles are still small in it, since others are larger or the
photo itself is, each group of them is looked at by itself. Of tiles seen from low down strips are left: looks at them
stretch the photo.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, quantiles
from typing import Final

from vision.detect.nms import non_maximum_suppression
from vision.device import ScoredQuad
from vision.geometry import Bounds, Point, Quad, bounds, extent, rescale_quad, share_inside, tile_size
from vision.reading import THRESHOLD

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
costs time (1.4: half as much again) and found no more tiles in 782 photos; 1.0 lost three of 1,380."""
MARGIN_SIDES: Final = (1.5, 3.0)
"""How many tile sides a later pass reaches beyond every detection, across the direction of the nearest other one and
along it: what the first pass overlooks are the ends of rows of small tiles."""

MAX_ENLARGED: Final = 4.0
"""A closer look shows a group of tiles at most this many times larger than the photo does."""
MAX_FLAT: Final = 1.6
"""How many times longer along a photo than across it the edges of tiles may be before a look stretches it."""
MAX_STRETCH: Final = 3.0
"""A look shows such tiles at most this many times wider or higher."""
CLOSER_GAIN: Final = 1.15
"""A closer look that would show its window less than this many times larger than an earlier one did is left out."""
MIN_BEYOND: Final = 0.01
"""So is one that would show less than this share of the photo more, along or across."""
GROUP_SIDES: Final = 2.5
"""Tiles whose middles are less than so many tile sides apart are of one group."""

ODD_SIZE_RATIO: Final = 1.9
"""Detections this many times smaller than the rest, dice and print, do not decide how sharp the view must be."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One look at a photo, resized so that its longer side has ``side`` pixels.

    Only the window is looked at: (x0, y0, x1, y1), shares of the photo's width and height. ``stretch``: how many times
    wider and higher than that it is shown.
    """

    side: int
    window: Bounds = (0.0, 0.0, 1.0, 1.0)
    stretch: Point = (1.0, 1.0)

    def scale(self, full: int) -> Point:
        """How many times wider and higher it shows a photo whose longer side has ``full`` pixels."""
        return self.side * self.stretch[0] / full, self.side * self.stretch[1] / full

    def count_pixels(self, width: int, height: int) -> int:
        """What it shows of a photo of this size, in pixels of the photo resized."""
        (x0, y0, x1, y1), (across, down) = self.window, self.scale(max(width, height))
        return round((x1 - x0) * width * across * (y1 - y0) * height * down)

    def shows(self, other: Pass) -> bool:
        """Whether another one would show nothing that is not in its window, and hardly larger."""
        (x0, y0, x1, y1), (a0, b0, a1, b1) = self.window, other.window
        beyond = max(x0 - a0, y0 - b0, a1 - x1, b1 - y1)
        gain = max(later / earlier for earlier, later in zip(self.scale(1), other.scale(1), strict=True))
        return gain <= CLOSER_GAIN and beyond < MIN_BEYOND


def search(
    width: int, height: int, low: float, high: float, *, thorough: bool = True
) -> Generator[Pass, list[ScoredQuad], list[ScoredQuad]]:
    """The passes of a search through a photo of this size, one by one.

    Each is to be answered with what it finds, in pixels of the upright photo; scores are the detector's own. Where the
    first pass finds nothing, other sizes are tried if ``thorough``.

    Args:
        width, height: of the photo, pixels.
        low, high: as for :func:`plan_later_passes`.

    Returns:
        The tiles of the photo, the surest first.
    """
    full, side = max(width, height), first_side(width, height)
    glance = yield Pass(round(GLANCE_SCALE * side))
    large = [one for one in glance if _span(one.quad) * GLANCE_SCALE * side / full >= low]
    found = (yield Pass(side)) + large
    looks = [Pass(side)]
    sure = [one for one in found if one.score > THRESHOLD]
    for look in plan_later_passes(sure, width, height, low, high) if sure or thorough else []:
        found += yield look
        looks.append(look)
    across, down = (max(look.scale(full)[axis] for look in looks) for axis in range(2))
    # No more than the passes before took: a photo takes twice as long at most.
    left = sum(look.count_pixels(width, height) for look in looks)
    sure = [one for one in non_maximum_suppression(found) if one.score > THRESHOLD]
    for group in group_quads([one.quad for one in sure if _span(one.quad, (across, down)) < low]):
        look = plan_closer_look(group, width, height, low, left)
        if not any(earlier.shows(look) for earlier in looks):
            found += yield look
            looks.append(look)
            left -= look.count_pixels(width, height)
    # Of 72 faces in 1,911 photos that the edge cut by more than half only one was labelled, and it was misread.
    return [one for one in non_maximum_suppression(found) if share_inside(one.quad, width, height) >= 0.5]


def first_side(width: int, height: int) -> int:
    """Longer side, pixels, of a photo of this size in the first pass."""
    short, long = sorted((width, height))
    return min(MAX_FIRST_SIDE_PX, max(FIRST_SIDE_PX, round(math.sqrt(FIRST_PIXELS * long / short))))


def _span(quad: Quad, scale: Point = (1.0, 1.0)) -> float:
    """What a steep view leaves of a tile, its width or its height, in pixels of the photo resized."""
    return min(extent(rescale_quad(quad, scale)))


def _twentieths(quads: Sequence[Quad], scale: float, stretch: Point = (1.0, 1.0)) -> list[float]:
    """What parts the spans of quads into twenty equal shares; ``scale``: of the photo before it is stretched."""
    spans = [_span(quad, stretch) * scale for quad in quads]
    return quantiles(spans if len(spans) > 1 else 2 * spans, n=20, method="inclusive")


def stretch_of(quads: Sequence[Quad]) -> Point:
    """How many times wider and higher to show tiles, so that their edges are not much longer along than across."""
    sums = [0.0, 0.0]
    for quad in quads:
        for start, end in pairwise((*quad, quad[0])):
            for axis in range(2):
                sums[axis] += (end[axis] - start[axis]) ** 2 / max(1.0, tile_size(quad)) ** 2
    flat = math.sqrt(sums[0] / max(sums[1], 1e-6))
    wider, higher = (min(MAX_STRETCH, max(1.0, ratio / MAX_FLAT)) for ratio in (1 / max(flat, 1e-3), flat))
    return wider, higher


def plan_later_passes(first: Sequence[ScoredQuad], width: int, height: int, low: float, high: float) -> list[Pass]:
    """The passes to run on a photo of this size after the first; where that found nothing, other sizes are tried.

    Tiles with a narrower span of ``low`` to ``high`` pixels are those that the detector reads best.
    """
    if not first:
        return [Pass(2 * first_side(width, height)), Pass(FIRST_SIDE_PX // 2)]
    full, side = max(width, height), first_side(width, height)
    # One odd detection must not decide, so small and large are the 5th and 85th percentiles.
    quads = [one.quad for one in first]
    twentieths = _twentieths(quads, side / full)
    small, large = twentieths[0], twentieths[16]
    passes = []
    if small < low:
        x0, y0, x1, y1 = window = _window(quads, width, height)
        wider, higher = stretch = stretch_of(quads)
        small = _twentieths(quads, side / full, stretch)[0]
        across, down = (x1 - x0) * width * wider / full, (y1 - y0) * height * higher / full
        by_area = math.sqrt(MAX_PASS_PIXELS / (across * down))
        most = min(MAX_SIDE_PX / max(across, down), max(MAX_SIDE_PX, full), by_area)
        passes.append(Pass(round(min(most, side * CLOSER_FACTOR * low / small)), window, stretch))
    if large > high:
        further = max(FIRST_SIDE_PX // 5, round(side * 0.7 * high / large))
        passes.append(Pass(further, _window(quads, width, height)))
    return passes


def plan_closer_look(group: Sequence[Quad], width: int, height: int, low: float, most: int) -> Pass:
    """A look at a group of tiles in a photo of this size.

    Args:
        group: quads in pixels of the photo.
        width, height: of the photo, pixels.
        low: as for :func:`plan_later_passes`.
        most: pixels that it may take.
    """
    x0, y0, x1, y1 = window = _window(group, width, height)
    wider, higher = stretch = stretch_of(group)
    across, down = (x1 - x0) * width * wider, (y1 - y0) * height * higher
    spans = sorted(_span(quad, stretch) for quad in group)
    scale = min(
        MAX_ENLARGED / max(stretch),
        CLOSER_FACTOR * low / spans[len(spans) // 4],
        math.sqrt(max(0, min(most, MAX_PASS_PIXELS)) / (across * down)),
        MAX_SIDE_PX / max(across, down),
    )
    return Pass(round(scale * max(width, height)), window, stretch)


def group_quads(quads: Sequence[Quad]) -> list[list[Quad]]:
    """Quads near each other together, the largest group first."""
    rest = {i: sum(complex(*corner) for corner in quad) / 4 for i, quad in enumerate(quads)}
    groups = []
    while rest:
        group = [rest.popitem()]
        for i, middle in group:
            near = GROUP_SIDES * tile_size(quads[i])
            found = [(j, other) for j, other in rest.items() if abs(other - middle) < near]
            for j, _ in found:
                del rest[j]
            group += found
        groups.append([quads[i] for i, _ in group])
    return sorted(groups, key=len, reverse=True)


def plan_view(quads: Sequence[Quad], width: int, height: int, crop_px: int) -> int:
    """Longer side of the smallest view of a photo of this size in which every tile is ``crop_px`` wide, or its own.

    Detections much smaller than the rest are dice and print more often than tiles; they do not count here.
    """
    if not quads:
        return VIEW_SIDE_PX
    edges = [extent(quad)[0] for quad in quads]
    least = median(edges) / ODD_SIZE_RATIO
    return math.ceil(max(width, height) * min(1.0, crop_px / max(1.0, min(edge for edge in edges if edge > least))))


def _window(quads: Sequence[Quad], width: int, height: int) -> Bounds:
    """The part of a photo that holds quads, with a margin around each."""
    corners = []
    for quad, along in zip(quads, _rows_along(quads), strict=True):
        x0, y0, x1, y1 = bounds(quad)
        least, most = (sides * tile_size(quad) for sides in MARGIN_SIDES)
        across, down = (least + (most - least) * way for way in along)
        corners += [(x0 - across, y0 - down), (x1 + across, y1 + down)]
    x0, y0, x1, y1 = bounds(corners)
    return max(0.0, x0 / width), max(0.0, y0 / height), min(1.0, x1 / width), min(1.0, y1 / height)


def _rows_along(quads: Sequence[Quad]) -> list[tuple[float, float]]:
    """How much each quad's row runs along x and along y, 0-1: the direction to the nearest other quad."""
    middles = [sum(complex(*corner) for corner in quad) / 4 for quad in quads]
    found = []
    for i, middle in enumerate(middles):
        step = min((other - middle for j, other in enumerate(middles) if j != i), key=abs, default=complex(1, 1))
        long = max(abs(step), 1e-3) if len(quads) > 1 else 1
        found.append((abs(step.real) / long, abs(step.imag) / long))
    return found
