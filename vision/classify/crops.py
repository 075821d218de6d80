"""Quads -> upright crops of one size, cut from the sharpest view of the photo at hand."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import FloatArray, ImageArray


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
    # A large tile is cut at two or three times the size and averaged down, against aliasing.
    times = min(max(round(longest / width), 1), 3)
    matrix = np.diag([times, times, 1.0]) @ matrix
    large = cv2.warpPerspective(
        image, matrix, (width * times, height * times), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cv2.resize(large, size, interpolation=cv2.INTER_AREA), np.uint8)


def rectify_all(image: ImageArray, quads: FloatArray, size: tuple[int, int], margin: float) -> ImageArray:
    """(n, height, width, 3) upright crops of (n, 4, 2) quads; see :func:`rectify`."""
    crops = [rectify(image, quad, size, margin) for quad in quads]
    return np.array(crops, np.uint8).reshape(-1, size[1], size[0], 3)


def turn_by_quarter(crops: ImageArray) -> ImageArray:
    """(n, h, w, 3) crops turned so that the second corner, clockwise, becomes the first, resized to the same shape."""
    size = crops.shape[2:0:-1]
    turned = [cv2.resize(np.rot90(crop).copy(), size, interpolation=cv2.INTER_LINEAR) for crop in crops]
    return np.array(turned, np.uint8).reshape(crops.shape)
