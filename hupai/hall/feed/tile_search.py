"""Finds the tiles in one table's frames, as cheaply as that table allows."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from scoring.tiles import Tile
from vision.arrays import ImageArray
from vision.pipeline import TileReader
from vision.reading import Sighting

THOROUGH_EVERY: Final = 8
"""Reads of which one is thorough, whatever was found before: another set may be in play now."""


class TileSearch:
    """Searches frames of one camera thoroughly until a quick search turns out to find what a thorough one does.

    Where a quick search finds nothing, a thorough one takes four times as long as where tiles lie: it tries other sizes
    and the negative. A table's tiles keep their size and their colour.
    """

    def __init__(self, reader: TileReader) -> None:
        """Take the models."""
        self._reader = reader
        self._reads, self._quick, self._compared = 0, False, False
        self._names: list[Tile] = []  # that the last quick search found

    def find_tiles(self, image: ImageArray) -> list[Sighting]:
        """Return everything in sight in a (h, w, 3) uint8 BGR picture."""
        rgb = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8)
        regular = self._reads % THOROUGH_EVERY == 0
        self._reads += 1
        if self._quick and not regular:
            found = self._reader.find_tiles(rgb, thorough=False)
            self._names = [s.tile for s in found]
            return found
        found = self._reader.find_tiles(rgb)
        names = [s.tile for s in found]
        if names and (regular or not self._compared) and not (self._quick and self._names == names):
            self._names = [s.tile for s in self._reader.find_tiles(rgb, thorough=False)]
            self._quick, self._compared = self._names == names, True
        return found
