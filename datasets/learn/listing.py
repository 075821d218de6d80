"""The line of ``zoo.json`` for a model file."""

from __future__ import annotations

import hashlib
from typing import Any


def listing(role: str, data: bytes) -> dict[str, Any]:
    """File, hash, size and card of a role's ONNX bytes, as ``vision/models/zoo.py`` reads them."""
    return {
        "file": f"{role}.onnx",
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "card": f"{role}.md",
    }
