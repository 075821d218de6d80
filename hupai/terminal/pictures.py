"""Tiles of a photo drawn in a terminal: every character shows two pixels, one above the other."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from rich.color import Color
from rich.style import Style
from rich.table import Table
from rich.text import Text

from hupai.terminal.paper import Paper
from vision.classify.crops import rectify_all
from vision.io.photo import Photo
from vision.reading import FloatArray, ImageArray, Reading

_WIDE = {1: 20, 2: 16, 3: 16, 4: 16}  # characters across a tile if this many are shown
_SMALL = 9
_RATIO = 4 / 3  # height of a tile's face to its width
_GAP = 1
_MARGIN = 0.05
_HALF = "▀"


def can_draw(paper: Paper) -> bool:
    """Whether this terminal has colours and the character that pictures are made of."""
    return paper.color_system is not None and bool(paper.native(_HALF))


def picture(pixels: ImageArray, corners: FloatArray, wide: int) -> Text:
    """Draw one tile, upright.

    Args:
        pixels: (h, w, 3) uint8 RGB. corners: (4, 2) float32 in them, clockwise from the face's top left.
        wide: characters across.
    """
    lines = round(wide * _RATIO / 2)
    size = (wide * 8, lines * 16)
    (crop,) = rectify_all(pixels, corners[None], size, _MARGIN)
    small = np.asarray(cv2.resize(crop, (wide, 2 * lines), interpolation=cv2.INTER_AREA), np.uint8)
    text = Text()
    for y in range(0, 2 * lines, 2):
        for x in range(wide):
            upper, lower = (Color.from_rgb(*map(int, small[row, x])) for row in (y, y + 1))
            text.append(_HALF, Style(color=upper, bgcolor=lower))
        text.append("\n")
    text.rstrip()
    return text


def row_of_tiles(paper: Paper, photo: Photo, reading: Reading, tiles: Sequence[int]) -> Table:
    """Draw tiles of a reading side by side, as many per line as there is room for, each with its code below."""
    pixels = photo.pixels
    to_pixels = np.array([pixels.shape[1] / reading.width, pixels.shape[0] / reading.height], np.float32)
    wide = _WIDE.get(len(tiles), _SMALL)
    lines = -(-len(tiles) * (wide + _GAP) // paper.width)
    across = -(-len(tiles) // lines)
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    for _ in range(across):
        grid.add_column(justify="center")
    used = {r.tile: r.used for r in reading.repairs}
    for start in range(0, len(tiles), across):
        line = tiles[start : start + across]
        grid.add_row(*(picture(pixels, reading.tiles[i].corners * to_pixels, wide) for i in line))
        grid.add_row(*(Text(used.get(i, reading.tiles[i].tile).code, style="bold") for i in line))
    return grid
