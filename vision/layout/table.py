"""What lies on a table: the rows of its tiles, and how they lie to the one that may be the hand's."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from vision.layout.frames import Frames, measure_frames
from vision.layout.melds import FaceCosts
from vision.layout.rows import GAP_WIDTHS, Row, find_rows, to_row_frame
from vision.layout.shapes import HandRules
from vision.reading import Sighting

FAR_WIDTHS: Final = 7.0
"""Rows with a wider gap than this between them and the hand do not belong to it, tile widths."""


@dataclass(frozen=True, slots=True)
class Place:
    """How a row lies relative to the hand's main row.

    Attributes:
        main: it is the main row.
        near: gap between it and the main row, also by way of other rows of the hand, tile widths.
        quarter: quarter turns from the hand's upright to the row's.
        stacked: it lies right above or below the main row, close enough to be its second line.
        pond: it belongs to a block of lines such as discards form.
    """

    main: bool = False
    near: float = 0.0
    quarter: int = 0
    stacked: bool = False
    pond: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The N tiles of a photo in R rows.

    Attributes:
        air: gap between two of N tiles, tile widths. apart: that between the nearest tiles of two of R rows.
        lines: for each row, how many lines its block has: gapless rows of one size, as near to each other as discards.
    """

    frames: Frames
    faces: FaceCosts
    rows: Sequence[Row]
    air: list[list[float]]
    apart: list[list[float]]
    lines: Sequence[int]

    @classmethod
    def from_sightings(cls, sightings: Sequence[Sighting], shapes: HandRules) -> Table:
        """Measure the tiles of a photo, read under the rules of these shapes."""
        frames = measure_frames(sightings)
        rows = find_rows(sightings, frames)
        seen = [[abs(complex(max(gap.real, 0), max(gap.imag, 0))) for gap in gaps] for gaps in frames.gap]
        air = [list(map(min, *ways)) for ways in zip(seen, zip(*seen, strict=True), strict=True)]
        members = [row.members for row in rows]
        apart = [[min(air[i][j] for i in one for j in other) for other in members] for one in members]
        closed = [r for r, row in enumerate(rows) if max(row.gaps) < GAP_WIDTHS]
        lines = [1] * len(rows)

        def is_next_line(a: int, b: int) -> bool:
            return is_second_line(rows[a], rows[b], frames) and are_same_size(rows[a], rows[b])

        for block in group_rows(closed, is_next_line):
            for r in block:
                lines[r] = len(block)
        return cls(frames, FaceCosts(sightings, shapes), rows, air, apart, lines)

    def is_pond(self, r: int) -> bool:
        """Whether a row belongs to a block of lines as discards form one."""
        return is_block(self.lines[r])

    def facing(self, main: int) -> Table:
        """The table with the main row the right way up, and the others turned to match unless they show a way up."""
        quarters = [self.quarter_from(main, row) for row in self.rows]
        quarters[main] = 0
        up = sum({0: row.upright, 2: -row.upright}.get(q, 0.0) for q, row in zip(quarters, self.rows, strict=True))
        turn = self.rows[main].upright <= 0 and up < 0
        found = []
        for r, (row, quarter) in enumerate(zip(self.rows, quarters, strict=True)):
            against = quarter == (0 if turn else 2)
            shows = row.upright >= 1  # one face more that tells; a meld of those that look alike adds up to less
            found.append(row.reversed() if against and (r == main or not shows) else row)
        return replace(self, rows=found)

    def quarter_from(self, main: int, row: Row) -> int:
        """Quarter turns from the main row's upright to that of another row."""
        return vote_quarter_turns(self.rows[main], {i: row.quarters[i] for i in row.tiles}, self.frames)

    def places(self, main: int) -> list[Place | None]:
        """How each row lies relative to the main one; None when it is too far off to matter."""
        quarters = [self.quarter_from(main, row) for row in self.rows]
        near = [*self.apart[main]]
        near[main] = 0.0
        own = [r for r, quarter in enumerate(quarters) if quarter == 0 and r != main]
        for r in 2 * list(range(len(self.rows))):  # a row may belong to the hand by way of another
            by_way = (max(near[other] + 0.7, self.apart[r][other]) for other in own if near[other] < FAR_WIDTHS)
            near[r] = min([near[r], *by_way])
        places: list[Place | None] = []
        for r, row in enumerate(self.rows):
            if r == main:
                places.append(Place(main=True))
            elif near[r] > FAR_WIDTHS and not any(self.faces.is_back(i) for i in row.tiles):
                places.append(None)
            else:
                stacked = is_second_line(self.rows[main], row, self.frames)
                places.append(Place(False, near[r], quarters[r], stacked, self.is_pond(r)))
        return places

    def far_to_near(self, main: int) -> list[int]:
        """The rows from far to near, as the player reads them whose hand is the main one."""
        rows = self.rows
        return sorted(range(len(rows)), key=lambda r: step_to(rows[main], rows[r], self.frames).imag)


def group_rows(rows: Iterable[int], joined: Callable[[int, int], bool]) -> list[list[int]]:
    """Groups of rows, each joined to another of its group."""
    left, found = set(rows), []
    while left:
        block = [left.pop()]
        for at in block:
            near = sorted(r for r in left if joined(at, r))
            block += near
            left.difference_update(near)
        found.append(block)
    return found


def is_block(lines: int) -> bool:
    """Whether so many lines close together are a block: a hand lies in two at most, and most rows are by themselves."""
    return lines > 2


def vote_quarter_turns(main: Row, quarters: Mapping[int, int], frames: Frames) -> int:
    """Quarter turns from the main row's upright to that of other tiles: a vote of all pairs, near ones counting most.

    Args:
        quarters: turns of these tiles relative to their own row's upright.
    """
    votes = [0.0] * 4
    for i, (j, own) in product(main.tiles, quarters.items()):
        turn = frames.quarter[i][j]
        if turn >= 0:
            votes[(main.quarters[i] + turn - own) % 4] += math.exp(-abs(frames.offset[i][j]) / 5)
    return votes.index(max(votes)) if any(votes) else 1


def are_same_size(one: Row, other: Row) -> bool:
    """Whether the tiles of two rows are about as large."""
    return abs(math.log(one.size / other.size)) < 0.4


def is_second_line(main: Row, row: Row, frames: Frames) -> bool:
    """Whether a row is right above or below, as near as the lines of a hand in two lines or of discards."""
    step = step_to(main, row, frames)
    return abs(step.real) < 1.5 and 1.0 < abs(step.imag) < 1.65


def step_to(main: Row, row: Row, frames: Frames) -> complex:
    """The step from the main row to another between their nearest tiles, in the main row's frame, tile widths."""
    pairs = list(product(main.tiles, row.tiles))
    away = [abs(frames.offset[i][j]) for i, j in pairs]
    i, j = pairs[away.index(min(away))]
    return to_row_frame(frames.offset[i][j], main.quarters[i])
