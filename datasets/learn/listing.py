"""The line of ``zoo.json`` for a model file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def listing(role: str, data: bytes) -> dict[str, Any]:
    """File, hash, size and card of a role's ONNX bytes, as ``vision/models/zoo.py`` reads them."""
    return {
        "file": f"{role}.onnx",
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "card": f"{role}.md",
    }


def kept(folder: Path) -> dict[str, Any]:
    """What a folder that is written to lists already, by role: networks that are made elsewhere stay in it."""
    path = folder / "zoo.json"
    listed: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["models"] if path.is_file() else {}
    return listed
