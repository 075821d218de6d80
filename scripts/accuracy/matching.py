"""What was seen against what is there.

Quads match by the intersection over union (IoU) of the polygons, boxes by that of the upright box around the quad seen:
at least 0.5, the highest first, each once. Some annotators draw a box around the printed symbol only; on a tile that
lies diagonally it then covers less than half of the box around the face. So a box also matches, after all these, where
its centre and that of the quad each lie within the other. A sighting left over is a false alarm unless it lies on a
tile that stands aside or in an ignore box.

A sighting on a tile that only ``beside.jsonl`` names is not a false alarm if it has that name, and counts neither as
right nor as missed: the tiles named there were found by the networks, so they say nothing about how many are found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scripts.accuracy.truth import UNTOLD, Beside, TruePhoto, TrueTile
from vision.arrays import BoolArray, FloatArray
from vision.geometry import Quad, overlap_ratios
from vision.reading import Sighting

LEAST_OVERLAP = 0.5


@dataclass(frozen=True, slots=True)
class TileResult:
    """One annotated tile and what became of it; ``seen`` is None when it was not located."""

    truth: TrueTile
    seen: Sighting | None

    @property
    def right(self) -> bool:
        """Located and named right."""
        return self.seen is not None and self.seen.tile.code == self.truth.label


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """One photo: the tiles that count, and the sightings that nothing accounts for.

    ``unjudged`` of these lie where nobody has checked what there is, though the photo's other detections were checked.
    """

    photo: TruePhoto
    tiles: tuple[TileResult, ...]
    false_alarms: tuple[Sighting, ...]
    unjudged: int = 0

    @property
    def labels(self) -> dict[int, str]:
        """The true label of every sighting on a tile, by the sighting's ``id``."""
        return {id(t.seen): t.truth.label for t in self.tiles if t.seen is not None}

    @property
    def faults(self) -> int:
        """Tiles not right plus false alarms."""
        return sum(not t.right for t in self.tiles) + len(self.false_alarms)


def match(photo: TruePhoto, sightings: Sequence[Sighting]) -> PhotoResult:
    """Match the sightings of a photo with its annotation."""
    on_tile = pairs(overlaps(photo, np.array([s.corners for s in sightings], np.float32).reshape(-1, 4, 2)))
    seen = {j: sightings[i] for j, i in on_tile.items()}
    tiles = tuple(TileResult(t, seen.get(j)) for j, t in enumerate(photo.tiles) if not t.aside)
    taken = set(on_tile.values())
    left = [s for i, s in enumerate(sightings) if i not in taken and not _is_excused(photo, s)]
    judged = [said_beside(photo.beside, s.corners) for s in left]
    alarms = tuple(s for s, what in zip(left, judged, strict=True) if what not in (s.tile.code, UNTOLD))
    return PhotoResult(photo, tiles, alarms, 0 if photo.beside is None else judged.count(None))


def said_beside(judgements: Sequence[Beside] | None, quad: Quad | FloatArray) -> str | None:
    """The label that was given to what lies at a place by eye; None if nobody has looked there."""
    shares = [(overlap_ratios(quad, at)[0], what) for what, at in judgements or ()]
    share, what = max(shares, key=lambda pair: pair[0], default=(0.0, ""))
    return what if share >= LEAST_OVERLAP else None


def pairs(shares: FloatArray) -> dict[int, int]:
    """Tile -> the quad on it, of (n, m) overlaps of quads and tiles: the largest first, each once."""
    of_truth: dict[int, int] = {}
    taken: set[int] = set()
    for flat in np.argsort(-shares, axis=None, kind="stable"):
        i, j = divmod(int(flat), max(1, shares.shape[1]))
        if shares[i, j] < LEAST_OVERLAP:
            break
        if j not in of_truth and i not in taken:
            of_truth[j] = i
            taken.add(i)
    return of_truth


def overlaps(photo: TruePhoto, quads: FloatArray) -> FloatArray:
    """(n, m) how much each of (n, 4, 2) quads covers each of a photo's m tiles, 0-1."""
    true = np.array([t.corners for t in photo.tiles], np.float32).reshape(-1, 4, 2)
    shares = np.zeros((len(quads), len(true)), np.float32)
    for i, j in np.argwhere(boxes_overlap(quads, true)):
        if photo.tiles[j].quad:
            shares[i, j] = overlap_ratios(quads[i], true[j])[0]
        else:
            shares[i, j] = _box_overlap(quads[i], true[j])
            mutual = holds(quads[i], true[j].mean(axis=0)) and holds(true[j], quads[i].mean(axis=0))
            if shares[i, j] < LEAST_OVERLAP and mutual:
                # These come after every pair that overlaps enough, the larger overlap first.
                shares[i, j] = LEAST_OVERLAP + 0.001 * shares[i, j]
    return shares


def boxes_overlap(quads: FloatArray, others: FloatArray) -> BoolArray:
    """(n, m) whether the axis-aligned boxes around each pair of quads overlap: a cheap test before the ratios."""
    low, high = quads.min(axis=1), quads.max(axis=1)
    other_low, other_high = others.min(axis=1), others.max(axis=1)
    apart = (low[:, None] >= other_high[None]) | (high[:, None] <= other_low[None])
    return np.asarray(~apart.any(axis=2))


def _box_overlap(quad: FloatArray, box: FloatArray) -> float:
    low = np.maximum(quad.min(axis=0), box.min(axis=0))
    high = np.minimum(quad.max(axis=0), box.max(axis=0))
    common = float(np.prod(np.maximum(0, high - low)))
    areas = [float(np.prod(c.max(axis=0) - c.min(axis=0))) for c in (quad, box)]
    return common / max(sum(areas) - common, 1e-6)


def holds(quad: FloatArray, place: FloatArray) -> bool:
    """Whether a place (x, y) lies within a quad."""
    x, y = (float(v) for v in place)
    return cv2.pointPolygonTest(np.ascontiguousarray(quad, np.float32), (x, y), False) >= 0


def _is_excused(photo: TruePhoto, sighting: Sighting) -> bool:
    x, y = sighting.centre
    if any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in photo.ignore):
        return True
    # A strip lies within the tile seen, a stretched box may contain it: either way one covers half of the other.
    return any(t.aside and overlap_ratios(sighting.corners, t.corners)[1] >= 0.5 for t in photo.tiles)
