"""The local frame of each tile: where its neighbours lie, measured in tiles instead of pixels.

A tile is a rectangle of known proportions, so its quad rectifies its own surroundings: offsets in its frame stay true
in perspective, in curved rows and in photos taken upside-down or sideways. Frame coordinates: origin at the tile's
centre, x in tile widths towards its right, y in tile widths towards its foot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.arrays import BoolArray, FloatArray, quad_axes
from vision.reading import Sighting

ASPECT: Final = 1.34
"""Height of a tile's face over its width; sets on the market span 1.25 to 1.45."""

MAX_ASKEW_DEGREES: Final = 32.0
"""Tiles further than this from a quarter turn lie askew, degrees."""


@dataclass(frozen=True, slots=True)
class Frames:
    """Local frames of N tiles and where each has the others.

    Attributes:
        centre: (N, 2) float32 pixels.
        size: (N,) float32 root of the face's area, pixels.
        offset: (N, N, 2) float32: centre of tile j in the frame of tile i, in tile widths, the mean of what both
            tiles measure (in perspective each alone is off by the foreshortening between them).
        upright: (N,) bool: the tile's own picture says which side is up; False where that was found to be wrong.
        quarter: (N, N) int8: quarter turns clockwise from tile i to tile j, 0-3; -1 when j lies askew to i.
        askew: (N, N) float32: degrees between tile j and the nearest quarter turn.
    """

    centre: FloatArray
    size: FloatArray
    upright: BoolArray
    offset: FloatArray
    quarter: npt.NDArray[np.int8]
    askew: FloatArray

    def __len__(self) -> int:
        return len(self.centre)

    def gaps(self) -> FloatArray:
        """(N, N, 2) gap between tiles i and j along the axes of i, tile widths; negative where they overlap."""
        across = (self.quarter % 2 == 1)[..., None]
        half = np.array([1, ASPECT], np.float32) / 2
        return np.asarray(np.abs(self.offset) - np.where(across, half + half[::-1], 2 * half))


def measure_frames(sightings: Sequence[Sighting]) -> Frames:
    """The frames of these tiles; O(N^2) memory, meant for the tiles of one photo."""
    quads = np.asarray([s.corners for s in sightings], np.float32).reshape(len(sightings), 4, 2)
    centre, wrong = quads.mean(axis=1), find_misturned(quads)
    right, down, across, along = _sides(quads, wrong)
    # Both axes of j vote for its turn, each weighted by its length.
    turn = np.degrees(np.arctan2(across[..., 1] - along[..., 0] / ASPECT, across[..., 0] + along[..., 1] / ASPECT))
    quarter = np.rint(turn / 90)
    askew = np.abs(turn - 90 * quarter)
    there = _in_frames(centre[None] - centre[:, None], right, down)
    back = -there.transpose(1, 0, 2)
    angle = np.radians(90 * quarter)
    cos, sin = np.cos(angle), np.sin(angle)
    back = np.stack([cos * back[..., 0] - sin * back[..., 1], sin * back[..., 0] + cos * back[..., 1]], axis=2)
    return Frames(
        centre=centre,
        size=np.sqrt(np.abs(_cross(right, down))).astype(np.float32),
        upright=~wrong,
        offset=((there + back) / 2).astype(np.float32),
        quarter=np.where(askew <= MAX_ASKEW_DEGREES, quarter % 4, -1).astype(np.int8),
        askew=askew.astype(np.float32),
    )


def find_misturned(quads: FloatArray) -> BoolArray:
    """Which of (N, 4, 2) quads have their picture read sideways: (N,) bool.

    A tile that truly lies across its neighbours is wide where they are narrow. One that has their shape but was read as
    lying across is misturned, and so is one read as lying along them that is wide where they are narrow. All other
    tiles vote, near ones with more weight.
    """
    centre, wrong = quads.mean(axis=1), np.zeros(len(quads), bool)
    if len(quads) < 3:
        return wrong
    for _ in range(3):
        right, down, across, along = _sides(quads, wrong)
        extent = np.abs(across) + np.abs(along)
        # In a neighbour's frame the extents of a tile vary by a tenth of its width.
        off = [np.square(extent - shape).sum(axis=2) for shape in ([1, ASPECT], [ASPECT, 1])]
        lies_along, lies_across = np.exp(np.divide(off, -2 * 0.1**2))
        said = np.hypot(across[..., 1], along[..., 0] / ASPECT) - np.hypot(across[..., 0], along[..., 1] / ASPECT)
        apart = np.hypot(*np.moveaxis(_in_frames(centre[None] - centre[:, None], right, down), 2, 0))
        agree = (lies_across - lies_along) * np.sign(said) * np.exp(-np.minimum(apart, apart.T) / 4)
        np.fill_diagonal(agree, 0)
        against = (agree + agree.T).sum(axis=1)
        worst = int(against.argmin())
        if against[worst] >= -0.2:
            break
        wrong ^= (against < -0.2) & (against <= against[worst] / 2)
    return wrong


def _sides(quads: FloatArray, wrong: BoolArray) -> tuple[FloatArray, ...]:
    """Axes to the right and down of all tiles, those read sideways righted, and both as all tiles see them."""
    right, down = quad_axes(np.where(wrong[:, None, None], np.roll(quads, -1, axis=1), quads))
    return right, down, _in_frames(right, right, down), _in_frames(down, right, down)


def _in_frames(vectors: FloatArray, right: FloatArray, down: FloatArray) -> FloatArray:
    """(N, 2) or (N, N, 2) vectors of j, pixels, in the frames of all tiles i, tile widths: (N, N, 2)."""
    area = _cross(right, down)
    area = np.where(np.abs(area) < 1e-3, np.float32(1e-3), area)[:, None]
    x = _cross(vectors, down[:, None, :]) / area
    y = _cross(right[:, None, :], vectors) / area
    return np.stack([x, y * ASPECT], axis=2).astype(np.float32)


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Cross product of vectors along the last axis, arrays broadcast."""
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], np.float32)
