"""What the other detections of a photo say about one: it shows tiles of one size, and mostly printed ones.

Four things follow that a single crop cannot tell: whether there are tiles at all, how sure a doubtful find must be, how
large it may be here, and which plain faces are white dragons (``whites.py``).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.geometry import BoolArray, sides
from vision.reading import FloatArray, ImageArray
from vision.scene.classes import Classes
from vision.scene.whites import PlainFaces, in_printed_rows, lab, may_be_white, shared_out

LEAST_LOCATED_ALONE: Final = 0.75
"""The least detector score of what looks like a white dragon and lies in no row with printed faces."""
UNSURE: Final = ((0.75, 0.7), (0.84, 0.6))
"""A find with detector score and probability both below one of these pairs is none: print on racks, dice, hands."""
SURE: Final = 0.8
"""Probability from which a printed face says something about the photo."""
NEIGHBOURS: Final = 6
SIZE_RANGE: Final = 1.9
"""A doubtful find is at most this many times larger or smaller than the sure faces around it."""
REACH: Final = 6.0
"""A doubtful find further than this many tile sides from any sure face is none."""
VOUCHED: Final = 0.85
"""QuadDetector score from which one sure printed face vouches that a photo shows tiles at all."""
VOUCHERS: Final = 4
"""Sure printed faces that vouch for it together, whatever their detector scores."""


def judge(
    quads: FloatArray, located: FloatArray, probabilities: FloatArray, crops: ImageArray, classes: Classes
) -> tuple[FloatArray, BoolArray]:
    """Weigh every find against the rest of its photo.

    Args:
        quads: (n, 4, 2) pixels.
        located: (n,) scores of the detector.
        probabilities: (n, classes) of the classifier.
        crops: (n, h, w, 3) uint8 RGB.
        classes: which column is what.

    Returns:
        Probabilities (n, classes), with the mass of white dragon and back shared out between the two by the photo's
        colours, and (n,) whether the find is a tile at all.
    """
    best, chance = probabilities.argmax(axis=1), probabilities.max(axis=1, initial=0)
    plain = np.isin(best, [classes.white, classes.back])
    sure = (chance > SURE) & ~plain & (best != classes.none)
    if sure.sum() < VOUCHERS and not (sure & (located >= VOUCHED)).any():
        return probabilities, np.zeros(len(quads), np.bool_)
    keep = best != classes.none
    for score, probability in UNSURE:
        keep &= (located >= score) | (chance >= probability)
    keep &= sure | fits_around(quads, sure)
    if sure.sum() >= 2 and classes.white >= 0 and classes.back >= 0:
        bodies = np.array([np.percentile(lab(crops[i]), 65, axis=0) for i in np.flatnonzero(sure)], np.float32)
        faces = PlainFaces.among(probabilities, crops, classes)
        in_row = in_printed_rows(faces, quads, sure)
        alone = faces.rows[~in_row & ~faces.framed]
        keep[alone] &= (best[alone] != classes.white) | (located[alone] >= LEAST_LOCATED_ALONE)
        possible = may_be_white(faces, in_row, quads, sure, bodies)
        probabilities = shared_out(probabilities, faces, possible, np.median(bodies, axis=0), classes)
    return probabilities, np.asarray(keep, np.bool_)


def fits_around(quads: FloatArray, sure: BoolArray) -> BoolArray:
    """(n,) whether each find has about the size of the nearest sure faces and lies within reach of one."""
    if sure.sum() < 2:
        return np.ones(len(quads), np.bool_)
    size, centre = sides(quads), quads.mean(axis=1)
    anchors = np.flatnonzero(sure)
    distance = np.linalg.norm(centre[:, None] - centre[None, anchors], axis=2)
    distance[anchors, np.arange(len(anchors))] = np.inf  # no tile vouches for itself
    near = np.argsort(distance, axis=1)[:, : min(NEIGHBOURS, len(anchors) - 1)]
    expected = np.median(size[anchors][near], axis=1)
    ratio = size / expected
    fits = (ratio < SIZE_RANGE) & (ratio > 1 / SIZE_RANGE)
    return np.asarray(fits & (distance.min(axis=1) < REACH * expected))
