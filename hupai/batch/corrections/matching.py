"""Finds the boxes of two label sets that are the same tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from hupai.batch.formats.base import upright_corners
from hupai.batch.formats.checks import check_upright
from hupai.batch.records import Box, Record
from vision.geometry import boxes_overlap, overlap_ratios
from vision.reading import FloatArray

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
    return np.array([b.corners for b in boxes], np.float32).reshape(-1, 4, 2)


def outer_quads(boxes: Sequence[Box]) -> FloatArray:
    """Return (n, 4, 2) corners of the upright boxes around them."""
    return np.array([upright_corners(*b.bounds) for b in boxes], np.float32).reshape(-1, 4, 2)


def is_upright(box: Box) -> bool:
    """Whether a box is parallel to the picture's edges, as in tools without corners."""
    x0, y0, x1, y1 = box.bounds
    return all(min(abs(x - x0), abs(x - x1)) < 0.5 and min(abs(y - y0), abs(y - y1)) < 0.5 for x, y in box.corners)


def box_overlaps(one: Sequence[Box], other: Sequence[Box]) -> list[tuple[float, int, int]]:
    """Return (overlap, index, index) for all pairs of boxes that may be the same tile, the largest overlap first.

    A box parallel to the picture's edges is compared with the upright box around the other: the corners of a diagonal
    tile fill only half of that.
    """
    a, b = quads(one), quads(other)
    outer_a, outer_b = outer_quads(one), outer_quads(other)
    flat_a, flat_b = [is_upright(x) for x in one], [is_upright(x) for x in other]
    shares: list[tuple[float, int, int]] = []
    for i, j in np.argwhere(boxes_overlap(outer_a, outer_b)):
        along = flat_a[i] != flat_b[j]
        share = overlap_ratios(outer_a[i], outer_b[j])[0] if along else overlap_ratios(a[i], b[j])[0]
        if share >= MIN_OVERLAP:
            shares.append((float(share), int(i), int(j)))
    return sorted(shares, key=lambda s: (-s[0], s[1], s[2]))


def match_boxes(one: Sequence[Box], other: Sequence[Box]) -> list[tuple[int, int, float]]:
    """Return pairs (index, index, overlap) of boxes that are the same tile, the largest overlaps first."""
    found, used_a, used_b = [], set(), set()
    for share, i, j in box_overlaps(one, other):
        if i not in used_a and j not in used_b:
            used_a.add(i)
            used_b.add(j)
            found.append((i, j, share))
    return found
