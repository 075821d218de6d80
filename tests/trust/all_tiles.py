"""A photo of one of every tile, laid out as the documents say, to learn a set from."""

from __future__ import annotations

from typing import Any

from datasets.scenes.scene import SceneLook, render_table
from datasets.tables.layouts import PlacedTile
from scoring.tiles import parse_tiles

LINES = ("123456789m", "123456789p", "123456789s", "1234567z")


def all_tiles() -> Any:
    """(960, 1280, 3) uint8 RGB: 34 tiles in four lines on a table, seen from above."""
    laid = [
        PlacedTile(tile, 1.15 * column, 1.7 * row, 0.0, "concealed", row)
        for row, text in enumerate(LINES)
        for column, tile in enumerate(parse_tiles(text))
    ]
    look = SceneLook(size=(1280, 960), tilt=8, fill=0.85, design="noto", table="felt", roughness=0.1)
    return render_table(laid, look, seed=4).image
