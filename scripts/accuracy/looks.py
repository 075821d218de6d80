"""Detections kept on disk: what comes after the networks can be tried again on all photos within seconds."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import vision
from vision.io.photo import Photo
from vision.pipeline import TileReader
from vision.scene import Detections, detect, detect_augmented

KEPT: Final = Path("runs/looks")
MADE_BY: Final = [
    "geometry.py",
    "io/photo.py",
    "models/zoo.py",
    "detect/*.py",
    "classify/*.py",
    "scene/detections.py",
    "scene/views.py",
]
"""The parts of ``vision`` that detections depend on: a change in one of them, or in any network except the scene
classifier, makes them be computed anew."""
T = TypeVar("T")


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
        """The detections of the last look at a photo; one that has changed since is looked at again.

        Raises:
            PhotoError: the picture cannot be used.
        """
        first, scene = self.first(path), self._reader.scene
        return self.again(path, first) if scene.is_in_doubt(scene.rescore(first)[1]) else first

    def first(self, path: Path) -> Detections:
        """Those of the first look, or of that at the negative where it is the better one; raises as a call does."""
        return self._reader.scene.pick_view(self._kept(path, "first", lambda: detect(Photo(path), *self._networks, {})))

    def again(self, path: Path, first: Detections) -> Detections:
        """Those of a second look; raises as a call does."""
        kind = "negative" if first.negative else "again"
        return self._kept(path, kind, lambda: detect_augmented(Photo(path), first, *self._networks, {}))

    def _kept(self, path: Path, kind: str, look: Callable[[], T]) -> T:
        state = path.stat()
        name = hashlib.sha256(f"{path.resolve()} {state.st_size} {state.st_mtime_ns}".encode()).hexdigest()
        kept = self._folder / f"{name[:24]}.{kind}.pickle"
        if not kept.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            draft = kept.with_suffix(f".{os.getpid()}")  # another process may look at the same photo
            draft.write_bytes(pickle.dumps(look()))
            draft.replace(kept)
        found: T = pickle.loads(kept.read_bytes())
        return found
