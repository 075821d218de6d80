"""Finds the boxes of two label sets that are the same tile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from hupai.label.formats.base import clip_corners, upright_corners
from hupai.label.formats.checks import check_upright
from hupai.label.records import Box, Record
from vision.geometry import Bounds, Quad, bounds, overlap_ratios, signed_area

MIN_OVERLAP: Final = 0.5
"""Intersection over union from which two boxes are the same tile."""


def scale_to(record: Record, other: Record) -> Record:
    """Return a record in the pixels of another one of the same picture: tools that resize pictures give other sizes.

    Raises:
        LabelError: it is of the picture as it lies in its file, not upright.
    """
    size = record.width, record.height
    if size == (other.width, other.height):
        return record
    check_upright(record, (other.width, other.height))
    across, down = other.width / record.width, other.height / record.height
    boxes = []
    for box in record.boxes:
        a, b, c, d = ((x * across, y * down) for x, y in box.corners)
        boxes.append(replace(box, corners=(a, b, c, d)))
    ignored = tuple((x0 * across, y0 * down, x1 * across, y1 * down) for x0, y0, x1, y1 in record.ignored)
    return replace(record, width=other.width, height=other.height, boxes=tuple(boxes), ignored=ignored)


def is_upright(corners: Quad) -> bool:
    """Whether corners are parallel to the picture's edges, as in tools without corners."""
    x0, y0, x1, y1 = bounds(corners)
    return all(min(x - x0, x1 - x) < 0.5 and min(y - y0, y1 - y) < 0.5 for x, y in corners)


def is_covered(place: Bounds, others: Iterable[Bounds]) -> bool:
    """Whether one of other upright boxes covers at least half of an upright box."""
    return any(_common_area(place, other) >= _common_area(place, place) / 2 for other in others)


def _common_area(one: Bounds, other: Bounds) -> float:
    (x0, y0, x1, y1), (left, top, right, bottom) = one, other
    return max(0.0, min(x1, right) - max(x0, left)) * max(0.0, min(y1, bottom) - max(y0, top))


def box_overlaps(
    one: Sequence[Box], other: Sequence[Box], within: tuple[int, int] | None = None
) -> list[tuple[float, int, int]]:
    """Return (overlap, index, index) for all pairs of boxes that may be the same tile, the largest overlap first.

    A box parallel to the picture's edges is compared with the upright box around the other: the corners of a diagonal
    tile fill only half of that. ``within``: size of a picture whose edges cut off the boxes.
    """
    shapes = (enumerate(_shapes(boxes, within)) for boxes in (one, other))
    shares: list[tuple[float, int, int]] = []
    for (i, (a, outer_a, area_a)), (j, (b, outer_b, area_b)) in product(*shapes):
        # Not more than the upright boxes have in common, of not less than the larger tile.
        if _common_area(outer_a, outer_b) >= 0.99 * MIN_OVERLAP * max(area_a, area_b, 1e-6):
            along = is_upright(a) != is_upright(b)
            both = (upright_corners(*outer_a), upright_corners(*outer_b)) if along else (a, b)
            share, _ = overlap_ratios(*both)
            if share >= MIN_OVERLAP:
                shares.append((share, i, j))
    return sorted(shares, key=lambda s: (-s[0], s[1], s[2]))


def _shapes(boxes: Sequence[Box], within: tuple[int, int] | None) -> list[tuple[Quad, Bounds, float]]:
    """Return corners, the upright boxes around them, and areas."""
    quads = [clip_corners(b.corners, *within) if within else b.corners for b in boxes]
    return [(quad, bounds(quad), abs(signed_area(quad))) for quad in quads]


def match_boxes(
    one: Sequence[Box], other: Sequence[Box], within: tuple[int, int] | None = None
) -> list[tuple[int, int, float]]:
    """Return pairs (index, index, overlap) of boxes that are the same tile, the largest overlaps first.

    ``within``: as in :func:`box_overlaps`.
    """
    found = _same_corners(one, other)
    used_a, used_b = {i for i, _, _ in found}, {j for _, j, _ in found}
    rest_a, rest_b = ([i for i in range(len(b)) if i not in used] for b, used in ((one, used_a), (other, used_b)))
    for share, i, j in box_overlaps([one[i] for i in rest_a], [other[j] for j in rest_b], within):
        if rest_a[i] not in used_a and rest_b[j] not in used_b:
            used_a.add(rest_a[i])
            used_b.add(rest_b[j])
            found.append((rest_a[i], rest_b[j], share))
    return found


def _same_corners(one: Sequence[Box], other: Sequence[Box]) -> list[tuple[int, int, float]]:
    """Return the pairs of boxes with the same corners: most, where people changed little."""
    places: dict[Quad, list[int]] = {}
    for j in reversed(range(len(other))):
        places.setdefault(other[j].corners, []).append(j)
    return [(i, places[box.corners].pop(), 1.0) for i, box in enumerate(one) if places.get(box.corners)]
