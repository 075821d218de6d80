"""Model files and their entries in ``zoo.json``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vision.models.zoo import FORMAT, NEEDED


def zoo_entry(role: str, data: bytes) -> dict[str, Any]:
    """File, hash, size and card of a role's ONNX bytes, as ``vision/models/zoo.py`` reads them."""
    return {
        "file": f"{role}.onnx",
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "card": f"{role}.md",
    }


def put(folder: Path, networks: Mapping[str, bytes]) -> None:
    """Write networks into a folder beside those that lie there, and into its ``zoo.json``.

    A folder without that list gets one as soon as it has every network that is needed.

    Args:
        networks: role -> ONNX bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    zoo = folder / "zoo.json"
    models = json.loads(zoo.read_text(encoding="utf-8"))["models"] if zoo.is_file() else {}
    for role, data in networks.items():
        (folder / f"{role}.onnx").write_bytes(data)
        models[role] = zoo_entry(role, data)
    if zoo.is_file() or models.keys() >= set(NEEDED):
        zoo.write_text(json.dumps({"format": FORMAT, "models": models}, indent=2) + "\n", encoding="utf-8")
