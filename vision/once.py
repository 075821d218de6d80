"""A set has one of each flower, season and animal: what one tile of a photo shows, another hardly does."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from vision.reading import FloatArray

AGAIN: Final = 0.05
"""Chance left that a bonus tile lies there twice: two sets in one photo. Two that are both read surely stay as read."""
LEAST: Final = 0.02
"""Finds less likely a bonus tile than this are left as they are."""


def once_each(probabilities: FloatArray, tiles: npt.NDArray[np.bool_], columns: npt.NDArray[np.intp]) -> FloatArray:
    """Weigh the bonus tiles of a photo against each other: exact marginals over all ways to name them.

    A way to name them counts ``AGAIN`` times as much for every name that it gives once more. The sum goes tile by tile
    over the sets of names given so far, forwards and backwards.

    Args:
        probabilities: (n, classes), rows sum to 1.
        tiles: (n,) which rows are tiles at all.
        columns: the classes of which a set has one tile; 12 are 4,096 sets of names.

    Returns:
        (n, classes) the same with less of what other tiles are likelier to be; rows sum to 1 again.
    """
    rows = np.flatnonzero(tiles & (probabilities[:, columns].sum(axis=1) > LEAST))
    given = probabilities[np.ix_(rows, columns)].astype(np.float64)
    other = np.maximum(1 - given.sum(axis=1), 0)
    after = [np.ones(2 ** len(columns))]
    for names, none in zip(given[::-1], other[::-1], strict=True):
        ahead = none * after[-1] + names @ _named(after[-1], len(columns))
        after.append(ahead / ahead.max())
    before = np.zeros(2 ** len(columns))
    before[0] = 1
    found = probabilities.copy()
    for i, (row, ahead) in enumerate(zip(rows, after[-2::-1], strict=True)):
        weighed = given[i] * (_named(ahead, len(columns)) @ before)
        same = before @ ahead
        found[row] *= same
        found[row, columns] = weighed
        found[row] /= found[row].sum()
        before = other[i] * before + _naming(before, given[i])
        before /= before.sum()
    return found


def _named(ahead: npt.NDArray[np.float64], names: int) -> npt.NDArray[np.float64]:
    """(names, sets) what lies ahead of each set of names once another name is given."""
    found = np.empty((names, len(ahead)))
    for k in range(names):
        lacking_or_not, then = found[k].reshape(-1, 2, 2**k), ahead.reshape(-1, 2, 2**k)
        lacking_or_not[:, 0] = then[:, 1]
        lacking_or_not[:, 1] = AGAIN * then[:, 1]
    return found


def _naming(before: npt.NDArray[np.float64], chances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(sets,) how likely each set of names is once one more has been given."""
    found = np.zeros_like(before)
    for k, chance in enumerate(chances):
        then, now = found.reshape(-1, 2, 2**k), before.reshape(-1, 2, 2**k)
        then[:, 1] += chance * (now[:, 0] + AGAIN * now[:, 1])
    return found
