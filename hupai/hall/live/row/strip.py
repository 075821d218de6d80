"""Where a player's row stands in a picture, and strips cut along it.

Row coordinates are pixels of the picture along the row (u, from the left) and across it (v, downwards), from a point on
the line through the middles of its faces.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from hupai.hall.live.row.look import Face, Span
from hupai.hall.live.row.melds import FITTING, split_melds
from scoring.tiles import BACK_KIND
from vision.arrays import FloatArray, ImageArray
from vision.reading import Sighting

LEAST_TILES: Final = 4
"""Tiles of a row that is taken for the player's when it is first seen."""
MAX_GAP: Final = 2.6
"""Tile widths between neighbours of a row."""
SET_GAP: Final = 1.6
"""Steps, in sizes of a face, from which what makes sets at an end of a row is no part of it."""
TURNED: Final = 1.5
"""Tile widths from the last standing tile within which one that is turned on its side touches it."""
FLAT: Final = 0.33
"""How far a face is off the row's line, in tile widths, and its shape off theirs (a logarithm) if it lies flat.
``FLAT_TOUCHING``: beside one of the row, ``TOUCHING`` of its widths between their middles.
"""
FLAT_TOUCHING: Final = 0.66
TOUCHING: Final = (0.8, 1.2)
BUMP: Final = 0.4
"""Heights of a row by which a bump may move it across its line."""
WIDE: Final = 1.1
"""Share of the usual width from which a face may stand for two tiles, if its neighbours leave ``ROOM``, in widths;
``WIDE_AT_END``: where there is but one."""
WIDE_AT_END: Final = 1.25
ROOM: Final = (1.3, 1.8)
BEYOND_ROW: Final = 0.65
"""Tile widths from a row's line beyond which nothing that ends there lies beside the row."""
SLIVER: Final = 0.55
"""Share of the usual area of flat faces up to which one is a side of a tile: of 2,400 in sets none had under .6."""
BEFORE: Final = 1.8
BEYOND: Final = 2.3
"""Tile widths that a strip reaches beyond the first and the last tile: one may be drawn, or not be seen."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row in a picture.

    Attributes:
        anchor: (x, y) where u = v = 0, and the direction of the row, radians. wide, high: of its faces, pixels.
        span: u from which to which it is looked at. whole: u of the place where it has been since it was found.
    """

    anchor: tuple[float, float, float]
    wide: float
    high: float
    span: Span
    whole: Span

    def to_row(self, points: FloatArray) -> FloatArray:
        """(n, 2) pixels of the picture -> row coordinates."""
        x, y, angle = self.anchor
        c, s = math.cos(angle), math.sin(angle)
        return np.asarray((points - (x, y)) @ np.array([[c, -s], [s, c]]))

    def to_picture(self, points: FloatArray) -> FloatArray:
        """(n, 2) row coordinates -> pixels of the picture."""
        x, y, angle = self.anchor
        c, s = math.cos(angle), math.sin(angle)
        return np.asarray(points @ np.array([[c, s], [-s, c]]) + (x, y))

    def edges(self, width: int) -> Span:
        """U of the left and the right edge of a picture so wide."""
        x, _, angle = self.anchor
        c = math.cos(angle)
        return -x / c, (width - 1 - x) / c

    def is_off(self, other: Row) -> bool:
        """Whether it is not in line with another."""
        middle = self.to_picture(np.array([[sum(self.span) / 2, 0.0]]))
        return abs(float(other.to_row(middle)[0, 1])) > 0.7 * other.high

    def follow(self, quads: Sequence[FloatArray], faces: Sequence[Face], *, hidden: bool, glare: bool) -> Row:
        """The row where its faces, in row coordinates, now stand; what has hardly moved stays.

        What is hidden, or in glare, may still stand there.
        """
        row = self
        if len(faces) >= 2:
            first, last, half = faces[0], faces[-1], 0.5 * self.wide
            span = first.at - BEFORE * first.wide - half, last.at + BEYOND * last.wide + half
            if hidden or glare:
                span = min(span[0], self.span[0]), max(span[1], self.span[1])
            if max(abs(a - b) for a, b in zip(span, self.span, strict=True)) > 0.5 * self.wide:
                row = replace(row, span=span)
        if len(quads) < LEAST_TILES or hidden:
            return row
        now = _row_of(np.array([self.to_picture(q) for q in quads]), self)
        ends = self.to_row(now.to_picture(np.array([[middle(quads[k]), 0.0] for k in (0, -1)])))
        if np.abs(ends[:, 1]).max() > 0.12 * self.high and len(quads) >= 6:
            row = replace(row, anchor=now.anchor)
        wide, high = _size_of([row.to_row(self.to_picture(q)) for q in quads])
        if abs(math.log(wide / self.wide)) + abs(math.log(high / self.high)) > 0.1:
            row = replace(row, wide=wide, high=high)
        return row


# These three are asked of every pair of quads, and four numbers are added up more quickly without numpy.
def middle(quad: FloatArray) -> float:
    """Where a quad in row coordinates stands along the row."""
    (a, _), (b, _), (c, _), (d, _) = quad.tolist()
    return float((a + b + c + d) / 4)


def level(quad: FloatArray) -> float:
    """How far below the row's line the middle of a quad in row coordinates is."""
    (_, a), (_, b), (_, c), (_, d) = quad.tolist()
    return float((a + b + c + d) / 4)


def width(quad: FloatArray) -> float:
    """The width along the row of a quad in row coordinates: that of its upright likeness, if it is slanted."""
    a, b, c, d = sorted(y for _, y in quad.tolist())
    return float(cv2.contourArea(quad.astype(np.float32)) / max((c + d) / 2 - (a + b) / 2, 1.0))


def is_flat(quad: FloatArray, row: Row, off: float = FLAT) -> bool:
    """Whether a face in row coordinates lies beside a row rather than stands in it."""
    wide, high = np.ptp(quad, axis=0)
    shape = abs(math.log(max(high, 1) / max(wide, 1) / (row.high / row.wide)))
    size = abs(math.log(max(wide, 1) / row.wide))
    return bool(abs(level(quad)) / width(quad) + shape > off or size > 0.6)


def is_turned(quad: FloatArray, row: Row) -> bool:
    """Whether a face in row coordinates lies on its side in line with a row."""
    wide, high = np.ptp(quad, axis=0)
    in_line = abs(level(quad)) < 0.3 * row.high
    return bool(in_line and wide > row.wide and high < 0.9 * row.high and is_flat(quad, row))


def two_for_one(quads: Sequence[FloatArray], row: Row) -> list[FloatArray]:
    """Faces in row coordinates, where one that stands for two tiles without a seam between them is cut in two."""
    found, places = [], [(middle(q), level(q), width(q)) for q in quads]
    for n, (quad, (at, line, own)) in enumerate(zip(quads, places, strict=True)):
        in_line = [(u, w) for k, (u, v, w) in enumerate(places) if k != n and abs(v - line) < 0.3 * row.high]
        others = sorted(in_line, key=lambda other: abs(other[0] - at))
        usual = median(w for _, w in others[:4]) if others else row.wide
        sides = [[u for u, _ in others if 0 < sign * (u - at) < ROOM[1] * usual][:1] for sign in (-1, 1)]
        near = [u for side in sides for u in side]
        wide = own / usual > (WIDE if len(near) == 2 else WIDE_AT_END)
        if near and wide and all(abs(u - at) > ROOM[0] * usual for u in near):
            half = (quad - (at, 0.0)) * (usual / np.ptp(quad[:, 0]), 1.0)
            seam = sum(near) / 2 if len(near) == 2 else at
            found += [half + np.array([seam + side * usual / 2, 0.0]) for side in (-1, 1)]
        else:
            found.append(quad)
    return found


def _in_line(quads: Sequence[FloatArray], row: Row, down: float, known: Sequence[FloatArray] = ()) -> list[FloatArray]:
    """Those of faces that stand so far below a row's line: between wide gaps or turned tiles the most, nearest it."""
    standing = sorted([*known, *(q for q in quads if not is_flat(q - (0.0, down), row))], key=middle)
    if not standing:
        return []
    reach = (MAX_GAP + 1) * np.median([width(q) for q in standing])
    turned = [middle(q) for q in quads if is_turned(q - (0.0, down), row)]
    ends = [b - a > reach or any(a < u < b for u in turned) for a, b in pairwise(map(middle, standing))]
    part = np.concatenate([[0], np.cumsum(np.array(ends, int))])
    best = np.bincount(part, [FLAT - abs(level(q) - down) / width(q) for q in standing]).argmax()
    return [q for q, n in zip(standing, part, strict=True) if n == best]


def _with_touching(
    standing: Sequence[FloatArray], quads: Sequence[FloatArray], row: Row, down: float
) -> list[FloatArray]:
    """What stands so far below a row's line, and upright faces that touch it and are a little off: a crooked row."""
    places = [(middle(q), width(q)) for q in standing]
    near = [q for q in quads if TOUCHING[0] <= min(abs(middle(q) - u) / w for u, w in places) < TOUCHING[1]]
    moved = [(q, q - (0.0, down)) for q in near]
    off = [q for q, there in moved if not (is_flat(there, row, FLAT_TOUCHING) or is_turned(there, row))]
    return sorted([*standing, *off], key=middle)


def standing_of(quads: Sequence[FloatArray], row: Row, known: Sequence[FloatArray] = ()) -> list[FloatArray]:
    """Those of faces in row coordinates that stand in a row, from the left; its last may be turned on its side.

    What stands beyond another turned one belongs to a set in line with the row. ``known``: stand somewhere, too.
    """
    on_line = moved = _in_line(quads, row, 0.0, known)
    if len(on_line) < LEAST_TILES:
        near = [q for q in quads if abs(level(q)) < BUMP * row.high]
        moved = [q for q in near if not is_flat(q - (0.0, level(q)), row)]
    if not moved:
        return on_line
    # A bump moves them all alike, maybe so far that few are left on the line.
    down = float(np.median([level(q) for q in moved]))
    standing = _in_line(quads, row, down, known)
    if len(standing) < LEAST_TILES:
        return on_line
    standing = _with_touching(standing, quads, row, down)
    right, reach = middle(standing[-1]), TURNED * row.wide
    beyond = [q for q in quads if right < middle(q) < right + 2 * reach]
    last = [q for q in beyond if is_turned(q - (0.0, down), row) and middle(q) < right + reach]
    return [*standing, *last] if len(beyond) == 1 else standing  # with others beyond, it is a meld's


def beside_of(quads: Sequence[FloatArray], row: Row) -> list[FloatArray]:
    """Those of faces in row coordinates that lie beside a row, from the left, and not beyond it, as walls and discards.

    Where one is turned in line with the row, its set may lie as the row does. Sides of tiles are left out.
    """
    in_line = any(is_turned(q, row) for q in quads)
    near = [q for q in quads if float(q[:, 1].max()) > -BEYOND_ROW * row.wide and (in_line or is_flat(q, row))]
    areas = [cv2.contourArea(q.astype(np.float32)) for q in near]
    least = SLIVER * median(areas or [0.0])
    return sorted((q for q, area in zip(near, areas, strict=True) if area > least), key=middle)


@dataclass(frozen=True, slots=True)
class Strip:
    """A part of a picture cut out along a row; ``pixels``: (h, w, 3) uint8, ``scale`` to a pixel of the picture."""

    pixels: ImageArray
    left: float
    top: float
    scale: float
    wide: float

    @classmethod
    def cut(cls, image: ImageArray, row: Row, span: Span, scale: float, across: Span | None = None) -> Strip:
        """Cut out what lies in a span along the row and in one across it (by default around its faces)."""
        top, bottom = across or (-0.78 * row.high, 0.78 * row.high)
        width, height = max(8, round((span[1] - span[0]) * scale)), max(8, round((bottom - top) * scale))
        x, y, angle = row.anchor
        c, s = math.cos(angle), math.sin(angle)
        matrix = np.array([[c, s, -(x * c + y * s)], [-s, c, x * s - y * c]]) * scale
        matrix[:, 2] -= np.array([span[0], top]) * scale
        if scale < 0.5:  # averaging keeps noise from looking like change
            large = cls.cut(image, row, span, max(0.5, 4 * scale), (top, bottom)).pixels
            small = cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA)
            return cls(np.asarray(small, np.uint8), span[0], top, scale, row.wide)
        pixels = cv2.warpAffine(image, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return cls(np.asarray(pixels, np.uint8), span[0], top, scale, row.wide)

    def to_row(self, points: FloatArray) -> FloatArray:
        """(n, 2) pixels of the strip -> row coordinates."""
        return np.asarray(points / self.scale + (self.left, self.top))

    def part(self, quad: FloatArray, pixels: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """What of the strip, or of other pixels like it, is in the upright box around points in row coordinates."""
        points = np.maximum(0, np.rint((quad - (self.left, self.top)) * self.scale)).astype(int)
        (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
        return (self.pixels if pixels is None else pixels)[y0:y1, x0:x1]


def find_row(sightings: Sequence[Sighting], like: Row | None = None) -> Row | None:
    """The row nearest to the camera among the faces of a picture, None where there is none of four tiles.

    ``like``: where it stood before, if it did; u goes on from there.
    """
    sightings = [s for s in sightings if s.tile.kind != BACK_KIND]  # a wall stands in line, too
    if len(sightings) < LEAST_TILES:
        return None
    quads = np.array([s.corners for s in sightings])
    middles = quads.mean(axis=1)
    sizes = np.sqrt([abs(cv2.contourArea(q.astype(np.float32))) for q in quads])
    runs: list[tuple[float, npt.NDArray[np.intp], FloatArray, float]] = []
    for i in range(len(quads)):
        for j in range(len(quads)):
            step = middles[j] - middles[i]
            far = float(np.hypot(*step))
            if step[0] <= abs(step[1]) or far > 5 * sizes[i] or far < 0.5 * sizes[i]:
                continue
            along = step / far
            off = (middles - middles[i]) @ np.array([-along[1], along[0]])
            alike = np.abs(np.log(sizes / sizes[i])) < 0.3
            near = np.flatnonzero((np.abs(off) < 0.25 * sizes[i]) & alike)
            places = (middles - middles[i]) @ along
            connected = _parts(near[np.argsort(places[near])], places, (MAX_GAP + 1) * sizes[i])
            run = next(part for part in connected if i in part)
            if len(run) >= LEAST_TILES:
                runs.append((float((sizes[run] ** 2).sum()), run, places, SET_GAP * float(sizes[i])))
    best, laid = 0.0, np.zeros(len(quads), bool)
    row: npt.NDArray[np.intp] | None = None
    for _, run, places, gap in sorted(runs, key=lambda one: -one[0]):
        kept = _without_sets(run[~laid[run]], places, gap, sightings)
        laid[np.setdiff1d(run, kept)] = True
        score = float((sizes[kept] ** 2).sum())
        if len(kept) >= LEAST_TILES and score > best:
            best, row = score, kept
    if row is None:
        return None
    found = _row_of(quads[row], None)
    same = like is not None and max(found.wide / like.wide, like.wide / found.wide) < 1.2
    return _row_of(quads[row], like) if same else found


def _parts(run: npt.NDArray[np.intp], along: FloatArray, gap: float) -> list[npt.NDArray[np.intp]]:
    """What of a run, in order along a line, is connected by no wider gap."""
    return np.split(run, np.flatnonzero(np.diff(along[run]) > gap) + 1)


def _without_sets(
    run: npt.NDArray[np.intp], along: FloatArray, gap: float, sightings: Sequence[Sighting]
) -> npt.NDArray[np.intp]:
    """Those of a run but what makes sets at either end, apart from the others: melds in line with the row."""
    parts = _parts(run, along, gap)
    for end in (-1, 0):
        # With a flower, a whole row may make sets, too.
        while (
            parts
            and len(parts[end]) not in FITTING
            and split_melds([(sightings[k].tile, sightings[k].confidence) for k in parts[end]])
        ):
            parts.pop(end)
    return np.concatenate(parts) if parts else run[:0]


def _size_of(quads: Sequence[FloatArray]) -> tuple[float, float]:
    """The usual width and height of faces in row coordinates."""
    wide, high = np.median([np.ptp(q, axis=0) for q in quads], axis=0)
    return float(wide), float(high)


def _row_of(quads: FloatArray, like: Row | None) -> Row:
    middles = quads.mean(axis=1)
    vx, vy, x, y = cv2.fitLine(middles.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
    angle = math.atan2(vy, vx) if vx > 0 else math.atan2(-vy, -vx)
    flat = Row((x, y, angle), 1.0, 1.0, (0.0, 0.0), (0.0, 0.0))
    own = [flat.to_row(q) for q in quads]
    wide, high = _size_of(own)
    # Of the same row u of the same pixel stays what it was.
    shift = float(like.to_row(np.array([[x, y]]))[0, 0]) if like is not None else 0.0
    anchor = (x - shift * math.cos(angle), y - shift * math.sin(angle), angle)
    low, top = min(float(q[:, 0].min()) for q in own) + shift, max(float(q[:, 0].max()) for q in own) + shift
    span = low - BEFORE * wide, top + BEYOND * wide
    return Row(anchor, wide, high, span, (low - wide, top + 3 * wide))
