"""Training targets of the detector: a kernel map, the tile each cell belongs to, and the quad codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.quads import encode_quads
from datasets.scenes.training import TrainingScene

STRIDE: Final = 4
SHRINK: Final = 0.55
"""The kernel is the face shrunk to this share, so that kernels of touching tiles never touch."""
BORDER: Final = 0.12
"""A ring of this share around the kernel is left out of the loss."""
REACH: Final = 0.85
"""Cells within the face shrunk to this share learn the quad's code."""
LEAST_SEEN: Final = 0.45
"""Faces less visible than this are left out; below ``UNSEEN`` they count as background."""
UNSEEN: Final = 0.2
SMALLEST_PX: Final = 7.0
"""Faces narrower than this are left out, pixels."""
MOST_CODES: Final = 64
IGNORE: Final = 255


@dataclass(frozen=True, slots=True)
class DetectorTarget:
    """Targets of one scene; h = w = side / STRIDE.

    Attributes:
        kernel: (h, w) uint8: 1 in the middle of a face, 0 elsewhere, 255 where ignored.
        tile: (h, w) int16: row of ``codes`` the cell learns, or -1.
        codes: (MOST, 10) float32 quad codes in pixels, zero beyond the scene's tiles.
    """

    kernel: npt.NDArray[np.uint8]
    tile: npt.NDArray[np.int16]
    codes: npt.NDArray[np.float32]


def detector_target(scene: TrainingScene) -> DetectorTarget:
    """Targets of a scene."""
    return quads_target(scene.quads, scene.visible, scene.unsure, scene.owner)


def quads_target(
    quads: npt.NDArray[np.float32],
    visible: npt.NDArray[np.float32],
    unsure: npt.NDArray[np.bool_],
    owner: npt.NDArray[np.int16],
) -> DetectorTarget:
    """Targets of a picture's tiles, the first :data:`MOST_CODES` of them; see :class:`TrainingScene`."""
    n = owner.shape[0] // STRIDE
    cells = owner[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE][:n, :n]
    kernel = np.zeros((n, n), np.uint8)
    tile = np.full((n, n), -1, np.int16)
    codes = np.zeros((MOST_CODES, 10), np.float32)
    count = min(MOST_CODES, len(quads))
    if count:
        codes[:count] = encode_quads(quads[:count])
    for i, quad in enumerate(quads[:MOST_CODES]):
        low = np.maximum(np.floor(quad.min(axis=0) / STRIDE).astype(int) - 1, 0)
        high = np.minimum(np.ceil(quad.max(axis=0) / STRIDE).astype(int) + 2, n)
        if (high <= low).any() or visible[i] <= UNSEEN:
            continue
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        own = cells[window] == i
        sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
        if unsure[i] or visible[i] < LEAST_SEEN or sides.min() < SMALLEST_PX:
            kernel[window][resized_mask(quad, 1.0, own.shape, low) & own] = IGNORE
            continue
        core = resized_mask(quad, SHRINK, own.shape, low) & own
        kernel[window][resized_mask(quad, SHRINK + BORDER, own.shape, low) & own & ~core] = IGNORE
        kernel[window][core] = 1
        tile[window][resized_mask(quad, REACH, own.shape, low) & own] = i
    return DetectorTarget(kernel, tile, codes)


def resized_mask(
    quad: npt.NDArray[np.float32], share: float, shape: tuple[int, ...], low: npt.ArrayLike = (0, 0)
) -> npt.NDArray[np.bool_]:
    """Which of the cells from ``low`` (x, y) on lie in a quad that is made this share of its size."""
    middle = quad.mean(axis=0)
    points = ((quad - middle) * share + middle - (STRIDE - 1) / 2) / STRIDE - np.asarray(low)
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(points * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return np.asarray(mask > 0)
