"""A photo in, a reading out, on this machine: :mod:`vision.reader` says in which steps."""

from __future__ import annotations

import functools
import threading
from pathlib import Path
from typing import TypeAlias

from vision.device import finish
from vision.explanation import Explanation, explain
from vision.io.given import Source
from vision.io.photo import Photo
from vision.layout.shapes import Rules
from vision.onnx_device import OnnxDevice, OnnxPhoto
from vision.reader import KnownSet, PhotoReader
from vision.reading import Reading, Sighting
from vision.scene.detections import Detections
from vision.scene.views import Clock, time_stage

Picture: TypeAlias = Photo | Source
"""What can be read: an open photo, or anything a :class:`Photo` can be opened from."""


class TileReader:
    """The loaded models. Make one and use it for many photos, from several threads if you like.

    Every method that takes a picture raises PhotoError where the picture cannot be used.

    Attributes:
        device: the networks.
        photos: reads photos that are open on the device.
        models: role -> the first 12 hex digits of the SHA-256 of its weights.
    """

    def __init__(self, *, threads: int | None = None, models: Path | None = None) -> None:
        """Load and check the models (about 0.1 s).

        Args:
            threads: cores that one reading may use; by default all of them, at most 4. Give fewer where several
                photos are read at once.
            models: folder with zoo.json; by default the models that come with hupai.

        Raises:
            ModelError: weights missing, corrupt or unsuitable.
        """
        self.device = OnnxDevice(threads, models)
        self.photos = PhotoReader(self.device)
        self.models = dict(self.device.metadata.weights)

    def read(self, picture: Picture, *, rules: Rules = None, tileset: KnownSet | None = None) -> Reading:
        """Everything made out in one picture.

        Args:
            picture: an open photo, or anything it can be opened from.
            rules: whose winning shapes and tiles help the reading, a system by its name or what
                :func:`vision.layout.shapes.shapes_of` makes of its house rules; those of all systems if not given.
            tileset: what was learned of the tile set in the picture.

        Raises:
            scoring.errors.InvalidRequest: unknown rules.
        """
        clock: Clock = {}
        with time_stage("total", clock), time_stage("decode", clock):
            photo = self._open(picture)
        return finish(self.photos.read(photo, rules, tileset=tileset, clock=clock))

    def explain(self, picture: Picture, *, rules: Rules = None, tileset: KnownSet | None = None) -> Explanation:
        """The same reading with what every stage made of the picture; arguments and errors as for :meth:`read`."""
        return finish(explain(self.device, self._open(picture), rules, tileset))

    def find_tiles(self, picture: Picture, *, thorough: bool = True) -> list[Sighting]:
        """Every tile in sight as the networks read it, before layout and rules; the surest detections first.

        Unless ``thorough``, a picture in which nothing is found is not searched at other sizes, nor is its negative.
        """
        return self.detect(picture, thorough=thorough)[1]

    def part(self, picture: Picture) -> tuple[list[Sighting], list[Sighting]]:
        """Every tile in sight, as :meth:`find_tiles`, and what was set aside, but may well be tiles."""
        return finish(self.photos.part(finish(self.photos.detect(self._open(picture)))))

    def detect(self, picture: Picture, *, thorough: bool = True) -> tuple[Detections, list[Sighting]]:
        """Everything found in a picture, tile or not, with what the classifier makes of each; the tiles among it.

        ``thorough`` as for :meth:`find_tiles`.
        """
        seen = finish(self.photos.detect(self._open(picture), thorough=thorough))
        return seen, self.classify(seen)

    def classify(self, seen: Detections) -> list[Sighting]:
        """The tiles among a photo's detections (:meth:`detect`), which are weighed against one another."""
        return finish(self.photos.classify(seen))

    def _open(self, picture: Picture) -> OnnxPhoto:
        return self.device.open(picture if isinstance(picture, Photo) else Photo(picture))


_loading = threading.Lock()
_load_once = functools.cache(TileReader)


def shared_reader() -> TileReader:
    """The reader of this process, loaded at the first call.

    Raises:
        ModelError: weights missing, corrupt or unsuitable.
    """
    with _loading:
        return _load_once()


def read(picture: Picture, *, rules: Rules = None, tileset: KnownSet | None = None) -> Reading:
    """Everything made out in one picture, by the reader of this process; see :meth:`TileReader.read`."""
    return shared_reader().read(picture, rules=rules, tileset=tileset)
