"""Detections kept on disk: what comes after the networks can be tried again on all photos within seconds."""

from __future__ import annotations

import hashlib
import os
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

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
"""The modules that detections depend on: a change in one of them, or in any network except the scene classifier,
makes them be computed anew."""


class Looks:
    """Detections of photos by one :class:`Eyes`, from the folder where they are kept."""

    def __init__(self, eyes: Eyes, folder: Path) -> None:
        """Take the eyes and the folder; it is made when it is needed."""
        networks = sorted((role, short) for role, short in eyes.models.items() if role != "scene")
        said = hashlib.sha256("".join(f"{role}{short}" for role, short in networks).encode())
        for module in MADE_BY:
            said.update(Path(str(module.__file__)).read_bytes())
        self._eyes, self._folder = eyes, folder / said.hexdigest()[:12]

    def __call__(self, path: Path) -> Detections:
        """The detections of a photo, those of the better look.

        Raises:
            PhotoError: the picture cannot be used.
        """
        return self._eyes.better(self.all(path))

    def all(self, path: Path) -> tuple[Detections, ...]:
        """One or two looks at a photo; a photo that has changed since is looked at again.

        Raises:
            PhotoError: the picture cannot be used.
        """
        state = path.stat()
        name = hashlib.sha256(f"{path.resolve()} {state.st_size} {state.st_mtime_ns}".encode()).hexdigest()
        kept = self._folder / f"{name[:24]}.npz"
        if kept.exists():
            with np.load(kept) as file:
                found = {key: file[key] for key in file.files}
            return tuple(_unpacked(found, k) for k in range(int(found["looks"])))
        looks = self._eyes.looks(Photo(path))
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = kept.with_suffix(f".{os.getpid()}.npz")  # another process may look at the same photo
        packed = {f"{key}{k}": value for k, seen in enumerate(looks) for key, value in asdict(seen).items()}
        np.savez(draft, looks=len(looks), **packed)
        draft.replace(kept)
        return looks


def _unpacked(found: dict[str, Any], k: int) -> Detections:
    values = {field.name: found[f"{field.name}{k}"] for field in fields(Detections)}
    return Detections(**values | {"negative": bool(values["negative"])})
