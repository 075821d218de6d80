"""The whole table: one segmentation of every row, together with as many tiles as a hand has, each with its cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from scoring.tiles import KINDS
from vision.layout.melds import likeliest
from vision.layout.row_segmentations import (
    RowSegmentation,
    exceeds_hand,
    segment_each_tile,
    segment_row,
    unpack_load,
)
from vision.layout.rows import GAP_WIDTHS
from vision.layout.shapes import max_tiles
from vision.layout.table import Place, Table

SMALLER_ROW_NATS: Final = 1.2
"""Cost of taking a row with fewer or smaller upright faces than another, nats for a factor of e."""
MAX_MAIN_ROWS: Final = 6
"""Most rows tried as the hand's main row."""
SLACK_NATS: Final = 16.0
"""Combinations this many nats dearer than the cheapest are dropped before their number of tiles is weighed."""
TWO_PLACES_NATS: Final = 3.5
"""Cost of concealed tiles in a second place that is not a line right beside the first."""
POND_NATS: Final = 4.0
"""Cost of taking a line of a block of lines for the hand."""


_Chosen: TypeAlias = "tuple[_Chosen, RowSegmentation] | None"
"""The segmentations of some rows, the last one first: as many combinations share their beginnings."""


class TableSegmentation(NamedTuple):
    """One way to read the whole table: every row in segments, and the second tile of a lone pair beside four melds."""

    cost: float
    rows: tuple[RowSegmentation, ...]
    mate: int | None = None


def segment_long_rows(table: Table) -> list[tuple[int, TableSegmentation]]:
    """Rows of 16 or 17 tiles, bonus tiles aside, as hands of the game that is played with so many."""
    found = []
    for r, row in enumerate(table.rows):
        segments = tuple(segment_each_tile(row, table.faces))
        if sum(segment.role == "C" for segment in segments) in (max_tiles() - 1, max_tiles()) and not any(row.across):
            line = tuple(RowSegmentation(0.0, segments if other is row else ()) for other in table.rows)
            found.append((r, TableSegmentation(0.0, line)))
    return found


def main_rows(table: Table) -> list[tuple[float, int]]:
    """The cost of taking a row for the hand's, nats, and the row: it has many faces, large ones, and is not a pond."""
    weights = {}
    for r, row in enumerate(table.rows):
        upright = sum(not a and table.faces.play[i] < 1 for i, a in zip(row.tiles, row.across, strict=True))
        if upright:
            weights[r] = min(upright, max_tiles()) * row.size**0.7
    top = max(weights.values(), default=1.0)
    costs = {r: SMALLER_ROW_NATS * math.log(top / w) + POND_NATS * table.is_pond(r) for r, w in weights.items()}
    return sorted((cost, r) for r, cost in costs.items())[:MAX_MAIN_ROWS]


def segment_table(table: Table, main: int) -> list[TableSegmentation]:
    """The cheapest segmentations of all rows for each number of concealed tiles and melds, weighed by its likelihood.

    Args:
        table: turned to face as the main row does.
        main: the row that is taken for the hand's.
    """
    places, sets = table.places(main), table.faces.shapes.sets
    total: dict[int, tuple[float, _Chosen]] = {0: (0.0, None)}
    for row, place in zip(table.rows, places, strict=True):
        found = {0: RowSegmentation(0.0)} if place is None else segment_row(row, place, table.faces)
        cuts = sorted((cut.cost, load, cut) for load, cut in found.items())
        limit = min(cost for cost, _ in total.values()) + cuts[0][0] + SLACK_NATS
        merged: dict[int, tuple[float, _Chosen]] = {}
        for a, (cost, before) in total.items():
            for more, b, cut in cuts:
                both = cost + more
                if both > limit:
                    break
                known = merged.get(a + b)
                if (known is None or both < known[0]) and not exceeds_hand(a + b, sets):
                    merged[a + b] = both, (before, cut)
        total = merged
    segmentations = []
    for load, (cost, last) in total.items():
        chosen = _unlink(last)
        tiles, melds, winning, runs = unpack_load(load)
        mate = _mate(table, places, chosen) if (melds, tiles) == (sets, 1) else None
        over = tiles - (3 * (sets - melds) + 2)
        extra = TWO_PLACES_NATS * max(0, runs - 1)
        if over == -1:
            extra += 1.2 + 1.5 * winning
        elif over:
            extra += 3.0 + abs(over)
        segmentations.append(TableSegmentation(cost if mate is not None else cost + extra, chosen, mate))
    return segmentations


def _unlink(last: _Chosen) -> tuple[RowSegmentation, ...]:
    found = []
    while last is not None:
        last, cut = last
        found.append(cut)
    return tuple(reversed(found))


def _mate(table: Table, places: Sequence[Place | None], chosen: Sequence[RowSegmentation]) -> int | None:
    """The other half of the pair when all the rest are melds: the lone tile most likely to match the one found."""
    faces, offset = table.faces, table.frames.offset
    rows = list(zip(table.rows, places, chosen, strict=True))
    single = next(
        row.tiles[segment.start] for row, _, cut in rows for segment in cut.segments if segment.role in ("C", "S", "W")
    )
    kind = likeliest(faces.kinds[single][:KINDS])
    loose = []
    for row, place, cut in rows:
        others = [segment.start for segment in cut.segments if segment.role == "O"]
        for k in others if place is not None and len(others) <= 2 else ():
            beside = [j for j in (k, k + 1) if 0 < j < len(row.tiles) and single not in row.tiles[j - 1 : j + 1]]
            if faces.kinds[row.tiles[k]][kind] <= 1 and not any(row.gaps[j] < GAP_WIDTHS for j in beside):
                loose.append(row.tiles[k])
    return min(loose, key=lambda i: abs(offset[single][i]), default=None)
