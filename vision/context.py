"""What the other tiles of a photo say about one: it shows one tile set, seen from one place.

Five things follow that a single crop cannot tell: whether there are tiles at all, how large a tile must be about here,
whether a plain face has the colour of the tiles' bodies (a blank white dragon) or another (a back), that a set has no
more than four white dragons, so that five plain faces of one colour are backs, and that it has one of each bonus tile
(``once.py``). Other printed faces that are sure as they are stay untouched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from scoring.tiles import PLAIN
from vision.geometry import BoolArray, sides
from vision.once import once_each
from vision.reading import FloatArray, ImageArray

LEAST_LOCATED: Final = 0.65
"""A find with a lower finder score is none."""
LEAST_LOCATED_PLAIN: Final = 0.7
"""The same for plain faces (white dragons and backs): furniture, cloth and tile sides look like them."""
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
BODY_CHROMA: Final = 10.0
"""Distance in a and b of 8-bit CIELAB at which a plain face is as likely of another colour as of the bodies'. Of 111
labelled white dragons 95 % lie within 10, half within 4; backs lie at 45 and more, pastel ones at 8 to 20."""
CHROMA_PER_NAT: Final = 2.5
ONE_COLOUR: Final = 4.0
ONE_LIGHT: Final = 40.0
"""Plain faces that differ less, in a and b and in L of 8-bit CIELAB, have one colour."""
MANY_ALIKE: Final = 4.0
"""Nats against white dragons where more plain faces are of one colour than a set has white dragons: a wall's backs. In
1,391 photos no labelled white dragon is lost by it, four are won, and of 164 finds that nobody labelled 57 fewer."""
SHADE: Final = 0.3
"""A plain face darker than the bodies by this share and not located well is the side of a tile."""
BARE: Final = 6.0
"""Standard deviation of 8-bit grey, specks aside, up to which a face bears no print. Of 8 such finds of the bodies'
colour that the reader called none or a printed face, in 1,551 photos, 7 are labelled white dragons."""
BARE_LOCATED: Final = 0.75
BARE_CHROMA: Final = 5.0
BARE_LIGHT: Final = 0.9
"""Share of the bodies' lightness."""
BARE_LEFT: Final = 0.1
"""What is left of the chances of printed faces, and of being none, where a face is bare."""
VOUCHED: Final = 0.85
"""Finder score from which one sure printed face vouches that a photo shows tiles at all."""
VOUCHERS: Final = 4
"""Sure printed faces that vouch for it together, whatever their finder scores. Of 630 photos with tiles one has no such
vouchers, of 562 pictures without tiles two have; most false finds in those are plain rectangles."""
WHITES: Final = 4
"""White dragons in a set."""


@dataclass(frozen=True, slots=True)
class Classes:
    """Columns of the classes that matter here; ``bonus``: of flowers, seasons and animals."""

    white: int
    back: int
    none: int
    bonus: tuple[int, ...] = ()

    @classmethod
    def of(cls, labels: tuple[str, ...], none: int) -> Classes:
        """The columns by label; -1 stands for a class the classifier does not know."""
        white, back = (labels.index(code) if code in labels else -1 for code in ("5z", "back"))
        bonus = {t.code for t in PLAIN if t.is_bonus}
        return cls(white, back, none, tuple(i for i, label in enumerate(labels) if label in bonus))


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
    best = probabilities.argmax(axis=1)
    plain = np.isin(best, [classes.white, classes.back])
    sure = (probabilities.max(axis=1) > SURE) & ~plain & (best != classes.none) & (located >= LEAST_LOCATED)
    if sure.sum() < VOUCHERS and not (sure & (located >= VOUCHED)).any():
        return probabilities, np.zeros(len(quads), np.bool_)
    coloured = sure.sum() >= 2 and classes.white >= 0 and classes.back >= 0
    if coloured:
        body = np.median([np.percentile(_lab(crops[i]), 65, axis=0) for i in np.flatnonzero(sure)], axis=0)
        unsure = np.flatnonzero(~sure & (best != classes.back) & (located >= BARE_LOCATED))
        probabilities = bare_are_white(probabilities, unsure, crops, body, classes)
        best = probabilities.argmax(axis=1)
        plain = np.isin(best, [classes.white, classes.back])
    keep = (best != classes.none) & (located >= np.where(plain, LEAST_LOCATED_PLAIN, LEAST_LOCATED))
    for score, probability in UNSURE:
        keep &= (located >= score) | (probabilities.max(axis=1) >= probability)
    if coloured:
        asked = np.flatnonzero(probabilities[:, [classes.white, classes.back]].sum(axis=1) > 0.5)
        colours = np.array([np.median(_lab(crops[i]), axis=0) for i in asked]).reshape(-1, 3)
        probabilities = shared_out(probabilities, asked, colours, body, classes)
        best = probabilities.argmax(axis=1)
        shaded = asked[colours[:, 0] < (1 - SHADE) * body[0]]
        side = np.isin(np.arange(len(quads)), shaded) & (best == classes.white) & (located < LOCATED_WELL)
        keep &= ~side
    keep = np.asarray(keep & (sure | fits_around(quads, sure)))
    return once_each(probabilities, keep, np.array(classes.bonus, np.intp)), keep


def bare_are_white(
    probabilities: FloatArray, asked: npt.NDArray[np.intp], crops: ImageArray, body: FloatArray, classes: Classes
) -> FloatArray:
    """Take bare faces of the bodies' own colour for white dragons: specks, dirt or a glint had the reader in doubt.

    Args:
        probabilities: (n, classes). asked: (k,) rows of finds that are not sure.
        crops: (n, h, w, 3) uint8 RGB. body: (3,) 8-bit CIELAB of the printed tiles' bodies.
        classes: which column is what.
    """
    changed = probabilities.copy()
    for i in asked:
        colour = np.median(_lab(crops[i]), axis=0)
        near = np.hypot(colour[1] - body[1], colour[2] - body[2]) < BARE_CHROMA and colour[0] > BARE_LIGHT * body[0]
        if near and _inner(cv2.medianBlur(cv2.cvtColor(crops[i], cv2.COLOR_RGB2GRAY), 5)).std() < BARE:
            changed[i] *= BARE_LEFT
            changed[i, classes.back] = probabilities[i, classes.back]
            changed[i, classes.white] += 1 - changed[i].sum()
    return changed


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


def shared_out(
    probabilities: FloatArray, asked: npt.NDArray[np.intp], colours: FloatArray, body: FloatArray, classes: Classes
) -> FloatArray:
    """Share the mass of white dragon and back between the two by colour, and by there being four white dragons.

    Args:
        probabilities: (n, classes).
        asked: (k,) rows of plain faces.
        colours: (k, 3) their 8-bit CIELAB colours.
        body: (3,) the colour of the printed tiles' bodies. The body is the lighter part of a printed face; of a plain
            face all is body or all is back.
        classes: which column is what.
    """
    if not len(asked):
        return probabilities
    given = probabilities[asked][:, [classes.white, classes.back]]
    apart = np.hypot(colours[:, 1] - body[1], colours[:, 2] - body[2])
    nats = np.clip((BODY_CHROMA - apart) / CHROMA_PER_NAT, -4, 4)
    odds = np.log(given[:, 0] + 1e-3) - np.log(given[:, 1] + 1e-3) + nats
    for group in of_one_colour(colours):
        if len(group) > WHITES:
            odds[group] = (odds[group] + np.median(odds[group])) / 2 - MANY_ALIKE
    white = 1 / (1 + np.exp(-odds))
    # Lower the odds of all alike until no more than four white dragons are expected.
    low, high = -20.0, 0.0
    if (white * given.sum(axis=1)).sum() > WHITES:
        for _ in range(30):
            middle = (low + high) / 2
            expected = (given.sum(axis=1) / (1 + np.exp(-odds - middle))).sum()
            low, high = (middle, high) if expected <= WHITES else (low, middle)
        white = 1 / (1 + np.exp(-odds - low))
    changed = probabilities.copy()
    changed[asked, classes.white] = given.sum(axis=1) * white
    changed[asked, classes.back] = given.sum(axis=1) * (1 - white)
    return changed


def of_one_colour(colours: FloatArray) -> list[npt.NDArray[np.intp]]:
    """Indices of (n, 3) CIELAB colours in groups: each is near another of its group in a and b, and not far in L."""
    apart = np.abs(colours[:, None] - colours[None])
    near = (np.hypot(apart[..., 1], apart[..., 2]) < ONE_COLOUR) & (apart[..., 0] < ONE_LIGHT)
    label, before = np.arange(len(colours)), np.full(len(colours), -1)
    while not np.array_equal(label, before):  # the least index spreads through its group
        label, before = np.where(near, label[None], len(colours)).min(axis=1, initial=len(colours)), label
    return [np.flatnonzero(label == i) for i in np.unique(label)]


def _lab(crop: ImageArray) -> FloatArray:
    """The inner three quarters of a crop as (pixels, 3) CIELAB, 8-bit scaling."""
    return np.asarray(cv2.cvtColor(_inner(crop), cv2.COLOR_RGB2LAB).reshape(-1, 3), np.float32)


def _inner(crop: npt.NDArray[np.uint8] | cv2.typing.MatLike) -> npt.NDArray[np.uint8]:
    h, w = crop.shape[:2]
    return np.asarray(crop[h // 8 : h - h // 8, w // 8 : w - w // 8], np.uint8)
