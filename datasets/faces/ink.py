"""Inked faces: what is engraved on a tile, as coverage of four inks, so that one drawing serves many sets.

An ink face is uint8 (H, W, 4): coverage 0-255 of the dark, red, green and blue ink, origin top-left. The body
shows where the sum is below 255. Colours are chosen later, by the tile set.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

InkFace = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.uint8]

WIDTH: Final = 216
HEIGHT: Final = 288
DARK, RED, GREEN, BLUE = range(4)
CANONICAL: Final = np.array([[24, 26, 44], [186, 26, 36], [14, 104, 56], [26, 56, 150]], np.uint8)
"""RGB of the four inks in pictures of the atlas."""

_SUB = 4  # fractional bits of the drawing calls
_SCALE = 1 << _SUB


class Canvas:
    """Draw inks in fractions of the tile face: x and y run 0-1 from the top-left corner, radii are in tile widths."""

    def __init__(self, width: int = WIDTH, height: int = HEIGHT) -> None:
        self.width, self.height = width, height
        self.planes = np.zeros((4, height, width), np.uint8)

    def _at(self, x: float, y: float) -> tuple[int, int]:
        return round((x * self.width - 0.5) * _SCALE), round((y * self.height - 0.5) * _SCALE)

    def put(self, mask: Mask, ink: int | None) -> None:
        """Lay a coverage mask (H, W) over everything drawn before; ``None`` scrapes the ink off."""
        left = cv2.bitwise_not(mask)
        for plane in self.planes:
            cv2.multiply(plane, left, plane, scale=1 / 255)
        if ink is not None:
            cv2.add(self.planes[ink], mask, self.planes[ink])

    def _mask(self) -> Mask:
        return np.zeros((self.height, self.width), np.uint8)

    def disc(self, x: float, y: float, radius: float, ink: int | None) -> None:
        """A filled circle."""
        mask = self._mask()
        cv2.circle(mask, self._at(x, y), round(radius * self.width * _SCALE), 255, -1, cv2.LINE_AA, _SUB)
        self.put(mask, ink)

    def ellipse(self, x: float, y: float, rx: float, ry: float, degrees: float, ink: int | None) -> None:
        """An ellipse with half axes in tile widths, turned clockwise by ``degrees``."""
        mask = self._mask()
        axes = (max(1, round(rx * self.width * _SCALE)), max(1, round(ry * self.width * _SCALE)))
        cv2.ellipse(mask, self._at(x, y), axes, degrees, 0, 360, 255, -1, cv2.LINE_AA, _SUB)
        self.put(mask, ink)

    def polygon(self, points: npt.ArrayLike, ink: int | None) -> None:
        """A filled polygon of (n, 2) points."""
        mask = self._mask()
        at = np.array([self._at(x, y) for x, y in np.asarray(points, float)], np.int32)
        cv2.fillPoly(mask, [at], 255, cv2.LINE_AA, _SUB)
        self.put(mask, ink)

    def rectangle(self, x0: float, y0: float, x1: float, y1: float, ink: int | None) -> None:
        """A filled upright rectangle."""
        self.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], ink)

    def line(self, points: npt.ArrayLike, thickness: float, ink: int | None) -> None:
        """A polyline with round ends; thickness in tile widths."""
        mask = self._mask()
        at = np.array([self._at(x, y) for x, y in np.asarray(points, float)], np.int32)
        cv2.polylines(mask, [at], False, 255, max(1, round(thickness * self.width)), cv2.LINE_AA, _SUB)
        self.put(mask, ink)

    def stamp(self, glyph: Mask, box: tuple[float, float, float, float], ink: int, stretch: float = 1.0) -> None:
        """Fit a cropped glyph mask into ``box`` (x0, y0, x1, y1), kept in proportion but for ``stretch``."""
        x0, y0, x1, y1 = box[0] * self.width, box[1] * self.height, box[2] * self.width, box[3] * self.height
        scale = min((x1 - x0) / glyph.shape[1], (y1 - y0) / glyph.shape[0])
        sx = min((x1 - x0) / glyph.shape[1], scale * max(1.0, stretch))
        sy = min((y1 - y0) / glyph.shape[0], scale * max(1.0, 1 / stretch))
        w, h = max(2, round(glyph.shape[1] * sx)), max(2, round(glyph.shape[0] * sy))
        small = cv2.resize(glyph, (w, h), interpolation=cv2.INTER_AREA)
        x, y = max(0, round((x0 + x1 - w) / 2)), max(0, round((y0 + y1 - h) / 2))
        mask = self._mask()
        small = small[: self.height - y, : self.width - x]
        mask[y : y + small.shape[0], x : x + small.shape[1]] = small
        self.put(mask, ink)

    def outline(self, thick: float) -> None:
        """Keep only the outlines of what was drawn, as carvers do; thickness in tile widths."""
        k = max(2, round(thick * self.width))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (k, k))
        for plane in self.planes:
            cv2.morphologyEx(plane, cv2.MORPH_GRADIENT, kernel, plane)

    def lay(self, picture: InkFace, box: tuple[float, float, float, float], mirror: bool = False) -> None:
        """Fit a whole ink picture into ``box``, kept in proportion."""
        x0, y0, x1, y1 = box[0] * self.width, box[1] * self.height, box[2] * self.width, box[3] * self.height
        scale = min((x1 - x0) / picture.shape[1], (y1 - y0) / picture.shape[0])
        w, h = max(2, round(picture.shape[1] * scale)), max(2, round(picture.shape[0] * scale))
        small = np.asarray(cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA), np.uint8)
        small = small[:, ::-1] if mirror else small
        x, y = round((x0 + x1 - w) / 2), round((y0 + y1 - h) / 2)
        for ink in range(4):
            mask = self._mask()
            mask[y : y + h, x : x + w] = small[..., ink]
            self.put(mask, ink)

    def face(self) -> InkFace:
        """What was drawn."""
        return np.ascontiguousarray(self.planes.transpose(1, 2, 0))


def from_picture(picture: npt.NDArray[np.uint8]) -> InkFace:
    """Ink face of an RGBA picture: every pixel goes to the ink whose canonical colour is nearest in hue."""
    rgb = picture[..., :3].astype(np.int32)
    spread = rgb.max(axis=2) - rgb.min(axis=2)
    ink = np.choose(rgb.argmax(axis=2), [RED, GREEN, BLUE])
    ink = np.where(spread < 45, DARK, ink)
    face = np.zeros((*picture.shape[:2], 4), np.uint8)
    np.put_along_axis(face, ink[..., None], picture[..., 3:], axis=2)
    return face
