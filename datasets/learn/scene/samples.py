"""Photos as the scene classifier learns from them: measured detections, and what is known about each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from datasets.labels import BACK, INDEX, LABELS, NONE
from datasets.learn.scene.measures import DetectionMeasures
from vision.metadata import Columns

Array: TypeAlias = npt.NDArray[np.float32]
Indices: TypeAlias = npt.NDArray[np.int64]
NO_TILE: Final = INDEX[NONE]
DOWN: Final = INDEX[BACK]
WHITE: Final = INDEX["5z"]
UNKNOWN: Final = -1
"""Label where the face is not known, and value where it is not known whether it is a tile."""
LEAST: Final = 1e-7
"""Smaller probabilities are raised to this, so that they have logarithms."""
NOT_WHITE: Final = -3
"""Label of what may be anything but a white dragon: tops and sides of pale tiles that nobody annotated."""
FOREIGN: Final = -4
"""Label of a tile whose face no mahjong set has."""
COLUMNS: Final = Columns.from_labels(LABELS, NO_TILE)


@dataclass(frozen=True, slots=True)
class Sample:
    """One photo or rendered scene.

    Attributes:
        seen: its n detections.
        labels: (n,) indices into ``LABELS``, that of ``none`` for no tile, UNKNOWN, NOT_WHITE or FOREIGN.
        tiles: (n,) 1 for a tile, 0 for none, or UNKNOWN.
        kind: ``photo``, ``scene`` or ``empty`` (a picture without tiles).
        held_out: kept from learning, for calibration and checks.
    """

    seen: DetectionMeasures
    labels: Indices
    tiles: Indices
    kind: str
    held_out: bool

    def __post_init__(self) -> None:
        """Check that all arrays have one row for each detection.

        Raises:
            ValueError: they have not.
        """
        if not len(self.seen) == len(self.labels) == len(self.tiles):
            raise ValueError(f"{len(self.seen)} detections, {len(self.labels)} labels, {len(self.tiles)} answers")

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def printed(self) -> npt.NDArray[np.bool_]:
        """(n,) which are tiles with a printed face, white dragons excepted."""
        return np.asarray((self.labels >= 0) & (self.labels < DOWN) & (self.labels != WHITE))

    @property
    def logarithms(self) -> Array:
        """(n, classes) logarithms of the probabilities."""
        return np.asarray(np.log(np.maximum(self.seen.probabilities, LEAST)), np.float32)

    def only(self, which: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> Sample:
        """The sample with some of its detections."""
        rows = {name: getattr(self.seen, name)[which] for name in ROWS}
        return replace(self, seen=replace(self.seen, **rows), labels=self.labels[which], tiles=self.tiles[which])

    def plus(self, more: Sample) -> Sample:
        """The sample with another's detections behind its own."""
        rows = {name: np.concatenate([getattr(self.seen, name), getattr(more.seen, name)]) for name in ROWS}
        labels, tiles = np.concatenate([self.labels, more.labels]), np.concatenate([self.tiles, more.tiles])
        return replace(self, seen=replace(self.seen, **rows), labels=labels, tiles=tiles)

    def but(self, **given: npt.NDArray[np.floating]) -> Sample:
        """The sample with other measurements, named as in :class:`DetectionMeasures`, made float32."""
        return replace(self, seen=replace(self.seen, **{k: np.asarray(v, np.float32) for k, v in given.items()}))


ROWS: Final = tuple(field.name for field in fields(DetectionMeasures) if field.name != "size")
"""The measurements that have a row for every detection."""


def shift_odds(located: Array, by: float | npt.NDArray[np.float64]) -> Array:
    """(n,) scores of the detector with their log odds changed by a number, or by (n,) numbers."""
    return np.asarray(1 / (1 + np.exp(-(np.log(located / (1.0001 - located)) + by))), np.float32)


def save(path: Path, samples: Sequence[Sample]) -> None:
    """Write the samples that hold any detection into one file.

    Raises:
        ValueError: there are none.
    """
    samples = [s for s in samples if len(s)]
    if not samples:
        raise ValueError(f"No detections to write to {path}.")
    path.parent.mkdir(parents=True, exist_ok=True)
    given: dict[str, Any] = {name: np.concatenate([getattr(s.seen, name) for s in samples]) for name in ROWS}
    given |= {name: np.concatenate([getattr(s, name) for s in samples]) for name in ("labels", "tiles")}
    given |= {"ends": np.cumsum([0, *map(len, samples)]), "size": np.array([s.seen.size for s in samples])}
    given |= {name: np.array([getattr(s, name) for s in samples]) for name in ("kind", "held_out")}
    np.savez(path, **given)


def load(path: Path) -> list[Sample]:
    """The samples of a file.

    Raises:
        OSError: no such file.
        KeyError: it is something else.
    """
    with np.load(path) as file:
        given = {name: file[name] for name in (*ROWS, "labels", "tiles", "ends", "size", "kind", "held_out")}
    found = []
    for k, (start, end) in enumerate(pairwise(given["ends"].tolist())):
        seen = DetectionMeasures(**{name: given[name][start:end] for name in ROWS}, size=given["size"][k])
        labels, tiles = given["labels"][start:end], given["tiles"][start:end]
        found.append(Sample(seen, labels, tiles, str(given["kind"][k]), bool(given["held_out"][k])))
    return found
