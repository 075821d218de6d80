"""A file, bytes or a camera frame -> an upright RGB photo; and a reading drawn on its photo."""

from __future__ import annotations

from vision.io.photo import Photo

__all__ = ["Photo"]
