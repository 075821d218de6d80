"""Packs: many small pictures in one file, each with facts about it, decoded when asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from datasets.faces.designs import join_libraries, load_library
from datasets.scenes.studio import Studio

Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Pack:
    """Encoded pictures with their facts.

    Attributes:
        blobs: encoded pictures.
        facts: one dictionary for each picture.
    """

    blobs: tuple[bytes, ...]
    facts: tuple[dict[str, Any], ...]

    def __len__(self) -> int:
        return len(self.blobs)

    def picture(self, i: int) -> Picture:
        """(h, w, 3) RGB of picture ``i``."""
        found = cv2.imdecode(np.frombuffer(self.blobs[i], np.uint8), cv2.IMREAD_COLOR)
        if found is None:
            raise OSError(f"picture {i} of a pack is broken")
        return np.asarray(cv2.cvtColor(found, cv2.COLOR_BGR2RGB), np.uint8)

    def save(self, path: Path) -> None:
        """Write the pack; about as large as its pictures."""
        path.parent.mkdir(parents=True, exist_ok=True)
        offsets = np.cumsum([0, *(len(b) for b in self.blobs)])
        blob = np.frombuffer(b"".join(self.blobs), np.uint8)
        np.savez(path, blob=blob, offsets=offsets, facts=np.array(json.dumps(self.facts, ensure_ascii=False)))


def load_pack(path: Path) -> Pack:
    """Read a pack."""
    with np.load(path) as data:
        blob, offsets = data["blob"].tobytes(), data["offsets"]
        facts = json.loads(str(data["facts"]))
    return Pack(tuple(blob[a:b] for a, b in pairwise(offsets)), tuple(facts))


def make_pack(pictures: Sequence[Picture], facts: Sequence[dict[str, Any]], quality: int = 80) -> Pack:
    """Encode RGB pictures as WebP."""
    blobs = []
    for picture in pictures:
        bgr = cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)
        blobs.append(cv2.imencode(".webp", bgr, [cv2.IMWRITE_WEBP_QUALITY, quality])[1].tobytes())
    return Pack(tuple(blobs), tuple(facts))


def open_studio(folder: Path | None = None, rooms: Sequence[Picture] = (), **more: Any) -> Studio:
    """A studio with what ships, and all that a training folder adds.

    Args:
        folder: made by ``scripts/train/pack.py``: ``library/``, ``faces.npz``, ``rooms.npz``, each optional.
        rooms: further photos without tiles, RGB.
    """
    library = load_library()
    photos: dict[str, dict[str, list[Picture]]] = {}
    if folder is not None:
        if (folder / "library" / "index.json").is_file():
            library = join_libraries(library, load_library(folder / "library"))
        if (folder / "faces.npz").is_file():
            pack = load_pack(folder / "faces.npz")
            for i, fact in enumerate(pack.facts):
                photos.setdefault(fact["source"], {}).setdefault(fact["label"], []).append(pack.picture(i))
        if (folder / "rooms.npz").is_file():
            pack = load_pack(folder / "rooms.npz")
            rooms = [*rooms, *(pack.picture(i) for i in range(len(pack)))]
    return Studio(library, photos, list(rooms), **more)
