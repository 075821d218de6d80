"""hupai vision: photo -> tiles -> hand as seen.

The entry point is :func:`read` (or a :class:`TileReader` of your own); ``vision/reader.py`` maps the rest.
Importing this package costs nothing: OpenCV and onnxruntime are loaded when one of these names is first used.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.pipeline import TileReader, read

# onnxruntime wheels from 1.31 on send telemetry to their maker; nothing may leave the machine.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

__all__ = ["TileReader", "read"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'vision' has no attribute {name!r}")
    return getattr(import_module("vision.pipeline"), name)
