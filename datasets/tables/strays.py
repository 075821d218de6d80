"""Hands with other tiles right against them, as where discards, a neighbour's tiles or spare ones lie too near."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np

from datasets.tables.hands import Dealt
from datasets.tables.layouts import PlacedTile, TableBuilder, lay_hand, random_style
from scoring.tiles import PLAIN, Tile

COUNTS: Final = (0.2, 0.35, 0.2, 0.15, 0.1)
"""Shares of one to five tiles laid against a row."""
APART: Final = 0.97
"""Least distance between the centres of two tiles, tile widths."""
TRIES: Final = 40


def lay_strays(rng: np.random.Generator, dealt: Dealt) -> list[PlacedTile]:
    """The hand, laid in any style, with a few other tiles in a line that touches its row or nearly does."""
    table = TableBuilder(rng, float(rng.uniform(1.27, 1.42)), float(rng.uniform(0.6, 0.85)))
    table.placed = lay_hand(rng, dealt, replace(random_style(rng, dealt), clutter=0), (table.aspect, table.depth))
    row = [p for p in table.placed if p.role == "concealed"]
    for _ in range(TRIES):
        beside = row[int(rng.integers(len(row)))]
        air = float(rng.choice([rng.uniform(0, 0.15), rng.uniform(0.15, 1.2)]))
        y = beside.y + (table.aspect + air) * (1 if rng.random() < 0.6 else -1)
        start, step = beside.x + float(rng.choice([0.0, rng.uniform(-0.5, 0.5)])), float(rng.choice([1.02, 1.02, 1.4]))
        spots = [start + n * step for n in range(int(rng.choice(len(COUNTS), p=COUNTS)) + 1)]
        if all(np.hypot(p.x - x, p.y - y) > APART for p in table.placed for x in spots):
            for face, x in zip(_other_faces(rng, dealt, len(spots)), spots, strict=True):
                table.put(face, x, y, 0.0, "elsewhere", 43)
            break
    return table.placed


def _other_faces(rng: np.random.Generator, dealt: Dealt, count: int) -> list[Tile]:
    """Faces that the hand does not use up, no three of them a set: such three would be a meld of the hand."""
    held = [t.kind for t in (*dealt.concealed, *(t for m in dealt.melds for t in m.tiles), dealt.winning) if t]
    left = [t for t in PLAIN[:34] if held.count(t.kind) < 4]
    while True:
        found = [left[i] for i in rng.integers(len(left), size=count)]
        if not any(_is_set(*sorted(t.kind for t in three)) for three in combinations(found, 3)):
            return found


def _is_set(low: int, middle: int, high: int) -> bool:
    return low == middle == high or (high < 27 and low // 9 == high // 9 and (middle, high) == (low + 1, low + 2))
