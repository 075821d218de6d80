"""Pale things that photographs show but scenes seldom do: backs like white dragons, sides of tiles, gaps, floors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import softmax

from datasets.learn.scene.measures import DetectionMeasures
from datasets.learn.scene.samples import DOWN, NO_TILE, WHITE, Sample
from datasets.quads import tile_sizes
from vision.arrays import quad_axes

LEAST_WALL: Final = 5
"""Fewest backs that a wall is made of."""
BARE: Final = 12
"""Standard deviation of lightness, 8-bit CIELAB, below which a white dragon is bare."""
LIGHTNESS_SPREAD: Final = 18
"""Column of that deviation among the 23 figures of a crop; colours come before it."""
MIDDLE: Final = 12
"""How many of these colours' columns are those of the middle; those of rim and margin follow."""
BODY: Final = slice(6, 9)
"""The columns of the body's colour."""
TABLE: Final = (0.55, 0.9)
"""How light the table between tiles is, relative to their bodies: nobody tells a lighter one from a white dragon."""


@dataclass(frozen=True, slots=True)
class PaleAugmentation:
    """How often such things are set into a sample, and what they are made of.

    Attributes:
        walls: chance that backs of a wall look like a bare white dragon: many of them alike are not white dragons.
        sides: chance of pale sides below tiles.
        gaps: chance that the table between tiles, or beyond the end of a row, looks like a bare white dragon.
        tilings: chance of plain things side by side, of another size than the tiles.
        whites: (sample, row) of bare white dragons to copy.
        backs: likewise of detections that look like face-down tiles.
    """

    walls: float
    sides: float
    gaps: float
    tilings: float
    whites: Sequence[tuple[Sample, int]]
    backs: Sequence[tuple[Sample, int]]


def bare_whites(samples: Sequence[Sample]) -> list[tuple[Sample, int]]:
    """(sample, row) of what the classifier takes for a white dragon and has no print."""
    return [
        (s, int(i))
        for s in samples
        for i in np.flatnonzero(
            (s.seen.probabilities.argmax(axis=1) == WHITE) & (s.seen.colours[:, LIGHTNESS_SPREAD] < BARE)
        )
    ]


def plain_backs(samples: Sequence[Sample]) -> list[tuple[Sample, int]]:
    """(sample, row) of what the classifier takes for a face-down tile."""
    return [(s, int(i)) for s in samples for i in np.flatnonzero(s.seen.probabilities[:, DOWN] > 0.6)]


def pale_walls(rng: np.random.Generator, sample: Sample, pale: PaleAugmentation) -> Sample:
    """Give the backs of a wall, or some of them, the look of a bare white dragon."""
    backs = np.flatnonzero(sample.labels == DOWN)
    if len(backs) < LEAST_WALL or not pale.whites:
        return sample
    which = backs[rng.random(len(backs)) < rng.choice([0.15, 0.5, 1.0, 1.0])]
    if not len(which):
        return sample
    return _looking(sample, which, _worn(rng, sample.only(which).seen, pale.whites))


def sides_of_tiles(rng: np.random.Generator, sample: Sample, pale: PaleAugmentation) -> Sample:
    """Insert pale sides: foreshortened, below a face or a back and as wide as it. They are not tiles."""
    tiles = np.flatnonzero((sample.tiles == 1) & (sample.labels >= 0))
    if len(tiles) < 2 or not pale.whites:
        return sample
    at = rng.permutation(tiles)[: int(rng.integers(1, 9))]
    size, centre = tile_sizes(sample.seen.quads), sample.seen.quads.mean(axis=1)
    quads = []
    for i in at:
        quad = _below(rng, sample.seen.quads[i], float(size[i]))
        if quad is not None and (np.linalg.norm(centre - quad.mean(axis=0), axis=1) >= 0.45 * size[i]).all():
            quads.append(quad)
    if not quads:
        return sample
    made = _copies(sample, 0, np.array(quads))
    made = replace(made, seen=_worn(rng, made.seen, pale.whites))
    colours = made.seen.colours.copy()
    if sample.printed.any() and rng.random() < 0.5:  # they look like the tiles' own bodies: light rims
        body = np.median(sample.seen.colours[sample.printed][:, BODY], axis=0)
        colours[:, :18] = np.tile(body, 6) + rng.normal(0, 3, (len(quads), 18))
    return sample.plus(made.but(colours=colours, located=rng.uniform(0.62, 0.95, len(quads))))


def gaps(rng: np.random.Generator, sample: Sample, pale: PaleAugmentation) -> Sample:
    """Insert pale patches of table beside tiles: as high as a tile, darker than one. They are not tiles."""
    printed = np.flatnonzero(sample.printed)
    if len(printed) < 2 or not pale.whites:
        return sample
    right, _ = quad_axes(sample.seen.quads)
    size, centre = tile_sizes(sample.seen.quads), sample.seen.quads.mean(axis=1)
    quads = []
    for i in rng.permutation(printed)[: int(rng.integers(1, 9))]:
        wide, way = rng.uniform(0.6, 1.15), rng.choice([-1, 1])
        middle = centre[i] + way * (0.5 + wide / 2 + rng.uniform(0, 0.15)) * right[i]
        around = sample.seen.quads[i] - centre[i]
        along = (around @ right[i] / max(1.0, float(right[i] @ right[i])))[:, None] * right[i]
        quad = middle + around + (wide - 1) * along + rng.normal(0, 0.03 * size[i], (4, 2))
        if np.linalg.norm(quad[1] - quad[0]) > np.linalg.norm(quad[2] - quad[1]):
            quad = np.roll(quad, -1, axis=0)  # the first edge is a short one
        if (np.linalg.norm(centre - middle, axis=1) >= 0.7 * np.linalg.norm(right[i])).all():
            quads.append(quad)
    if not quads:
        return sample
    made = _copies(sample, 0, np.array(quads))
    made = replace(made, seen=_worn(rng, made.seen, pale.whites))
    table = np.median(sample.seen.colours[printed][:, BODY], axis=0)
    table = (table - [0, 128, 128]) * [rng.uniform(*TABLE), 1, 1] + [0, *(128 + rng.normal(0, 5, 2))]
    colours = made.seen.colours.copy()
    colours[:, :LIGHTNESS_SPREAD] = np.tile(table, 6) + rng.normal(0, 3, (len(quads), LIGHTNESS_SPREAD))
    return sample.plus(made.but(colours=colours, located=rng.uniform(0.62, 0.95, len(quads))))


def tilings(rng: np.random.Generator, sample: Sample, pale: PaleAugmentation) -> Sample:
    """Insert plain things side by side, too large or too small to be tiles: floors, mats, bricks, keys."""
    if sample.printed.sum() < 2 or not pale.backs:
        return sample
    other, row = pale.backs[int(rng.integers(len(pale.backs)))]
    quad = other.seen.quads[row] - other.seen.quads[row].mean(axis=0)
    usual = np.median(tile_sizes(sample.seen.quads[sample.printed]))
    own = max(1.0, float(tile_sizes(quad[None])[0]))
    quad = quad * np.exp(rng.uniform(0.35, 1.2) * rng.choice([-1, 1])) * usual / own
    (right,), (down,) = quad_axes(quad[None])
    rows, columns = rng.integers(1, 5, 2)
    at = np.array([(r, c) for r in range(rows) for c in range(columns) if rng.random() < 0.85] or [(0, 0)])
    spots = at[:, :1] * down + at[:, 1:] * right * rng.uniform(1, 1.15)
    flat = np.array([1.0, rng.uniform(0.5, 1.0)])  # seen at an angle
    spots = (spots - spots.mean(axis=0)) * flat + spots.mean(axis=0) + rng.random(2) * sample.seen.size
    n = len(at)
    quads = (quad * flat)[None] + spots[:, None] + rng.normal(0, 0.02 * np.linalg.norm(right), (n, 4, 2))
    made = _copies(other, row, quads)
    return sample.plus(
        made.but(
            located=rng.uniform(0.4, 0.93, n),
            colours=made.seen.colours + rng.normal(0, 2, made.seen.colours.shape),
            embeddings=made.seen.embeddings * rng.normal(1, 0.1, made.seen.embeddings.shape),
        )
    )


def _copies(sample: Sample, row: int, quads: npt.NDArray[np.floating]) -> Sample:
    """A sample's row copied to each of (n, 4, 2) quads, labelled as no tile."""
    n = len(quads)
    made = sample.only(np.full(n, row)).but(quads=quads)
    return replace(made, labels=np.full(n, NO_TILE, np.int64), tiles=np.zeros(n, np.int64))


def _looking(sample: Sample, which: npt.NDArray[np.int64], worn: DetectionMeasures) -> Sample:
    """The sample with the look of ``worn`` for some of its detections."""
    changed = {}
    for name in ("probabilities", "embeddings", "colours"):
        changed[name] = getattr(sample.seen, name).copy()
        changed[name][which] = getattr(worn, name)
    return sample.but(**changed)


def _worn(rng: np.random.Generator, seen: DetectionMeasures, looks: Sequence[tuple[Sample, int]]) -> DetectionMeasures:
    """Detections with the look of one of others: its probabilities, embedding and colours, each a little off."""
    other, row = looks[int(rng.integers(len(looks)))]
    n, given = len(seen), other.only(np.array([row]))
    logits = given.logarithms + rng.normal(0, 0.5, (n, given.logarithms.shape[1]))
    one = given.seen.embeddings
    noise = rng.normal(0, 0.02, (n, one.shape[1])) * np.linalg.norm(one) / np.sqrt(one.shape[1])
    shade = np.zeros(given.seen.colours.shape[1])
    shade[:LIGHTNESS_SPREAD] = np.tile(rng.normal(0, 8, 3), LIGHTNESS_SPREAD // 3)
    return replace(
        seen,
        probabilities=np.asarray(softmax(logits, axis=1), np.float32),
        embeddings=np.asarray(one * rng.normal(1, 0.1, (n, one.shape[1])) + noise, np.float32),
        colours=np.asarray(given.seen.colours + rng.normal(0, 3, (n, len(shade))) + shade, np.float32),
    )


def _below(rng: np.random.Generator, quad: npt.NDArray[np.float32], side: float) -> npt.NDArray[np.float64] | None:
    """(4, 2) the side of a tile whose face is a quad, of a size in pixels; None where its lower edge is hardly seen."""
    by_height = np.argsort(quad[:, 1])
    top, low = quad[by_height[:2]], quad[by_height[2:]]
    low = low[np.argsort(low[:, 0])]
    if abs(low[1, 0] - low[0, 0]) < 0.4 * side:
        return None
    edge = np.linalg.norm(low[1] - low[0])
    lying_long = edge > 1.1 * np.linalg.norm(top.mean(axis=0) - low.mean(axis=0))
    deep = np.array([rng.normal(0, 0.08), 1.0]) * rng.uniform(0.45, 0.95) * edge * (0.66 if lying_long else 0.9)
    below = np.array([low[0], low[1], low[1] + deep, low[0] + deep]) + rng.normal(0, 0.03 * side, (4, 2))
    if np.linalg.norm(below[1] - below[0]) > np.linalg.norm(below[3] - below[0]):
        below = np.roll(below, -1, axis=0)  # the first edge is a short one
    return np.asarray(below, np.float64)
