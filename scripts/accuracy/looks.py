"""Detections kept on disk: what comes after the networks can be tried again on all photos within seconds."""

from __future__ import annotations

import hashlib
import os
import pickle
from pathlib import Path
from typing import Final

import vision
from vision.device import finish
from vision.io.photo import Photo
from vision.onnx_device import OnnxDevice
from vision.pipeline import TileReader
from vision.scene.detections import Detections
from vision.scene.views import detect

KEPT: Final = Path("runs/looks")
MADE_BY: Final = [
    "arrays.py",
    "geometry.py",
    "metadata.py",
    "onnx_device.py",
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
        self.reader, self._folder = reader, folder / said.hexdigest()[:12]

    def __call__(self, path: Path) -> Detections:
        """The detections of a photo, or of its negative where these are the better ones.

        Of a photo that has changed since they are computed anew.

        Raises:
            PhotoError: the picture cannot be used.
        """
        return finish(self.reader.photos.scene.pick_view(self._views(path)))

    def _views(self, path: Path) -> list[Detections]:
        state = path.stat()
        name = hashlib.sha256(f"{path.resolve()} {state.st_size} {state.st_mtime_ns}".encode()).hexdigest()
        kept = self._folder / f"{name[:24]}.pickle"
        if not kept.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            draft = kept.with_suffix(f".{os.getpid()}")  # another process may look at the same photo
            device = self.reader.device
            with draft.open("wb") as file:
                _Pickler(file).dump(finish(detect(device.open(Photo(path)), device.metadata, {})))
            draft.replace(kept)
        with kept.open("rb") as file:
            unpickler = pickle.Unpickler(file)
            unpickler.persistent_load = lambda _: self.reader.device  # type: ignore[method-assign]
            views: list[Detections] = unpickler.load()
        return views


class _Pickler(pickle.Pickler):
    """Keeps crops without the device that they are on."""

    def persistent_id(self, obj: object) -> str | None:
        return "device" if isinstance(obj, OnnxDevice) else None
