"""Arrays of quads, (n, 4, 2) float32 pixels, clockwise on the screen: their codes, sizes and what is in the picture."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.arrays import FloatArray, to_quad
from vision.geometry import share_inside, tile_size


def encode_quads(quads: FloatArray) -> FloatArray:
    """(n, 4, 2) quads whose first edge is a short one -> (n, 10) codes: centre 2, long tensor 3, short tensor 3, key 2.

    :mod:`vision.detect.codes` says what they are.
    """
    q = np.asarray(quads, np.float32)
    long_axis = (q[:, 3] + q[:, 2] - q[:, 0] - q[:, 1]) / 4
    short_axis = (q[:, 1] + q[:, 2] - q[:, 0] - q[:, 3]) / 4
    keystone = (q[:, 0] + q[:, 2] - q[:, 1] - q[:, 3]) / 4
    parts = [q.mean(axis=1), _tensor(long_axis), _tensor(short_axis), keystone]
    return np.concatenate(parts, axis=1).astype(np.float32)


def _tensor(axis: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    length = np.maximum(np.linalg.norm(axis, axis=1), 1e-3)
    x, y = axis[:, 0], axis[:, 1]
    return np.stack([x * x / length, x * y / length, y * y / length], axis=1)


def tile_sizes(quads: FloatArray) -> FloatArray:
    """(n,) the :func:`vision.geometry.tile_size` of each of (n, 4, 2) quads."""
    return np.array([tile_size(to_quad(quad)) for quad in quads], np.float32)


def shares_inside(quads: FloatArray, width: float, height: float) -> FloatArray:
    """(n,) the share of each of (n, 4, 2) quads that lies within a picture of this size, pixels."""
    return np.array([share_inside(to_quad(quad), width, height) for quad in quads], np.float32)
