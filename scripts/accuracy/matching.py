"""What was seen against what is there: matching, and the figures that follow from it.

Boxes match by the intersection over union (IoU) of the upright box around the quad seen, quads by that of the polygons:
at least 0.5, the highest first, each once. A sighting left over is a false alarm unless it lies on a tile that stands
aside or in an ignore box.

Some annotators draw a box around the printed symbol only; on a tile that lies diagonally it then covers less than half
of the box around the face. The rule ``CENTRES`` takes such a pair, too: the centre of each lies within the other.

A sighting on a tile that only ``beside.jsonl`` names is no false alarm if it has that name, and counts neither as right
nor as missed: the tiles named there were found by the networks, so they say nothing about how many are found.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import cv2
import numpy as np

from scoring.tiles import parse_tiles
from scripts.accuracy.truth import UNTOLD, TruePhoto, TrueTile, group_of
from vision.geometry import overlap, sides, touching
from vision.reading import FloatArray, Sighting

LEAST_OVERLAP = 0.5


class Rule(StrEnum):
    """When a sighting may be the tile in a box."""

    OVERLAP = "overlap"
    CENTRES = "centres"


LOOKS_ALIKE_TURNED = frozenset(t.code for t in parse_tiles("12345089p 2450689s 5z back"))
"""Faces whose orientation is not scored."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One annotated tile and what became of it; ``seen`` is None when it was not located."""

    truth: TrueTile
    seen: Sighting | None
    overlap: float

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
    outcomes: tuple[Outcome, ...]
    false_alarms: tuple[Sighting, ...]
    milliseconds: float
    unjudged: int = 0

    @property
    def all_right(self) -> bool:
        """Every annotated tile located and named right."""
        return all(o.right for o in self.outcomes)

    @property
    def faces_right(self) -> bool:
        """Every tile right and no false alarm but perhaps face-down tiles."""
        return self.all_right and all(s.tile.code == "back" for s in self.false_alarms)

    @property
    def whole(self) -> bool:
        """Every tile right and no false alarm."""
        return self.all_right and not self.false_alarms

    @property
    def faults(self) -> int:
        """Tiles not right plus false alarms."""
        return sum(not o.right for o in self.outcomes) + len(self.false_alarms)


def match(
    photo: TruePhoto, sightings: Sequence[Sighting], milliseconds: float = 0.0, rule: Rule = Rule.OVERLAP
) -> PhotoResult:
    """Match the sightings of a photo with its annotation."""
    quads = np.array([s.corners for s in sightings], np.float32).reshape(-1, 4, 2)
    shares = overlaps(photo, quads, rule)
    of_truth = pairs(shares)
    outcomes = tuple(
        Outcome(t, sightings[of_truth[j]], float(shares[of_truth[j], j])) if j in of_truth else Outcome(t, None, 0.0)
        for j, t in enumerate(photo.tiles)
        if not t.aside
    )
    taken = set(of_truth.values())
    left = [s for i, s in enumerate(sightings) if i not in taken and not _excused(photo, s)]
    judged = [said_beside(photo, s) for s in left]
    alarms = tuple(s for s, what in zip(left, judged, strict=True) if what not in (s.tile.code, UNTOLD))
    unjudged = 0 if photo.beside is None else judged.count(None)
    return PhotoResult(photo, outcomes, alarms, milliseconds, unjudged)


def said_beside(photo: TruePhoto, sighting: Sighting) -> str | None:
    """The label that ``beside.jsonl`` gives for the place of a sighting; None if nobody has looked there."""
    shares = [(overlap(sighting.corners, quad)[0], what) for what, quad in photo.beside or ()]
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


def overlaps(photo: TruePhoto, quads: FloatArray, rule: Rule) -> FloatArray:
    """(n, m) how much each of (n, 4, 2) quads covers each of a photo's m tiles, 0-1, as the rule sees it."""
    true = np.array([t.corners for t in photo.tiles], np.float32).reshape(-1, 4, 2)
    shares = np.zeros((len(quads), len(true)), np.float32)
    for i, j in np.argwhere(touching(quads, true)):
        if photo.tiles[j].quad:
            shares[i, j] = overlap(quads[i], true[j])[0]
        else:
            shares[i, j] = _box_overlap(quads[i], true[j])
            if rule is Rule.CENTRES and shares[i, j] < LEAST_OVERLAP and _mutual(quads[i], true[j]):
                # These come after every pair that overlaps enough, the larger overlap first.
                shares[i, j] = LEAST_OVERLAP + 0.001 * shares[i, j]
    return shares


def _box_overlap(quad: FloatArray, box: FloatArray) -> float:
    low = np.maximum(quad.min(axis=0), box.min(axis=0))
    high = np.minimum(quad.max(axis=0), box.max(axis=0))
    common = float(np.prod(np.maximum(0, high - low)))
    areas = [float(np.prod(c.max(axis=0) - c.min(axis=0))) for c in (quad, box)]
    return common / max(sum(areas) - common, 1e-6)


def _mutual(quad: FloatArray, box: FloatArray) -> bool:
    """Whether each centre lies within the other."""
    middle, centre = (tuple(float(v) for v in c.mean(axis=0)) for c in (quad, box))
    inside = cv2.pointPolygonTest(np.ascontiguousarray(quad, np.float32), centre, False) >= 0
    return inside and cv2.pointPolygonTest(np.ascontiguousarray(box, np.float32), middle, False) >= 0


def _excused(photo: TruePhoto, sighting: Sighting) -> bool:
    x, y = sighting.centre
    if any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in photo.ignore):
        return True
    # A strip lies within the tile seen, a stretched box may contain it: either way one covers half of the other.
    return any(t.aside and overlap(sighting.corners, t.corners)[1] >= 0.5 for t in photo.tiles)


def figures(results: Sequence[PhotoResult]) -> dict[str, Any]:
    """The figures of a run: located, named, end to end, precision, whole photos, calibration."""
    outcomes = [o for r in results for o in r.outcomes]
    located = [o for o in outcomes if o.seen is not None]
    right = [o for o in outcomes if o.right]
    alarms = [s for r in results for s in r.false_alarms]
    faces = [s for s in alarms if s.tile.code != "back"]
    named = [s for o in located if (s := o.seen) is not None]
    turned = [o for o in right if o.truth.quad and o.truth.label not in LOOKS_ALIKE_TURNED]
    return {
        "photos": len(results),
        "tiles": len(outcomes),
        "located": _share(len(located), len(outcomes)),
        "named_when_located": _share(len(right), len(located)),
        "end_to_end": _share(len(right), len(outcomes)),
        "precision": _share(len(located), len(located) + len(alarms)),
        "precision_without_backs": _share(len(located), len(located) + len(faces)),
        "false_alarms": len(alarms),
        "false_alarms_without_backs": len(faces),
        "photos_all_right": _share(sum(r.all_right for r in results), len(results)),
        "photos_whole": _share(sum(r.whole for r in results), len(results)),
        "photos_whole_without_backs": _share(sum(r.faces_right for r in results), len(results)),
        "orientation_when_right": _share(sum(map(_upright, turned)), len(turned)),
        "calibration_error": calibration([s.confidence for s in named], [o.right for o in located])[0],
        "milliseconds_median": float(np.median([r.milliseconds for r in results])) if results else None,
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _upright(outcome: Outcome) -> bool:
    """Whether the first corner is the picture's top-left one: nearer to it than to any other."""
    if outcome.seen is None:
        return False
    distances = np.linalg.norm(outcome.truth.corners - outcome.seen.corners[0], axis=1)
    return int(distances.argmin()) == 0


def calibration(
    confidences: Sequence[float], right: Sequence[bool]
) -> tuple[float | None, list[tuple[float, float, int]]]:
    """Expected calibration error (15 bins of equal width) and each filled bin's mean confidence, accuracy and count."""
    if not confidences:
        return None, []
    sure, hit = np.array(confidences), np.array(right, np.float64)
    index = np.minimum((sure * 15).astype(int), 14)
    within = [index == b for b in np.unique(index)]
    rows = [(float(sure[some].mean()), float(hit[some].mean()), int(some.sum())) for some in within]
    error = sum(count * abs(mean - accuracy) for mean, accuracy, count in rows) / len(sure)
    return round(error, 4), rows


def broken_down(results: Sequence[PhotoResult], by: Callable[[TruePhoto, Outcome], str | None]) -> dict[str, Any]:
    """Tiles, located, named and end to end for every value of a fact; tiles without it are left out."""
    piles: dict[str, list[Outcome]] = defaultdict(list)
    for result in results:
        for outcome in result.outcomes:
            value = by(result.photo, outcome)
            if value is not None:
                piles[value].append(outcome)
    table = {}
    for value, outcomes in sorted(piles.items()):
        located = sum(o.seen is not None for o in outcomes)
        right = sum(o.right for o in outcomes)
        table[value] = {
            "tiles": len(outcomes),
            "located": _share(located, len(outcomes)),
            "named_when_located": _share(right, located),
            "end_to_end": _share(right, len(outcomes)),
        }
    return table


def by_group(_: TruePhoto, outcome: Outcome) -> str:
    """Class group."""
    return group_of(outcome.truth.label)


def by_source(photo: TruePhoto, _: Outcome) -> str:
    """Folder or scene."""
    return photo.source


def by_size(_: TruePhoto, outcome: Outcome) -> str:
    """Side (root of the area) of the annotated box or quad, pixels of the photo."""
    return _bin(float(sides(outcome.truth.corners[None])[0]), (0, 20, 30, 40, 60, 90, 140, 220, 10_000))


def by_rotation(_: TruePhoto, outcome: Outcome) -> str | None:
    """Rotation of the picture, 15-degree bins: of the annotation, or of the sighting where that is a box.

    A boxed tile that is not located has no rotation, so for boxes only the share named right means anything here.
    """
    if outcome.truth.label in LOOKS_ALIKE_TURNED:
        return None
    corners = outcome.truth.corners if outcome.truth.quad else None if outcome.seen is None else outcome.seen.corners
    if corners is None:
        return None
    along = corners[1] + corners[2] - corners[0] - corners[3]
    degrees = (np.degrees(np.arctan2(along[1], along[0])) + 7.5) % 360
    return f"{15 * int(degrees // 15):03d}"


def by_fact(name: str, edges: Sequence[float] | None = None) -> Callable[[TruePhoto, Outcome], str | None]:
    """A break-down by a fact of the annotation, in bins where it is a number."""

    def value(_: TruePhoto, outcome: Outcome) -> str | None:
        given = outcome.truth.facts.get(name)
        if given is None:
            return None
        return _bin(float(given), edges) if edges is not None else str(given)

    return value


def _bin(value: float, edges: Sequence[float]) -> str:
    at = int(np.clip(np.searchsorted(edges, value, side="right") - 1, 0, len(edges) - 2))
    return f"{edges[at]:05g}-{edges[at + 1]:g}"


def confusion(results: Iterable[PhotoResult]) -> dict[tuple[str, str], int]:
    """(true label, label read) -> count over the located tiles, mistakes only, the commonest first."""
    outcomes = (o for result in results for o in result.outcomes if not o.right)
    counts = Counter((o.truth.label, o.seen.tile.code) for o in outcomes if o.seen is not None)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
