"""A QR code read as a phone reads it: from several frames, for OpenCV misses one code in 200 in a single one."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray


def scanned(picture: NDArray[np.uint8]) -> str:
    """What the code in a picture (h, w) says; nothing where none of the frames can be read."""
    reader = cv2.QRCodeDetector()
    return next((said for frame in _frames(picture) if (said := reader.detectAndDecode(frame)[0])), "")


def _frames(picture: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """As it is, larger, and turned by a few degrees."""
    for size in (1, 2, 3):
        yield np.asarray(cv2.resize(picture, None, fx=size, fy=size), np.uint8)
    height, width = picture.shape
    for degrees in (7, -7, 20, -20):
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 0.7)
        yield np.asarray(cv2.warpAffine(picture, turn, (width, height)), np.uint8)
