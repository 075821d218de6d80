"""The local frame of each tile: where its neighbours lie, measured in tiles instead of pixels.

A tile is a rectangle of known proportions, so its quad rectifies its own surroundings: offsets in its frame stay true
in perspective, in curved rows and in photos taken upside-down or sideways. Frame coordinates: origin at the tile's
centre, x in tile widths towards its right, y in tile widths towards its foot.

Points and vectors are complex numbers, x + yj, here and in all of :mod:`vision.layout`: a quarter turn clockwise is a
factor of 1j.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from vision.geometry import Quad
from vision.reading import Sighting

ASPECT: Final = 1.34
"""Height of a tile's face over its width; sets on the market span 1.25 to 1.45."""

MAX_ASKEW_DEGREES: Final = 32.0
"""Tiles further than this from a quarter turn lie askew, degrees."""
TURNS: Final = (1, 1j, -1, -1j)
"""The factors of no, one, two and three quarter turns."""


@dataclass(frozen=True, slots=True)
class Frames:
    """Local frames of N tiles and where each has the others.

    Attributes:
        size: root of each face's area, pixels.
        upright: whether each tile's own picture says which side is up; False where that was found to be wrong.
        offset: centre of tile j in the frame of tile i, in tile widths, the mean of what both tiles measure (in
            perspective each alone is off by the foreshortening between them).
        quarter: quarter turns clockwise from tile i to tile j, 0-3; -1 when j lies askew to i.
        askew: degrees between tile j and the nearest quarter turn.
        gap: between tiles i and j along the axes of i, tile widths; negative where they overlap.
    """

    size: list[float]
    upright: list[bool]
    offset: list[list[complex]]
    quarter: list[list[int]]
    askew: list[list[float]]
    gap: list[list[complex]]


class _Axes(NamedTuple):
    """Centre of a tile, its full width to the right and its full height down, pixels, and the area of its face.

    ``to_x``, ``to_y``: what a vector's conjugate, and a vector, is multiplied with for its coordinates in the frame.
    """

    centre: complex
    right: complex
    down: complex
    area: float
    to_x: complex
    to_y: complex

    def sees(self, vector: complex) -> complex:
        """A vector in pixels as it is in the tile's frame."""
        return complex((vector.conjugate() * self.to_x).imag, (vector * self.to_y).imag)


def measure_frames(sightings: Sequence[Sighting]) -> Frames:
    """The frames of these tiles; O(N^2) memory, meant for the tiles of one photo."""
    wrong, tiles, there = _right_tiles([s.corners for s in sightings])
    frames = Frames([math.sqrt(abs(t.area)) for t in tiles], [not sideways for sideways in wrong], [], [], [], [])
    sides = [(t.right, t.right.conjugate(), t.down, t.down.conjugate()) for t in tiles]
    middle = (1 + ASPECT) / 2
    for i, one in enumerate(tiles):
        to_x, to_y, seen = one.to_x, one.to_y, there[i]
        offsets, quarters, all_askew, gaps = [], [], [], []
        for j, (right, right_, down, down_) in enumerate(sides):  # as ``one.sees`` them: this loop takes the time
            across = complex((right_ * to_x).imag, (right * to_y).imag)
            along = complex((down_ * to_x).imag, (down * to_y).imag)
            # Both axes of a tile vote for its turn, each weighted by its length.
            turn = math.degrees(cmath.phase(across - along * 1j / ASPECT))
            nearest = round(turn / 90)
            askew = abs(turn - 90 * nearest)
            quarter = nearest % 4 if askew <= MAX_ASKEW_DEGREES else -1
            offset = (seen[j] - there[j][i] * TURNS[nearest]) / 2
            x, y = (middle, middle) if quarter % 2 else (1, ASPECT)
            offsets.append(offset)
            quarters.append(quarter)
            all_askew.append(askew)
            gaps.append(complex(abs(offset.real) - x, abs(offset.imag) - y))
        frames.offset.append(offsets)
        frames.quarter.append(quarters)
        frames.askew.append(all_askew)
        frames.gap.append(gaps)
    return frames


def find_misturned(quads: Sequence[Quad]) -> list[bool]:
    """For each of these quads, whether its picture was read sideways.

    A tile that truly lies across its neighbours is wide where they are narrow. One that has their shape but was read as
    lying across is misturned, and so is one read as lying along them that is wide where they are narrow. All other
    tiles vote, near ones with more weight.
    """
    return _right_tiles(quads)[0]


def _right_tiles(quads: Sequence[Quad]) -> tuple[list[bool], list[_Axes], list[list[complex]]]:
    """Which quads are misturned; the tiles, righted; and the centre of tile j in the frame of tile i, as i measures."""
    n = len(quads)
    tiles = [_axes(quad, True) for quad in quads]
    there = [[one.sees(other.centre - one.centre) for other in tiles] for one in tiles]
    wrong, changed, agree = [False] * n, set(range(n)), [[0.0] * n for _ in quads]
    for _ in range(3 if n > 2 else 0):
        for (i, one), (j, other) in combinations(enumerate(tiles), 2):
            if i in changed or j in changed:
                near = math.exp(-min(abs(there[i][j]), abs(there[j][i])) / 4)
                agree[i][j] = agree[j][i] = near * (_agreement(one, other) + _agreement(other, one))
        against = [sum(votes) for votes in agree]
        changed = {i for i, votes in enumerate(against) if votes < -0.2 and votes <= min(against) / 2}
        if not changed:
            break
        for i in changed:
            wrong[i] = not wrong[i]
            tiles[i] = _axes(quads[i], not wrong[i])
        for i, one in enumerate(tiles):
            for j in range(n) if i in changed else changed:
                there[i][j] = one.sees(tiles[j].centre - one.centre)
    return wrong, tiles, there


def _agreement(one: _Axes, other: _Axes) -> float:
    """From 1 to -1 how well the shape of another tile in the frame of one fits to how its picture was read."""
    across, along = one.sees(other.right), one.sees(other.down)
    extent = complex(abs(across.real) + abs(along.real), abs(across.imag) + abs(along.imag))
    # In a neighbour's frame the extents of a tile vary by a tenth of its width.
    lies_along = math.exp(-50 * abs(extent - complex(1, ASPECT)) ** 2)
    lies_across = math.exp(-50 * abs(extent - complex(ASPECT, 1)) ** 2)
    sideways = (across * across).real < (along * along).real / ASPECT**2
    return lies_across - lies_along if sideways else lies_along - lies_across


def _axes(quad: Quad, upright: bool) -> _Axes:
    """The axes of a tile, righted if its picture was read sideways."""
    a, b, c, d = (complex(*point) for point in (quad if upright else (*quad[1:], quad[0])))
    right, down = (b + c - a - d) / 2, (c + d - a - b) / 2
    area = (right.conjugate() * down).imag
    area = area if abs(area) >= 1e-3 else 1e-3
    return _Axes((a + b + c + d) / 4, right, down, area, down / area, right.conjugate() * ASPECT / area)
