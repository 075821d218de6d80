"""The figures of a collection with intervals: the middle 90 % of 2,000 bootstrap samples over photos.

Exports of one photograph are drawn together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from datasets.photographs.real import shot_of
from scripts.accuracy.matching import PhotoResult

CountArray: TypeAlias = npt.NDArray[np.int64]
"""(photos, :data:`COUNTED`) what was counted in each photo."""
COUNTED: Final = ("tiles", "located", "right", "all_right", "exact", "false", "backs", "whites", "unjudged")
SAMPLES: Final = 2000
LEVEL: Final = (5, 95)


def count_row(result: PhotoResult) -> list[int]:
    """One row of :data:`CountArray`."""
    located, right = sum(t.seen is not None for t in result.tiles), sum(t.right for t in result.tiles)
    all_right, exact = right == len(result.tiles), not result.faults
    false = [s.tile.code for s in result.false_alarms]
    kinds = (len(false), false.count("back"), false.count("5z"))
    return [len(result.tiles), located, right, all_right, exact, *kinds, result.unjudged]


def figures_of(counts: CountArray) -> dict[str, npt.NDArray[np.float64]]:
    """The figures of summed counts, (..., COUNTED) -> (...) each; shares in per cent, photos as their number."""
    tiles, located, right, all_right, exact, false, *_ = np.moveaxis(counts.astype(np.float64), -1, 0)

    def share(part: npt.NDArray[np.float64], whole: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return 100 * part / np.maximum(whole, 1)

    return {
        "right": right,
        "false": false,
        "net": right - false,
        "located": share(located, tiles),
        "named": share(right, located),
        "end to end": share(right, tiles),
        "precision": share(located, located + false),
        "all right": all_right,
        "exact": exact,
    }


@dataclass(frozen=True, slots=True)
class Collection:
    """The results on one collection.

    Attributes:
        name: of the collection.
        counts: (photos, :data:`COUNTED`).
        samples: (:data:`SAMPLES`, :data:`COUNTED`) sums over samples of photos.
    """

    name: str
    counts: CountArray
    samples: CountArray

    @classmethod
    def of(cls, name: str, results: Sequence[PhotoResult]) -> Collection:
        """Count, and draw the samples (seed 0)."""
        counts = np.array([count_row(r) for r in results], np.int64).reshape(-1, len(COUNTED))
        shots = np.unique([shot_of(r.photo.path.name) for r in results], return_inverse=True)[1]
        sums = np.zeros((shots.max(initial=-1) + 1, len(COUNTED)), np.int64)
        np.add.at(sums, shots, counts)
        drawn = np.random.default_rng(0).multinomial(len(sums), np.full(len(sums), 1 / max(len(sums), 1)), SAMPLES)
        return cls(name, counts, drawn @ sums)

    @classmethod
    def together(cls, collections: Sequence[Collection]) -> Collection:
        """All of them as one, each sampled by itself."""
        counts = np.concatenate([c.counts for c in collections])
        return cls("all together", counts, np.sum([c.samples for c in collections], axis=0))

    def figures(self) -> dict[str, list[float]]:
        """Figure -> its value and interval."""
        sampled = figures_of(self.samples)
        return {
            name: [round(float(v), 2) for v in (value, *np.percentile(sampled[name], LEVEL))]
            for name, value in figures_of(self.counts.sum(axis=0)).items()
        }

    def __str__(self) -> str:
        """The figures as text."""
        sums = dict(zip(COUNTED, map(int, self.counts.sum(axis=0)), strict=True))
        lines = [f"{self.name}: {len(self.counts)} photos, {sums['tiles']} tiles"]
        lines += [f"  {name:12}{v:8g} [{low:g} {high:g}]" for name, (v, low, high) in self.figures().items()]
        false = f"{sums['backs']} backs, {sums['whites']} white dragons; {sums['unjudged']} that nobody has looked at"
        return "\n".join([*lines, f"  false detections: {false}"])
