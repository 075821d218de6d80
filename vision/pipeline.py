"""A photo in, a reading out: every stage is a subpackage, run in this order by :meth:`TileReader.read`.

1. ``io`` opens the photo, upright and within limits.
2. ``detect`` finds the quads of printed faces.
3. ``classify`` rectifies them to upright crops and gives each face a probability.
4. ``scene`` runs 2 and 3, and weighs all detections together: which are tiles, and which tiles.
5. ``learn`` weighs them with a learned set, if one is given.
6. ``layout`` makes rows, melds, the winning tile and bonus tiles of them.
7. ``hand`` decodes the likeliest hand that is legal under the rules, and says what is in doubt.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np

from vision.arrays import BoolArray
from vision.classify import BonusClassifier, Classifier
from vision.detect.detector import QuadDetector
from vision.hand.doubts import set_aside
from vision.hand.read import read_hand
from vision.io import Photo
from vision.io.given import Source
from vision.layout.shapes import Rules
from vision.models import Model, default_threads, list_models
from vision.models.backend import Backend
from vision.models.opencv import OPENCV
from vision.reading import Reading, Sighting
from vision.scene import Clock, Detections, SceneClassifier, detect, time_stage, to_sightings

Picture: TypeAlias = Photo | Source
"""What can be read: an open photo, or anything a :class:`Photo` can be opened from."""


class KnownSet(Protocol):
    """What was learned of one physical tile set."""

    def read(self, sightings: Sequence[Sighting]) -> list[Sighting]:
        """The same sightings with the set's own pictures taken into account."""


class TileReader:
    """The loaded models. Make one and use it for many photos, from several threads if you like.

    Every method that takes a picture raises PhotoError where the picture cannot be used.

    Attributes:
        detector, classifier, scene: the loaded stages.
        models: role -> the first 12 hex digits of the SHA-256 of its weights.
    """

    def __init__(self, *, threads: int | None = None, models: Path | None = None, backend: Backend = OPENCV) -> None:
        """Load and check the models (about 0.1 s).

        Args:
            threads: cores that one reading may use; by default all of them, at most 4. Give fewer where several
                photos are read at once.
            models: folder with zoo.json; by default the models that come with hupai.
            backend: what handles pixels and cells.

        Raises:
            ModelError: weights missing, corrupt or unsuitable.
        """
        listed = list_models(models)
        loaded = {role: Model(entry, threads or default_threads()) for role, entry in listed.items()}
        self.detector = QuadDetector(loaded["detector"], backend)
        labels = loaded["classifier"].value("labels")
        bonus = BonusClassifier(loaded["bonus"], labels) if "bonus" in loaded else None
        self.classifier = Classifier(loaded["classifier"], bonus, backend)
        self.scene = SceneClassifier(loaded["scene"], self.classifier)
        self.models = {role: entry.short for role, entry in listed.items()}

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
        with time_stage("total", clock):
            photo = _open(picture, clock)
            seen, rescored, keep = self._decide(photo, clock)
            sightings = to_sightings(rescored, keep, self.classifier)
            with time_stage("read", clock):
                if tileset is not None:
                    sightings = tileset.read(sightings)
                reading, _ = read_hand(sightings, photo.width, photo.height, rules)
                if not sightings:
                    reading = replace(reading, doubts=tuple(set_aside(self.scene.count_printed(seen))))
        return replace(reading, timings_ms=clock, models=dict(self.models))

    def find_tiles(self, picture: Picture) -> list[Sighting]:
        """Every tile in sight as the networks read it, before layout and rules; the surest detections first."""
        return self.detect(picture)[1]

    def detect(self, picture: Picture) -> tuple[Detections, list[Sighting]]:
        """Everything found in a picture, tile or not, with what the classifier makes of each; the tiles among it."""
        seen, rescored, keep = self._decide(picture, {})
        return seen, to_sightings(rescored, keep, self.classifier)

    def classify(self, seen: Detections) -> list[Sighting]:
        """The tiles among a photo's detections (:meth:`detect`), which are weighed against one another."""
        return to_sightings(*self.scene(seen), self.classifier)

    def release_memory(self) -> None:
        """Return what readings have left behind to the system, some 80 MB (20 ms); the next one takes it again."""
        self.detector.model.run_and_release(np.zeros((1, 64, 64, 3), np.uint8))
        with contextlib.suppress(OSError, AttributeError, TypeError):  # only glibc has it; Windows takes no None
            ctypes.CDLL(None).malloc_trim(0)

    def _decide(self, picture: Picture, clock: Clock) -> tuple[Detections, Detections, BoolArray]:
        """The detections in a picture; the same weighed against one another; which are tiles."""
        photo = _open(picture, clock)
        seen = self.scene.pick_view(detect(photo, self.detector, self.classifier, clock))
        rescored, tile = self.scene.rescore(seen)
        return seen, rescored, self.scene.threshold(tile)


def _open(picture: Picture, clock: Clock) -> Photo:
    if isinstance(picture, Photo):
        return picture
    with time_stage("decode", clock):
        return Photo(picture)


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
