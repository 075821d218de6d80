"""Finds the boxes of two label sets that are the same tile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from hupai.batch.formats.checks import check_upright
from hupai.batch.records import Bounds, Box, Corners, Record, bounds
from vision.arrays import FloatArray, boxes_overlap
from vision.geometry import overlap_ratios

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


def quads(boxes: Sequence[Box]) -> FloatArray:
    """Return (n, 4, 2) corners."""
    return _corners(boxes).astype(np.float32)


def is_upright(corners: Corners) -> bool:
    """Whether corners are parallel to the picture's edges, as in tools without corners."""
    x0, y0, x1, y1 = bounds(corners)
    return all(min(x - x0, x1 - x) < 0.5 and min(y - y0, y1 - y) < 0.5 for x, y in corners)


def is_covered(place: Bounds, others: Iterable[Bounds]) -> bool:
    """Whether one of other upright boxes covers at least half of an upright box."""
    x0, y0, x1, y1 = place
    half = (x1 - x0) * (y1 - y0) / 2
    return any(
        max(0.0, min(x1, right) - max(x0, left)) * max(0.0, min(y1, bottom) - max(y0, top)) >= half
        for left, top, right, bottom in others
    )


def box_overlaps(
    one: Sequence[Box], other: Sequence[Box], within: tuple[int, int] | None = None
) -> list[tuple[float, int, int]]:
    """Return (overlap, index, index) for all pairs of boxes that may be the same tile, the largest overlap first.

    A box parallel to the picture's edges is compared with the upright box around the other: the corners of a diagonal
    tile fill only half of that. ``within``: size of a picture whose edges cut off the boxes.
    """
    (a, outer_a, flat_a), (b, outer_b, flat_b) = (_shapes(_corners(boxes), within) for boxes in (one, other))
    shares: list[tuple[float, int, int]] = []
    rows, columns = np.nonzero(boxes_overlap(outer_a, outer_b))
    common = np.minimum(outer_a[rows, 2], outer_b[columns, 2]) - np.maximum(outer_a[rows, 0], outer_b[columns, 0])
    # Not more than the upright boxes have in common, of not less than the larger tile.
    most = common.prod(axis=1) / np.maximum(np.maximum(_areas(a)[rows], _areas(b)[columns]), 1e-6)
    near = most >= 0.99 * MIN_OVERLAP
    for i, j in zip(rows[near], columns[near], strict=True):
        along = flat_a[i] != flat_b[j]
        share = overlap_ratios(outer_a[i], outer_b[j])[0] if along else overlap_ratios(a[i], b[j])[0]
        if share >= MIN_OVERLAP:
            shares.append((float(share), int(i), int(j)))
    return sorted(shares, key=lambda s: (-s[0], s[1], s[2]))


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
    places: dict[Corners, list[int]] = {}
    for j in reversed(range(len(other))):
        places.setdefault(other[j].corners, []).append(j)
    return [(i, places[box.corners].pop(), 1.0) for i, box in enumerate(one) if places.get(box.corners)]


def _areas(corners: FloatArray) -> FloatArray:
    """Return the areas of (n, 4, 2) corners, square pixels."""
    across, down = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    areas: FloatArray = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]) / 2
    return areas


def _corners(boxes: Sequence[Box]) -> npt.NDArray[np.float64]:
    return np.array([b.corners for b in boxes], np.float64).reshape(-1, 4, 2)


def _shapes(
    corners: npt.NDArray[np.float64], within: tuple[int, int] | None
) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    """Return (n, 4, 2) corners, the same of the upright boxes around them, and (n,) :func:`is_upright`."""
    if within is not None:
        corners = np.clip(corners, 0, within)
    low, high = corners.min(axis=1), corners.max(axis=1)
    flat = np.minimum(corners - low[:, None], high[:, None] - corners).max(axis=(1, 2), initial=0) < 0.5
    outer = np.stack([low, high], axis=1)[:, [[0, 0], [1, 0], [1, 1], [0, 1]], [0, 1]]
    return corners.astype(np.float32), outer.astype(np.float32), flat
