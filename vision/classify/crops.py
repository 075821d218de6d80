"""Quads -> upright crops of one size, cut from the sharpest view of the photo at hand."""

from __future__ import annotations

import cv2
import numpy as np

from vision.reading import FloatArray, ImageArray

MOST_SUPERSAMPLING = 3
"""Large tiles are cut at up to this many times the crop's size and averaged down, against aliasing."""


def rectify(image: ImageArray, quad: FloatArray, size: tuple[int, int], margin: float) -> ImageArray:
    """One upright crop.

    Args:
        image: (h, w, 3) uint8.
        quad: (4, 2) corners in pixels of ``image``, the crop's top-left first, clockwise.
        size: width and height of the crop, pixels.
        margin: how much wider and higher than the quad the crop is, as a share (0.12 = 6 % on each side).

    Returns:
        (height, width, 3) uint8; what lies beyond the image repeats its border.
    """
    width, height = size
    w, h = width / (1 + margin), height / (1 + margin)
    x, y = (width - w) / 2, (height - h) / 2
    target = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), target)
    longest = max(float(np.linalg.norm(quad[0] - quad[1])), float(np.linalg.norm(quad[1] - quad[2])) * width / height)
    times = int(np.clip(round(longest / width), 1, MOST_SUPERSAMPLING))
    if times > 1:
        matrix = np.diag([times, times, 1.0]) @ matrix
    large = cv2.warpPerspective(
        image, matrix, (width * times, height * times), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    crop = cv2.resize(large, size, interpolation=cv2.INTER_AREA) if times > 1 else large
    return np.asarray(crop, np.uint8)


def rectify_all(image: ImageArray, quads: FloatArray, size: tuple[int, int], margin: float) -> ImageArray:
    """(n, height, width, 3) upright crops of (n, 4, 2) quads; see :func:`rectify`."""
    width, height = size
    crops = np.empty((len(quads), height, width, 3), np.uint8)
    for i, quad in enumerate(quads):
        crops[i] = rectify(image, quad, size, margin)
    return crops


def turned_by_quarter(crops: ImageArray) -> ImageArray:
    """(n, h, w, 3) crops turned so that the second corner, clockwise, becomes the first, resized to the same shape."""
    turned = np.empty_like(crops)
    for i, crop in enumerate(crops):
        height, width = crop.shape[:2]
        turned[i] = cv2.resize(np.ascontiguousarray(np.rot90(crop)), (width, height), interpolation=cv2.INTER_LINEAR)
    return turned
