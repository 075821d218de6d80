"""What tiles are made of: the colours of their body, back and inks, their gloss and grain."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

Colour = npt.NDArray[np.float32]

UNUSUAL: Final = ("dark", "wood", "coloured")
"""Materials whose faces are neither white nor ivory."""
LEAST_RGB_DISTANCE: Final = 60.0
"""RGB distance from which a back cannot be mistaken for the bare face, and print on a face cannot be overlooked."""


@dataclass(frozen=True, slots=True)
class Material:
    """What the tiles are made of.

    Attributes:
        body, back: RGB 0-255 of the face layer and the back layer.
        back_share: thickness of the back layer as a share of the tile's; 0 for one-coloured tiles.
        inks: (4, 3) RGB of the dark, red, green and blue ink.
        gloss: strength of reflections, 0-1; ``sharpness``: exponent of the highlights, 8-200.
        engraving: visible depth of the carving, 0-1.
        mottle: cloudiness of the body (bone, jade), 0-1; ``grained``: strength of the wood grain, 0-1.
    """

    body: Colour
    back: Colour
    back_share: float
    inks: npt.NDArray[np.float32]
    gloss: float
    sharpness: float
    engraving: float
    mottle: float
    grained: float = 0.0


def _rgb(r: float, g: float, b: float) -> Colour:
    return np.array([r, g, b], np.float32)


def random_back(rng: np.random.Generator) -> Colour:
    """A back that a person can tell from a face: strong colour or dark, seldom pale."""
    if rng.random() < 0.12:  # bamboo or bone backs
        return _rgb(200, 160, 100) * np.float32(rng.uniform(0.6, 1.1))
    while True:
        hue, saturation, value = rng.random(), rng.uniform(0.15, 0.95), rng.uniform(0.15, 0.9)
        if value < 0.42 or saturation > 0.38 or rng.random() < 0.04:
            return np.array(colorsys.hsv_to_rgb(hue, saturation, value), np.float32) * 255


def random_inks(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """(4, 3) RGB of the dark, red, green and blue ink."""
    dark = np.array([[20, 20, 26], [30, 34, 60], [40, 36, 36], [18, 40, 40]], np.float32)[int(rng.integers(4))]
    inks = np.array([dark, (182, 30, 36), (22, 100, 56), (32, 58, 150)], np.float32)
    shift = rng.normal(0, 14, (4, 3)).astype(np.float32) * np.float32(rng.random())
    inks = inks * rng.uniform(0.8, 1.2, (4, 1)).astype(np.float32) + shift
    if rng.random() < 0.12:
        inks[3] = inks[0]
    if rng.random() < 0.05:
        inks[2] = inks[0]
    return np.clip(inks, 4, 235)


def random_material(rng: np.random.Generator) -> Material:
    """Melamine, bone, ivory-like, jade or tinted acrylic."""
    value = rng.uniform(218, 252)
    kind = rng.choice(["white", "ivory", "bone", "jade", "tint"], p=[0.5, 0.29, 0.1, 0.05, 0.06])
    tone = {
        "white": (1.0, rng.uniform(0.975, 1.0), rng.uniform(0.93, 1.0)),
        "ivory": (1.0, rng.uniform(0.93, 0.97), rng.uniform(0.74, 0.88)),
        "bone": (1.0, rng.uniform(0.9, 0.95), rng.uniform(0.7, 0.8)),
        "jade": (rng.uniform(0.72, 0.86), 1.0, rng.uniform(0.82, 0.9)),
        "tint": tuple(rng.uniform(0.82, 1.0, 3)),
    }[str(kind)]
    body = np.array(tone, np.float32) * np.float32(value if kind in ("white", "tint") else value * 0.95)
    solid = rng.random() < 0.02
    return Material(
        body=body,
        back=body * np.float32(rng.uniform(0.86, 0.98)) if solid else random_back(rng),
        back_share=0.0 if solid else float(rng.uniform(0.22, 0.6)),
        inks=random_inks(rng),
        gloss=float(rng.uniform(0.1, 1.0)),
        sharpness=float(np.exp(rng.uniform(np.log(10), np.log(160)))),
        engraving=float(rng.uniform(0, 1)),
        mottle=float(rng.uniform(0.3, 1)) if kind in ("bone", "jade") else float(rng.uniform(0, 0.3)),
    )


def unusual_material(rng: np.random.Generator, usual: Material) -> Material:
    """A dark, wooden or coloured set with the gloss and carving of a usual one, and print that a person can read.

    Dark tiles are printed in light inks, coloured ones in whichever stands out.
    """
    kind = str(rng.choice(UNUSUAL, p=[0.5, 0.2, 0.3]))
    hue = float(rng.random())
    body = {
        "dark": lambda: _hsv(hue, rng.uniform(0, 0.6), rng.uniform(0.06, 0.3)),
        "wood": lambda: _hsv(rng.uniform(0.04, 0.11), rng.uniform(0.3, 0.7), rng.uniform(0.4, 0.85)),
        "coloured": lambda: _hsv(hue, rng.uniform(0.2, 0.65), rng.uniform(0.4, 0.92)),
    }[kind]()
    printed_light = float(body @ np.array([0.3, 0.59, 0.11], np.float32)) < 110
    inks = _light_inks(rng) if printed_light else random_inks(rng) * np.float32(rng.uniform(0.5, 1.0))
    inks[np.linalg.norm(inks - body, axis=1) < LEAST_RGB_DISTANCE] = inks[0]
    back = random_back(rng)
    while float(np.linalg.norm(back - body)) < LEAST_RGB_DISTANCE:
        back = random_back(rng)
    grained = float(rng.uniform(0.3, 1)) if kind == "wood" else 0.0
    return replace(usual, body=body, back=back, inks=inks, grained=grained)


def _hsv(hue: float, saturation: float, value: float) -> Colour:
    return np.array(colorsys.hsv_to_rgb(hue, saturation, value), np.float32) * 255


def _light_inks(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """(4, 3) RGB inks for dark tiles: gold, silver or white in place of the dark one; often all are alike."""
    first = np.array([[240, 240, 235], [225, 190, 110], [205, 210, 215]], np.float32)[int(rng.integers(3))]
    inks = np.array([first, (232, 84, 74), (96, 205, 130), (110, 170, 245)], np.float32)
    if rng.random() < 0.4:
        inks[:] = first
    shift = rng.normal(0, 8, (4, 3)).astype(np.float32)
    return np.asarray(np.clip(inks * np.float32(rng.uniform(0.8, 1.1)) + shift, 0, 255), np.float32)
