"""Detections kept on disk: what comes after the networks can be tried again on all photos within seconds."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from pathlib import Path

import numpy as np

from vision import geometry
from vision.classify import bonus
from vision.classify import classifier as classify
from vision.classify import crops as rectify
from vision.detect import detector as find
from vision.detect import negative, scales
from vision.io import photo
from vision.io.photo import Photo
from vision.models import zoo
from vision.pipeline import Eyes
from vision.scene import classes, detections
from vision.scene.detections import Detections

MADE_BY = (bonus, classes, classify, detections, find, geometry, negative, photo, rectify, scales, zoo)
"""The modules that detections depend on: a change in one of them, or in a network but the scene classifier, makes new
ones."""


class Looks:
    """Detections of photos by one pair of eyes, from the folder where they are kept."""

    def __init__(self, eyes: Eyes, folder: Path) -> None:
        """Take the eyes and the folder; it is made when it is needed."""
        networks = sorted((role, short) for role, short in eyes.models.items() if role != "scene")
        said = hashlib.sha256("".join(f"{role}{short}" for role, short in networks).encode())
        for module in MADE_BY:
            said.update(Path(str(module.__file__)).read_bytes())
        self._eyes, self._folder = eyes, folder / said.hexdigest()[:12]

    def __call__(self, path: Path) -> Detections:
        """The detections of a photo; a photo that has changed since is looked at again.

        Raises:
            PhotoError: the picture cannot be used.
        """
        state = path.stat()
        name = hashlib.sha256(f"{path.resolve()} {state.st_size} {state.st_mtime_ns}".encode()).hexdigest()
        kept = self._folder / f"{name[:24]}.npz"
        if kept.exists():
            with np.load(kept) as file:
                found = {key: file[key] for key in file.files}
            return Detections(**found | {"negative": bool(found["negative"])})
        seen = self._eyes.detect(Photo(path))
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = kept.with_suffix(".part.npz")
        np.savez(draft, **asdict(seen))
        draft.replace(kept)
        return seen
