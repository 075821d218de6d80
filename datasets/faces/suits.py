"""Drawings of dots, bamboo and the bird of 1s, with random parameters: one :class:`SuitStyle` is one carver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from datasets.faces.ink import BLUE, DARK, GREEN, HEIGHT, RED, WIDTH, Canvas, InkFace

ASPECT: Final = HEIGHT / WIDTH
Position = tuple[float, float]

DOTS: Final[dict[int, tuple[Position, ...]]] = {
    1: ((0.5, 0.5),),
    2: ((0.5, 0.25), (0.5, 0.75)),
    3: ((0.2, 0.18), (0.5, 0.5), (0.8, 0.82)),
    4: ((0.26, 0.24), (0.74, 0.24), (0.26, 0.76), (0.74, 0.76)),
    5: ((0.22, 0.2), (0.78, 0.2), (0.5, 0.5), (0.22, 0.8), (0.78, 0.8)),
    6: ((0.28, 0.16), (0.72, 0.16), (0.28, 0.54), (0.72, 0.54), (0.28, 0.84), (0.72, 0.84)),
    7: ((0.18, 0.1), (0.5, 0.21), (0.82, 0.32), (0.28, 0.58), (0.72, 0.58), (0.28, 0.86), (0.72, 0.86)),
    8: tuple((x, y) for y in (0.12, 0.37, 0.63, 0.88) for x in (0.28, 0.72)),
    9: tuple((x, y) for y in (0.15, 0.5, 0.85) for x in (0.16, 0.5, 0.84)),
}
STICKS: Final[dict[int, tuple[Position, ...]]] = {
    2: ((0.5, 0.26), (0.5, 0.74)),
    3: ((0.5, 0.26), (0.26, 0.74), (0.74, 0.74)),
    4: ((0.26, 0.26), (0.74, 0.26), (0.26, 0.74), (0.74, 0.74)),
    5: ((0.18, 0.26), (0.82, 0.26), (0.5, 0.5), (0.18, 0.74), (0.82, 0.74)),
    6: tuple((x, y) for y in (0.26, 0.74) for x in (0.18, 0.5, 0.82)),
    7: ((0.5, 0.15), *((x, y) for y in (0.5, 0.84) for x in (0.18, 0.5, 0.82))),
    9: tuple((x, y) for y in (0.16, 0.5, 0.84) for x in (0.18, 0.5, 0.82)),
}
DOT_INKS: Final[dict[int, str]] = {
    2: "gb", 3: "brg", 4: "bggb", 5: "bgrgb", 6: "ggrrrr", 7: "gggrrrr", 8: "bbbbbbbb", 9: "gggrrrbbb",
}  # fmt: skip
_INK: Final = {"b": BLUE, "g": GREEN, "r": RED, "d": DARK}
SCHEMES: Final = ("usual", "one ink", "dark and red", "swapped")
"""Which dots have which ink: as in :data:`DOT_INKS`; all the same; dark except for red ones in the middle or below; or
two inks exchanged."""
SCHEME_CHANCES: Final = (0.62, 0.12, 0.16, 0.1)
DARK_AND_RED: Final[dict[int, str]] = {
    2: "dd", 3: "drd", 4: "dddd", 5: "ddrdd", 6: "dddddd", 7: "dddrrrr", 8: "dddddddd", 9: "dddrrrddd",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SuitStyle:
    """How one carver draws dots and bamboo.

    Attributes:
        ring: kind of dot, 0 plain disc, 1 ring and core, 2 double ring, 3 wheel, 4 flower, 5 bull's eye, 6 pierced;
            some wheels have four spokes.
        great: kind of the big dot of 1p, 0 rings, 1 rosette, 2 sun, 3 like the small ones.
        dark: dots and sticks in dark ink where others use blue (or, for sticks, green).
        stick: kind of bamboo, 0 knotted cane, 1 outline, 2 slim with bars, 3 bone, 4 two beads.
        margin: (x, y) inset of the drawing as a share of the face.
        weight: size of dots and sticks, about 1.
        bird: 0 sparrow, 1 peacock, 2 crane, 3 shoot of bamboo.
        seed: for the small irregularities.
    """

    ring: int
    great: int
    dark: bool
    stick: int
    margin: tuple[float, float]
    weight: float
    bird: int
    seed: int

    @staticmethod
    def random(rng: np.random.Generator) -> SuitStyle:
        """A random carver."""
        return SuitStyle(
            ring=int(rng.integers(7)),
            great=int(rng.integers(4)),
            dark=bool(rng.random() < 0.25),
            stick=int(rng.integers(5)),
            margin=(float(rng.uniform(0.05, 0.16)), float(rng.uniform(0.06, 0.14))),
            weight=float(rng.uniform(0.85, 1.12)),
            bird=int(rng.integers(4)),
            seed=int(rng.integers(1 << 30)),
        )


def dot_inks(number: int, style: SuitStyle) -> list[int]:
    """The ink of every dot of 2p-9p."""
    rng = np.random.default_rng([style.seed, 1000])  # one scheme for each carver
    scheme = str(rng.choice(SCHEMES, p=SCHEME_CHANCES))
    if scheme == "one ink":
        return [int(rng.choice([DARK, DARK, BLUE, GREEN]))] * number
    if scheme == "dark and red":
        low = number == 6 and rng.random() < 0.5
        return [_INK[ink] for ink in ("ddrrrr" if low else DARK_AND_RED[number])]
    blue = DARK if style.dark else BLUE
    inks = [blue if ink == "b" else _INK[ink] for ink in DOT_INKS[number]]
    if scheme == "swapped":
        one, other = rng.choice([RED, GREEN, blue], 2, replace=False)
        inks = [int(other if ink == one else one if ink == other else ink) for ink in inks]
    return inks


def _inside_margin(style: SuitStyle, x: float, y: float) -> Position:
    mx, my = style.margin
    return mx + x * (1 - 2 * mx), my + y * (1 - 2 * my)


def _draw_dot(c: Canvas, style: SuitStyle, x: float, y: float, r: float, ink: int, core: int) -> None:
    kind = style.ring
    c.disc(x, y, r, ink)
    if kind == 1:
        c.disc(x, y, r * 0.72, None)
        c.disc(x, y, r * 0.42, core)
    elif kind == 2:
        c.disc(x, y, r * 0.8, None)
        c.disc(x, y, r * 0.62, ink)
        c.disc(x, y, r * 0.42, None)
        c.disc(x, y, r * 0.2, core)
    elif kind == 3:
        spokes = 4 if style.seed % 2 else 6
        c.disc(x, y, r * 0.74, None)
        for k in range(spokes):
            a = 2 * np.pi * (k + 0.5 * (style.seed % 4 > 1)) / spokes
            c.line([(x, y), (x + r * 0.75 * np.cos(a), y + r * 0.75 * np.sin(a) / ASPECT)], r * 0.2, ink)
        if spokes == 6:
            c.disc(x, y, r * 0.3, core)
    elif kind == 4:
        c.disc(x, y, r * 0.82, None)
        for k in range(8):
            a = k * np.pi / 4
            c.disc(x + r * 0.52 * np.cos(a), y + r * 0.52 * np.sin(a) / ASPECT, r * 0.2, ink)
        c.disc(x, y, r * 0.24, core)
    elif kind == 5:
        c.disc(x, y, r * 0.6, None)
        c.disc(x, y, r * 0.36, core)
    elif kind == 6:
        for k in range(5):
            a = k * 2 * np.pi / 5 - np.pi / 2
            c.disc(x + r * 0.52 * np.cos(a), y + r * 0.52 * np.sin(a) / ASPECT, r * 0.19, None)
        c.disc(x, y, r * 0.14, None)


def _draw_great_dot(c: Canvas, style: SuitStyle, ink: int) -> None:
    r, x, y = 0.36 * style.weight, 0.5, 0.5
    if style.great == 3:
        _draw_dot(c, style, x, y, r * 0.8, ink, RED)
        return
    c.disc(x, y, r, ink)
    c.disc(x, y, r * 0.88, None)
    if style.great == 0:
        for share, paint in ((0.8, ink), (0.62, None), (0.5, RED), (0.34, None), (0.22, ink)):
            c.disc(x, y, r * share, paint)
        return
    petals = 12 if style.great == 1 else 18
    for k in range(petals):
        a = 2 * np.pi * k / petals
        px, py = x + r * 0.62 * np.cos(a), y + r * 0.62 * np.sin(a) / ASPECT
        if style.great == 1:
            c.ellipse(px, py, r * 0.2, r * 0.085, np.degrees(a), ink)
        else:
            c.line([(x + r * 0.4 * np.cos(a), y + r * 0.4 * np.sin(a) / ASPECT), (px, py)], r * 0.1, ink)
    c.disc(x, y, r * 0.36, RED)
    c.disc(x, y, r * 0.24, None)
    for k in range(5):
        a = 2 * np.pi * k / 5 - np.pi / 2
        c.disc(x + r * 0.15 * np.cos(a), y + r * 0.15 * np.sin(a) / ASPECT, r * 0.08, RED)


def draw_dots(number: int, style: SuitStyle, red: bool = False) -> InkFace:
    """1p-9p; ``red`` for the red five."""
    c = Canvas()
    rng = np.random.default_rng([style.seed, number])
    blue = DARK if style.dark else BLUE
    if number == 1:
        _draw_great_dot(c, style, GREEN if rng.random() < 0.6 else blue)
        return c.face()
    radius = {2: 0.185, 3: 0.15, 4: 0.165, 5: 0.15, 6: 0.15, 7: 0.125, 8: 0.14, 9: 0.135}[number] * style.weight
    inks = dot_inks(number, style)
    for k, (x, y) in enumerate(DOTS[number]):
        ink = RED if red else inks[k]
        if style.dark and ink == GREEN and rng.random() < 0.5:
            ink = DARK
        px, py = _inside_margin(style, x, y)
        _draw_dot(c, style, px, py, radius, ink, RED if ink == RED else ink)
    return c.face()


def _draw_stick(c: Canvas, style: SuitStyle, x: float, y: float, half: float, ink: int, lean: float = 0.0) -> None:
    """One cane; ``half`` is half its length in face heights, ``lean`` in radians clockwise."""
    wide = 0.047 * style.weight

    def at(u: float, v: float) -> Position:
        dx, dy = u * np.cos(lean) - v * ASPECT * np.sin(lean), u * np.sin(lean) / ASPECT + v * np.cos(lean)
        return x + dx, y + dy

    def bar(v: float, thick: float, u: float, colour: int | None) -> None:
        c.polygon([at(-u, v - thick), at(u, v - thick), at(u, v + thick), at(-u, v + thick)], colour)

    kind = style.stick
    if kind in (0, 3):
        bar(0, half, wide, ink)
        for v in (-half, 0.0, half):
            c.ellipse(*at(0, v), wide * 1.55, wide * (0.5 if kind == 0 else 0.9), np.degrees(lean), ink)
        c.line([at(0, -half * 0.78), at(0, -half * 0.28)], wide * 0.45, None)
        c.line([at(0, half * 0.28), at(0, half * 0.78)], wide * 0.45, None)
    elif kind == 1:
        bar(0, half, wide * 1.25, ink)
        bar(-half * 0.5, half * 0.36, wide * 0.7, None)
        bar(half * 0.5, half * 0.36, wide * 0.7, None)
    elif kind == 2:
        bar(0, half, wide * 0.7, ink)
        for v in (-half, 0.0, half):
            bar(v, 0.008, wide * 1.5, ink)
    else:
        for v in (-half * 0.5, half * 0.5):
            c.ellipse(*at(0, v), half * 0.52 * ASPECT, wide * 1.25, np.degrees(lean) + 90, ink)
            c.ellipse(*at(0, v), half * 0.3 * ASPECT, wide * 0.5, np.degrees(lean) + 90, None)


def draw_bamboo(number: int, style: SuitStyle, red: bool = False) -> InkFace:
    """1s-9s; ``red`` for the red five."""
    c = Canvas()
    green = DARK if style.dark and style.seed % 2 else GREEN
    if number == 1:
        draw_bird(c, style, green)
        return c.face()
    if number == 8:
        way = 1.0 if style.seed % 3 else -1.0
        for y, sign in ((0.28, way), (0.72, -way)):
            for x, lean in ((0.14, 0.0), (0.38, 0.62 * sign), (0.62, -0.62 * sign), (0.86, 0.0)):
                _draw_stick(c, style, *_inside_margin(style, x, y), 0.16 if lean == 0 else 0.12, green, lean)
        return c.face()
    rows = 3 if number in (7, 9) else 2
    half = {2: 0.17, 3: 0.105}[rows] * min(1.05, style.weight)
    accents = {5: (2,), 7: (0,), 9: (1, 4, 7)}.get(number, ())
    for k, (x, y) in enumerate(STICKS[number]):
        px, py = _inside_margin(style, x, y)
        _draw_stick(c, style, px, py, half, RED if red or k in accents else green)
    return c.face()


def draw_bird(c: Canvas, style: SuitStyle, green: int) -> None:
    """The bird of 1s (or, in some sets, one shoot of bamboo)."""
    rng = np.random.default_rng([style.seed, 1])
    if style.bird == 3:
        _draw_stick(c, style, 0.5, 0.5, 0.3, green)
        for side in (-1, 1):
            for v in (0.3, 0.48):
                c.ellipse(0.5 + side * 0.16, v, 0.14, 0.04, side * -35, green)
        return
    if style.bird == 1:
        for ring, (count, far) in enumerate(((9, 0.2), (11, 0.33))):
            for k in range(count):
                a = np.pi + np.pi * (k + 0.5) / count
                px, py = 0.5 + far * np.cos(a), 0.48 + far * 1.15 * np.sin(a) / ASPECT
                c.line([(0.5, 0.56), (px, py)], 0.012, green)
                c.disc(px, py, 0.052 - 0.006 * ring, green)
                c.disc(px, py, 0.026, None)
                c.disc(px, py, 0.014, RED)
        c.ellipse(0.5, 0.66, 0.2, 0.12, 0, BLUE)
        c.ellipse(0.5, 0.62, 0.12, 0.05, 0, None)
        c.line([(0.5, 0.66), (0.44, 0.52), (0.5, 0.47)], 0.06, BLUE)
        c.disc(0.5, 0.46, 0.05, BLUE)
        c.disc(0.51, 0.455, 0.014, None)
        c.line([(0.54, 0.46), (0.6, 0.475)], 0.025, RED)
    else:
        tall = style.bird == 2
        body = (0.5, 0.5) if tall else (0.46, 0.46)
        tail = [(0.55, 0.6), (0.84, 0.84), (0.7, 0.88), (0.5, 0.68)]
        c.polygon(tail, green)
        for k in range(3):
            c.line([(0.56 + 0.03 * k, 0.64), (0.66 + 0.06 * k, 0.86)], 0.016, None)
        c.ellipse(*body, 0.26, 0.15, 50 if tall else 42, green)
        c.ellipse(body[0] + 0.03, body[1] + 0.02, 0.17, 0.075, 48, BLUE)
        for k in range(4):
            x, y = body[0] - 0.06 + 0.05 * k, body[1] - 0.02 + 0.035 * k
            c.line([(x, y), (x + 0.09, y + 0.05)], 0.014, None)
        head = (0.3, 0.2) if tall else (0.32, 0.27)
        c.line([body, (head[0] + 0.02, head[1] + 0.06), head], 0.1 if tall else 0.15, green)
        c.disc(*head, 0.09, RED if rng.random() < 0.5 else green)
        c.disc(head[0] - 0.01, head[1] - 0.01, 0.035, None)
        c.disc(head[0] - 0.01, head[1] - 0.01, 0.017, DARK)
        c.polygon([(head[0] - 0.08, head[1]), (head[0] - 0.22, head[1] + 0.04), (head[0] - 0.06, head[1] + 0.045)], RED)
    foot = 0.8 if style.bird == 1 else 0.86
    for x in (0.42, 0.54):
        c.line([(x, foot - 0.14), (x - 0.01, foot)], 0.025, RED)
        c.line([(x - 0.07, foot + 0.02), (x - 0.01, foot), (x + 0.06, foot + 0.02)], 0.02, RED)
