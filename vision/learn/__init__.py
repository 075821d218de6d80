"""What was learned of one physical tile set; :mod:`vision.learn.photos` learns it."""

from __future__ import annotations

from vision.learn.tileset import Lesson, TileSet

__all__ = ["Lesson", "TileSet"]
