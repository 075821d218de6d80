"""Photos and single tiles as JPEG files for the page."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from hupai.label.records import Box
from vision.arrays import ImageArray
from vision.io.photo import Photo
from vision.models.opencv import rectify

TILE_PX: Final = (64, 96)
"""Size of a tile's thumbnail, pixels."""
MAX_JPEG_SIDE_PX: Final = 65_500
"""Largest side of a JPEG that its encoder (libjpeg) writes, pixels."""


def tile_jpeg(photo: Photo, box: Box) -> bytes:
    """Return a tile of a photo, upright, as the bytes of a JPEG file."""
    quad = np.array(box.corners, np.float32)
    edge = float(np.linalg.norm(quad[0] - quad[1]))
    view = photo.view(round(max(photo.width, photo.height) * min(1.0, TILE_PX[0] / max(edge, 1.0))))
    to_view = np.array([view.shape[1] / photo.width, view.shape[0] / photo.height], np.float32)
    return jpeg(rectify(view, ((quad + 0.5) * to_view - 0.5).astype(np.float32), TILE_PX, 0.12), 88)


def jpeg(pixels: ImageArray, quality: int) -> bytes:
    """Return an RGB picture as the bytes of a JPEG file of this quality, 0 to 100; one too large for JPEG is shrunk."""
    longest = max(pixels.shape[:2])
    if longest > MAX_JPEG_SIDE_PX:
        height, width = (max(1, side * MAX_JPEG_SIDE_PX // longest) for side in pixels.shape[:2])
        pixels = np.array(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    how = [cv2.IMWRITE_JPEG_QUALITY, quality]
    done, data = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), how)
    if not done:
        raise AssertionError("a picture can always be written as JPEG")
    return data.tobytes()
