"""A learned tile set as part of a plan: its content shapes the labels."""

from __future__ import annotations

import hashlib

from vision.learn.tileset import TileSet


def fingerprint(tileset: TileSet) -> str:
    """Return 64 hex digits that change when the set learns something."""
    digest = hashlib.sha256(f"{tileset.model} {' '.join(t.code for t in tileset.tiles)} ".encode())
    digest.update(tileset.prototypes.astype("<f4").tobytes())
    digest.update(tileset.weights.astype("<i4").tobytes())
    return digest.hexdigest()
