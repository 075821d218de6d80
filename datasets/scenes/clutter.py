"""What lies about beside tiles, or instead of them: props anywhere, and what belongs to games near the tiles."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from datasets.objects.accessories import ACCESSORIES, move
from datasets.objects.props import dice, lying_object, standing_box, sticks, table_frame
from datasets.render.paint import SceneObject
from datasets.scenes.heap import Heap

TRIES: Final = 8
"""Places tried for one thing."""


def add_clutter(h: Heap, density: float) -> None:
    """Put props round about, never inside a tile."""
    r = h.rng
    if r.random() < 0.25 * density:
        reach = max((float(np.abs(t.box.centre[:2]).max()) for t in h.things), default=5.0)
        h.props += table_frame(r, reach + float(r.uniform(0.7, 5)))
    for _ in range(int(r.poisson(2.4 * density))):
        x, y = (float(v) for v in r.normal(0, r.choice([4, 7]), 2))
        kind = r.random()
        new = (
            sticks(r, x, y) if kind < 0.1 else [standing_box(r, x, y)] if kind < 0.2
            else dice(r, x, y) if kind < 0.34 else [lying_object(r, x, y)]
        )  # fmt: skip
        h.props += [p for p in new if not any(_may_overlap(p.thing, t) for t in h.things)]


def _may_overlap(one: SceneObject, other: SceneObject) -> bool:
    """Whether two things may cut into each other: their circles on the table overlap."""
    reach = float(np.linalg.norm(one.box.half)) + float(np.linalg.norm(other.box.half)) * 0.8
    return bool(np.linalg.norm(one.box.centre[:2] - other.box.centre[:2]) < reach)


def add_accessories(h: Heap, mean: float) -> None:
    """Put things that belong to games near the tiles, at least one where there are none; never into another thing."""
    r = h.rng
    names, shares = list(ACCESSORIES), [share for _, share in ACCESSORIES.values()]
    around = [t.box.centre[:2] for t in h.things] or [np.zeros(2)]
    for _ in range(max(int(r.poisson(mean)), not h.things)):
        made = ACCESSORIES[str(r.choice(names, p=shares))][0](r, h.tiles)
        for _ in range(TRIES):
            x, y = around[int(r.integers(len(around)))] + r.normal(0, 3 if h.things else 5, 2)
            square = float(r.integers(4)) * np.pi / 2 + float(r.normal(0, 0.06))
            angle = square if r.random() < 0.65 else float(r.uniform(0, 2 * np.pi))
            moved = [move(prop, float(x), float(y), angle) for prop in made]
            if not any(overlap(p.thing, t) for p in moved for t in (*h.things, *(q.thing for q in h.props))):
                h.props += moved
                h.subjects += [p.thing.box.centre for p in moved]
                break


def overlap(one: SceneObject, other: SceneObject) -> bool:
    """Whether one thing stands above the other's place on the table."""
    away = np.linalg.norm(one.box.centre[:2] - other.box.centre[:2])
    if away > np.linalg.norm(one.box.half) + np.linalg.norm(other.box.half):
        return False
    first, second = (cv2.convexHull(t.box.corners()[:, :2].astype(np.float32)) for t in (one, other))
    return bool(cv2.intersectConvexConvex(first, second)[0] > 0)
