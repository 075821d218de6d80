"""Reads of the same still table, fused tile by tile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from hupai.hall.feed.stillness.homography import TableHomography
from scoring.tiles import BACK_KIND, TILES, Tile, tile
from vision.arrays import FloatArray
from vision.reading import SURE, Sighting

NEAR_TILE_WIDTHS: Final = 0.55
"""A tile seen within this many tile widths of an earlier one counts as the same tile."""
MAX_VIEWS: Final = 3.0
"""Pictures of one still table share their blur, glare and angle: any number of them counts as at most so many."""
_MIN_PROBABILITY: Final = 1e-4
_COLUMN: Final = {t: i for i, t in enumerate(TILES)}
_BLANK: Final = (BACK_KIND, tile("5z").kind)
FindBlown: TypeAlias = Callable[[FloatArray], npt.NDArray[np.bool_]]


def _none_blown(quads: FloatArray) -> npt.NDArray[np.bool_]:
    return np.zeros(len(quads), bool)


@dataclass(slots=True, eq=False)
class Track:
    """One physical tile while it lies in one place.

    Attributes:
        place: (2,) float32 centre on the table, tile widths. sighting: the latest one.
        logs: (tiles,) sum of log-posteriors. views: their number. read: number of the latest read that showed it.
        in_row: how many reads of this still period showed it. clear: one of them showed more than light.
    """

    place: FloatArray
    sighting: Sighting
    logs: FloatArray
    views: int = 1
    read: int = 0
    in_row: int = 1
    clear: bool = True

    @property
    def fused(self) -> Sighting:
        """The latest sighting with the probabilities of all views together."""
        logs = self.logs * (min(self.views, MAX_VIEWS) / self.views)
        p = np.exp(logs - logs.max())
        p = p / p.sum()
        best = int(p.argmax())
        posterior = {t: float(v) for t, v in zip(TILES, p, strict=True)}
        return replace(self.sighting, tile=TILES[best], confidence=float(p[best]), posterior=posterior)


@dataclass(slots=True)
class Tracks:
    """All tiles on the table that are being tracked."""

    tracks: list[Track] = field(default_factory=list)
    read: int = 0

    def add(
        self, sightings: Sequence[Sighting], homography: TableHomography, find_blown: FindBlown = _none_blown
    ) -> None:
        """Add a read: each sighting joins the track it belongs to (Hungarian assignment) or begins a new one.

        What light blots out says nothing: a tile that was seen there stays as it was.

        Args:
            find_blown: (n, 4, 2) corners -> (n,) which of these faces light blots out in the picture.
        """
        self.read += 1
        places = _places(sightings, homography)
        pairs = self._pairs(sightings, places)
        corners = [s.corners for s in (*sightings, *(t.sighting for t in self.tracks))]
        blown = find_blown(np.array(corners, np.float32).reshape(-1, 4, 2))
        blown[: len(sightings)] &= np.array([s.tile.kind in _BLANK for s in sightings], bool)  # others show print
        for track, hidden in zip(self.tracks, blown[len(sightings) :], strict=True):
            if hidden:
                track.read = self.read
        taken = set()
        for track, i in pairs:
            if blown[i]:
                taken.add(i)
                continue
            if not track.clear or _contradicts(track, sightings[i]):
                self.tracks.remove(track)  # another tile lies there now
                continue
            taken.add(i)
            track.logs = track.logs + _log_posterior(sightings[i])
            track.views += 1
            track.in_row = track.in_row + 1
            track.place, track.sighting, track.read = places[i], sightings[i], self.read
        for i, seen in enumerate(sightings):
            if i not in taken:
                track = Track(places[i], seen, _log_posterior(seen), read=self.read, clear=not blown[i])
                self.tracks.append(track)

    def _pairs(self, sightings: Sequence[Sighting], places: FloatArray) -> list[tuple[Track, int]]:
        if not self.tracks or not sightings:
            return []
        old = np.array([t.place for t in self.tracks])
        apart = np.linalg.norm(old[:, None] - places[None], axis=2)
        rows, columns = linear_sum_assignment(np.minimum(apart, 4 * NEAR_TILE_WIDTHS))
        return [(self.tracks[r], int(c)) for r, c in zip(rows, columns, strict=True) if apart[r, c] <= NEAR_TILE_WIDTHS]

    def restart_period(self) -> None:
        """Note that something moved: reads from now on belong to another still period."""
        for track in self.tracks:
            track.in_row = 0

    def prune(self) -> None:
        """Forget tiles that the last two reads did not show."""
        self.tracks = [t for t in self.tracks if t.read > self.read - 2]

    def current(self) -> list[Track]:
        """Return the tiles that one of the last two reads of this still period showed, in a fixed order."""
        return [t for t in self.tracks if t.in_row > 0 and t.read > self.read - 2]


def _places(sightings: Sequence[Sighting], homography: TableHomography) -> FloatArray:
    centres = np.array([s.centre for s in sightings], np.float32).reshape(-1, 2)
    return homography.to_table(centres)


def _log_posterior(sighting: Sighting) -> FloatArray:
    p = np.full(len(TILES), _MIN_PROBABILITY, np.float32)
    for seen, value in sighting.posterior.items():
        p[_COLUMN[seen]] = max(value, _MIN_PROBABILITY)
    return np.log(p)


def _contradicts(track: Track, seen: Sighting) -> bool:
    """Whether both are certain, but of different tiles."""
    known = track.fused
    return known.tile is not seen.tile and min(known.confidence, seen.confidence) >= SURE


def labels(tracks: Sequence[Track]) -> list[Tile]:
    """Return what each tile is according to all views together."""
    return [t.fused.tile for t in tracks]
