"""A photo -> quads of printed tile faces, searched at the sizes that suit it."""

from __future__ import annotations

import math

from vision.detect.detector import QuadDetector
from vision.detect.nms import ScoredQuad
from vision.detect.scales import VIEW_SIDE_PX, Pass, search
from vision.geometry import rescale_quad
from vision.io.photo import Photo


def search_photo(photo: Photo, detector: QuadDetector, *, thorough: bool = True) -> list[ScoredQuad]:
    """The tiles of a photo, in pixels of the upright original, the surest first.

    Where the first pass finds nothing, other sizes are tried if ``thorough``.
    """
    passes = search(photo.width, photo.height, *detector.tile_px, thorough=thorough)
    look = next(passes)
    while True:
        try:
            look = passes.send(_run_pass(photo, detector, look))
        except StopIteration as done:
            found: list[ScoredQuad] = done.value
            return found


def _run_pass(photo: Photo, detector: QuadDetector, look: Pass) -> list[ScoredQuad]:
    """One pass; quads in pixels of the upright original."""
    view = photo.view(max(VIEW_SIDE_PX, look.side))
    height, width = view.shape[:2]
    x0, y0, x1, y1 = look.window
    left, top = int(x0 * width), int(y0 * height)
    part = view[top : max(top + 1, math.ceil(y1 * height)), left : max(left + 1, math.ceil(x1 * width))]
    found, by = detector(part, look.side / max(width, height)), (photo.width / width, photo.height / height)
    return [one._replace(quad=rescale_quad(one.quad, by, (left, top))) for one in found]
