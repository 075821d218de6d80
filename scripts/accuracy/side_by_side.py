"""Two variants of reading on every collection: figures with intervals, and whether they truly differ.

Intervals are the middle 90 % of 2,000 bootstrap samples over photos (exports of one photograph are drawn together);
those of a difference are paired: both variants get the same photos.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from datasets.photographs.real import shot_of
from scripts.accuracy.matching import PhotoResult

Counts: TypeAlias = npt.NDArray[np.int64]
"""(photos, :data:`COUNTED`) what was counted in each photo."""
COUNTED: Final = (
    *("tiles", "located", "right", "false_backs", "false_whites", "false_faces", "exact", "exact_but_backs"),
    "unjudged",
)
SAMPLES: Final = 2000
LEVEL: Final = (5, 95)


def counted(result: PhotoResult) -> list[int]:
    """One row of :data:`Counts`."""
    codes = [s.tile.code for s in result.false_alarms]
    backs, whites = codes.count("back"), codes.count("5z")
    located = sum(o.seen is not None for o in result.outcomes)
    right = sum(o.right for o in result.outcomes)
    false = [backs, whites, len(codes) - backs - whites]
    exact = [int(result.whole), int(result.faces_right)]
    return [len(result.outcomes), located, right, *false, *exact, result.unjudged]


def _column(name: str) -> Callable[[Counts], npt.NDArray[np.float64]]:
    return lambda counts: counts[..., COUNTED.index(name)].astype(np.float64)


def _false(counts: Counts) -> npt.NDArray[np.float64]:
    return np.asarray(counts[..., 3:6].sum(axis=-1), np.float64)


def _net(counts: Counts) -> npt.NDArray[np.float64]:
    return _column("right")(counts) - _false(counts)


def _share(part: Callable[[Counts], npt.NDArray[np.float64]], rest: Callable[[Counts], npt.NDArray[np.float64]]) -> Any:
    def of(counts: Counts) -> npt.NDArray[np.float64]:
        some, more = part(counts), rest(counts)
        return np.asarray(100 * some / np.maximum(some + more, 1e-9))

    return of


FIGURES: Final[dict[str, Callable[[Counts], npt.NDArray[np.float64]]]] = {
    "right": _column("right"),
    "false": _false,
    "net": _net,
    "end to end": _share(_column("right"), lambda c: _column("tiles")(c) - _column("right")(c)),
    "precision": _share(_column("located"), _false),
    "without backs": _share(_column("located"), lambda c: _false(c) - _column("false_backs")(c)),
    "exact": _column("exact"),
    "exact but backs": _column("exact_but_backs"),
}
"""Each takes summed counts, (..., COUNTED) -> (...); shares in per cent."""
COMPARED: Final = ("net", "end to end", "precision", "exact")


@dataclass(frozen=True, slots=True)
class Collection:
    """The results of two variants on one collection.

    Attributes:
        name: of the collection.
        counts: (2, photos, :data:`COUNTED`), the first variant first.
        samples: (2, :data:`SAMPLES`, :data:`COUNTED`) sums over samples of photos, the same ones for both.
    """

    name: str
    counts: Counts
    samples: Counts

    @classmethod
    def of(cls, name: str, one: Sequence[PhotoResult], other: Sequence[PhotoResult]) -> Collection:
        """Count both and draw the samples (seed 0)."""
        rows = [np.array([counted(r) for r in results], np.int64).reshape(-1, len(COUNTED)) for results in (one, other)]
        counts = np.stack(rows)
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

    def to_json(self, variants: Sequence[str]) -> dict[str, Any]:
        """Every figure of both with its interval, and the difference, first less second."""
        figures: dict[str, Any] = {"photos": self.counts.shape[1], "tiles": int(self.counts[0, :, 0].sum())}
        for variant, counts, samples in zip(variants, self.counts, self.samples, strict=True):
            sums = counts.sum(axis=0)
            figures[variant] = {name: _with_interval(of(sums), of(samples)) for name, of in FIGURES.items()}
            figures[variant] |= {key: int(sums[COUNTED.index(key)]) for key in (*COUNTED[3:6], "unjudged")}
        difference = {}
        for name in COMPARED:
            of = FIGURES[name]
            one, other = (of(c.sum(axis=0)) for c in self.counts)
            difference[name] = _with_interval(one - other, of(self.samples[0]) - of(self.samples[1]))
        return figures | {"difference": difference}


def _with_interval(value: Any, samples: npt.NDArray[np.float64]) -> list[float]:
    low, high = (float(v) for v in np.percentile(samples, LEVEL))
    return [round(float(v), 2) for v in (value, low, high)]


def table(collections: Sequence[Collection], variants: Sequence[str]) -> str:
    """The figures as text, a block a collection; at most 112 columns."""
    lines = []
    for collection in [*collections, Collection.together(collections)] if len(collections) > 1 else collections:
        figures = collection.to_json(variants)
        lines.append(f"{collection.name}: {figures['photos']} photos, {figures['tiles']} tiles")
        width = max(12, *(len(v) for v in variants))
        head = "right false (back white face)   net   end to end         precision          w/o backs  exact"
        lines.append(f"  {'':{width}} {head}")
        for variant in variants:
            of = figures[variant]
            split = f"({of['false_backs']} {of['false_whites']} {of['false_faces']})"
            shares = "  ".join(_share_text(of[name], figures["tiles"]) for name in ("end to end", "precision"))
            lines.append(
                f"  {variant:{width}} {of['right'][0]:5.0f} {of['false'][0]:5.0f} {split:17s} {of['net'][0]:5.0f}   "
                f"{shares}  {of['without backs'][0]:6.2f}   {of['exact'][0]:5.0f}"
            )
        by = figures["difference"]
        parts = [f"{name} {by[name][0]:+.4g} [{by[name][1]:+.4g} {by[name][2]:+.4g}]" for name in COMPARED]
        lines.append(f"  {'difference':{width}} {', '.join(parts)}")
        unjudged = [figures[variant]["unjudged"] for variant in variants]
        if any(unjudged):
            lines.append(f"  {'':{width}} of the false ones nobody has looked at: {' and '.join(map(str, unjudged))}")
        lines.append("")
    return "\n".join(lines)


def _share_text(figure: list[float], tiles: int) -> str:
    value, low, high = figure
    return f"{value:6.2f} [{low:5.1f} {high:5.1f}]" if tiles else f"{'-':>20s}"
