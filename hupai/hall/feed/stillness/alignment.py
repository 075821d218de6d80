"""Aligns small grey pictures of a table, so that the camera's shake is not taken for moving tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import FloatArray

MAX_STEPS: Final = 3
"""Gauss-Newton steps per frame; a small shake is found in one."""
MAX_OFFSET_PX: Final = 4.0
"""Pixels of the small picture by which its corners may move; anything more is a push, which counts as motion."""
_CONVERGED_PX: Final = 0.01
_HUBER_GREY: Final = 6.0
"""Grey levels above which a difference counts less and less (Huber)."""
_BLUR_PX: Final = 5
_MIN_GAIN_GREY: Final = 0.5
"""Grey levels (mean of a place 5 pixels wide) by which a move must change the difference for that place to count."""
_MAX_WORSE_SHARE: Final = 0.25
"""Places that may get worse for each that gets better; with more, an arm or a tile has moved, not the camera."""
_DAMPING: Final = 50.0
"""Weight of standing still: a picture without pattern carries no information about its position."""


@dataclass(frozen=True, slots=True)
class AlignedFrame:
    """A picture aligned with the anchor.

    Attributes:
        picture: (h, w) float32 grey levels, moved back; unchanged if the camera was pushed too far.
        offset: how far its farthest corner had moved from the anchor, pixels, at most :data:`MAX_OFFSET_PX`.
        step: the same from the previous picture.
    """

    picture: FloatArray
    offset: float
    step: float


class ImageAligner:
    """Finds how a camera has moved since a picture was taken, and undoes the move.

    The affine map is found by Gauss-Newton steps on the grey levels (Lucas and Kanade 1981; Baker and Matthews 2004,
    inverse compositional), with Huber weights on the differences, together with a change of brightness; it is used only
    if nearly all places that it affects match better.

    Attributes:
        anchor: (h, w) float32 grey levels, the picture that later ones are aligned with.
    """

    def __init__(self, anchor: FloatArray) -> None:
        """Use ``anchor`` as the camera's reference position."""
        h, w = anchor.shape
        self.anchor = anchor
        self._move: npt.NDArray[np.float64] = np.eye(3)
        gx, gy = cv2.Sobel(anchor, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(anchor, cv2.CV_32F, 0, 1, scale=0.125)
        # Coordinates run from -1 to 1, so that rotation and scaling weigh about as much as shifting.
        self._half = np.array([w / 2, h / 2])
        x, y = np.meshgrid(2 * np.arange(w) / w - 1, 2 * np.arange(h) / h - 1)
        x, y = x.astype(np.float32), y.astype(np.float32)
        columns = [gx, gy, gx * x, gx * y, gy * x, gy * y, anchor / 128, np.ones_like(anchor)]
        self._columns = np.stack([c.ravel() for c in columns], axis=1)
        self._corners = np.array([[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]], np.float64).T

    def apply_last(self, picture: FloatArray) -> AlignedFrame:
        """Align the (h, w) float32 picture as if the camera had not moved since the last one."""
        return AlignedFrame(self._warp_back(picture, self._move), self._corner_shift(self._move), 0.0)

    def align(self, picture: FloatArray, unmoved: AlignedFrame) -> AlignedFrame:
        """Align a picture with the anchor.

        Args:
            picture: (h, w) float32 grey levels. unmoved: what :meth:`apply_last` returns for it, and this method, too,
                where no move explains the differences.
        """
        before = move = self._move
        aligned = unmoved.picture
        for _ in range(MAX_STEPS):
            step = self._step(aligned)
            size = self._corner_shift(step)
            if size <= MAX_OFFSET_PX:
                move = move @ np.linalg.inv(step)
            if max(size, self._corner_shift(move)) > MAX_OFFSET_PX:
                self._move = np.eye(3)
                return AlignedFrame(picture, MAX_OFFSET_PX, MAX_OFFSET_PX)
            aligned = self._warp_back(picture, move)
            if size < _CONVERGED_PX:
                break
        if not self._improves(unmoved.picture, aligned):
            return unmoved
        self._move = move
        last = self._corner_shift(np.linalg.inv(before) @ move)
        return AlignedFrame(aligned, self._corner_shift(move), min(MAX_OFFSET_PX, last))

    def _step(self, aligned: FloatArray) -> npt.NDArray[np.float64]:
        """Return the small move of the anchor that explains the remaining differences."""
        apart = (aligned - self.anchor).ravel()
        weights = _HUBER_GREY / np.maximum(np.abs(apart - np.median(apart)), _HUBER_GREY)
        weighted = self._columns * weights[:, None]
        normal = weighted.T @ self._columns
        normal[np.arange(6), np.arange(6)] += _DAMPING
        normal[np.arange(6, 8), np.arange(6, 8)] += 1e-3
        dx, dy, xx, xy, yx, yy = np.linalg.solve(normal.astype(np.float64), weighted.T @ apart)[:6]
        to_unit = np.array([[1 / self._half[0], 0, -1], [0, 1 / self._half[1], -1], [0, 0, 1]])
        change = np.array([[xx, xy, dx], [yx, yy, dy], [0, 0, 0]]) @ to_unit
        return np.asarray(np.eye(3) + change, np.float64)

    def _improves(self, before: FloatArray, after: FloatArray) -> bool:
        """Whether nearly all of the picture matches better after a move than before it."""
        gains = self._difference(before) - self._difference(after)
        worse, better = np.count_nonzero(gains < -_MIN_GAIN_GREY), np.count_nonzero(gains > _MIN_GAIN_GREY)
        return bool(worse <= _MAX_WORSE_SHARE * better)

    def _difference(self, aligned: FloatArray) -> FloatArray:
        apart = aligned - self.anchor
        return np.asarray(cv2.blur(np.abs(apart - np.median(apart)), (_BLUR_PX, _BLUR_PX)), np.float32)

    def _warp_back(self, picture: FloatArray, move: npt.NDArray[np.float64]) -> FloatArray:
        if np.array_equal(move, np.eye(3)):
            return picture
        h, w = picture.shape
        how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(picture, move[:2], (w, h), flags=how, borderMode=cv2.BORDER_REPLICATE))

    def _corner_shift(self, move: npt.NDArray[np.float64]) -> float:
        return float(np.linalg.norm(((move - np.eye(3)) @ self._corners)[:2], axis=0).max())
