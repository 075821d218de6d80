"""Two hands on one table, as when a winner and the player opposite or at the side have both laid theirs open."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from datasets.tables.hands import Dealt, deal
from datasets.tables.layouts import PlacedTile, lay_hand, random_style
from datasets.tables.views import View, photograph

AIR: Final = (1.0, 12.0)
"""Range of the gap between the two hands, tile widths."""
TRIES: Final = 20


def view_two(rng: np.random.Generator, rules: str, dealt: Dealt) -> View:
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
    up = min(p.y for p in mine) - max(p.y for p in moved) - 1.34 - float(rng.uniform(*AIR))
    return [replace(p, x=p.x + right, y=p.y + up, role="theirs", group=60) for p in moved]
