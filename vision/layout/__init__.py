"""Sightings -> rows, melds, winning tile, bonus tiles, dora, the rest."""

from __future__ import annotations

from vision.layout.layout import Layout
from vision.layout.ways import lay_out

__all__ = ["Layout", "lay_out"]
