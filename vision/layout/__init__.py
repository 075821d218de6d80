"""Sightings -> rows, melds, winning tile, bonus tiles, dora, the rest."""

from __future__ import annotations

from vision.layout.layout import Layout, lay_out

__all__ = ["Layout", "lay_out"]
