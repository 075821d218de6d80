"""What the other tiles of a photo say about one: it shows one tile set, seen from one place.

Five things follow that a single crop cannot tell: whether there are tiles at all, how large a tile must be about here,
which plain faces are white dragons (``whites.py``), whether the set has animals and red fives (``rare.py``), and that
it has one of each bonus tile (``once.py``). Other printed faces that are sure as they are stay untouched.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.classes import Classes
from vision.geometry import BoolArray, sides
from vision.once import once_each
from vision.rare import seldom
from vision.reading import FloatArray, ImageArray
from vision.whites import BARE_LOCATED, PlainFaces, bare_are_white, in_printed_rows, lab, may_be_white, shared_out

LEAST_LOCATED: Final = 0.65
"""A find with a lower finder score is none."""
LEAST_LOCATED_PLAIN: Final = 0.7
"""The same for plain faces (white dragons and backs): furniture, cloth and tile sides look like them."""
LEAST_LOCATED_ALONE: Final = 0.75
"""The same for what looks like a blank white dragon and lies in no row with printed faces: most are sides of tiles."""
UNSURE: Final = ((0.75, 0.7), (0.84, 0.6))
"""A find with finder score and probability both below one of these pairs is none: print on racks, dice, hands."""
LOCATED_WELL: Final = 0.8
SURE: Final = 0.8
"""Probability from which a printed face says something about the photo."""
NEIGHBOURS: Final = 6
SIZE_RANGE: Final = 1.9
"""A doubtful find is at most this many times larger or smaller than the sure faces around it."""
REACH: Final = 6.0
"""A doubtful find further than this many tile sides from any sure face is none."""
SHADE: Final = 0.3
"""A plain face darker than the bodies by this share and not located well is the side of a tile."""
VOUCHED: Final = 0.85
"""Finder score from which one sure printed face vouches that a photo shows tiles at all."""
VOUCHERS: Final = 4
"""Sure printed faces that vouch for it together, whatever their finder scores. Of 630 photos with tiles one has no such
vouchers, of 562 pictures without tiles two have; most false finds in those are plain rectangles."""


def judge(
    quads: FloatArray, located: FloatArray, probabilities: FloatArray, crops: ImageArray, classes: Classes
) -> tuple[FloatArray, BoolArray]:
    """Weigh every find against the rest of its photo.

    Args:
        quads: (n, 4, 2) pixels.
        located: (n,) scores of the finder.
        probabilities: (n, classes) of the classifier.
        crops: (n, h, w, 3) uint8 RGB.
        classes: which column is what.

    Returns:
        Probabilities (n, classes), with the mass of white dragon and back shared out by the photo's colours and that of
        bonus tiles by what the others are, and (n,) whether the find is a tile at all.
    """
    if not len(quads):
        return probabilities, np.zeros(0, np.bool_)
    probabilities = seldom(probabilities, located >= LEAST_LOCATED, classes)
    best = probabilities.argmax(axis=1)
    plain = np.isin(best, [classes.white, classes.back])
    sure = (probabilities.max(axis=1) > SURE) & ~plain & (best != classes.none) & (located >= LEAST_LOCATED)
    if sure.sum() < VOUCHERS and not (sure & (located >= VOUCHED)).any():
        return probabilities, np.zeros(len(quads), np.bool_)
    coloured = sure.sum() >= 2 and classes.white >= 0 and classes.back >= 0
    if coloured:
        bodies = np.array([np.percentile(lab(crops[i]), 65, axis=0) for i in np.flatnonzero(sure)], np.float32)
        body = np.median(bodies, axis=0)
        unsure = np.flatnonzero(~sure & (best != classes.back) & (located >= BARE_LOCATED))
        probabilities = bare_are_white(probabilities, unsure, crops, body, classes)
        best = probabilities.argmax(axis=1)
        plain = np.isin(best, [classes.white, classes.back])
    keep = (best != classes.none) & (located >= np.where(plain, LEAST_LOCATED_PLAIN, LEAST_LOCATED))
    for score, probability in UNSURE:
        keep &= (located >= score) | (probabilities.max(axis=1) >= probability)
    if coloured:
        faces = PlainFaces.among(probabilities, crops, classes)
        shaded = faces.rows[faces.colours[:, 0] < (1 - SHADE) * body[0]]
        keep[shaded] &= (best[shaded] != classes.white) | (located[shaded] >= LOCATED_WELL)
        in_row = in_printed_rows(faces, quads, sure)
        alone = faces.rows[~in_row & ~faces.framed]
        keep[alone] &= (best[alone] != classes.white) | (located[alone] >= LEAST_LOCATED_ALONE)
        possible = may_be_white(faces, in_row, quads, sure, bodies)
        probabilities = shared_out(probabilities, faces, possible, body, classes)
    keep = np.asarray(keep & (sure | fits_around(quads, sure)))
    return once_each(probabilities, keep, np.array(classes.bonus, np.intp)), keep


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
