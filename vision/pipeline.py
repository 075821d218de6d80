"""A photo in, a reading out: open, find, cut, name, judge, lay out, decode."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from vision import zoo
from vision.blanks import Looks, borne_out, overlooked
from vision.bonus import BonusReader
from vision.classes import Classes
from vision.classify import Read, Reader
from vision.context import LEAST_LOCATED, SIZE_RANGE, judge
from vision.decode import decode
from vision.find import Finder, Found
from vision.geometry import BoolArray, short_edges
from vision.layout import lay_out
from vision.photo import Photo
from vision.reading import FloatArray, ImageArray, Reading, Sighting
from vision.rectify import rectify_all
from vision.scales import VIEW_SIDE, search

Picture: TypeAlias = "Photo | str | Path | bytes | npt.NDArray[np.uint8]"
"""What can be read: an open photo, a path, the bytes of a file, or an upright RGB frame (H, W, 3) uint8."""


class KnownSet(Protocol):
    """What was learned of one physical tile set."""

    def read(self, sightings: Sequence[Sighting]) -> list[Sighting]:
        """The same sightings with the set's own pictures taken into account."""


MOST_TILES: Final = 400
"""Candidates that are read at most, the surest first; a table has 152 tiles."""

LOCATED_BY_ROW: Final = 0.72
"""Stands for the finder's score where a blank tile was not found but its row says that it lies there."""


@dataclass(slots=True)
class Clock:
    """Milliseconds by stage of one reading; a stage timed twice adds up."""

    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def time(self, stage: str) -> Iterator[None]:
        """Add the time the block takes to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.spent[stage] = self.spent.get(stage, 0.0) + 1e3 * (time.perf_counter() - start)


@dataclass(frozen=True, slots=True)
class Cut:
    """The candidates of one photo before they are named.

    Attributes:
        found: quads in pixels of the upright original, the surest first; sightings come in the same order.
        crops: (n, height, width, 3) uint8 RGB, one for each quad, upright or turned by quarters.
        inferred: (n,) places where only the tiles beside them say that a blank tile must lie.
    """

    found: Found
    crops: ImageArray
    inferred: BoolArray

    def __len__(self) -> int:
        return len(self.found)


class Eyes:
    """The loaded models. Make one and use it for many photos, from several threads if you like."""

    def __init__(self, *, threads: int | None = None, models: Path | None = None) -> None:
        """Load and check the models (about 0.1 s).

        Args:
            threads: cores one reading may use; all there are, at most 4, if not given. With several photos read at
                once, give each fewer.
            models: folder with zoo.json; the models that came with hupai if not given.

        Raises:
            ModelError: weights missing, corrupt or unsuitable.
        """
        listed = zoo.entries(models)
        threads = threads or zoo.default_threads()
        self.finder = Finder(zoo.Model(listed["finder"], threads))
        readers = [zoo.Model(listed[role], threads) for role in ("reader", "bonus") if role in listed]
        self.reader = Reader(readers[0], BonusReader(readers))
        self._classes = Classes.of(self.reader.labels, self.reader.none)
        self.models = {role: entry.short for role, entry in listed.items()}

    def look(self, picture: Picture, *, clock: Clock | None = None) -> list[Sighting]:
        """Every tile in sight, as the eyes alone see it, the surest located first.

        Args:
            picture: see :data:`Picture`.
            clock: takes the milliseconds of decode, find and classify.

        Raises:
            PhotoError: the picture cannot be used.
        """
        clock = clock or Clock()
        cut = self.cut(picture, clock=clock)
        if not len(cut):
            return []
        with clock.time("classify"):
            return self.name(cut, self.reader(cut.crops))

    def cut(self, picture: Picture, *, clock: Clock | None = None) -> Cut:
        """The first half of :meth:`look`: find the tiles and cut them out, so that many photos' crops are read at once.

        Raises:
            PhotoError: the picture cannot be used.
        """
        clock = clock or Clock()
        photo = _opened(picture, clock)
        with clock.time("decode"):
            photo.view(VIEW_SIDE)
        with clock.time("find"):
            found = search(photo, self.finder).first(MOST_TILES, LEAST_LOCATED)
        width, height = self.reader.crop
        if not len(found):
            return Cut(found, np.zeros((0, height, width, 3), np.uint8), np.zeros(0, np.bool_))
        with clock.time("decode"):
            view = self._sharp_enough(photo, found)
        with clock.time("classify"):
            to_view = np.array([view.shape[1] / photo.width, view.shape[0] / photo.height], np.float32)
            quads = (found.quads + 0.5) * to_view - 0.5
            crops = rectify_all(view, quads, self.reader.crop, self.reader.margin)
            return self._with_blanks(view, to_view, found, quads, crops)

    def _with_blanks(
        self, view: ImageArray, to_view: FloatArray, found: Found, quads: FloatArray, crops: ImageArray
    ) -> Cut:
        """The finds and the blank tiles that only their rows tell of; ``quads`` are the finds' in the view."""
        look = Looks(view)
        places = overlooked(look, quads, crops)
        weak = found.scores < LOCATED_BY_ROW
        scores = np.maximum(found.scores, LOCATED_BY_ROW * borne_out(look, quads, crops, weak))
        scores = np.concatenate([scores, np.full(len(places), LOCATED_BY_ROW)]).astype(np.float32)
        crops = np.concatenate([crops, rectify_all(view, places, self.reader.crop, self.reader.margin)])
        quads = np.concatenate([found.quads, (places + 0.5) / to_view - 0.5]).astype(np.float32)
        order = np.argsort(-scores, kind="stable")
        return Cut(Found(quads[order], scores[order]), crops[order], order >= len(found))

    def name(self, cut: Cut, read: Read) -> list[Sighting]:
        """The second half of :meth:`look`: what the reader made of a photo's crops, weighed against one another."""
        quads, located = cut.found.quads, cut.found.scores
        probabilities, keep = judge(quads, located, read.probabilities, cut.crops, self._classes)
        keep &= ~cut.inferred | (probabilities.argmax(axis=1) == self._classes.white)
        sightings = []
        for i in np.flatnonzero(keep):
            posterior = {t: float(p) for t, p in zip(self.reader.tiles, probabilities[i], strict=True) if t is not None}
            best = max(posterior, key=lambda t: posterior[t])
            # Turning the corners by the quarter turns read makes the first one the picture's top-left.
            corners = np.roll(quads[i], -int(read.turns[i]), axis=0)
            sightings.append(Sighting(corners, best, posterior[best], posterior, float(located[i]), read.embeddings[i]))
        return sightings

    def see(self, picture: Picture, *, rules: str | None = None, tileset: KnownSet | None = None) -> Reading:
        """Everything made out in one picture.

        Args:
            picture: see :data:`Picture`.
            rules: the rule system whose winning shapes help the reading; any if not given.
            tileset: what was learned of the tile set in the picture.

        Raises:
            PhotoError: the picture cannot be used.
            scoring.errors.InvalidRequest: unknown rules.
        """
        clock = Clock()
        start = time.perf_counter()
        photo = _opened(picture, clock)
        sightings = self.look(photo, clock=clock)
        with clock.time("read"):
            if tileset is not None:
                sightings = tileset.read(sightings)
            decoded = decode(lay_out(sightings, photo.width, photo.height, rules), sightings, rules)
        clock.spent["total"] = 1e3 * (time.perf_counter() - start)
        return Reading(
            photo.width,
            photo.height,
            tuple(sightings),
            decoded.roles,
            decoded.groups,
            decoded.hand,
            decoded.doubts,
            decoded.repairs,
            {stage: clock.spent.get(stage, 0.0) for stage in ("decode", "find", "classify", "read", "total")},
            dict(self.models),
        )

    def _sharp_enough(self, photo: Photo, found: Found) -> ImageArray:
        """The smallest view of the photo that has a pixel for every pixel of the crops, or the original.

        Finds much smaller than the rest are dice and print more often than tiles; they do not count here.
        """
        edges = short_edges(found.quads)
        edge = float(edges[edges > np.median(edges) / SIZE_RANGE].min())
        return photo.view(math.ceil(max(photo.width, photo.height) * min(1.0, self.reader.crop[0] / max(edge, 1.0))))


def _opened(picture: Picture, clock: Clock) -> Photo:
    if isinstance(picture, Photo):
        return picture
    with clock.time("decode"):
        return Photo(picture)


_shared: Eyes | None = None
_lock = threading.Lock()


def shared_eyes() -> Eyes:
    """The eyes of this process, loaded at the first call.

    Raises:
        ModelError: weights missing, corrupt or unsuitable.
    """
    global _shared  # noqa: PLW0603 - one set of weights a process, however many ask
    with _lock:
        if _shared is None:
            _shared = Eyes()
        return _shared


def see(picture: Picture, *, rules: str | None = None, tileset: KnownSet | None = None) -> Reading:
    """Everything made out in one picture, by the eyes of this process; see :meth:`Eyes.see`."""
    return shared_eyes().see(picture, rules=rules, tileset=tileset)
