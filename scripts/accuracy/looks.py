"""Detections kept on disk: what comes after the networks can be tried again on all photos within seconds."""

from __future__ import annotations

import hashlib
import os
import pickle
from pathlib import Path
from typing import Final

import vision
from vision.io.photo import Photo
from vision.pipeline import Eyes
from vision.scene.detections import Detections

KEPT: Final = Path("runs/looks")
MADE_BY: Final = ["geometry.py", "io/photo.py", "models/zoo.py", "detect/*.py", "classify/*.py", "scene/detections.py"]
"""The parts of ``vision`` that detections depend on: a change in one of them, or in any network except the scene
classifier, makes them be computed anew."""


class Looks:
    """Detections of photos by one :class:`Eyes`, from the folder where they are kept."""

    def __init__(self, eyes: Eyes, folder: Path = KEPT) -> None:
        """Take the eyes and the folder; it is made when it is needed."""
        networks = sorted((role, short) for role, short in eyes.models.items() if role != "scene")
        said = hashlib.sha256(str(networks).encode())
        for path in sorted(path for part in MADE_BY for path in Path(str(vision.__file__)).parent.glob(part)):
            said.update(path.read_bytes())
        self._eyes, self._folder = eyes, folder / said.hexdigest()[:12]

    def __call__(self, path: Path) -> Detections:
        """The detections of a photo, those of the better look; a photo that has changed since is looked at again.

        Raises:
            PhotoError: the picture cannot be used.
        """
        state = path.stat()
        name = hashlib.sha256(f"{path.resolve()} {state.st_size} {state.st_mtime_ns}".encode()).hexdigest()
        kept = self._folder / f"{name[:24]}.pickle"
        if not kept.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            draft = kept.with_suffix(f".{os.getpid()}")  # another process may look at the same photo
            draft.write_bytes(pickle.dumps(self._eyes.looks(Photo(path))))
            draft.replace(kept)
        return self._eyes.scene.better(pickle.loads(kept.read_bytes()))
