"""Arrays of pixels and of quads (oriented boxes), which are (n, 4, 2) float32 pixels, clockwise on the screen."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.geometry import Quad

FloatArray = npt.NDArray[np.float32]
ImageArray = npt.NDArray[np.uint8]
BoolArray = npt.NDArray[np.bool_]


def to_quad(corners: npt.NDArray[np.floating]) -> Quad:
    """The quad of (4, 2) corners."""
    a, b, c, d = map(tuple, corners.tolist())
    return a, b, c, d


def quad_axes(quads: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Right and down vectors, (..., 2), of (..., 4, 2) quads: the full width and height, pixels."""
    right = (quads[..., 1, :] + quads[..., 2, :] - quads[..., 0, :] - quads[..., 3, :]) / 2
    down = (quads[..., 3, :] + quads[..., 2, :] - quads[..., 0, :] - quads[..., 1, :]) / 2
    return np.asarray(right, np.float32), np.asarray(down, np.float32)
