"""Arrays of pixels and of quads (oriented boxes): the detector's corner code, sizes.

Quads are (n, 4, 2) float32 pixels, clockwise on the screen.

The code of a quad keeps no corner order. With centre c, u half the long axis, v half the short one and k the keystone,
the corners are c -u-v+k, c -u+v-k, c +u+v+k, c +u-v-k. The code holds c, the tensors uu'/|u| and vv'/|v|, and k. None
of them changes when the tile is turned by 180 degrees, so codes are continuous over all rotations and have a median.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from vision.geometry import Quad, share_inside, tile_size

FloatArray = npt.NDArray[np.float32]
ImageArray = npt.NDArray[np.uint8]
BoolArray = npt.NDArray[np.bool_]

MIXED_ROUNDNESS: Final = 0.2
"""From this roundness (4 det / trace^2: 0 singular, 1 round) on, an axis tensor counts as a mixture of both axes."""


def to_quad(corners: npt.NDArray[np.floating]) -> Quad:
    """The quad of (4, 2) corners."""
    a, b, c, d = map(tuple, corners.tolist())
    return a, b, c, d


def encode_quads(quads: FloatArray) -> FloatArray:
    """(n, 4, 2) quads whose first edge is a short one -> (n, 10) codes: centre 2, long tensor 3, short tensor 3, key 2.

    A tensor is (xx, xy, yy).
    """
    q = np.asarray(quads, np.float32)
    long_axis = (q[:, 3] + q[:, 2] - q[:, 0] - q[:, 1]) / 4
    short_axis = (q[:, 1] + q[:, 2] - q[:, 0] - q[:, 3]) / 4
    keystone = (q[:, 0] + q[:, 2] - q[:, 1] - q[:, 3]) / 4
    parts = [q.mean(axis=1), _tensor(long_axis), _tensor(short_axis), keystone]
    return np.concatenate(parts, axis=1).astype(np.float32)


def decode_quads(codes: FloatArray) -> FloatArray:
    """(n, 10) codes -> (n, 4, 2) quads, clockwise, starting with either of the two short edges."""
    centre, keystone = codes[:, :2], codes[:, 8:10]
    u, v = _axis(codes[:, 2:5]), _axis(codes[:, 5:8])
    v[u[:, 0] * v[:, 1] > u[:, 1] * v[:, 0]] *= -1  # clockwise
    corners = centre - u - v + keystone, centre - u + v - keystone, centre + u + v + keystone, centre + u - v - keystone
    return np.stack(corners, axis=1).astype(np.float32)


def median_code(codes: FloatArray) -> FloatArray:
    """(n, 10) codes of a tile's cells -> (10,) the median, with axes separated where the cells confused long and short.

    On a tile that looks square the network wavers between the two axes: it then gives mixtures aU + (1 - a)V and
    (1 - a)U + aV of their tensors, with a different a in every cell. U and V are the two singular matrices in the
    plane those mixtures span, and the mixtures of a cell still add up to U + V, which gives the lengths.
    """
    code = _median(codes)
    if max(_roundness(code[2:5]), _roundness(code[5:8])) < MIXED_ROUNDNESS:
        return code
    samples = np.concatenate([codes[:, 2:5], codes[:, 5:8]]).astype(np.float64)
    _, size, basis = np.linalg.svd(samples, full_matrices=False)
    if size[1] < 0.05 * size[0]:
        return code  # every cell gave the same even mixture, so the axes cannot be separated
    (a, b, c), (d, e, f) = basis[0], basis[1]
    roots = np.roots([d * f - e * e, a * f + c * d - 2 * b * e, a * c - b * b])
    if len(roots) < 2 or np.iscomplex(roots).any():
        return code
    rays = basis[0][:, None] + np.real(roots) * basis[1][:, None]
    rays /= rays[0] + rays[2]
    lengths = np.linalg.lstsq(rays, np.median(codes[:, 2:5] + codes[:, 5:8], axis=0), rcond=None)[0]
    if (lengths <= 0).any():
        return code
    code[2:5], code[5:8] = (rays[:, i] * lengths[i] for i in np.argsort(-lengths))
    return code


def _median(rows: FloatArray) -> FloatArray:
    """(k,) the median of every column of (n, k) rows; ``np.median`` takes four times as long on few rows."""
    ordered = np.sort(rows, axis=0)
    return np.asarray((ordered[(len(rows) - 1) // 2] + ordered[len(rows) // 2]) / 2, np.float32)


def _roundness(tensor: FloatArray) -> float:
    xx, xy, yy = (float(v) for v in tensor)
    return 4 * (xx * yy - xy * xy) / max((xx + yy) ** 2, 1e-6)


def _tensor(axis: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    length = np.maximum(np.linalg.norm(axis, axis=1), 1e-3)
    x, y = axis[:, 0], axis[:, 1]
    return np.stack([x * x / length, x * y / length, y * y / length], axis=1)


def _axis(tensor: FloatArray) -> FloatArray:
    xx, xy, yy = tensor[:, 0], tensor[:, 1], tensor[:, 2]
    angle = 0.5 * np.arctan2(2 * xy, xx - yy)
    return np.asarray(np.stack([np.cos(angle), np.sin(angle)], axis=1) * np.maximum(xx + yy, 1e-3)[:, None], np.float32)


def tile_sizes(quads: FloatArray) -> FloatArray:
    """(n,) the :func:`vision.geometry.tile_size` of each of (n, 4, 2) quads."""
    return np.array([tile_size(to_quad(quad)) for quad in quads], np.float32)


def quad_axes(quads: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Right and down vectors, (..., 2), of (..., 4, 2) quads: the full width and height, pixels."""
    right = (quads[..., 1, :] + quads[..., 2, :] - quads[..., 0, :] - quads[..., 3, :]) / 2
    down = (quads[..., 3, :] + quads[..., 2, :] - quads[..., 0, :] - quads[..., 1, :]) / 2
    return np.asarray(right, np.float32), np.asarray(down, np.float32)


def shares_inside(quads: FloatArray, width: float, height: float) -> FloatArray:
    """(n,) the share of each of (n, 4, 2) quads that lies within a picture of this size, pixels."""
    return np.array([share_inside(to_quad(quad), width, height) for quad in quads], np.float32)
