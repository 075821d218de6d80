"""Photo -> quads of printed tile faces, by the detector, which does not tell one face from another."""

from __future__ import annotations

import math

from vision.detect.nms import non_maximum_suppression
from vision.detect.scales import VIEW_SIDE_PX, Pass, search
from vision.device import DevicePhoto, DeviceView, ScoredQuad
from vision.geometry import Point, rescale_quad


async def detect_quads(view: DeviceView, window: tuple[int, int, int, int], scale: Point) -> list[ScoredQuad]:
    """The tiles found in a window of a view once it is resized by ``scale``, in pixels of the window, the surest first.

    They are found best when their narrower span is within the detector's ``tile_px`` afterwards.

    Args:
        scale: of its width and of its height.
        window: left, top, right, bottom, as in :meth:`vision.device.DeviceView.detect`.
    """
    wide, high = window[2] - window[0], window[3] - window[1]
    width, height = max(1, round(wide * scale[0])), max(1, round(high * scale[1]))
    found = non_maximum_suppression(await view.detect(window, width, height))
    return [one._replace(quad=rescale_quad(one.quad, (wide / width, high / height))) for one in found]


async def search_photo(photo: DevicePhoto, tile_px: tuple[float, float], *, thorough: bool = True) -> list[ScoredQuad]:
    """The tiles of a photo, in pixels of the upright original, the surest first.

    Where the first pass finds nothing, other sizes are tried if ``thorough``.
    """
    passes = search(photo.width, photo.height, *tile_px, thorough=thorough)
    look = next(passes)
    while True:
        found = await _run_pass(photo, look)
        try:
            look = passes.send(found)
        except StopIteration as done:
            kept: list[ScoredQuad] = done.value
            return kept


async def _run_pass(photo: DevicePhoto, look: Pass) -> list[ScoredQuad]:
    """One pass; quads in pixels of the upright original."""
    view = await photo.view(max(VIEW_SIDE_PX, round(look.side * max(look.stretch))))
    width, height = view.width, view.height
    x0, y0, x1, y1 = look.window
    left, top = int(x0 * width), int(y0 * height)
    window = left, top, max(left + 1, math.ceil(x1 * width)), max(top + 1, math.ceil(y1 * height))
    found = await detect_quads(view, window, look.scale(max(width, height)))
    by = photo.width / width, photo.height / height
    stretch = max(look.stretch)
    return [one._replace(quad=rescale_quad(one.quad, by, (left, top)), stretch=stretch) for one in found]
