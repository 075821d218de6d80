"""Light that blots out what lies under it: a lamp's reflection, a spot of sun on the tiles."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import FloatArray, ImageArray

BLOWN_GREY: Final = 250
"""A pixel whose channels are all at least this bright is at the sensor's limit and shows nothing."""
_PATCH_PX: Final = (48, 64)
_PATCH_SIDES: Final = 1.5
"""Width and height of the patch around a face, in its own."""
_FACE_SIDES: Final = 0.85
_WEIGHTS: Final = (-6.1, 7.9, 7.9, -9.1)
"""Logistic regression on 44 photographs with spots of light painted over printed faces until no print was left, against
the white dragons and backs in them, up to 2.2 times as bright: area under the curve .992 on 85 other photographs, where
1 % of the blotted faces is missed; of their 78 white dragons and 247 backs as photographed none is taken for one."""
_WINDOW_PX: Final = (5, 5)
_EDGE_PX: Final = 13
_MAX_LEFT_GREY: Final = 7.0
"""Grey levels that light may leave unexplained: what counts as a difference from frame to frame."""
_MIN_BLOB_TILES: Final = 0.5
_NEAR_SIDES: Final = 1.0


def find_blown_faces(image: ImageArray, quads: FloatArray) -> npt.NDArray[np.bool_]:
    """Tell which faces light has blotted out, so that nothing, or a white dragon, is seen there.

    The face of a white dragon may be as bright, but what is around it is then not brighter than around other tiles. Of
    a face in which print is made out there is nothing to tell.

    Args:
        image: (h, w, 3) uint8. quads: (n, 4, 2) corners of faces, pixels.

    Returns:
        (n,) bool.
    """
    blown = blown_out(image)
    if not len(quads) or not blown.any():
        return np.zeros(len(quads), bool)
    face, around = np.array([_blown_shares(blown, quad) for quad in quads]).T
    bias, of_face, of_around, of_others = _WEIGHTS
    return np.asarray(bias + of_face * face + of_around * around + of_others * np.median(around) > 0)


def blown_out(image: ImageArray) -> npt.NDArray[np.uint8]:
    """Return 255 where an (h, w, 3) picture shows nothing, else 0: (h, w)."""
    return np.asarray(cv2.inRange(image, (BLOWN_GREY,) * 3, (255,) * 3), np.uint8)


def _blown_shares(blown: npt.NDArray[np.uint8], quad: FloatArray) -> tuple[float, float]:
    """Return the share of a face, and of a rim around it, that is blown out."""
    width, height = _PATCH_PX
    middle = quad.mean(axis=0)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(((quad - middle) * _PATCH_SIDES + middle).astype(np.float32), target)
    patch = cv2.warpPerspective(blown, matrix, _PATCH_PX, borderMode=cv2.BORDER_REPLICATE) > 127
    rim = np.ones((height, width), bool)
    rim[_inner(height, 1.0), _inner(width, 1.0)] = False
    face = patch[_inner(height, _FACE_SIDES), _inner(width, _FACE_SIDES)]
    return float(face.mean()), float(patch[rim].mean())


def _inner(length: int, sides: float) -> slice:
    edge = round(length * (1 - sides / _PATCH_SIDES) / 2)
    return slice(edge, length - edge)


def has_glare_beside(image: ImageArray, quads: FloatArray) -> bool:
    """Tell whether light may hide a tile beside these: a blown-out place of its size that none of them covers.

    Args:
        image: (h, w, 3) uint8. quads: (n, 4, 2) corners of the tiles that are seen, pixels.
    """
    blown = blown_out(image)
    area = float(np.median([cv2.contourArea(quad) for quad in quads.astype(np.float32)]))
    near = np.zeros(image.shape[:2], np.uint8)
    seen = near.copy()
    for mask, sides in ((near, 1 + 2 * _NEAR_SIDES), (seen, 1.0)):
        for quad in quads:
            middle = quad.mean(axis=0)
            cv2.fillConvexPoly(mask, np.rint((quad - middle) * sides + middle).astype(np.int32), 255)
    open_glare = cv2.bitwise_and(blown, cv2.bitwise_and(near, cv2.bitwise_not(seen)))
    _, _, found, _ = cv2.connectedComponentsWithStats(open_glare)
    return bool((found[1:, cv2.CC_STAT_AREA] >= _MIN_BLOB_TILES * area).any())


def find_light_changes(one: FloatArray, other: FloatArray, changed: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Tell which changed pixels only a blown-out spot of light explains that has moved over a still scene.

    Light makes each picture a linear function of the other within a small window; what moves does not. Only changes
    that reach a blown-out place are looked at, and what is blown out itself may hide anything.

    Args:
        one, other: (h, w) float32 grey levels. changed: (h, w) where they differ.

    Returns:
        (h, w) bool.
    """
    blown = (np.maximum(one, other) >= BLOWN_GREY).astype(np.uint8)
    if not blown.any():
        return np.zeros_like(changed)
    blown = np.asarray(cv2.dilate(blown, np.ones((_EDGE_PX, _EDGE_PX), np.uint8)), np.uint8)
    _, parts = cv2.connectedComponents(cv2.dilate(changed.astype(np.uint8) | blown, np.ones((3, 3), np.uint8)))
    lit = np.isin(parts, np.unique(parts[blown > 0]))
    weight = np.asarray(1.0 - blown, np.float32)
    total = cv2.boxFilter(weight, -1, _WINDOW_PX) + 1e-6
    a, b, ab, aa, bb = (
        cv2.boxFilter(weight * x, -1, _WINDOW_PX) / total for x in (one, other, one * other, one * one, other * other)
    )
    across, spread, others = ab - a * b, np.maximum(aa - a * a, 0), np.maximum(bb - b * b, 0)
    left = np.maximum(spread, others) * (1 - np.square(across) / np.maximum(spread * others, 1e-3))
    linear = (left < _MAX_LEFT_GREY**2) & (across >= 0)
    return np.asarray(changed & lit & (linear | (blown > 0)))
