"""Detections kept on disk: what comes after the networks can be tried again on all photos within seconds."""

from __future__ import annotations

import hashlib
import os
import pickle
from pathlib import Path
from typing import Final

import vision
from vision.io.photo import Photo
from vision.pipeline import TileReader
from vision.scene import Detections, detect

KEPT: Final = Path("runs/looks")
MADE_BY: Final = [
    "arrays.py",
    "geometry.py",
    "reading.py",
    "io/photo.py",
    "models/*.py",
    "detect/*.py",
    "classify/*.py",
    "scene/detections.py",
    "scene/views.py",
]
"""The parts of ``vision`` that detections depend on: a change in one of them, or in any network except the scene
classifier, makes them be computed anew."""


class Looks:
    """Detections of photos by one :class:`TileReader`, from the folder where they are kept."""

    def __init__(self, reader: TileReader, folder: Path = KEPT) -> None:
        """Take the reader and the folder; it is made when it is needed."""
        networks = sorted((role, short) for role, short in reader.models.items() if role != "scene")
        said = hashlib.sha256(str(networks).encode())
        for path in sorted(path for part in MADE_BY for path in Path(str(vision.__file__)).parent.glob(part)):
            said.update(path.read_bytes())
        self._reader, self._folder = reader, folder / said.hexdigest()[:12]
        self._networks = reader.detector, reader.classifier

    def __call__(self, path: Path) -> Detections:
        """The detections of a photo, or of its negative where these are the better ones.

        Of a photo that has changed since they are computed anew.

        Raises:
            PhotoError: the picture cannot be used.
        """
        return self._reader.scene.pick_view(self._views(path))

    def _views(self, path: Path) -> tuple[Detections, ...]:
        state = path.stat()
        name = hashlib.sha256(f"{path.resolve()} {state.st_size} {state.st_mtime_ns}".encode()).hexdigest()
        kept = self._folder / f"{name[:24]}.pickle"
        if not kept.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            draft = kept.with_suffix(f".{os.getpid()}")  # another process may look at the same photo
            draft.write_bytes(pickle.dumps(detect(Photo(path), *self._networks, {})))
            draft.replace(kept)
        views: tuple[Detections, ...] = pickle.loads(kept.read_bytes())
        return views
