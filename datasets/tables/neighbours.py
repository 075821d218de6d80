"""Hands with other tiles right against them, or with another hand beyond them that is laid open, too."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np

from datasets.tables.hands import DealtHand, deal
from datasets.tables.layouts import PlacedTile, empty_table, lay_hand, random_style
from datasets.tables.views import View, photograph
from scoring.tiles import PLAIN, Tile

COUNTS: Final = (0.2, 0.35, 0.2, 0.15, 0.1)
"""Shares of one to five tiles laid against a row."""
APART_WIDTHS: Final = 0.97
"""Least distance between the centres of two tiles, tile widths."""
AIR_WIDTHS: Final = (1.0, 12.0)
"""Range of the gap between the two hands, tile widths."""
TRIES: Final = 40
"""Places for other tiles, and views of two hands, that are tried."""


def lay_strays(rng: np.random.Generator, dealt: DealtHand) -> list[PlacedTile]:
    """The hand, laid in any style, with a few other tiles in a line that touches its row or nearly does."""
    table = empty_table(rng)
    table.placed = lay_hand(rng, dealt, replace(random_style(rng, dealt), clutter=0), (table.aspect, table.depth))
    row = [p for p in table.placed if p.role == "concealed"]
    for _ in range(TRIES):
        beside = row[int(rng.integers(len(row)))]
        air = float(rng.choice([rng.uniform(0, 0.15), rng.uniform(0.15, 1.2)]))
        y = beside.y + (table.aspect + air) * (1 if rng.random() < 0.6 else -1)
        start, step = beside.x + float(rng.choice([0.0, rng.uniform(-0.5, 0.5)])), float(rng.choice([1.02, 1.02, 1.4]))
        spots = [start + n * step for n in range(int(rng.choice(len(COUNTS), p=COUNTS)) + 1)]
        if all(np.hypot(p.x - x, p.y - y) > APART_WIDTHS for p in table.placed for x in spots):
            for face, x in zip(_other_faces(rng, dealt, len(spots)), spots, strict=True):
                table.put(face, x, y, 0.0, "elsewhere", 43)
            break
    return table.placed


def _other_faces(rng: np.random.Generator, dealt: DealtHand, count: int) -> list[Tile]:
    """Faces that the hand does not use up, no three of them a set: such three would be a meld of the hand."""
    held = [t.kind for t in (*dealt.concealed, *(t for m in dealt.melds for t in m.tiles), dealt.winning) if t]
    left = [t for t in PLAIN[:34] if held.count(t.kind) < 4]
    while True:
        found = [left[i] for i in rng.integers(len(left), size=count)]
        if not any(_is_set(*sorted(t.kind for t in three)) for three in combinations(found, 3)):
            return found


def _is_set(low: int, middle: int, high: int) -> bool:
    return low == middle == high or (high < 27 and low // 9 == high // 9 and (middle, high) == (low + 1, low + 2))


def view_two(rng: np.random.Generator, rules: str, dealt: DealtHand) -> View:
    """The hand in front, whatever it is, with another player's beyond it, which wins more often than not."""
    size = float(rng.uniform(1.27, 1.42)), 0.7
    mine = lay_hand(rng, dealt, replace(random_style(rng, dealt), wall=False, clutter=0), size)
    other = deal(rng, rules, kind=str(rng.choice(["win", "wait", "junk"], p=[0.6, 0.2, 0.2])))
    how = replace(random_style(rng, other), wall=False, clutter=0)
    theirs = _lay_beyond(rng, mine, lay_hand(rng, other, replace(how, hand="row") if how.hand == "rack" else how, size))
    for _ in range(TRIES):
        seen = photograph(rng, [*mine, *theirs], size[0], framed=[True] * (len(mine) + len(theirs)))
        low = [seen.quads[i, :, 1].mean() for i, p in enumerate(seen.placed) if p.role != "theirs"]
        high = [seen.quads[i, :, 1].mean() for i, p in enumerate(seen.placed) if p.role == "theirs"]
        if low and high and np.mean(low) > np.mean(high):  # else nobody could say which is in front
            break
    return seen


def _lay_beyond(rng: np.random.Generator, mine: list[PlacedTile], hand: list[PlacedTile]) -> list[PlacedTile]:
    """A hand as it lies before the player opposite or at a side, beyond ``mine``."""
    turn = float(rng.choice([180, 180, 90, 270]))
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    moved = [replace(p, x=p.x * cos - p.y * sin, y=p.x * sin + p.y * cos, angle=p.angle + turn) for p in hand]
    right = float(np.mean([p.x for p in mine]) - np.mean([p.x for p in moved]) + rng.normal(0, 3))
    up = min(p.y for p in mine) - max(p.y for p in moved) - 1.34 - float(rng.uniform(*AIR_WIDTHS))
    return [replace(p, x=p.x + right, y=p.y + up, role="theirs", group=60) for p in moved]
