"""Things that lie about on a table, as boxes: racks, dice, cards, phones, boxes, sticks, books, keyboards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from datasets.objects.lookalikes import DieStyle, die, look_alike, random_die_style
from datasets.objects.surfaces import random_colour, surface
from datasets.render.camera import Floats, turn_y, turn_z
from datasets.render.paint import SceneObject
from datasets.render.solids import RoundedBox

Colour = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Prop:
    """A thing that is not a tile, and the cells on its lid that look like one: (n, 4, 2) as shares of the lid, x y."""

    thing: SceneObject
    cells: npt.NDArray[np.float32]

    def cells_in_world(self) -> Floats:
        """(n, 4, 3) world points of the cells."""
        top = self.thing.box.side(0)
        u, v = top[1] - top[0], top[3] - top[0]
        return np.asarray(top[0] + self.cells[..., :1] * u + self.cells[..., 1:] * v, np.float64)


NO_CELLS = np.zeros((0, 4, 2), np.float32)


def box(half: tuple[float, float, float], at: tuple[float, float, float], angle: float, paint: Colour,
        radius: float = 0.03, gloss: float = 0.3, lid: npt.NDArray[np.uint8] | None = None,
        cells: npt.NDArray[np.float32] = NO_CELLS, around: npt.NDArray[np.uint8] | None = None) -> Prop:  # fmt: skip
    """A box turned by ``angle`` (radians) about the upright axis; ``at`` is its centre."""
    solid = RoundedBox(np.array(half), np.array(at), turn_z(angle), radius)
    return Prop(SceneObject(solid, None, paint, lid, gloss, around), cells)


def lying_object(rng: np.random.Generator, x: float, y: float) -> Prop:
    """A look-alike lying flat at (x, y), in its natural size."""
    kind = str(rng.choice(list(LYING), p=list(LYING.values())))
    if kind == "die":
        return fallen_die(rng, x, y, random_die_style(rng), float(rng.uniform(0.4, 1.4)))
    like = look_alike(rng, kind)
    h, w = like.picture.shape[:2]
    width = {
        "lattice": w / 40 * np.exp(rng.uniform(np.log(0.35), np.log(2.2))),
        "plain": np.exp(rng.uniform(np.log(0.6), np.log(6))),
        "page": rng.uniform(5, 12), "card": rng.uniform(2, 2.8), "domino": rng.uniform(0.8, 1.3),
        "screen": rng.uniform(2.6, 3.6),
        "mat": w / 44 * rng.uniform(0.6, 1.3), "banner": w / 48 * rng.uniform(0.5, 1.6), "plate": rng.uniform(0.6, 1.3),
    }[kind]  # fmt: skip
    thick = {
        "domino": 0.4, "plain": rng.choice([0.02, rng.uniform(0.05, 1.5)]), "screen": 0.3, "mat": 0.02,
        "plate": rng.uniform(0.1, 0.5),
    }.get(kind, rng.choice([0.02, 0.03, 0.3]))  # fmt: skip
    height = width * h / w
    shares = np.asarray(like.cells / np.array([w, h]), np.float32)
    side = like.picture.reshape(-1, 3).mean(axis=0).astype(np.float32)
    angle = float(rng.uniform(0, 2 * np.pi)) if rng.random() < 0.5 else float(rng.normal(0, 0.15))
    half = (float(width) / 2, float(height) / 2, float(thick) / 2)
    gloss = float(rng.uniform(0, 0.7))
    return box(half, (x, y, half[2]), angle, side, min(0.08, half[2] * 0.8), gloss, like.picture, shares)


LYING: Final = {
    "lattice": 0.17, "plain": 0.2, "page": 0.11, "card": 0.07, "domino": 0.07, "die": 0.14, "screen": 0.06, "mat": 0.07,
    "banner": 0.07, "plate": 0.04,
}  # fmt: skip
"""What lies about, with the share of each."""


def fallen_die(rng: np.random.Generator, x: float, y: float, style: DieStyle, width: float) -> Prop:
    """A die as it fell at (x, y), ``width`` tiles wide; all its sides have one style."""
    top, around = die(rng, style), die(rng, style)
    half = width / 2
    round_edge = width * float(rng.uniform(0.05, 0.3))
    return box((half, half, half), (x, y, half), float(rng.uniform(0, 2 * np.pi)), np.array(style.ground, np.float32),
               round_edge, float(rng.uniform(0, 0.7)), top.picture, top.cells / top.picture.shape[0],
               around.picture)  # fmt: skip


def dice(rng: np.random.Generator, x: float, y: float) -> list[Prop]:
    """Two to four dice thrown near one another, mostly of one style and size."""
    style, width = random_die_style(rng), float(rng.uniform(0.4, 1.2))
    found = [fallen_die(rng, x, y, style, width)]
    for _ in range(int(rng.integers(1, 4))):
        if rng.random() < 0.2:
            style, width = random_die_style(rng), float(rng.uniform(0.4, 1.2))
        # Two cubes turned anyhow do not touch when a diagonal and a half apart.
        away, angle = (width * 1.5 + float(rng.exponential(0.6))) * len(found), float(rng.uniform(0, 2 * np.pi))
        found.append(fallen_die(rng, x + away * np.cos(angle), y + away * np.sin(angle), style, width))
    return found


def rack(rng: np.random.Generator, length: float, x: float, y: float) -> list[Prop]:
    """A rack or ruler before (and under) a row of tiles, now and then with lettering along it."""
    paint = random_colour(rng, 0.15, 0.95)
    low, deep = float(rng.uniform(0.15, 0.6)), float(rng.uniform(0.2, 0.9))
    half, gloss = (length / 2, deep / 2, low / 2), float(rng.uniform(0.1, 0.8))
    if rng.random() < 0.5:
        return [box(half, (x, y, half[2]), 0.0, paint, 0.05, gloss)]
    # Letters as tall as tiles need a broad or a tall rack.
    deep, low = (float(rng.uniform(0.8, 1.6)), low) if rng.random() < 0.5 else (deep, float(rng.uniform(0.7, 1.3)))
    like = look_alike(rng, "banner")
    wide = like.picture.shape[1] / like.picture.shape[0] * max(deep, low)
    strip = np.full((64, max(8, int(64 * length / max(deep, low))), 3), like.picture[0, 0])
    start = int(rng.integers(0, max(1, strip.shape[1] - int(64 * wide / max(deep, low)))))
    written = like.picture[:, : strip.shape[1] - start]
    strip[:, start : start + written.shape[1]] = written
    cells = np.asarray((like.cells + np.array([start, 0])) / [strip.shape[1], 64], np.float32)
    cells = cells[(cells <= 1).all(axis=(1, 2))] if deep >= low else NO_CELLS
    half = (length / 2, deep / 2, low / 2)
    return [box(half, (x, y, half[2]), 0.0, like.picture[0, 0].astype(np.float32), 0.05, gloss, strip, cells, strip)]


def sticks(rng: np.random.Generator, x: float, y: float) -> list[Prop]:
    """Point sticks, pens, chopsticks."""
    found = []
    angle = float(rng.uniform(0, np.pi))
    for _ in range(int(rng.integers(1, 5))):
        tone = np.float32(rng.uniform(200, 250)) * np.ones(3, np.float32) if rng.random() < 0.6 else random_colour(rng)
        at = (x + float(rng.normal(0, 0.5)), y + float(rng.normal(0, 0.5)), 0.08)
        found.append(box((float(rng.uniform(1.2, 3)), 0.1, 0.08), at, angle + float(rng.normal(0, 0.2)), tone, 0.06))
    return found


def tray(rng: np.random.Generator, width: float, height: float) -> list[Prop]:
    """A box of tiles: four low walls about the origin."""
    paint, t = random_colour(rng, 0.05, 0.5), float(rng.uniform(0.15, 0.5))
    tall = float(rng.uniform(0.5, 1.1))
    w, h = width / 2 + t, height / 2 + t
    long, short = (w, t / 2, tall / 2), (t / 2, h, tall / 2)
    y, x, z = h - t / 2, w - t / 2, tall / 2
    spots = ((long, (0.0, y, z)), (long, (0.0, -y, z)), (short, (x, 0.0, z)), (short, (-x, 0.0, z)))
    return [box(half, at, 0.0, paint) for half, at in spots]


def table_frame(rng: np.random.Generator, reach: float) -> list[Prop]:
    """The raised frame of a mahjong table, on one or more sides at distance ``reach`` from the origin."""
    paint = random_colour(rng, 0.05, 0.9)
    wide, tall = float(rng.uniform(1.5, 5)), float(rng.uniform(0.2, 1.2))
    lid = surface(rng, 128, "wood") if rng.random() < 0.5 else None
    sides = [k for k in range(4) if rng.random() < 0.5] or [int(rng.integers(4))]
    found = []
    for k in sides:
        angle = k * np.pi / 2
        x, y = (reach + wide / 2) * np.sin(angle), -(reach + wide / 2) * np.cos(angle)
        found.append(box((4 * reach, wide / 2, tall / 2), (float(x), float(y), tall / 2), angle, paint, 0.1, 0.4, lid))
    return found


def standing_box(rng: np.random.Generator, x: float, y: float) -> Prop:
    """Something upright that is not a tile: a carton, a cup seen as a block, a stack of books."""
    half = rng.uniform(0.4, 2.5, 3)
    like = look_alike(rng)
    spin = turn_z(float(rng.uniform(0, 6.3))) @ turn_y(float(rng.choice([0, np.pi / 2])))
    tall = float(np.abs(spin[2] @ np.diag(half)).sum())
    h, w = like.picture.shape[:2]
    solid = RoundedBox(half, np.array([x, y, tall]), spin, 0.05)
    thing = SceneObject(solid, None, like.picture.reshape(-1, 3).mean(axis=0).astype(np.float32), like.picture, 0.3)
    return Prop(thing, np.asarray(like.cells / np.array([w, h]), np.float32))
