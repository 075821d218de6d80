"""A hand laid with one set to a line, the lines close together: a block of rows with exactly as many tiles as a hand.

The block does not show whether its sets were declared or only sorted: it can be taken either way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.layout.cuts import MELD, RUN, TILE, WINNING, Cut, Faces, Part, Place, load_of
from vision.layout.frames import Frames
from vision.layout.parse import cuts
from vision.layout.places import places_of, step_to
from vision.layout.rows import Row
from vision.layout.wholes import Whole

LEAST_LINES: Final = 3
REACH: Final = 2.1
"""Furthest from line to line, tile widths; a tile is 1.34 high."""
LONGEST: Final = 4
"""Most tiles in a line of one set: a kong."""


def stacks_of(rows: Sequence[Row], frames: Frames, faces: Faces) -> list[tuple[int, tuple[int, ...]]]:
    """Stacks of lines that lie close above one another, each short enough for one set.

    Returns:
        For each stack the line whose faces show best which way is up, and all its lines.
    """
    left = {r for r, row in enumerate(rows) if _line(row, faces) is not None}
    found = []
    while left:
        stack = [left.pop()]
        for at in stack:
            near = {r for r in left if _is_next_line(rows[at], rows[r], frames)}
            stack += sorted(near)
            left -= near
        if len(stack) >= LEAST_LINES:
            found.append((max(stack, key=lambda r: (rows[r].upright, len(rows[r].tiles))), tuple(sorted(stack))))
    return sorted(found)


def _is_next_line(one: Row, other: Row, frames: Frames) -> bool:
    _, y = step_to(one, other, frames)
    alike = abs(float(np.log(one.size / other.size))) < 0.4
    return alike and 1.0 < abs(y) < REACH


def stacked(
    rows: Sequence[Row], main: int, stack: Sequence[int], lines: Sequence[int], frames: Frames, faces: Faces
) -> list[Whole]:
    """A stack as a hand, once with its sets concealed, once declared; empty if its number of tiles is not a hand's.

    Args:
        rows: the rows of the table, turned to face as the main one does.
        main: a line of the stack.
    """
    known: dict[int, _Line] = {}
    for r in stack:
        line = _line(rows[r], faces)
        if line is None:
            return []
        known[r] = line
    kongs = sum(line.kong for line in known.values())
    tiles = sum(line.tiles for line in known.values())
    whole = 3 * faces.sets + 2
    places = places_of(rows, main, lines, frames, faces)
    rest = _rest(rows, stack, places, faces, whole - tiles - 3 * kongs)
    if rest is None:
        return []
    price = sum(cut.cost for cut in rest.values())
    found = []
    for declared in (False, True):
        chosen = [known[r].cut(declared) if r in known else rest[r] for r in range(len(rows))]
        melds = sum(part.role == "M" for cut in chosen for part in cut.parts)
        if declared and (melds == kongs or melds > faces.sets):
            continue
        load = load_of(whole - 3 * melds + MELD * melds + RUN)
        found.append(Whole(price, tuple(chosen), load))
    return found


class _Line:
    """One line of a block: its bonus tiles and a set, a pair or a kong."""

    def __init__(self, row: Row, faces: Faces) -> None:
        self.bonus = [faces.is_bonus(i) for i in row.tiles]
        self.size = len(row.tiles)
        count = self.size - sum(self.bonus)
        self.kong = count == LONGEST
        self.tiles = 0 if self.kong else count

    def cut(self, declared: bool) -> Cut:
        """The line with its set concealed or declared; a kong always is."""
        singles = [Part("B" if bonus else "C", k, k + 1) for k, bonus in enumerate(self.bonus)]
        start = self.bonus.index(False) if not all(self.bonus) else 0
        held = LONGEST if self.kong else self.tiles
        if self.kong or (declared and held == 3):
            singles = [p for p in singles if p.role == "B"] + [Part("M", start, start + held)]
        return Cut.of(0.0, sorted(singles, key=lambda p: p.start))


def _line(row: Row, faces: Faces) -> _Line | None:
    """The line of a block as one set, or None where it can be none: too long, turned, with something in between."""
    tiles = [i for i in row.tiles if not faces.is_bonus(i)]
    if len(tiles) > LONGEST or len(tiles) == 1 or any(row.across) or row.stacked:
        return None
    if tiles:
        first = row.tiles.index(tiles[0])
        if row.tiles[first : first + len(tiles)] != tuple(tiles):
            return None
    if len(tiles) == LONGEST and faces.meld(tuple(tiles)) is None:
        return None
    return _Line(row, faces)


def _rest(
    rows: Sequence[Row],
    stack: Sequence[int],
    places: Sequence[Place | None],
    faces: Faces,
    missing: int,
) -> dict[int, Cut] | None:
    """Cuts of the rows outside the block, with the winning tile in one of them if the block lacks one tile."""
    if missing not in (0, 1):
        return None
    found: dict[int, Cut] = {}
    apart: list[tuple[float, int, Cut]] = []
    for r, (row, place) in enumerate(zip(rows, places, strict=True)):
        if r in stack:
            continue
        options = {0: Cut(0.0, None)} if place is None else cuts(row, place, faces)
        found[r] = options[0]
        if TILE + WINNING in options:
            apart.append((options[TILE + WINNING].cost - options[0].cost, r, options[TILE + WINNING]))
    if missing:
        if not apart:
            return None
        _, at, cut = min(apart, key=lambda item: item[0])
        found[at] = cut
    return found
