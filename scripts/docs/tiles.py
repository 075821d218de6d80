"""Draw the pictures of docs/tiles.md: every tile above its code, one file per line of the notation."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from datasets.faces.designs import DrawnDesign, load_library
from datasets.faces.ink import CANONICAL
from scoring.tiles import parse_tiles

ROOT: Final = Path(__file__).resolve().parents[2]
PICTURES: Final = ROOT / "docs" / "img" / "tiles"
LINES: Final = {
    "characters": "123456789m",
    "dots": "123456789p",
    "bamboo": "123456789s",
    "honours": "1234567z",
    "red-fives": "0m0p0s",
    "flowers": "f1f2f3f4",
    "seasons": "g1g2g3g4",
    "animals": "a1a2a3a4",
    "back": "back",
}
"""Name of the file -> the tiles in it."""
WIDE, HIGH, GAP, LABEL = 60, 80, 8, 22
_BODY, _EDGE, _BACK, _INK = (252, 250, 243), (150, 145, 130), (28, 108, 76), (40, 40, 40)
_SCALE: Final = 3  # drawn this much larger, then shrunk


def strip(design: DrawnDesign, run: str) -> Image.Image:
    """The tiles of a run side by side with their codes below, on a transparent ground."""
    tiles = parse_tiles(run)
    wide = len(tiles) * (WIDE + GAP) + GAP
    picture = Image.new("RGBA", (wide, HIGH + LABEL + 2 * GAP))
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(size=16)
    for i, tile in enumerate(tiles):
        x = GAP + i * (WIDE + GAP)
        picture.alpha_composite(_tile(design, tile.code), (x, GAP))
        box = (x + 6, HIGH + GAP + 3, x + WIDE - 6, HIGH + GAP + LABEL + 2)
        draw.rounded_rectangle(box, 5, fill=_BODY, outline=_EDGE)
        draw.text(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), tile.code, _INK, font, anchor="mm")
    return picture


def _tile(design: DrawnDesign, code: str) -> Image.Image:
    size = (WIDE * _SCALE, HIGH * _SCALE)
    body = Image.new("RGBA", size)
    ground = _BACK if code == "back" else _BODY
    box = (0, 0, size[0] - 1, size[1] - 1)
    ImageDraw.Draw(body).rounded_rectangle(box, 8 * _SCALE, fill=ground, outline=_EDGE, width=_SCALE)
    if code != "back":
        face = design.face(code)
        assert face is not None
        share = face.astype(np.float32) / 255
        cover = share.sum(axis=2, keepdims=True)
        colour = (share @ CANONICAL.astype(np.float32)) / np.maximum(cover, 1e-6)
        coloured = np.concatenate([colour, 255 * np.minimum(cover, 1)], axis=2).round().astype(np.uint8)
        inset = (round(size[0] * 0.86), round(size[1] * 0.86))
        printed = Image.fromarray(coloured).resize(inset, Image.Resampling.LANCZOS)
        body.alpha_composite(printed, ((size[0] - inset[0]) // 2, (size[1] - inset[1]) // 2))
    return body.resize((WIDE, HIGH), Image.Resampling.LANCZOS)


def main() -> None:
    design = load_library().draw(np.random.default_rng(5), "noto_serif")
    for name, run in LINES.items():
        strip(design, run).quantize(96, method=Image.Quantize.FASTOCTREE).save(PICTURES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
