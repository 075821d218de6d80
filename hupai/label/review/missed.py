"""Where tiles may have been overlooked: gaps in a row, and numbers of tiles that fit no hand.

These are hints for the reviewer and change no label: rows may have gaps on purpose, as between melds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hupai.basics.counts import count_of
from hupai.label.corrections.matching import match_boxes
from hupai.label.records import Box, Record
from scoring.tiles import tile
from vision.arrays import FloatArray, quad_axes, to_quad
from vision.geometry import Quad, align_corners

ONE_WIDE: Final = (0.6, 1.4)
"""Width of a gap, in tile widths from edge to edge, in which exactly one tile has room."""
SHORT_OF_A_HAND: Final = range(10, 13)
"""This many tiles are nearly a hand of 13 or 14, and more than discards or melds that are photographed alone."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What may have been overlooked in a picture.

    Attributes:
        places: corners of tiles that would fill gaps in rows.
        reasons: the places and the numbers, in words.
    """

    places: tuple[Quad, ...]
    reasons: tuple[str, ...]


def hints(record: Record) -> Hints:
    """Return where to look in a picture for tiles without a label."""
    places = tuple(_holes(record.boxes))
    reasons = []
    if places:
        reasons.append(f"{count_of(len(places), 'gap')} in a row")
    count = sum(b.tile.is_playable or b.tile.code == "back" for b in record.boxes)
    if count in SHORT_OF_A_HAND:
        reasons.append(f"{count} tiles, a hand has 13 or 14")
    return Hints(places, tuple(reasons))


def _holes(boxes: Sequence[Box]) -> list[Quad]:
    """Return a tile's corners for every gap of one tile's width between two tiles in a line."""
    if not boxes:
        return []
    corners = np.array([box.corners for box in boxes], np.float32)
    centres = corners.mean(axis=1)
    # A row continues along a tile's upper edge; the lower edge of a tile that is upside down points backwards.
    right, down = quad_axes(corners)
    widths, heights = np.linalg.norm(right, axis=1), np.linalg.norm(down, axis=1)
    axes = right / np.maximum(widths, 1e-6)[:, None]
    away = centres[None] - centres[:, None]
    ahead = (away * axes[:, None]).sum(axis=2)
    aside = np.abs(away[..., 1] * axes[:, None, 0] - away[..., 0] * axes[:, None, 1])
    in_row = (ahead > widths[:, None] / 2) & (aside < heights[:, None] / 3)
    nearest = np.where(in_row, ahead, np.inf).argmin(axis=1)
    holes = (ahead[np.arange(len(boxes)), nearest] - widths) / np.maximum(widths, 1e-6)
    fits = in_row.any(axis=1) & (np.minimum(widths, heights) >= 1) & (holes >= ONE_WIDE[0]) & (holes <= ONE_WIDE[1])
    found = []
    for i in np.flatnonzero(fits):
        quad, other = corners[i], corners[nearest[i]]
        if _alike(quad, other):
            apart = centres[nearest[i]] - centres[i]  # corners are compared as if both tiles lay in one place
            found.append(_corners((quad + align_corners(to_quad(other - apart), to_quad(quad)) + apart) / 2))
    return _new(found, boxes)


def _new(found: Sequence[Quad], boxes: Sequence[Box]) -> list[Quad]:
    """Return the places that are neither taken nor listed twice (each gap has two neighbours)."""
    kept: list[Box] = []
    for place in found:
        one = Box(tile("back"), place)
        if not match_boxes([one], [*boxes, *kept]):
            kept.append(one)
    return [b.corners for b in kept]


def _alike(one: FloatArray, other: FloatArray) -> bool:
    """Whether two tiles have the same orientation (or are upside down) and about the same size."""
    a, b = one[1] - one[0], other[1] - other[0]
    size = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    return min(size) > 0.7 * max(size) and abs(float(a @ b)) > 0.9 * size[0] * size[1]


def _corners(quad: FloatArray) -> Quad:
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in quad)
    return a, b, c, d
