"""The whole table: one cut of every row, together as many tiles as a hand has, the likeliest first by price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from scoring.tiles import KINDS
from vision.layout.cuts import Cut, Faces, Load, Place, load_of, too_much
from vision.layout.frames import Frames
from vision.layout.parse import AIR, cuts
from vision.layout.places import is_pond, places_of
from vision.layout.rows import Row

MAIN: Final = 1.2
"""Price of taking a row with fewer or smaller upright faces than another, nats for a factor of e."""
MAINS: Final = 6
"""Most rows tried as the hand's main row."""
LONGEST: Final = 17
"""Tiles of a hand in Taiwan: tiles beyond this number make a row no likelier to be the hand's."""
SLACK: Final = 16.0
"""Combinations this many nats dearer than the cheapest are dropped before their number of tiles is weighed."""
TWO_PLACES: Final = 3.5
"""Price of concealed tiles in a second place that is not a line right beside the first."""
POND: Final = 4.0
"""Price of taking a line of a block of lines for the hand."""
_REST: Final = Cut(0.0, None)
"""The cut of a row that has nothing to do with the hand."""


@dataclass(frozen=True, slots=True)
class Whole:
    """One way to read the whole table: a cut for each row, and the second tile of a lone pair beside four melds."""

    cost: float
    cuts: tuple[Cut, ...]
    load: Load
    mate: int | None = None


def mains_of(rows: Sequence[Row], lines: Sequence[int], faces: Faces) -> list[tuple[int, float]]:
    """The rows that may be the hand's, with the price of taking each: it has many faces, large ones, and is no pond."""
    weights = []
    for at, row in enumerate(rows):
        upright = sum(not a and faces.play[i] < 1 for i, a in zip(row.tiles, row.across, strict=True))
        if upright:
            weights.append((min(upright, LONGEST) * row.size**0.7, at))
    weights.sort(reverse=True)
    top = weights[0][0] if weights else 1.0
    priced = sorted((MAIN * float(np.log(top / w)) + POND * is_pond(lines[at]), at) for w, at in weights)
    return [(at, price) for price, at in priced[:MAINS]]


def combined(rows: Sequence[Row], main: int, lines: Sequence[int], frames: Frames, faces: Faces) -> list[Whole]:
    """The cheapest cuts of all rows for each number of concealed tiles and melds, priced by how likely that is."""
    places = places_of(rows, main, lines, frames, faces)
    total: dict[int, tuple[float, tuple[Cut, ...]]] = {0: (0.0, ())}
    for row, place in zip(rows, places, strict=True):
        found = {} if place is None else cuts(row, place, faces)
        if found.keys() <= {0}:  # no way but to leave the row out
            rest = found.get(0, _REST)
            total = {number: (cost + rest.cost, (*chosen, rest)) for number, (cost, chosen) in total.items()}
            continue
        limit = min(cost for cost, _ in total.values()) + min(cut.cost for cut in found.values()) + SLACK
        merged: dict[int, tuple[float, int, Cut]] = {}
        for a, (cost, _) in total.items():
            for b, cut in found.items():
                price = cost + cut.cost
                if price > limit or too_much(a + b, faces.sets):
                    continue
                known = merged.get(a + b)
                if known is None or price < known[0]:
                    merged[a + b] = price, a, cut
        total = {number: (price, (*total[a][1], cut)) for number, (price, a, cut) in merged.items()}
    wholes = []
    for number, (cost, chosen) in total.items():
        load = load_of(number)
        mate = _mate(rows, places, chosen, frames, faces) if load.melds == faces.sets and load.tiles == 1 else None
        price = 0.0 if mate is not None else _size_price(load, faces.sets)
        wholes.append(Whole(cost + price, chosen, load, mate))
    return wholes


def _mate(
    rows: Sequence[Row], places: Sequence[Place | None], chosen: Sequence[Cut], frames: Frames, faces: Faces
) -> int | None:
    """The other half of the pair when all the rest are melds: the lone tile most likely to match the one found."""
    single = next(
        row.tiles[part.start]
        for row, cut in zip(rows, chosen, strict=True)
        for part in cut.parts
        if part.role in ("C", "S", "W")
    )
    kind = min(range(KINDS), key=lambda k: faces.kinds[single][k])
    best, nearest = None, np.inf
    for row, place, cut in zip(rows, places, chosen, strict=True):
        loose = sum(part.role == "O" for part in cut.parts)
        for part in cut.parts:
            i = row.tiles[part.start]
            touching = any(
                row.gaps[k] < AIR and single not in row.tiles[k - 1 : k + 1]
                for k in (part.start, part.end)
                if 0 < k < len(row.tiles)
            )
            if part.role != "O" or touching or place is None or loose > 2 or faces.kinds[i][kind] > 1:
                continue
            apart = float(np.hypot(*frames.offset[single, i]))
            if apart < nearest:
                best, nearest = i, apart
    return best


def _size_price(load: Load, sets: int) -> float:
    """How unlikely a hand of this many tiles in so many places is."""
    return TWO_PLACES * max(0, load.runs - 1) + _count_price(load, sets)


def _count_price(load: Load, sets: int) -> float:
    over = load.tiles - (3 * (sets - load.melds) + 2)
    if over == 0:
        return 0.0
    if over == -1:
        return 1.2 + 1.5 * load.winning
    return 3.0 + abs(over)
