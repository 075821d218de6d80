"""What has come between the camera and a row: told by the table before the row, where no tile ever stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from hupai.hall.live.row.look import Span
from hupai.hall.live.row.strip import Row, Strip
from vision.arrays import ImageArray

FRONT_PX: Final = 8
"""Pixels for a tile width; ``FRONT_GREY``: grey levels of a change that counts, on this share of a column."""
FRONT_GREY: Final = 26
FRONT_SHARE: Final = 0.3
LIT: Final = 1.5
"""Tile widths around what light blots out in which it may brighten the table."""
BUMP: Final = np.ones((5, 5), np.uint8)
LEARN_SECONDS: Final = 4.0
"""What lies still for so long belongs to the table."""


class Front:
    """The table before the row, in a small picture, and what has come between."""

    def __init__(self, rgb: ImageArray, row: Row, time: float) -> None:
        """Take the row as it stands in a picture, and what lies before it as the table."""
        self._row, self._time = row, time
        self._usual = self._last = self._cut(rgb)
        self._still = np.zeros(self._usual.shape[:2], np.float32)

    def _cut(self, rgb: ImageArray) -> npt.NDArray[np.float32]:
        row = self._row
        across = 0.66 * row.high, 0.66 * row.high + 1.1 * row.wide
        return cv2.blur(Strip.cut(rgb, row, row.whole, FRONT_PX / row.wide, across).pixels, (3, 3)).astype(np.float32)

    def look(self, rgb: ImageArray, time: float, glare: Sequence[Span]) -> tuple[Span, ...]:
        """The spans along the row before which something is."""
        now = self._cut(rgb)
        moved = np.abs(now - self._last).max(axis=2) > 10
        self._still = np.where(moved, 0, self._still + (time - self._time)).astype(np.float32)
        self._last, self._time = now, time
        off = now - self._usual
        shade = np.clip(np.median(off.reshape(-1, 3), axis=0), -40, 40)
        off -= shade
        # Where the table shows a pattern, each bump of the camera shifts it a little.
        near = np.clip(now - shade, cv2.erode(self._usual, BUMP), cv2.dilate(self._usual, BUMP))
        far = np.abs(now - shade - near).max(axis=2) > FRONT_GREY
        # Light brightens all colours alike, as pale sleeves do elsewhere.
        at, reach = self._row.whole[0] + np.arange(now.shape[1]) * self._row.wide / FRONT_PX, LIT * self._row.wide
        near_light = np.any([(a - reach < at) & (at < b + reach) for a, b in glare], axis=0)
        lit = (off.min(axis=2) > 0) & (np.ptp(off, axis=2) < 0.4 * off.max(axis=2) + 8) & near_light
        there = far & ~lit
        # What may be the pattern, moved a little, may be a sleeve as well: it is not learned at once.
        other = np.abs(off).max(axis=2) > FRONT_GREY
        learned = other & ~lit & (self._still > LEARN_SECONDS)
        share = np.where(learned, 1.0, np.where(other | moved, 0.0, 0.1))[..., None]
        self._usual = (self._usual + share * (now - self._usual)).astype(np.float32)
        columns, scale = _reaching_in(there).mean(axis=0) > FRONT_SHARE, FRONT_PX / self._row.wide
        low = self._row.whole[0]
        return tuple((low + a / scale, low + b / scale) for a, b in runs(columns) if b - a >= 2)


def _reaching_in(there: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """What comes in over an edge but the one at the row, as arms do; shadows and the sides of tiles end before it."""
    _, parts = cv2.connectedComponents(there.astype(np.uint8), connectivity=8)
    edges = np.concatenate([parts[-1], parts[:, 0], parts[:, -1]])
    return np.asarray(there & np.isin(parts, edges), np.bool_)


def runs(columns: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """From where to where (n,) values are true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], columns.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
