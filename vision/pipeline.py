"""A photo in, a reading out: every stage is a subpackage, run in this order by :meth:`Eyes.see`.

1. ``io`` opens the photo, upright and within limits.
2. ``detect`` finds the quads of printed faces.
3. ``classify`` rectifies them to upright crops and gives each face a probability.
4. ``scene`` weighs all detections together: which are tiles, and which tiles. Where that leaves doubt, 2 to 4 run once
   more with the photo in other orientations.
5. ``learn`` weighs them with a learned set, if one is given.
6. ``layout`` makes rows, melds, the winning tile and bonus tiles of them.
7. ``hand`` decodes the likeliest hand that is legal under the rules, and says what is in doubt.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np

from vision.classify import BonusClassifier, Classifier
from vision.classify.colour import shows_colour, without_colour
from vision.detect import QuadDetector
from vision.geometry import BoolArray
from vision.hand import read_hand
from vision.io import Photo
from vision.io.given import Source
from vision.models import Model, default_threads, entries
from vision.reading import Reading, Sighting
from vision.scene import Clock, Detections, SceneClassifier, looked_again, looks_at, timed

Picture: TypeAlias = Photo | Source
"""What can be read: an open photo, or anything a :class:`Photo` can be opened from."""


class KnownSet(Protocol):
    """What was learned of one physical tile set."""

    def read(self, sightings: Sequence[Sighting]) -> list[Sighting]:
        """The same sightings with the set's own pictures taken into account."""


class Eyes:
    """The loaded models. Make one and use it for many photos, from several threads if you like.

    Every method that takes a picture raises PhotoError where the picture cannot be used.
    """

    def __init__(self, *, threads: int | None = None, models: Path | None = None, once: bool = False) -> None:
        """Load and check the models (about 0.1 s).

        Args:
            threads: cores that one reading may use; by default all of them, at most 4. Give fewer where several
                photos are read at once.
            models: folder with zoo.json; by default the models that come with hupai.
            once: never look at a picture again where the first look leaves doubt: for a camera, whose next frame comes
                soon, or to save time.

        Raises:
            ModelError: weights missing, corrupt or unsuitable.
        """
        listed = entries(models)
        loaded = {role: Model(entry, threads or default_threads()) for role, entry in listed.items()}
        self.detector = QuadDetector(loaded["detector"])
        labels = loaded["classifier"].value("labels")
        again = BonusClassifier(loaded["bonus"], labels) if "bonus" in loaded else None
        self.classifier = Classifier(loaded["classifier"], again)
        self.scene = SceneClassifier(loaded["scene"], self.classifier)
        self.models = {role: entry.short for role, entry in listed.items()}
        self._once = once

    def look(self, picture: Picture, *, clock: Clock | None = None) -> list[Sighting]:
        """Every tile in sight as the networks read it, before layout and rules; the surest detections first.

        The clock collects the time spent on decode, find and classify.
        """
        return self.sightings(*self._decided(picture, {} if clock is None else clock)[1:])

    def detect(self, picture: Picture) -> Detections:
        """The first half of :meth:`look`: everything found in a picture, and what the classifier makes of each."""
        return self._decided(picture, {})[0]

    def detect_and_name(self, picture: Picture) -> tuple[Detections, list[Sighting]]:
        """Both halves of :meth:`look`, for those who need more of a detection than a sighting tells."""
        seen, named, keep = self._decided(picture, {})
        return seen, self.sightings(named, keep)

    def name(self, seen: Detections) -> list[Sighting]:
        """The second half of :meth:`look`: a photo's detections weighed against one another; those that are tiles."""
        return self.sightings(*self.scene(seen))

    def looks(self, picture: Picture, *, clock: Clock | None = None) -> tuple[Detections, ...]:
        """The detections in a picture by the first look and, where they show little, those in its negative."""
        clock = {} if clock is None else clock
        return looks_at(_opened(picture, clock), self.detector, self.classifier, clock)

    def again(self, picture: Picture, first: Detections, *, clock: Clock | None = None) -> Detections:
        """The detections by a second look at a picture, or at its negative if the ``first`` look was at that."""
        clock = {} if clock is None else clock
        return looked_again(_opened(picture, clock), first, self.detector, self.classifier, clock)

    def _decided(self, picture: Picture, clock: Clock) -> tuple[Detections, Detections, BoolArray]:
        """The detections of the last look at a picture; the same weighed against one another; which are tiles."""
        photo = _opened(picture, clock)
        seen = self.scene.better(self.looks(photo, clock=clock))
        named, tile = self.scene.weighed(seen)
        if not self._once and self.scene.in_doubt(tile):
            seen = self.again(photo, seen, clock=clock)
            named, tile = self.scene.weighed(seen)
        return seen, named, self.scene.kept(tile)

    def sightings(self, seen: Detections, keep: BoolArray) -> list[Sighting]:
        """The detections that the (n,) mask ``keep`` selects; corners now start at the tile picture's top-left.

        Where the picture has no colour, they are undecided about red fives and blank faces.
        """
        if not shows_colour(seen.crops[keep]):
            seen = replace(seen, probabilities=without_colour(seen.probabilities, self.classifier.columns))
        return [self._sighting(seen, i) for i in np.flatnonzero(keep).tolist()]

    def _sighting(self, seen: Detections, i: int) -> Sighting:
        chances = zip(self.classifier.tiles, seen.probabilities[i].tolist(), strict=True)
        posterior = {t: p for t, p in chances if t is not None}
        best = max(posterior, key=posterior.__getitem__)
        corners = np.roll(seen.quads[i], -int(seen.turns[i]), axis=0)
        return Sighting(corners, best, posterior[best], posterior, float(seen.located[i]), seen.embeddings[i])

    def see(self, picture: Picture, *, rules: str | None = None, tileset: KnownSet | None = None) -> Reading:
        """Everything made out in one picture.

        Args:
            picture: an open photo, or anything it can be opened from.
            rules: the rule system whose winning shapes help the reading; those of all systems if not given.
            tileset: what was learned of the tile set in the picture.

        Raises:
            scoring.errors.InvalidRequest: unknown rules.
        """
        clock: Clock = {}
        with timed("total", clock):
            photo = _opened(picture, clock)
            sightings = self.look(photo, clock=clock)
            with timed("read", clock):
                if tileset is not None:
                    sightings = tileset.read(sightings)
                reading, _ = read_hand(sightings, photo.width, photo.height, rules)
        return replace(reading, timings_ms=clock, models=dict(self.models))


def _opened(picture: Picture, clock: Clock) -> Photo:
    if isinstance(picture, Photo):
        return picture
    with timed("decode", clock):
        return Photo(picture)


_loading = threading.Lock()
_loaded = functools.cache(Eyes)


def shared_eyes() -> Eyes:
    """The eyes of this process, loaded at the first call.

    Raises:
        ModelError: weights missing, corrupt or unsuitable.
    """
    with _loading:
        return _loaded()


def see(picture: Picture, *, rules: str | None = None, tileset: KnownSet | None = None) -> Reading:
    """Everything made out in one picture, by the eyes of this process; see :meth:`Eyes.see`."""
    return shared_eyes().see(picture, rules=rules, tileset=tileset)
