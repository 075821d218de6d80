"""Pixels of the picture -> coordinates on the table, from the table's four corners or from the tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from hupai.hall.feed.errors import FeedError
from vision.arrays import FloatArray
from vision.geometry import convex_hull, signed_area

TILE_ASPECT: Final = 4 / 3
"""Height of a tile's face over its width; sets differ by a few per cent, which is close enough to locate tiles."""
MIN_TILES: Final = 6
"""Number of tiles needed to find the camera's view of the table."""
SIDE_TILE_WIDTHS: Final = 27.0
"""Side of a table in tile widths, used if only its corners are known (70 cm by 26 mm)."""


@dataclass(frozen=True)
class TableHomography:
    """Where the table lies in the picture.

    Attributes:
        matrix: (3, 3) float64, pixels (x, y, 1) -> table coordinates in tile widths, up to scale.
        corners: (4, 2) float32 pixels of the table's corners, clockwise in the picture, or None when unknown.
    """

    matrix: npt.NDArray[np.float64]
    corners: FloatArray | None = None

    def to_table(self, points: npt.NDArray[np.floating]) -> FloatArray:
        """(..., 2) pixels -> (..., 2) float32 tile widths."""
        if not points.size:
            return np.zeros(points.shape, np.float32)
        flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
        return cv2.perspectiveTransform(flat, self.matrix).reshape(points.shape).astype(np.float32)

    def moved_by(self, move: npt.NDArray[np.floating]) -> TableHomography:
        """Return the homography after the camera was pushed; ``move``: (2, 3) old pixels -> new pixels."""
        full = np.vstack([np.asarray(move, np.float64), [0, 0, 1]])
        corners = self.corners
        if corners is not None:
            corners = cv2.transform(corners.reshape(-1, 1, 2), full[:2]).reshape(4, 2).astype(np.float32)
        return TableHomography(self.matrix @ np.linalg.inv(full), corners)


def overhead_homography(tile_width: float = 1.0) -> TableHomography:
    """Return the homography of a camera directly above; ``tile_width`` in pixels."""
    return TableHomography(np.diag([1 / tile_width, 1 / tile_width, 1.0]))


def homography_from_corners(corners: Sequence[Sequence[float]], side: float = SIDE_TILE_WIDTHS) -> TableHomography:
    """Return the homography of a square table from its four corners in the picture, in any order.

    Args:
        corners: four (x, y), pixels. side: of the table, tile widths.

    Raises:
        FeedError: there are not four, or they enclose no four-sided area.
    """
    points = np.asarray(corners, np.float32)
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise FeedError("A table has four corners, each x and y.", code="bad_corners", field="corners")
    hull = convex_hull(points)
    if len(hull) != 4 or signed_area(hull) < 100:
        message = "The four corners enclose no table; click them one by one."
        raise FeedError(message, code="bad_corners", field="corners")
    # Clockwise in the picture (y down), from the corner nearest its top-left.
    first = min(range(4), key=lambda i: sum(hull[i]))
    quad = np.array(hull[first:] + hull[:first], np.float32)
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    return TableHomography(np.asarray(cv2.getPerspectiveTransform(quad, square), np.float64), quad)


def homography_from_tiles(quads: FloatArray, width: int, height: int) -> TableHomography | None:
    """Find the table from the faces of tiles that lie flat: on the table, all are the same rectangle.

    The map is a projective rectification (vanishing line, then shear, aspect and scale: Liebowitz and Zisserman 1998)
    whose five numbers make the faces most alike in size and most upright; a few odd ones (standing, misplaced) do not
    spoil it.

    Args:
        quads: (n, 4, 2) float32 pixels, first edge a short one. width, height: of the picture.

    Returns:
        The homography, or None when there are too few tiles or they do not agree.
    """
    if len(quads) < MIN_TILES:
        return None
    from scipy.optimize import least_squares  # slow to import, and servers watch no tables

    unit = max(width, height)
    middle = np.array([width, height]) / 2
    points = (np.asarray(quads, np.float64) - middle) / unit
    across = np.linalg.norm(points[:, 1] - points[:, 0], axis=1)
    start = np.array([0.0, 0.0, 0.0, 0.0, -np.log(np.median(across))])

    def matrix_of(p: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        projective = np.array([[1, 0, 0], [0, 1, 0], [p[0], p[1], 1]])
        scale = np.exp(p[4])
        affine = np.array([[scale, scale * p[2], 0], [0, scale * np.exp(p[3]), 0], [0, 0, 1]])
        return np.asarray(affine @ projective)

    def faults(p: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        flat = cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix_of(p)).reshape(-1, 4, 2)
        edge = np.roll(flat, -1, axis=1) - flat
        long = np.linalg.norm(edge, axis=2)
        long = np.maximum(long, 1e-6)
        wide = np.log(long[:, [0, 2]].mean(axis=1))
        high = np.log(long[:, [1, 3]].mean(axis=1) / TILE_ASPECT)
        cosine = (edge[:, 0] * edge[:, 1]).sum(axis=1) / (long[:, 0] * long[:, 1])
        # Keep a level plane unless the tiles say otherwise.
        return np.concatenate([wide, high, cosine, 0.05 * p[:4]])

    found = least_squares(faults, start, loss="soft_l1", f_scale=0.1)
    left = np.abs(faults(found.x)[:-4])
    if not found.success or np.median(left) > 0.12 or np.abs(found.x[:2]).max() > 1.2:
        return None
    to_unit = np.array([[1 / unit, 0, -middle[0] / unit], [0, 1 / unit, -middle[1] / unit], [0, 0, 1]])
    return TableHomography(matrix_of(found.x) @ to_unit)
