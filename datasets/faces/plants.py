"""Drawings of the bonus tiles: four plants, four seasons and, of the animals, the centipede; randomly varied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from datasets.faces.ink import BLUE, DARK, GREEN, HEIGHT, RED, WIDTH, Canvas

ASPECT: Final = HEIGHT / WIDTH


@dataclass(frozen=True, slots=True)
class Pen:
    """A canvas seen through a box: x, y in 0-1 of the box, lengths in box widths."""

    canvas: Canvas
    x0: float
    y0: float
    width: float
    rng: np.random.Generator
    mirror: bool

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Canvas coordinates of a point of the box."""
        x = 1 - x if self.mirror else x
        return self.x0 + x * self.width, self.y0 + y * self.width / ASPECT

    def disc(self, x: float, y: float, r: float, ink: int | None) -> None:
        """A filled circle."""
        self.canvas.disc(*self.at(x, y), r * self.width, ink)

    def leaf(self, x: float, y: float, long: float, wide: float, degrees: float, ink: int | None) -> None:
        """A filled ellipse with half axes ``long`` and ``wide``."""
        turn = 180 - degrees if self.mirror else degrees
        self.canvas.ellipse(*self.at(x, y), long * self.width, wide * self.width, turn, ink)

    def stroke(self, points: list[tuple[float, float]], thick: float, ink: int | None) -> None:
        """A polyline."""
        self.canvas.line([self.at(x, y) for x, y in points], thick * self.width, ink)

    def curve(self, points: list[tuple[float, float]], thick: float, ink: int | None) -> None:
        """A quadratic curve through three control points."""
        (a, b, c) = (np.array(p) for p in points)
        t = np.linspace(0, 1, 12)[:, None]
        path = (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t**2 * c
        self.stroke([(float(x), float(y)) for x, y in path], thick, ink)

    def blossom(self, x: float, y: float, r: float, petals: int, ink: int) -> None:
        """A round flower seen from above."""
        start = self.rng.uniform(0, 6.28)
        for k in range(petals):
            a = start + 2 * np.pi * k / petals
            self.disc(x + 0.62 * r * np.cos(a), y + 0.62 * r * np.sin(a), r * min(0.46, 1.9 / petals), ink)
        self.disc(x, y, r * 0.3, None)
        self.disc(x, y, r * 0.17, ink)

    def burst(self, x: float, y: float, r: float, petals: int, ink: int, rings: int = 2) -> None:
        """A flower of many narrow petals."""
        for ring in range(rings):
            far = r * (1 - 0.42 * ring)
            for k in range(petals):
                a = np.degrees(2 * np.pi * (k + 0.5 * ring) / petals)
                dx, dy = np.cos(np.radians(a)), np.sin(np.radians(a))
                self.leaf(x + 0.6 * far * dx, y + 0.6 * far * dy, far * 0.36, far * 0.11, a, ink)
        self.disc(x, y, r * 0.16, ink)


def plum(p: Pen) -> None:
    """f1: a crooked branch with round five-petalled blossoms."""
    wood = int(p.rng.choice([GREEN, DARK, BLUE]))
    p.stroke([(0.2, 1.0), (0.35, 0.74), (0.3, 0.5), (0.55, 0.3), (0.6, 0.05)], 0.07, wood)
    p.stroke([(0.32, 0.6), (0.6, 0.56), (0.86, 0.4)], 0.045, wood)
    p.stroke([(0.34, 0.72), (0.62, 0.8)], 0.04, wood)
    for x, y in ((0.62, 0.28), (0.84, 0.42), (0.3, 0.46), (0.66, 0.8), (0.55, 0.06))[: int(p.rng.integers(3, 6))]:
        p.blossom(x + p.rng.normal(0, 0.03), y + p.rng.normal(0, 0.03), p.rng.uniform(0.13, 0.18), 5, RED)


def orchid(p: Pen) -> None:
    """f2: long arching leaves from one root with a few small flowers."""
    for tip in ((0.02, 0.45), (0.15, 0.1), (0.45, 0.0), (0.8, 0.12), (1.0, 0.4), (0.9, 0.66)):
        x = tip[0] + p.rng.normal(0, 0.03)
        p.curve([(0.48, 1.0), (0.48 + (x - 0.5) * 0.3, 0.35), (x, tip[1])], p.rng.uniform(0.03, 0.05), GREEN)
    ink = int(p.rng.choice([RED, BLUE, RED]))
    for x, y in ((0.3, 0.42), (0.66, 0.34), (0.56, 0.62))[: int(p.rng.integers(2, 4))]:
        for a in (-150, -90, -30, 60):
            p.leaf(x + 0.07 * np.cos(np.radians(a)), y + 0.07 * np.sin(np.radians(a)), 0.07, 0.03, a, ink)


def chrysanthemum(p: Pen) -> None:
    """f3: big heads of many narrow petals over lobed leaves."""
    p.curve([(0.45, 1.0), (0.6, 0.7), (0.5, 0.4)], 0.035, GREEN)
    for x, y, a in ((0.25, 0.82, 30.0), (0.72, 0.8, -35.0), (0.2, 0.62, -10.0)):
        for turn in (-30, 0, 30):
            p.leaf(x, y, 0.13, 0.045, a + turn, GREEN)
    petals = int(p.rng.integers(12, 19))
    p.burst(0.55, 0.34, p.rng.uniform(0.3, 0.36), petals, RED, int(p.rng.integers(2, 4)))
    if p.rng.random() < 0.5:
        p.burst(0.22, 0.5, 0.15, 10, RED, 1)


def bamboo_plant(p: Pen) -> None:
    """f4: jointed stalks with groups of pointed leaves."""
    for x, lean in ((0.36, 0.04), (0.66, -0.05))[: int(p.rng.integers(1, 3))]:
        for k in range(4):
            y0, y1 = 1 - 0.25 * k, 1 - 0.25 * (k + 1) + 0.03
            p.stroke([(x + lean * k, y0), (x + lean * (k + 1), y1)], 0.065, GREEN)
    for x, y in ((0.52, 0.2), (0.2, 0.42), (0.82, 0.48), (0.55, 0.7)):
        side = 1 if x > 0.4 else -1
        for a in (20, 50, 85, 115):
            turn = a if side > 0 else 180 - a
            far = 0.12
            p.leaf(x + far * np.cos(np.radians(turn)), y + far * np.sin(np.radians(turn)), 0.13, 0.028, turn, GREEN)
    if p.rng.random() < 0.4:
        p.disc(0.84, 0.14, 0.07, RED)


def peony(p: Pen) -> None:
    """g1, spring: a full flower of wavy rings."""
    p.curve([(0.4, 1.0), (0.55, 0.8), (0.5, 0.5)], 0.04, GREEN)
    for x, y, a in ((0.2, 0.8, 40.0), (0.74, 0.84, -40.0), (0.84, 0.66, 10.0), (0.14, 0.58, -20.0)):
        p.leaf(x, y, 0.16, 0.07, a, GREEN)
        p.leaf(x, y, 0.13, 0.012, a, None)
    for r, n, ink in ((0.32, 9, RED), (0.22, 7, None), (0.2, 7, RED), (0.09, 5, None)):
        for k in range(n):
            a = 2 * np.pi * k / n
            p.disc(0.5 + 0.62 * r * np.cos(a), 0.38 + 0.62 * r * np.sin(a), r * 0.42, ink)
    p.disc(0.5, 0.38, 0.07, RED)


def lotus(p: Pen) -> None:
    """g2, summer: an open lotus over round leaves."""
    p.stroke([(0.5, 0.5), (0.48, 1.0)], 0.035, GREEN)
    p.leaf(0.24, 0.8, 0.22, 0.09, 0, GREEN)
    p.leaf(0.24, 0.79, 0.15, 0.015, 0, None)
    p.leaf(0.78, 0.88, 0.18, 0.07, 0, GREEN)
    for a in (-165, -135, -45, -15, -110, -70, -90):
        x, y = 0.5 + 0.17 * np.cos(np.radians(a)), 0.5 + 0.2 * np.sin(np.radians(a))
        p.leaf(x, y, 0.21, 0.085, a, RED)
        p.leaf(x, y, 0.13, 0.03, a, None)


def autumn_leaves(p: Pen) -> None:
    """g3, autumn: fruit and falling maple leaves."""
    p.curve([(0.1, 1.0), (0.4, 0.7), (0.7, 0.1)], 0.04, DARK if p.rng.random() < 0.5 else GREEN)
    for x, y, r in ((0.68, 0.26, 0.2), (0.34, 0.5, 0.17), (0.72, 0.74, 0.15))[: int(p.rng.integers(2, 4))]:
        start = p.rng.uniform(0, 360)
        for k in range(5):
            a = start + 50 * k
            tip = (x + 0.5 * r * np.cos(np.radians(a)), y + 0.5 * r * np.sin(np.radians(a)))
            p.leaf(*tip, r * 0.55, r * 0.17, a, RED)
    for x, y in ((0.2, 0.78), (0.5, 0.86)):
        p.leaf(x, y, 0.12, 0.04, -30, GREEN)


def winter_tree(p: Pen) -> None:
    """g4, winter: narcissus or a bare pine under snow."""
    if p.rng.random() < 0.5:
        for tip in ((0.1, 0.2), (0.3, 0.05), (0.7, 0.1), (0.9, 0.3)):
            p.curve([(0.5, 1.0), (0.5 + (tip[0] - 0.5) * 0.5, 0.5), tip], 0.05, GREEN)
        for x, y in ((0.55, 0.3), (0.34, 0.46)):
            for k in range(6):
                dx, dy = np.cos(np.radians(60 * k)), np.sin(np.radians(60 * k))
                p.leaf(x + 0.09 * dx, y + 0.09 * dy, 0.08, 0.04, 60 * k, BLUE)
            p.disc(x, y, 0.05, None)
            p.disc(x, y, 0.035, RED)
        return
    p.stroke([(0.3, 1.0), (0.42, 0.7), (0.34, 0.44), (0.5, 0.1)], 0.07, DARK)
    for x, y in ((0.5, 0.16), (0.24, 0.4), (0.68, 0.42), (0.34, 0.62), (0.78, 0.7)):
        p.stroke([(0.4, y + 0.1), (x, y)], 0.03, DARK)
        for k in range(9):
            a = np.pi * (1 + k / 8)
            p.stroke([(x, y), (x + 0.15 * np.cos(a), y + 0.13 * np.sin(a))], 0.02, GREEN)


def centipede(p: Pen) -> None:
    """a4: a many-legged body in curves."""
    ink = int(p.rng.choice([GREEN, DARK, RED]))
    legs = int(p.rng.choice([DARK, RED, ink]))
    swing, waves = p.rng.uniform(0.16, 0.28), p.rng.uniform(0.6, 1.2)
    t = np.linspace(0, 1, 12)
    xs, ys = 0.5 + swing * np.sin(2 * np.pi * waves * t), 0.06 + 0.88 * t
    for k in range(len(t)):
        dx = swing * 2 * np.pi * waves * np.cos(2 * np.pi * waves * t[k])
        n = np.array([0.88, -dx]) / np.hypot(0.88, dx)
        for side in (-1, 1):
            foot = (xs[k] + side * 0.19 * n[0], ys[k] + side * 0.19 * n[1] + 0.03)
            p.stroke([(xs[k], ys[k]), foot], 0.026, legs)
    for k in range(len(t)):
        p.disc(xs[k], ys[k], 0.085, ink)
    if p.rng.random() < 0.6:
        for k in range(1, len(t)):
            p.disc(xs[k], ys[k], 0.03, None)
    p.disc(xs[0], ys[0], 0.11, RED if ink != RED else DARK)
    for side in (-1, 1):
        p.curve([(xs[0], ys[0]), (xs[0] + side * 0.1, ys[0] - 0.12), (xs[0] + side * 0.26, ys[0] - 0.06)], 0.028, ink)


def sprig(p: Pen) -> None:
    """Any flower: a bent stem, leaves, one to three heads; many sets carve little else."""
    foot = BLUE if p.rng.random() < 0.3 else GREEN
    bend = p.rng.uniform(0.25, 0.75)
    p.curve([(0.5, 1.0), (bend, 0.75), (0.5, 0.35)], 0.045, foot)
    if p.rng.random() < 0.6:
        p.curve([(0.5, 0.75), (0.7, 0.5), (p.rng.uniform(0.7, 0.9), 0.1)], 0.035, GREEN)
    for _ in range(int(p.rng.integers(3, 8))):
        x, y, a = p.rng.uniform(0.12, 0.88), p.rng.uniform(0.3, 0.95), p.rng.uniform(-80, 80)
        p.leaf(x, y, p.rng.uniform(0.09, 0.17), p.rng.uniform(0.03, 0.06), a, GREEN)
    for k in range(int(p.rng.integers(1, 4))):
        x, y = (0.5, 0.42) if k == 0 else (p.rng.uniform(0.2, 0.8), p.rng.uniform(0.1, 0.6))
        r = p.rng.uniform(0.15, 0.24) if k == 0 else p.rng.uniform(0.08, 0.14)
        if p.rng.random() < 0.6:
            p.blossom(x, y, r, int(p.rng.integers(5, 9)), RED)
        else:
            p.burst(x, y, r, int(p.rng.integers(8, 14)), RED, int(p.rng.integers(1, 3)))


def potted_plant(p: Pen) -> None:
    """A plant in a pot."""
    ink = int(p.rng.choice([BLUE, RED, GREEN]))
    for x, y in ((-0.24, 0.62), (0.24, 0.62), (0.17, 0.95), (-0.17, 0.95)):
        p.stroke([(0.5 + x, y), (0.5, 0.8)], 0.16, ink)
    p.stroke([(0.26, 0.66), (0.74, 0.66)], 0.03, None)
    p.stroke([(0.3, 0.98), (0.36, 0.9)], 0.04, DARK)
    p.stroke([(0.7, 0.98), (0.64, 0.9)], 0.04, DARK)
    for _ in range(int(p.rng.integers(4, 8))):
        tip = (p.rng.uniform(0.1, 0.9), p.rng.uniform(0.02, 0.4))
        p.curve([(0.5, 0.62), (0.5, 0.4), tip], 0.03, GREEN)
        if p.rng.random() < 0.6:
            p.blossom(*tip, p.rng.uniform(0.07, 0.13), 5, RED)


PLANTS: Final = {
    "f1": plum, "f2": orchid, "f3": chrysanthemum, "f4": bamboo_plant,
    "g1": peony, "g2": lotus, "g3": autumn_leaves, "g4": winter_tree, "a4": centipede,
}  # fmt: skip


def draw_bonus(
    c: Canvas, label: str, box: tuple[float, float, float], rng: np.random.Generator, generic: bool = False
) -> None:
    """Draw the picture of a bonus tile into ``box`` (x0, y0, width) of a canvas.

    Args:
        generic: any sprig or pot, as on sets where only the caption tells.
    """
    pen = Pen(c, *box, rng, bool(rng.random() < 0.5))
    if generic and label[0] in "fg":
        (potted_plant if rng.random() < 0.25 else sprig)(pen)
    else:
        PLANTS[label](pen)
