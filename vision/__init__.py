"""hupai vision: photo -> tiles -> hand as seen.

The entry point is :func:`see` (or an :class:`Eyes` of your own); ``vision/pipeline.py`` maps the rest. Importing
this package costs nothing: OpenCV and onnxruntime are loaded when one of these names is first used.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.io.photo import Photo
    from vision.pipeline import Eyes, see
    from vision.reading import Reading, Sighting

# onnxruntime wheels from 1.31 on send telemetry to their maker; nothing may leave the machine.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

__all__ = ["Eyes", "Photo", "Reading", "Sighting", "see"]

_HOMES = {
    "Eyes": "vision.pipeline",
    "Photo": "vision.io.photo",
    "Reading": "vision.reading",
    "Sighting": "vision.reading",
    "see": "vision.pipeline",
}


def __getattr__(name: str) -> Any:
    try:
        return getattr(import_module(_HOMES[name]), name)
    except KeyError:
        raise AttributeError(f"module 'vision' has no attribute {name!r}") from None
