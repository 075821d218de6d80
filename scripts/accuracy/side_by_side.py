"""Two variants of reading on a collection: figures with intervals, and whether they truly differ.

Intervals are the middle 90 % of 2,000 bootstrap samples over photos (exports of one photograph are drawn together);
those of a difference are paired: both variants get the same photos.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def figures(counts: CountArray) -> dict[str, npt.NDArray[np.float64]]:
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
    """The results of two variants on one collection.

    Attributes:
        name: of the collection.
        counts: (2, photos, :data:`COUNTED`), the first variant first.
        samples: (2, :data:`SAMPLES`, :data:`COUNTED`) sums over samples of photos, the same ones for both.
    """

    name: str
    counts: CountArray
    samples: CountArray

    @classmethod
    def of(cls, name: str, one: Sequence[PhotoResult], other: Sequence[PhotoResult]) -> Collection:
        """Count both and draw the samples (seed 0)."""
        rows = [[count_row(r) for r in results] for results in (one, other)]
        counts = np.array(rows, np.int64).reshape(2, -1, len(COUNTED))
        shots = np.unique([shot_of(r.photo.path.name) for r in one], return_inverse=True)[1]
        sums = np.zeros((2, shots.max(initial=-1) + 1, len(COUNTED)), np.int64)
        for variant in (0, 1):
            np.add.at(sums[variant], shots, counts[variant])
        count = sums.shape[1]
        drawn = np.random.default_rng(0).multinomial(count, np.full(count, 1 / max(count, 1)), SAMPLES)
        return cls(name, counts, np.einsum("sp,vpc->vsc", drawn, sums))

    @classmethod
    def together(cls, collections: Iterable[Collection]) -> Collection:
        """All of them as one, each sampled by itself."""
        given = list(collections)
        counts = np.concatenate([c.counts for c in given], axis=1)
        return cls("all together", counts, np.sum([c.samples for c in given], axis=0))

    def compare(self) -> dict[str, list[list[float]]]:
        """Figure -> value and interval of the first variant, of the second, and of the first less the second."""
        (one, other), (ones, others) = map(figures, self.counts.sum(axis=1)), map(figures, self.samples)
        return {
            name: [
                [round(float(v), 2) for v in (value, *np.percentile(samples, LEVEL))]
                for value, samples in (
                    (one[name], ones[name]),
                    (other[name], others[name]),
                    (one[name] - other[name], ones[name] - others[name]),
                )
            ]
            for name in one
        }


def format_table(collection: Collection, variants: Sequence[str]) -> str:
    """The figures of a collection as text."""
    _, photos, _ = collection.counts.shape
    sums = [dict(zip(COUNTED, map(int, row), strict=True)) for row in collection.counts.sum(axis=1)]
    lines = [f"{collection.name}: {photos} photos, {sums[0]['tiles']} tiles"]
    lines.append(f"  {'':12}" + "".join(f"{name:27}" for name in (*variants, "difference")))
    for name, columns in collection.compare().items():
        lines.append(f"  {name:12}" + "".join(f"{v:8g} {f'[{low:g} {high:g}]':18}" for v, low, high in columns))
    for variant, of in zip(variants, sums, strict=True):
        lines.append(f"  false detections of {variant}: {of['backs']} backs, {of['whites']} white dragons; ")
        lines[-1] += f"{of['unjudged']} that nobody has looked at"
    return "\n".join(lines)
