"""Tables whose tiles lie against one another without a gap: ponds, blocks, hands with melds; and a whole table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from datasets.scenes.heap import Heap

LOW: Final = ("packed", "seat")
"""The kinds that are seen from low down, and from near: what lies far is small."""


def packed(h: Heap) -> None:
    """One to four ponds about the middle of a table, a block of rows, or a hand with melds pushed against it."""
    r = h.rng
    kind = int(r.integers(3))
    if kind == 0:
        _ponds(h, int(r.integers(1, 5)), 10, 18)
    elif kind == 1:
        columns = int(r.integers(3, 11))
        _block(h, [columns] * int(r.integers(2, 6)), 0, 0, 0)
    else:
        end = _block(h, [int(r.integers(1, 14))], 0, 0, 0)
        for _ in range(int(r.integers(1, 4))):
            end = _block(h, [3], end + float(r.choice([0, 0, r.uniform(0, 0.3)])), 0, 0, across=0.3)
        _block(h, [int(r.integers(3, 12))], float(r.uniform(-1, 3)), h.tiles.height, 0, across=0.1)


def seat(h: Heap) -> None:
    """A whole table as one of its players sees it: the own hand near, four ponds, and beyond them what others have."""
    r = h.rng
    _ponds(h, 4, 5, 10)
    near, far = float(r.uniform(9, 12.5)), float(r.uniform(8, 12))
    count, pose = int(r.integers(4, 14)), "stand" if r.random() < 0.5 else "up"
    h.row(count, -count / 2, -near, 0, 0.01, pose, lean=float(r.uniform(0, 0.3)) if pose == "stand" else 0.0)
    if r.random() < 0.4:
        _block(h, [3, 3][: int(r.integers(1, 3))], count / 2 + 0.6, -near, 0, across=0.2)
    for side in (1, 2, 3):
        yaw, what = side * np.pi / 2, r.random()
        x, y = far * np.sin(yaw), -far * np.cos(yaw)
        if what < 0.35:  # a hand laid open, seen from its side or upside down
            _block(h, [int(r.integers(3, 9))], float(x - 4 * np.cos(yaw)), float(y - 4 * np.sin(yaw)), yaw)
        elif what < 0.7:
            for i in range(int(r.integers(3, 9))):
                at = i - 4.0
                h.put(
                    float(x + at * np.cos(yaw)), float(y + at * np.sin(yaw)), yaw, pose="down" if side % 2 else "away"
                )


def _ponds(h: Heap, players: int, least: int, most: int) -> None:
    r = h.rng
    away = float(r.uniform(2.2, 4.2))
    for side in range(players):
        yaw, count = side * np.pi / 2, int(r.integers(least, most + 1))
        counts = [min(6, count - k) for k in range(0, count, 6)]
        x, y = -3.0, -away
        _block(h, counts, float(x * np.cos(yaw) - y * np.sin(yaw)), float(x * np.sin(yaw) + y * np.cos(yaw)), yaw,
               across=0.05)  # fmt: skip


def _block(h: Heap, counts: Sequence[int], x: float, y: float, yaw: float, across: float = 0.0) -> float:
    """Rows against one another, the first from (x, y) along ``yaw``, its upper edge there; each a little shifted.

    Args:
        across: chance that one tile of a row lies across.

    Returns:
        Where the first row ends along ``yaw``, from the origin.
    """
    r, cos, sin, down = h.rng, np.cos(yaw), np.sin(yaw), 0.0
    ends: list[float] = []
    for count in counts:
        along = float(r.choice([0, r.normal(0, 0.15)])) if ends else 0.0
        turned = int(r.integers(count)) if r.random() < across else -1
        for i in range(count):
            wide, high = (h.tiles.height, 1.0) if i == turned else (1.0, h.tiles.height)
            u, v = along + wide / 2, -down - h.tiles.height + high / 2
            spin = yaw + (np.pi / 2 if i == turned else 0) + float(r.normal(0, 0.004))
            h.put(float(x + u * cos - v * sin), float(y + u * sin + v * cos), spin)
            along += wide + abs(float(r.normal(0, 0.006)))
        ends.append(along)
        down += h.tiles.height + abs(float(r.normal(0, 0.006)))
    return x * float(cos) + ends[0]
