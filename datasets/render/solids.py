"""Boxes in the world: tiles and the things beside them, which of them hides which, and how near they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from datasets.render.camera import Camera, Floats

SIGNS: Final = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
TOP, BOTTOM, NORTH, SOUTH, EAST, WEST = range(6)
NORMALS: Final = np.array([[0, 0, 1], [0, 0, -1], [0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0]], float)
U_AXES: Final = np.array([[1, 0, 0], [-1, 0, 0], [-1, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0]], float)
V_AXES: Final = np.array([[0, -1, 0], [0, -1, 0], [0, 0, -1], [0, 0, -1], [0, 0, -1], [0, 0, -1]], float)
"""Texture directions of every side, x rightwards and y downwards, seen from outside."""


@dataclass(frozen=True, slots=True)
class RoundedBox:
    """A rounded box.

    Attributes:
        half: (3,) half extents along its own axes; ``TOP`` is the printed face of a tile.
        centre: (3,) world.
        rotation: (3, 3) own axes to world.
        radius: of the rounded edges.
    """

    half: Floats
    centre: Floats
    rotation: Floats
    radius: float

    def corners(self) -> Floats:
        """(8, 3) world corners, in the order of ``SIGNS``."""
        return self.centre + (SIGNS * self.half) @ self.rotation.T

    def side(self, side: int) -> Floats:
        """(4, 3) world corners of one side, clockwise from its texture's top-left, seen from outside."""
        n, u, v = NORMALS[side], U_AXES[side], V_AXES[side]
        local = np.array([n - u - v, n + u - v, n + u + v, n - u + v]) * self.half
        return self.centre + local @ self.rotation.T

    def silhouette(self, camera: Camera) -> Floats:
        """(m, 2) pixels whose convex hull is the outline of the rounded box."""
        r = min(self.radius, float(self.half.min()) * 0.9)
        inner = self.centre + (SIGNS * (self.half - r)) @ self.rotation.T
        a = np.arange(8) * (np.pi / 4)
        ring = r * (np.cos(a)[:, None] * camera.axes[0] + np.sin(a)[:, None] * camera.axes[1])
        return camera.project((inner[:, None] + ring[None]).reshape(-1, 3))[0]


def draw_order(boxes: list[RoundedBox], eye: Floats, hulls: list[tuple[float, float, float, float]]) -> list[int]:
    """Indices back to front. Exact for boxes that one of their own side planes separates.

    Args:
        hulls: pixel bounds (x0, y0, x1, y1) of every box; boxes that do not overlap need no order.
    """
    n = len(boxes)
    far = [float(np.linalg.norm(b.centre - eye)) for b in boxes]
    bounds = np.array(hulls).reshape(n, 4)
    behind: list[list[int]] = [[] for _ in range(n)]
    corners = np.array([b.corners() for b in boxes]).reshape(n, 8, 3)
    normals = np.array([NORMALS @ b.rotation.T for b in boxes]).reshape(n, 6, 3)
    reach = np.array([np.abs(NORMALS @ np.diag(b.half)).sum(axis=1) for b in boxes]).reshape(n, 6)
    centres = np.array([b.centre for b in boxes]).reshape(n, 3)
    offsets = np.einsum("nkj,nj->nk", normals, centres) + reach
    eye_out = normals @ eye - offsets > 0
    # outside[i, j, k]: all of box j lies beyond plane k of box i.
    reached = np.einsum("jcx,ikx->ijkc", corners, normals).min(axis=3)
    outside = reached - offsets[:, None] > -1e-3
    lap = (bounds[:, None, 0] < bounds[None, :, 2]) & (bounds[None, :, 0] < bounds[:, None, 2])
    lap &= (bounds[:, None, 1] < bounds[None, :, 3]) & (bounds[None, :, 1] < bounds[:, None, 3])
    for i, j in np.argwhere(np.triu(lap, 1)):
        if outside[i, j].any():
            i_first = bool(eye_out[i][int(np.argmax(outside[i, j]))])
        elif outside[j, i].any():
            i_first = not eye_out[j][int(np.argmax(outside[j, i]))]
        else:
            i_first = far[i] > far[j]
        behind[j if i_first else i].append(int(i if i_first else j))
    return _sort_far_first(behind, far)


def _sort_far_first(behind: list[list[int]], far: list[float]) -> list[int]:
    """Topological order, far boxes first among those that are free; a cycle is cut at its farthest box."""
    left = {i: set(b) for i, b in enumerate(behind)}
    order: list[int] = []
    while left:
        free = [i for i, b in left.items() if not b] or list(left)
        chosen = max(free, key=lambda i: far[i])
        order.append(chosen)
        del left[chosen]
        for b in left.values():
            b.discard(chosen)
    return order


def neighbour_gaps(boxes: list[RoundedBox]) -> npt.NDArray[np.float64]:
    """(n, 6) distance from every side to the nearest box it faces, 9 where it faces none (approximate)."""
    n = len(boxes)
    gaps = np.full((n, 6), 9.0)
    centres = np.array([b.centre for b in boxes]).reshape(n, 3)
    sizes = np.array([float(np.mean(b.half)) for b in boxes])
    for i, box in enumerate(boxes):
        local = (centres - box.centre) @ box.rotation
        for side in range(2, 6):
            axis = 1 if side in (NORTH, SOUTH) else 0
            sign = 1 if side in (NORTH, EAST) else -1
            along = local[:, axis] * sign
            others = [k for k in range(3) if k != axis]
            across = np.abs(local[:, others]) < (box.half[others] + sizes[:, None])
            ahead = (along > 0.2) & across.all(axis=1)
            ahead[i] = False
            if ahead.any():
                gaps[i, side] = max(0.0, float(along[ahead].min()) - 2 * float(box.half[axis]))
    return gaps
