"""The detector's codes of quads -> quads.

The code of a quad keeps no corner order. With centre c, u half the long axis, v half the short one and k the keystone,
the corners are c -u-v+k, c -u+v-k, c +u+v+k, c +u-v-k. The code holds c, the tensors uu'/|u| and vv'/|v| as (xx, xy,
yy), and k: ten numbers. None of them changes when the tile is turned by 180 degrees, so codes are continuous over all
rotations and have a median.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from operator import mul
from typing import Final, NamedTuple

from vision.device import ScoredQuad
from vision.geometry import Point, Quad, tile_size

CODE: Final = 10
"""Numbers of a code."""
MIXED_ROUNDNESS: Final = 0.2
"""From this roundness (4 det / trace^2: 0 singular, 1 round) on, an axis tensor counts as a mixture of both axes."""
LEAST_SPREAD: Final = 0.0025
"""Share of the second in the first eigenvalue of all tensors below which every cell gave the same even mixture."""


class Cells(NamedTuple):
    """The cells of each tile in the detector's output, tile by tile, as the graph ``cells`` gives them.

    Attributes:
        codes: k x 10, the code of each cell, in pixels of the picture the network saw.
        sure: k, how surely each belongs to a tile, 0-1.
        ends: where each tile's cells end, in cells: of tile t they are ``ends[t - 1]`` (or 0) to ``ends[t] - 1``.
    """

    codes: Sequence[float]
    sure: Sequence[float]
    ends: Sequence[int]


def read_cells(cells: Cells) -> list[ScoredQuad]:
    """The tile that the cells of each speak of, in pixels of what the network saw."""
    found = []
    for start, end in pairwise((0, *cells.ends)):
        columns = [cells.codes[CODE * start + k : CODE * end : CODE] for k in range(CODE)]
        code = median_code(columns)
        quad = decode_quad(code)
        off = [max(abs(x - code[0]), abs(y - code[1])) for x, y in zip(*columns[:2], strict=True)]
        # A kernel of very few cells proves little, however sure they are.
        score = sum(cells.sure[start:end]) / (end - start) * min(1.0, (end - start) / 4)
        found.append(ScoredQuad(quad, score, _median(off) / max(tile_size(quad), 1.0)))
    return found


def decode_quad(code: Sequence[float]) -> Quad:
    """The quad of a code, clockwise, starting with either of the two short edges."""
    cx, cy, *tensors, kx, ky = code
    (ux, uy), (vx, vy) = _axis(*tensors[:3]), _axis(*tensors[3:])
    if ux * vy > uy * vx:  # clockwise
        vx, vy = -vx, -vy
    return (
        (cx - ux - vx + kx, cy - uy - vy + ky),
        (cx - ux + vx - kx, cy - uy + vy - ky),
        (cx + ux + vx + kx, cy + uy + vy + ky),
        (cx + ux - vx - kx, cy + uy - vy - ky),
    )


def median_code(columns: Sequence[Sequence[float]]) -> list[float]:
    """The median of the codes of a tile's cells, given as 10 columns.

    On a tile that looks square the network wavers between the two axes: it then gives mixtures aU + (1 - a)V and
    (1 - a)U + aV of their tensors, with a different a in every cell. U and V are the two singular matrices in the
    plane those mixtures span, and the mixtures of a cell still add up to U + V, which gives the lengths.
    """
    code = [_median(column) for column in columns]
    if max(_roundness(*code[2:5]), _roundness(*code[5:8])) >= MIXED_ROUNDNESS:
        pairs = list(zip(columns[2:5], columns[5:8], strict=True))
        both = [_median([a + b for a, b in zip(*pair, strict=True)]) for pair in pairs]
        axes = _split_along(both, _singular_tensors(_normal([[*one, *other] for one, other in pairs])))
        if len(axes) == 2:
            code[2:8] = [part for axis in sorted(axes, key=lambda axis: -axis[0] - axis[2]) for part in axis]
    return code


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def _roundness(xx: float, xy: float, yy: float) -> float:
    return 4 * (xx * yy - xy * xy) / max((xx + yy) ** 2, 1e-6)


def _axis(xx: float, xy: float, yy: float) -> Point:
    angle, length = math.atan2(2 * xy, xx - yy) / 2, max(xx + yy, 1e-3)
    return math.cos(angle) * length, math.sin(angle) * length


def _normal(rows: Sequence[Sequence[float]]) -> tuple[float, ...] | None:
    """The normal of the plane through the origin nearest to points, given as 3 rows; None if they lie on one line.

    It is the eigenvector of the least eigenvalue of their scatter (O. K. Smith, "Eigenvalues of a symmetric 3 x 3
    matrix", 1961).
    """
    (a, d, e), (_, b, f), (_, _, c) = ([sum(map(mul, one, other)) for other in rows] for one in rows)
    mean = (a + b + c) / 3
    size = math.sqrt(((a - mean) ** 2 + (b - mean) ** 2 + (c - mean) ** 2 + 2 * (d * d + e * e + f * f)) / 6)
    det = (a - mean) * ((b - mean) * (c - mean) - f * f) - d * (d * (c - mean) - e * f) + e * (d * f - (b - mean) * e)
    angle = math.acos(max(-1.0, min(1.0, det / max(2 * size**3, 1e-12)))) / 3
    most, least = (mean + 2 * size * math.cos(angle + turn) for turn in (0, 2 * math.pi / 3))
    if 3 * mean - most - least < LEAST_SPREAD * most:
        return None
    x, y, z = (a - least, d, e), (d, b - least, f), (e, f, c - least)
    return max((_cross(*pair) for pair in ((x, y), (y, z), (z, x))), key=lambda normal: math.hypot(*normal))


def _cross(one: Sequence[float], other: Sequence[float]) -> tuple[float, ...]:
    (a, b, c), (d, e, f) = one, other
    return b * f - c * e, c * d - a * f, a * e - b * d


def _singular_tensors(normal: tuple[float, ...] | None) -> list[tuple[float, float, float]]:
    """The two singular tensors of trace 1 in the plane with this normal; none where it holds none."""
    if normal is None:
        return []
    n, m, o = normal
    reach = math.hypot(n - o, m)
    if reach <= abs(n + o):
        return []
    towards, apart = math.atan2(m, n - o), math.acos(-(n + o) / reach)
    turns = ((towards + apart) / 2, (towards - apart) / 2)
    return [(math.cos(t) ** 2, math.cos(t) * math.sin(t), math.sin(t) ** 2) for t in turns]


def _split_along(whole: Sequence[float], rays: Sequence[Sequence[float]]) -> list[list[float]]:
    """The multiples of two rays that add up to a tensor, or nearly; empty unless both are positive."""
    if len(rays) < 2:
        return []
    one, other = rays
    a, b, c = (sum(map(mul, *pair)) for pair in ((one, one), (one, other), (other, other)))
    x, y = (sum(map(mul, ray, whole)) for ray in rays)
    first, second = c * x - b * y, a * y - b * x
    if min(first, second) <= 0:
        return []
    return [[length / (a * c - b * b) * part for part in ray] for length, ray in ((first, one), (second, other))]
