"""Which plain faces are white dragons and which are backs: by their colour, their number and the tiles beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoolArray, offsets
from vision.reading import FloatArray, ImageArray
from vision.scene.classes import Classes

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
WHITES: Final = 4
"""White dragons in a set."""
FRAMED: Final = 22.0
FRAMED_SURE: Final = 0.97
"""Standard deviation of 8-bit grey and probability from which a white dragon bears a frame or letters: a set has such
ones or bare ones. Of 928 labelled in 1,751 photos 443 deviate so much, 474 by less than 12."""
OWN_CHROMA: Final = 4.0
NEAREST: Final = 3
"""A bare face away from printed ones is a white dragon only if its colour is this near to the bodies', in a and b: of
all printed faces or of so many that are nearest, for light differs from place to place."""
ELSEWHERE: Final = 12.0
"""Nats against white dragons where none can be, more than classifier and colour give together. In these photos every
bare one that is labelled lies in a row with printed faces. Of 296 finds called white dragons that nobody labelled, many
of them framed, 78 are backs with it; five framed ones more are read right."""
BLACK: Final = 8
"""What crops show beyond the picture's edge is no lighter, 8 bits."""
BESIDE: Final = ((0.6, 1.5), 0.4)
"""How far from each other the middles of two tiles side by side lie, in widths, and at most in heights."""


@dataclass(frozen=True, slots=True)
class PlainFaces:
    """The finds of a photo that the classifier takes for white dragons or backs.

    Attributes:
        rows: (k,) which finds.
        colours: (k, 3) their middle colours, 8-bit CIELAB.
        framed: (k,) which bear a frame or letters: white dragons for sure.
    """

    rows: npt.NDArray[np.intp]
    colours: FloatArray
    framed: BoolArray

    @classmethod
    def among(cls, probabilities: FloatArray, crops: ImageArray, classes: Classes) -> PlainFaces:
        """Those of (n, classes) probabilities and (n, h, w, 3) uint8 RGB crops."""
        rows = np.flatnonzero(probabilities[:, [classes.white, classes.back]].sum(axis=1) > 0.5)
        colours = np.array([np.median(lab(crops[i]), axis=0) for i in rows], np.float32).reshape(-1, 3)
        sure = probabilities[rows, classes.white] >= FRAMED_SURE
        framed = np.array([s and _spread(crops[i]) >= FRAMED for i, s in zip(rows, sure, strict=True)], np.bool_)
        return cls(rows, colours, framed)


def in_printed_rows(faces: PlainFaces, quads: FloatArray, printed: BoolArray) -> BoolArray:
    """(k,) which plain faces lie in a row with printed ones, perhaps behind others of their colour.

    Args:
        faces: the plain ones.
        quads: (n, 4, 2) all finds, pixels.
        printed: (n,) which of them are printed for sure.
    """
    beside = _beside(quads)
    in_row = beside[np.ix_(faces.rows, np.flatnonzero(printed))].any(axis=1)
    linked, before = beside[np.ix_(faces.rows, faces.rows)] & _alike(faces.colours), ~in_row
    while not np.array_equal(in_row, before):
        in_row, before = in_row | (linked & in_row).any(axis=1), in_row
    return np.asarray(in_row)


def may_be_white(
    faces: PlainFaces, in_row: BoolArray, quads: FloatArray, printed: BoolArray, bodies: FloatArray
) -> BoolArray:
    """(k,) which plain faces may be white dragons where they lie.

    A bare white dragon lies in a row with printed faces. Or it lies apart (a winning tile, a dora indicator, a meld):
    then it must have the own colour of the bodies near it, no more than four faces in sight may have it, and none may
    be framed.

    Args:
        faces: the plain ones.
        in_row: (k,) which of them lie in a row with printed faces.
        quads: (n, 4, 2) all finds, pixels.
        printed: (n,) which of them are printed for sure.
        bodies: (m, 3) the colours of the bodies of these, 8-bit CIELAB.
    """
    few = np.zeros(len(in_row), np.bool_)
    for group in of_one_colour(faces.colours):
        few[group] = len(group) <= WHITES
    middles = quads.mean(axis=1)
    apart = np.linalg.norm(middles[faces.rows][:, None] - middles[printed][None], axis=2)
    near_by, usual = np.median(bodies[np.argsort(apart, axis=1)[:, :NEAREST]], axis=1), np.median(bodies, axis=0)
    own = np.minimum(_tint(faces.colours, near_by), _tint(faces.colours, usual)) <= OWN_CHROMA
    return np.asarray(faces.framed | in_row | (own & few & (not faces.framed.any())))


def shared_out(
    probabilities: FloatArray, faces: PlainFaces, possible: BoolArray, body: FloatArray, classes: Classes
) -> FloatArray:
    """Share the mass of white dragon and back between the two by colour, place and number; framed faces keep theirs.

    Args:
        probabilities: (n, classes).
        faces: the plain ones.
        possible: (k,) which of them may be white dragons at all.
        body: (3,) the colour of the printed tiles' bodies. The body is the lighter part of a printed face; of a plain
            face all is body or all is back.
        classes: which column is what.
    """
    bare = ~faces.framed
    asked, colours = faces.rows[bare], faces.colours[bare]
    if not len(asked):
        return probabilities
    given = probabilities[asked][:, [classes.white, classes.back]]
    nats = np.clip((BODY_CHROMA - _tint(colours, body)) / CHROMA_PER_NAT, -4, 4)
    odds = np.log(given[:, 0] + 1e-3) - np.log(given[:, 1] + 1e-3) + nats
    for group in of_one_colour(colours):
        if len(group) > WHITES:
            odds[group] = (odds[group] + np.median(odds[group])) / 2 - MANY_ALIKE
    odds[~possible[bare]] -= ELSEWHERE
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
    near = _alike(colours)
    label, before = np.arange(len(colours)), np.full(len(colours), -1)
    while not np.array_equal(label, before):  # the least index spreads through its group
        label, before = np.where(near, label[None], len(colours)).min(axis=1, initial=len(colours)), label
    return [np.flatnonzero(label == i) for i in np.unique(label)]


def _alike(colours: FloatArray) -> BoolArray:
    """(n, n) which of (n, 3) CIELAB colours are near each other."""
    one, other = colours[:, None], colours[None]
    return np.asarray((_tint(one, other) < ONE_COLOUR) & (np.abs(one - other)[..., 0] < ONE_LIGHT))


def _tint(colours: FloatArray, others: FloatArray) -> FloatArray:
    """(...) how far (..., 3) CIELAB colours are from others in a and b."""
    apart = colours - others
    return np.asarray(np.hypot(apart[..., 1], apart[..., 2]))


def _beside(quads: FloatArray) -> BoolArray:
    """(n, n) which of (n, 4, 2) tiles lie side by side."""
    at = np.abs(offsets(quads))
    (least, most), off = BESIDE
    beside = (at[..., 0] > least) & (at[..., 0] < most) & (at[..., 1] < off)
    return np.asarray(beside | beside.T)


def lab(crop: ImageArray) -> FloatArray:
    """The inner three quarters of a crop as (pixels, 3) CIELAB, 8-bit scaling."""
    return np.asarray(cv2.cvtColor(_inner(crop), cv2.COLOR_RGB2LAB).reshape(-1, 3), np.float32)


def _inner(crop: npt.NDArray[np.uint8] | cv2.typing.MatLike) -> npt.NDArray[np.uint8]:
    h, w = crop.shape[:2]
    return np.asarray(crop[h // 8 : h - h // 8, w // 8 : w - w // 8], np.uint8)


def _grey(crop: ImageArray) -> npt.NDArray[np.uint8]:
    """The inner part of a crop in 8-bit grey, without specks."""
    return _inner(cv2.medianBlur(cv2.cvtColor(crop, cv2.COLOR_RGB2GRAY), 5))


def _spread(crop: ImageArray) -> float:
    """Standard deviation of a crop's grey, without what lies beyond the picture."""
    grey, within = _grey(crop), _inner(crop).max(axis=2) > BLACK
    return float(grey[within].std()) if within.any() else 0.0
