"""The whole table: one cut of every row, together as many tiles as a hand has, the likeliest first by price."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from scoring.tiles import KINDS
from vision.layout.cuts import Cut, cuts, singles, too_much, unpacked
from vision.layout.rows import AIR
from vision.layout.shapes import most_tiles
from vision.layout.table import Place, Table

MAIN: Final = 1.2
"""Price of taking a row with fewer or smaller upright faces than another, nats for a factor of e."""
MAINS: Final = 6
"""Most rows tried as the hand's main row."""
SLACK: Final = 16.0
"""Combinations this many nats dearer than the cheapest are dropped before their number of tiles is weighed."""
TWO_PLACES: Final = 3.5
"""Price of concealed tiles in a second place that is not a line right beside the first."""
POND: Final = 4.0
"""Price of taking a line of a block of lines for the hand."""


class Whole(NamedTuple):
    """One way to read the whole table: a cut for each row, and the second tile of a lone pair beside four melds."""

    cost: float
    cuts: tuple[Cut, ...]
    mate: int | None = None


def long_lines(table: Table) -> list[tuple[int, Whole]]:
    """Rows of 16 or 17 tiles, bonus tiles aside, as hands of the game that is played with so many."""
    found = []
    for r, row in enumerate(table.rows):
        segments = tuple(singles(row, table.faces))
        if sum(segment.role == "C" for segment in segments) in (most_tiles() - 1, most_tiles()) and not any(row.across):
            line = tuple(Cut(0.0, segments if other is row else ()) for other in table.rows)
            found.append((r, Whole(0.0, line)))
    return found


def mains_of(table: Table) -> list[tuple[float, int]]:
    """The price of taking a row for the hand's, and the row: it has many faces, large ones, and is no pond."""
    weights = {}
    for r, row in enumerate(table.rows):
        upright = sum(not a and table.faces.play[i] < 1 for i, a in zip(row.tiles, row.across, strict=True))
        if upright:
            weights[r] = min(upright, most_tiles()) * row.size**0.7
    top = max(weights.values(), default=1.0)
    return sorted((MAIN * float(np.log(top / w)) + POND * table.is_pond(r), r) for r, w in weights.items())[:MAINS]


def combined(table: Table, main: int) -> list[Whole]:
    """The cheapest cuts of all rows for each number of concealed tiles and melds, priced by how likely that is.

    Args:
        table: turned to face as the main row does.
        main: the row that is taken for the hand's.
    """
    places, sets = table.places(main), table.faces.shapes.sets
    total: dict[int, tuple[float, tuple[Cut, ...]]] = {0: (0.0, ())}
    for row, place in zip(table.rows, places, strict=True):
        found = {0: Cut(0.0)} if place is None else cuts(row, place, table.faces)
        limit = min(cost for cost, _ in total.values()) + min(cut.cost for cut in found.values()) + SLACK
        merged: dict[int, tuple[float, tuple[Cut, ...]]] = {}
        for a, (cost, chosen) in total.items():
            for b, cut in found.items():
                price = cost + cut.cost
                known = merged.get(a + b)
                if price <= limit and not too_much(a + b, sets) and (known is None or price < known[0]):
                    merged[a + b] = price, (*chosen, cut)
        total = merged
    wholes = []
    for load, (cost, chosen) in total.items():
        tiles, melds, winning, runs = unpacked(load)
        mate = _mate(table, places, chosen) if (melds, tiles) == (sets, 1) else None
        over = tiles - (3 * (sets - melds) + 2)
        price = TWO_PLACES * max(0, runs - 1)
        if over == -1:
            price += 1.2 + 1.5 * winning
        elif over:
            price += 3.0 + abs(over)
        wholes.append(Whole(cost if mate is not None else cost + price, chosen, mate))
    return wholes


def _mate(table: Table, places: Sequence[Place | None], chosen: Sequence[Cut]) -> int | None:
    """The other half of the pair when all the rest are melds: the lone tile most likely to match the one found."""
    faces, offset = table.faces, table.frames.offset
    rows = list(zip(table.rows, places, chosen, strict=True))
    single = next(
        row.tiles[segment.start] for row, _, cut in rows for segment in cut.segments if segment.role in ("C", "S", "W")
    )
    kind = int(np.argmin(faces.kinds[single][:KINDS]))
    loose = []
    for row, place, cut in rows:
        others = [segment.start for segment in cut.segments if segment.role == "O"]
        for k in others if place is not None and len(others) <= 2 else ():
            beside = [j for j in (k, k + 1) if 0 < j < len(row.tiles) and single not in row.tiles[j - 1 : j + 1]]
            if faces.kinds[row.tiles[k]][kind] <= 1 and not any(row.gaps[j] < AIR for j in beside):
                loose.append(row.tiles[k])
    return min(loose, key=lambda i: float(np.hypot(*offset[single, i])), default=None)
