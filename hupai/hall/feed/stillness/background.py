"""The look of the bare table, which tells whether a tile that is no longer seen is gone or only hidden."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import FloatArray, ImageArray

SIZE_PX: Final = (320, 180)
_MAX_COLOUR_DISTANCE: Final = 26.0
"""Colours closer than this (sum over channels, 0-255 each) are the same surface under small changes of light."""
_ADOPT_AFTER_PICTURES: Final = 12
_PATTERN_PX: Final = 5
"""Pixels around a place in which its colours may be found: patterns shift a little when a camera sags."""
_SURROUNDINGS_PX: Final = 9.0
"""Width of the surroundings from which the look of a never bare place is derived, pixels."""


class BackgroundModel:
    """The bare table, learned from still pictures wherever no tile lies."""

    def __init__(self) -> None:
        self._picture: FloatArray = np.zeros((SIZE_PX[1], SIZE_PX[0], 3), np.float32)
        self._known: npt.NDArray[np.bool_] = np.zeros((SIZE_PX[1], SIZE_PX[0]), bool)
        self._odd: npt.NDArray[np.uint8] = np.zeros((SIZE_PX[1], SIZE_PX[0]), np.uint8)

    def update(self, image: ImageArray, quads: FloatArray, *, fresh: bool) -> None:
        """Learn from a still picture.

        Args:
            image: (h, w, 3) uint8. quads: (n, 4, 2) pixels of everything that lies on the table, hidden tiles too.
            fresh: places never seen bare may be learned, because nothing hides part of the table.
        """
        small = self._match_brightness(_shrink(image))
        bare = ~self._mask(quads, image.shape, grow=1.5)
        like = np.abs(small - self._picture).sum(axis=2) < _MAX_COLOUR_DISTANCE
        again = bare & self._known & like
        self._picture[again] += 0.1 * (small[again] - self._picture[again])
        self._odd[again] = 0
        if fresh:
            self._odd[bare & self._known & ~like] += 1
            # What has lain there for this many pictures belongs to the table: a cup, a cloth pulled straight.
            self._known &= self._odd < _ADOPT_AFTER_PICTURES
            self._odd[~self._known] = 0
            new = bare & ~self._known
            self._picture[new] = small[new]
            self._known |= new

    def background_share(self, image: ImageArray, quads: FloatArray) -> FloatArray:
        """Return the (n,) share of each quad that looks like the bare table in this picture, 0-1."""
        small = self._match_brightness(_shrink(image))
        low, high = self._colour_range()
        beyond = np.maximum(low - small, 0) + np.maximum(small - high, 0)
        plain = beyond.sum(axis=2) < _MAX_COLOUR_DISTANCE
        shares = np.zeros(len(quads), np.float32)
        for i, quad in enumerate(quads):
            inside = self._mask(quad[None], image.shape, grow=0.7)
            shares[i] = plain[inside].mean() if inside.any() else 0.0
        return shares

    def _colour_range(self) -> tuple[FloatArray, FloatArray]:
        """Return the lowest and highest colour that the bare table may show at each place: (h, w, 3) each."""
        known = self._known.astype(np.float32)[..., None]
        weight = cv2.GaussianBlur(known, (0, 0), _SURROUNDINGS_PX)[..., None] + 1e-4
        mean = cv2.GaussianBlur(self._picture * known, (0, 0), _SURROUNDINGS_PX) / weight
        square = cv2.GaussianBlur(np.square(self._picture) * known, (0, 0), _SURROUNDINGS_PX) / weight
        spread = np.sqrt(np.maximum(square - np.square(mean), 0))
        unknown = ~self._known
        low, high = self._picture.copy(), self._picture.copy()
        low[unknown], high[unknown] = (mean - spread)[unknown], (mean + spread)[unknown]
        kernel = np.ones((_PATTERN_PX, _PATTERN_PX), np.uint8)
        return np.asarray(cv2.erode(low, kernel), np.float32), np.asarray(cv2.dilate(high, kernel), np.float32)

    def warp(self, move: npt.NDArray[np.floating], image_shape: tuple[int, ...]) -> None:
        """Adapt to a push of the camera; ``move``: (2, 3) old -> new pixels of the full picture."""
        to_small = np.array([SIZE_PX[0] / image_shape[1], SIZE_PX[1] / image_shape[0]])
        small = np.asarray(move, np.float64).copy()
        small[:, :2] = to_small[:, None] * small[:, :2] / to_small[None]
        small[:, 2] *= to_small
        self._picture = np.asarray(cv2.warpAffine(self._picture, small, SIZE_PX), np.float32)
        known = cv2.warpAffine(self._known.astype(np.uint8), small, SIZE_PX, flags=cv2.INTER_NEAREST)
        self._known = np.asarray(cv2.erode(known, np.ones((5, 5), np.uint8)) > 0)
        self._odd[:] = 0

    def match_share(self, image: ImageArray, quads: FloatArray) -> float:
        """Share of the known table, without tiles, that looks in this picture as it is remembered."""
        small = self._match_brightness(_shrink(image))
        where = self._known & ~self._mask(quads, image.shape, grow=1.5)
        if where.sum() < 200:
            return 0.0
        return float((np.abs(small - self._picture).sum(axis=2) < _MAX_COLOUR_DISTANCE)[where].mean())

    def copy(self) -> BackgroundModel:
        """Return a copy with the same knowledge."""
        twin = BackgroundModel()
        twin._picture, twin._known = self._picture.copy(), self._known.copy()
        twin._odd = self._odd.copy()
        return twin

    def _match_brightness(self, small: FloatArray) -> FloatArray:
        """Return the picture at the brightness of the remembered one."""
        if self._known.sum() < 200:
            return small
        ratio = (self._picture[self._known].sum(axis=1) + 12) / (small[self._known].sum(axis=1) + 12)
        return np.asarray(small * np.clip(np.median(ratio), 0.4, 2.5), np.float32)

    @staticmethod
    def _mask(quads: FloatArray, shape: tuple[int, ...], grow: float) -> npt.NDArray[np.bool_]:
        mask = np.zeros((SIZE_PX[1], SIZE_PX[0]), np.uint8)
        scale = np.array([SIZE_PX[0] / shape[1], SIZE_PX[1] / shape[0]], np.float32)
        for quad in quads:
            middle = quad.mean(axis=0)
            points = ((quad - middle) * grow + middle) * scale
            cv2.fillConvexPoly(mask, np.rint(points).astype(np.int32), 1)
        return mask > 0


def _shrink(image: ImageArray) -> FloatArray:
    return cv2.resize(image, SIZE_PX, interpolation=cv2.INTER_AREA).astype(np.float32)
