"""Quads (oriented boxes), one by one: bounds, size, overlap. Corners are (x, y) pixels, clockwise on the screen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Quad: TypeAlias = tuple[Point, Point, Point, Point]
Bounds: TypeAlias = tuple[float, float, float, float]
"""An upright box: x0, y0, x1, y1."""


def bounds(points: Iterable[Point]) -> Bounds:
    """The upright box around points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def signed_area(polygon: Sequence[Point]) -> float:
    """The area of a polygon, square pixels; negative if it runs counter-clockwise on the screen."""
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise((*polygon, *polygon[:1]))) / 2


def tile_size(quad: Quad) -> float:
    """Square root of the area, pixels: a tile's size whichever way it lies."""
    return math.sqrt(abs(signed_area(quad)))


def extent(quad: Quad) -> tuple[float, float]:
    """Mean length of the first and third edge (a tile's width) and of the other two (its height), pixels."""
    a, b, c, d = quad
    return (math.dist(a, b) + math.dist(c, d)) / 2, (math.dist(b, c) + math.dist(d, a)) / 2


def rescale_quad(quad: Quad, by: tuple[float, float], part: Point = (0, 0)) -> Quad:
    """A quad in pixels of a picture ``by`` times as wide and high; pixel centres are at integers in both.

    ``part``: where the picture that the quad was found in begins in the one that is resized.
    """
    a, b, c, d = (((x + part[0] + 0.5) * by[0] - 0.5, (y + part[1] + 0.5) * by[1] - 0.5) for x, y in quad)
    return a, b, c, d


def align_corners(quad: Quad, like: Quad) -> Quad:
    """The quad from the corner with which all four are nearest to those of another."""
    a, b, c, d = quad
    turns = (a, b, c, d), (b, c, d, a), (c, d, a, b), (d, a, b, c)
    return min(turns, key=lambda turned: sum(map(math.dist, turned, like)))


def convex_hull(points: Iterable[Sequence[float]]) -> list[Point]:
    """The convex hull, clockwise: the upper side from left to right, then the lower one back."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    hull: list[Point] = []
    for way in (ordered, ordered[::-1]):
        side: list[Point] = []
        for point in way:
            while len(side) > 1 and _beyond(point, side[-2], side[-1]) <= 0:
                side.pop()
            side.append(point)
        hull += side[:-1]
    return hull


def overlap_ratios(one: Iterable[Sequence[float]], other: Iterable[Sequence[float]]) -> tuple[float, float]:
    """Intersection over union (IoU), and intersection over the smaller of the two, of two quads."""
    a, b = convex_hull(one), convex_hull(other)
    area_a, area_b, common = signed_area(a), signed_area(b), signed_area(_intersect(a, b))
    return common / max(area_a + area_b - common, 1e-6), common / max(min(area_a, area_b), 1e-6)


def share_inside(quad: Quad, width: float, height: float) -> float:
    """The share of a quad that lies within a picture of this size, pixels."""
    x1, y1 = width - 0.5, height - 0.5
    if all(-0.5 <= x <= x1 and -0.5 <= y <= y1 for x, y in quad):
        return 1.0
    return overlap_ratios(quad, ((-0.5, -0.5), (x1, -0.5), (x1, y1), (-0.5, y1)))[1]


def _intersect(one: Sequence[Point], other: Sequence[Point]) -> list[Point]:
    """What two convex polygons have in common: one of them, cut along every edge of the other (Sutherland-Hodgman)."""
    left = list(one)
    for start, end in pairwise((*other, *other[:1])):
        sides = [_beyond(point, start, end) for point in left]
        cut: list[Point] = []
        for (p, s), (q, t) in pairwise(zip((*left, *left[:1]), (*sides, *sides[:1]), strict=True)):
            if s >= 0:
                cut.append(p)
            if s * t < 0:
                share = s / (s - t)
                cut.append((p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])))
        left = cut
    return left


def _beyond(point: Point, start: Point, end: Point) -> float:
    """How far a point lies to the right of the line from one point to another, times their distance."""
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])
