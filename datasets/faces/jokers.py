"""Jokers: what is written on them, and the pictures beside it."""

from __future__ import annotations

from typing import Final

import numpy as np

from datasets.faces.characters import CharacterStyle, carve, draw_frame
from datasets.faces.glyphs import GlyphSheet
from datasets.faces.ink import BLUE, DARK, GREEN, RED, Canvas, InkFace
from datasets.faces.plants import draw_bonus

JOKERS: Final = {"百搭": 0.3, "聽用": 0.15, "JOKER": 0.2, **dict.fromkeys("飛總皇元合喜花", 0.05)}
"""What is written on jokers, with the share of each."""


def draw_joker(sheet: GlyphSheet, style: CharacterStyle) -> InkFace:
    """A joker: 百搭, 聽用, one character alone or in a ring, or JOKER, down the tile or above a round picture."""
    c, rng = Canvas(), np.random.default_rng([style.seed, 7])
    inks = [int(ink) for ink in rng.permutation([BLUE, RED, GREEN, DARK])[:2]]
    text = str(rng.choice(list(JOKERS), p=list(JOKERS.values())))
    if not all(char in sheet for char in text):
        text = "百搭"
    if not all(char in sheet for char in text):
        draw_frame(c, 0.1, 0.04, RED)
        c.disc(0.5, 0.5, 0.2, GREEN)
        c.disc(0.5, 0.5, 0.12, None)
    elif text == "JOKER" and rng.random() < 0.5:
        for i, char in enumerate(text):
            left = 0.09 + 0.165 * i
            c.stamp(carve(sheet[char], style), (left, 0.06, left + 0.15, 0.2), inks[0])
        _draw_medallion(c, rng, inks[1])
    elif text == "JOKER":
        beside = rng.random() < 0.6
        wide = 0.17 if beside else 0.34
        left = float(rng.choice([0.06, 0.77])) if beside else (1 - wide) / 2
        for i, char in enumerate(text):
            top = 0.07 + 0.175 * i
            c.stamp(carve(sheet[char], style), (left, top, left + wide, top + 0.15), inks[0])
        if beside:
            plant = f"{'fg'[int(rng.integers(2))]}{1 + int(rng.integers(4))}"
            draw_bonus(c, plant, (0.28 if left < 0.5 else 0.04, 0.28, 0.68), rng, style.pictures == "sprig")
    elif len(text) == 2:
        for i, char in enumerate(text):
            c.stamp(carve(sheet[char], style), (0.18, 0.08 + 0.44 * i, 0.82, 0.46 + 0.46 * i), inks[i], style.stretch)
    else:
        far = float(rng.choice([0.14, 0.2, 0.27]))
        if far > 0.14:
            ring = float(rng.uniform(0.38, 0.44))
            c.ellipse(0.5, 0.5, ring, ring, 0, inks[1])
            c.ellipse(0.5, 0.5, ring - 0.05, ring - 0.05, 0, None)
        c.stamp(carve(sheet[text], style), (far, far, 1 - far, 1 - far), inks[0], style.stretch)
    return c.face()


def _draw_medallion(c: Canvas, rng: np.random.Generator, ink: int) -> None:
    """A round picture too fine to be made out, as a coiled dragon is on a tile, in the lower part of the face."""
    far, y = float(rng.uniform(0.29, 0.38)), 0.6
    c.disc(0.5, y, far, ink)
    c.disc(0.5, y, far - 0.025, None)
    for _ in range(int(rng.integers(14, 26))):
        start, turn = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.5)
        points, at = [], (far - 0.05) * np.sqrt(rng.random()) * np.array([np.cos(start), np.sin(start)])
        for heading in start + np.pi / 2 + turn + np.cumsum(rng.normal(0, 0.5, 6)):
            if np.hypot(*at) < far - 0.03:
                points.append((0.5 + at[0], y + at[1] * c.width / c.height))
            at = at + 0.045 * np.array([np.cos(heading), np.sin(heading)])
        if len(points) > 1:
            c.line(points, 0.022, ink)
