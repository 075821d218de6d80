"""How the rows of a table lie to the one that may be the hand's: which way they face, how far off, in which block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from vision.layout.cuts import Faces, Place
from vision.layout.frames import Frames
from vision.layout.parse import AIR
from vision.layout.rows import Row, in_row

FAR: Final = 7.0
"""Rows with a wider gap than this between them and the hand do not belong to it, tile widths."""


def lines_of(rows: Sequence[Row], frames: Frames) -> list[int]:
    """For each row, how many lines its block has: gapless rows of one size, as near to each other as discards."""
    closed = [max(row.gaps) < AIR for row in rows]
    found: dict[int, int] = {}
    left = set(range(len(rows)))
    while left:
        block = [left.pop()]
        for at in block:
            for r in sorted(left):
                alike = closed[at] and closed[r] and abs(np.log(rows[r].size / rows[at].size)) < 0.4
                if alike and _is_second_line(rows[at], rows[r], frames):
                    block.append(r)
                    left.discard(r)
        found |= dict.fromkeys(block, len(block))
    return [found[r] for r in range(len(rows))]


def is_pond(lines: int) -> bool:
    """Whether a block of so many lines is a pond; a hand has two at most, and most rows are a block of their own."""
    return lines > 2


def places_of(rows: Sequence[Row], main: int, lines: Sequence[int], frames: Frames, faces: Faces) -> list[Place | None]:
    """How each row lies relative to the main one; None when it is too far off to matter."""
    gaps = np.maximum(frames.gaps(), 0)
    air = np.hypot(gaps[..., 0], gaps[..., 1])
    air = np.minimum(air, air.T)
    n = len(rows)
    between = np.full((n, n), np.inf)
    for a in range(n):
        for b in range(a + 1, n):
            between[a, b] = between[b, a] = air[np.ix_(rows[a].members, rows[b].members)].min()
    quarters = [quarter_of(rows[main], row.tiles, row.quarters, frames) for row in rows]
    near = between[main].copy()
    near[main] = 0
    for _ in range(2):  # a row may belong to the hand by way of another
        for r in range(n):
            for via in range(n):
                if via not in (r, main) and quarters[via] == 0 and near[via] < FAR:
                    near[r] = min(near[r], max(near[via] + 0.7, between[via, r]))
    places: list[Place | None] = []
    for r, row in enumerate(rows):
        if r == main:
            places.append(Place(main=True))
        elif near[r] > FAR and not any(faces.is_back(i) for i in row.tiles):
            places.append(None)
        else:
            places.append(
                Place(
                    near=float(near[r]),
                    quarter=quarters[r],
                    stacked=_is_second_line(rows[main], row, frames),
                    pond=is_pond(lines[r]),
                )
            )
    return places


def quarter_of(main: Row, tiles: Sequence[int], quarters: Mapping[int, int], frames: Frames) -> int:
    """Quarter turns from the main row's upright to that of other tiles: a vote of all pairs, near ones counting most.

    Args:
        quarters: turns of these tiles relative to their own row's upright.
    """
    pairs = np.ix_(main.tiles, tiles)
    own = np.array([main.quarters[i] for i in main.tiles])[:, None]
    theirs = np.array([quarters[j] for j in tiles])[None, :]
    turn = (own + frames.quarter[pairs] - theirs) % 4
    weight = np.exp(-np.hypot(*np.moveaxis(frames.offset[pairs], 2, 0)) / 5) * (frames.quarter[pairs] >= 0)
    votes = [float(weight[turn == q].sum()) for q in range(4)]
    return 1 if max(votes) == 0 else votes.index(max(votes))


def _is_second_line(main: Row, row: Row, frames: Frames) -> bool:
    """Whether a row is right above or below, as near as the lines of a hand in two lines or of discards."""
    x, y = step_to(main, row, frames)
    return abs(x) < 1.5 and 1.0 < abs(y) < 1.65


def height_of(main: Row, row: Row, frames: Frames) -> float:
    """How far a row lies below the main one, tile widths."""
    return 0.0 if row is main else step_to(main, row, frames)[1]


def step_to(main: Row, row: Row, frames: Frames) -> tuple[float, float]:
    """The step from the main row to another between their nearest tiles, in the main row's frame, tile widths."""
    offset = frames.offset[np.ix_(main.tiles, row.tiles)]
    a, b = np.unravel_index(int(np.hypot(offset[..., 0], offset[..., 1]).argmin()), offset.shape[:2])
    return in_row(offset[a, b], main.quarters[main.tiles[int(a)]])


def facing(rows: Sequence[Row], main: int, frames: Frames) -> list[Row]:
    """The rows with the main one the right way up, and the others turned to match unless their faces show a way up."""
    quarters = [quarter_of(rows[main], row.tiles, row.quarters, frames) for row in rows]
    quarters[main] = 0
    up = sum({0: row.upright, 2: -row.upright}.get(q, 0.0) for q, row in zip(quarters, rows, strict=True))
    turn = rows[main].upright <= 0 and up < 0
    found = []
    for row, quarter in zip(rows, quarters, strict=True):
        against = quarter == (0 if turn else 2)
        found.append(row.turned() if against and (row is rows[main] or row.upright <= 0) else row)
    return found
