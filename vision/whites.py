"""Which plain faces are white dragons and which are backs: by their colour, their number and the tiles beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from scoring.tiles import PLAIN
from vision.reading import FloatArray, ImageArray

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
BARE: Final = 6.0
"""Standard deviation of 8-bit grey, specks aside, up to which a face bears no print. Of 8 such finds of the bodies'
colour that the reader called none or a printed face, in 1,551 photos, 7 are labelled white dragons."""
BARE_LOCATED: Final = 0.75
BARE_CHROMA: Final = 5.0
BARE_LIGHT: Final = 0.9
"""Share of the bodies' lightness."""
BARE_LEFT: Final = 0.1
"""What is left of the chances of printed faces, and of being none, where a face is bare."""
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
        colour = np.median(lab(crops[i]), axis=0)
        near = np.hypot(colour[1] - body[1], colour[2] - body[2]) < BARE_CHROMA and colour[0] > BARE_LIGHT * body[0]
        if near and _inner(cv2.medianBlur(cv2.cvtColor(crops[i], cv2.COLOR_RGB2GRAY), 5)).std() < BARE:
            changed[i] *= BARE_LEFT
            changed[i, classes.back] = probabilities[i, classes.back]
            changed[i, classes.white] += 1 - changed[i].sum()
    return changed


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


def lab(crop: ImageArray) -> FloatArray:
    """The inner three quarters of a crop as (pixels, 3) CIELAB, 8-bit scaling."""
    return np.asarray(cv2.cvtColor(_inner(crop), cv2.COLOR_RGB2LAB).reshape(-1, 3), np.float32)


def _inner(crop: npt.NDArray[np.uint8] | cv2.typing.MatLike) -> npt.NDArray[np.uint8]:
    h, w = crop.shape[:2]
    return np.asarray(crop[h // 8 : h - h // 8, w // 8 : w - w // 8], np.uint8)
