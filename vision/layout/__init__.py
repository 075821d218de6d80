"""Sightings -> rows, melds, winning tile, bonus tiles, dora, the rest."""

from __future__ import annotations

from vision.layout.interpretations import lay_out
from vision.layout.layout import Layout

__all__ = ["Layout", "lay_out"]
