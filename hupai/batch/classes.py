"""The classes of every label file: all tiles of the notation in one fixed order, so that any two label sets agree."""

from __future__ import annotations

from typing import Final

from scoring.tiles import TILES, Tile

CODES: Final[tuple[str, ...]] = tuple(t.code for t in TILES)
"""Notation of every class; the position is the class number (from 0; COCO's category ids are one more)."""
NUMBER: Final[dict[str, int]] = {code: i for i, code in enumerate(CODES)}


def number(tile: Tile) -> int:
    """The class number of a tile."""
    return NUMBER[tile.code]
