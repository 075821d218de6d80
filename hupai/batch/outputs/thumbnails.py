"""Small pictures for the summary page: photos with their tiles outlined, and single tiles."""

from __future__ import annotations

import base64
from typing import Final

import cv2
import numpy as np

from hupai.batch.records import Box, Record
from vision.classify.crops import rectify
from vision.io.photo import Photo
from vision.reading import SURE, ImageArray

SIDE_PX: Final = 360
"""Longer side of a photo's thumbnail, pixels."""
TILE_PX: Final = (64, 96)
"""Size of a tile's thumbnail, pixels."""
MAX_JPEG_SIDE_PX: Final = 65_500
"""Largest side of a JPEG that its encoder (libjpeg) writes, pixels."""
_GOOD: Final = (0, 158, 115)
_FAIR: Final = (230, 159, 0)
_POOR: Final = (213, 94, 0)


def draw_outlines(photo: Photo, record: Record) -> str:
    """Return the photo with its tiles outlined, as a data URI: thicker and redder where less certain."""
    view = photo.view(SIDE_PX)
    scale = SIDE_PX / max(view.shape[:2])
    size = (max(1, round(view.shape[1] * scale)), max(1, round(view.shape[0] * scale)))
    small = np.array(cv2.resize(view, size, interpolation=cv2.INTER_AREA), np.uint8)
    to_small = np.array([size[0] / record.width, size[1] / record.height])
    for box in sorted(record.boxes, key=lambda b: b.doubt):
        confidence = 1.0 if box.confidence is None else box.confidence
        colour = _GOOD if confidence >= SURE else _FAIR if confidence >= 0.6 else _POOR
        points = np.round(np.array(box.corners) * to_small * 16).astype(np.int32)
        cv2.polylines(small, [points], True, colour, 1 if confidence >= SURE else 2, cv2.LINE_AA, 4)
    return _uri(jpeg(small, 82))


def tile(photo: Photo, box: Box) -> str:
    """Return a tile of a photo, upright, as a data URI."""
    return _uri(tile_jpeg(photo, box))


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


def _uri(data: bytes) -> str:
    return f"data:image/jpeg;base64,{base64.b64encode(data).decode()}"
