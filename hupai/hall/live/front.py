"""What has come between the camera and a row: told by the table before the row, where no tile ever stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from hupai.hall.live.look import Span
from hupai.hall.live.strip import Row, Strip
from vision.arrays import ImageArray

FRONT_PX: Final = 8
"""Pixels for a tile width; ``FRONT_GREY``: grey levels of a change that counts, on this share of a column."""
FRONT_GREY: Final = 26
FRONT_SHARE: Final = 0.3
LEARN_SECONDS: Final = 4.0
"""What lies still for so long belongs to the table."""


class Front:
    """The table before the row, in a small picture, and what has come between."""

    def __init__(self, row: Row) -> None:
        """Take the row as it stands."""
        self._row = row
        self._usual: npt.NDArray[np.float32] | None = None
        self._last: npt.NDArray[np.float32] | None = None
        self._still: npt.NDArray[np.float32] | None = None
        self._time = 0.0

    def row_changed(self, row: Row) -> bool:
        """Whether the row is another, or elsewhere in the picture."""
        return row.anchor != self._row.anchor

    def look(self, rgb: ImageArray, time: float, glare: Sequence[Span]) -> tuple[Span, ...]:
        """The spans along the row before which something is."""
        row = self._row
        scale = FRONT_PX / row.wide
        low, high = row.whole
        strip = Strip.cut(rgb, row, (low, high), scale, (0.66 * row.high, 0.66 * row.high + 1.1 * row.wide))
        now = cv2.blur(strip.pixels, (3, 3)).astype(np.float32)
        if self._usual is None or self._last is None or self._still is None:
            self._usual, self._last, self._still, self._time = now, now, np.zeros(now.shape[:2], np.float32), time
            return ()
        moved = np.abs(now - self._last).max(axis=2) > 10
        self._still = np.where(moved, 0, self._still + (time - self._time)).astype(np.float32)
        self._last, self._time = now, time
        off = now - self._usual
        off -= np.clip(np.median(off.reshape(-1, 3), axis=0), -40, 40)
        front = np.abs(off).max(axis=2) > FRONT_GREY
        if glare:  # light brightens all colours alike
            light = (off.min(axis=2) > 0) & (np.ptp(off, axis=2) < 0.4 * off.max(axis=2) + 8)
            front &= ~light
        learn = (self._still > LEARN_SECONDS) | ((np.abs(off).max(axis=2) <= FRONT_GREY) & ~moved)
        self._usual = np.where(learn[..., None], 0.9 * self._usual + 0.1 * now, self._usual).astype(np.float32)
        columns = front.mean(axis=0) > FRONT_SHARE
        return tuple((low + a / scale, low + b / scale) for a, b in runs(columns) if b - a >= 2)


def runs(columns: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """From where to where (n,) values are true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], columns.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
