"""The hand that was published last, while it lies on the table: still there, hidden, pushed along, or gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from hupai.hall.feed.session.tracks import NEAR_TILE_WIDTHS, Track, labels
from hupai.hall.feed.stillness.background import BackgroundModel
from scoring.tiles import Tile
from vision.arrays import FloatArray, ImageArray

MIN_STAYING_SHARE: Final = 0.5
"""Share of the hand's tiles that must be seen in place."""
BARE_SHARE: Final = 0.45
"""A place that looks this much like the bare table holds no tile and hides none."""
_MIN_MOVED_SHARE: Final = 0.6
_MIN_NUDGE_TILE_SIDES: Final = 0.06
"""Tile sides by which a hand must have shifted for the shift to count."""


class Verdict(StrEnum):
    """What has become of the published hand."""

    HERE = "here"
    HIDDEN = "hidden"
    MOVED = "moved"
    GONE = "gone"


@dataclass(slots=True, eq=False)
class PublishedHand:
    """A published hand.

    Attributes:
        token: names the hand in the store. tiles: its tiles. quads: (n, 4, 2) pixels where they lie.
        places: (n, 2) centres on the table, tile widths.
        wins: it was read as a winning hand. doubted: consecutive reads in which it seemed to be gone.
        hidden: (n,) which tiles are covered by something.
    """

    token: str
    tiles: tuple[Tile, ...]
    quads: FloatArray
    places: FloatArray
    wins: bool = True
    doubted: int = 0
    hidden: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))

    def judge(
        self, tracks: Sequence[Track], image: ImageArray, background: BackgroundModel
    ) -> tuple[Verdict, FloatArray | None]:
        """Judge it after a read of a still table.

        Returns:
            The verdict, and the (2, 3) map old -> new pixels for MOVED, and for HERE and HIDDEN when it lies slightly
            off its old place.
        """
        missing = self._missing(tracks)
        self.hidden = np.zeros(len(self.tiles), bool)
        if not missing.any():
            return Verdict.HERE, self._nudge(tracks)
        # After a push by one tile's width, triplets still lie on tiles of their own kind: the better explanation wins.
        move, share = self._find_move(tracks)
        if move is not None and share > 1 - missing.mean():
            return Verdict.MOVED, move
        self.hidden[missing] = background.background_share(image, self.quads[missing]) < BARE_SHARE
        # Where any tile is seen, nothing is hidden, even if it is read as another.
        self.hidden &= ~(self._distances(tracks) <= NEAR_TILE_WIDTHS).any(axis=1)
        if missing.mean() <= 1 - MIN_STAYING_SHARE:
            return (Verdict.HIDDEN if self.hidden.any() else Verdict.HERE), self._nudge(tracks)
        if self.hidden.sum() > missing.sum() / 2:
            return Verdict.HIDDEN, None
        return Verdict.GONE, None

    def rebase(self, move: FloatArray, places: FloatArray) -> None:
        """Move the hand.

        Args:
            move: (2, 3) old -> new pixels. places: its centres on the table after the move, (n, 2) tile widths.
        """
        self.quads = cv2.transform(self.quads.reshape(-1, 1, 2), move).reshape(-1, 4, 2).astype(np.float32)
        self.places = np.asarray(places, np.float32)

    def _nudge(self, tracks: Sequence[Track]) -> FloatArray | None:
        """Return a shift that is too small to confuse neighbouring tiles but matters in the picture, or None."""
        apart = self._distances(tracks)
        pairs = [(i, int(apart[i].argmin())) for i in np.flatnonzero(apart.min(axis=1) <= NEAR_TILE_WIDTHS)]
        here = self.quads.mean(axis=1)[[i for i, _ in pairs]]
        there = np.array([tracks[j].sighting.centre for _, j in pairs], np.float32)
        size = float(np.sqrt(np.abs(cv2.contourArea(self.quads[0]))))
        if len(pairs) < 4 or float(np.median(np.linalg.norm(there - here, axis=1))) < _MIN_NUDGE_TILE_SIDES * size:
            return None
        move, _ = cv2.estimateAffinePartial2D(here, there, method=cv2.RANSAC, ransacReprojThreshold=0.1 * size)
        return None if move is None else np.asarray(move, np.float32)

    def _distances(self, tracks: Sequence[Track]) -> npt.NDArray[np.float64]:
        if not tracks:
            return np.full((len(self.tiles), 1), np.inf)
        there = np.array([t.place for t in tracks])
        return np.asarray(np.linalg.norm(self.places[:, None] - there[None], axis=2), np.float64)

    def _missing(self, tracks: Sequence[Track]) -> npt.NDArray[np.bool_]:
        """Return which tiles are not seen where they lay (a tile that is now read differently counts as not seen)."""
        apart = self._distances(tracks)
        if not tracks:
            return np.ones(len(self.tiles), bool)
        seen = labels(tracks)
        same = np.array([[a.kind == b.kind for b in seen] for a in self.tiles])
        return np.asarray(~((apart <= NEAR_TILE_WIDTHS) & same).any(axis=1))

    def _find_move(self, tracks: Sequence[Track]) -> tuple[FloatArray | None, float]:
        """Find the shift and small turn that puts most of the hand's tiles on tiles of the same face, if there is one.

        Returns:
            The (2, 3) map old -> new pixels or None, and the share of tiles that it puts on tiles of the same face.
        """
        if len(tracks) < 4:
            return None, 0.0
        here = self.quads.mean(axis=1)
        there = np.array([t.sighting.centre for t in tracks], np.float32)
        seen = labels(tracks)
        pairs = [(i, j) for i, a in enumerate(self.tiles) for j, b in enumerate(seen) if a is b]
        if len(pairs) < 4:
            return None, 0.0
        one, other = here[[i for i, _ in pairs]], there[[j for _, j in pairs]]
        size = float(np.sqrt(np.abs(cv2.contourArea(self.quads[0]))))
        move, _ = cv2.estimateAffinePartial2D(
            one, other, method=cv2.RANSAC, ransacReprojThreshold=0.3 * size, maxIters=4000
        )
        if move is None:
            return None, 0.0
        scale = float(np.hypot(move[0, 0], move[1, 0]))
        if not 0.93 <= scale <= 1.07:
            return None, 0.0
        moved = cv2.transform(here.reshape(-1, 1, 2), move).reshape(-1, 2)
        apart = np.linalg.norm(moved[:, None] - there[None], axis=2)
        same = np.array([[a is b for b in seen] for a in self.tiles])
        fits = ((apart <= 0.4 * size) & same).any(axis=1)
        share = float(fits.mean())
        return (np.asarray(move, np.float32), share) if share >= _MIN_MOVED_SHARE else (None, share)
