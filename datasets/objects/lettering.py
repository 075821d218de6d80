"""Writing that is on no tile: characters composed of parts of others, which the classifier has no label for."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.faces.designs import load_library
from datasets.faces.glyphs import CELL, WILD, Mask

FACES: Final = "東南西北中發発白"
"""Any of these, whole and in a frame, is a tile's face."""
UNDER: Final = "萬万"
"""With one of these below it, a numeral is a face."""


def strange_character(rng: np.random.Generator) -> Mask:
    """(CELL, CELL) uint8 mask of a character: halves of two that tiles carry, or one that alone is not a face."""
    sheets = load_library().sheets
    sheet = sheets[sorted(sheets)[int(rng.integers(len(sheets)))]]
    written = [c for c in sheet if ord(c) > 0x3000 and c not in WILD]
    first, below = (written[int(i)] for i in rng.integers(len(written), size=2))
    one, other = _fill_cell(sheet[first]), _fill_cell(sheet[below])
    split = int(CELL * rng.uniform(0.35, 0.6))
    kind = rng.random()
    if kind < 0.5:  # a radical on the left
        return np.hstack([_resize_with_margin(one, split, CELL), _resize_with_margin(other, CELL - split, CELL)])
    if kind < 0.85 and below not in UNDER:  # or on top
        return np.vstack([_resize_with_margin(one, CELL, split), _resize_with_margin(other, CELL, CELL - split)])
    whole = [c for c in written if c not in FACES]
    return _fill_cell(sheet[whole[int(rng.integers(len(whole)))]])


def known_character(rng: np.random.Generator, among: str) -> Mask:
    """(CELL, CELL) uint8 mask of one of these characters, all of which every sheet has."""
    sheets = load_library().sheets
    sheet = sheets[sorted(sheets)[int(rng.integers(len(sheets)))]]
    return _fill_cell(sheet[among[int(rng.integers(len(among)))]])


def random_line(rng: np.random.Generator, count: int) -> Mask:
    """(CELL, about ``count`` * CELL) mask of characters, or now and then Latin letters, side by side."""
    gap = np.zeros((CELL, int(CELL * rng.uniform(0.05, 0.4))), np.uint8)
    parts: list[Mask] = []
    for _ in range(count):
        parts += [strange_character(rng), gap]
    if rng.random() < 0.2:
        text = "".join(chr(int(c)) for c in rng.integers(65, 91, count))
        canvas = np.zeros((CELL, CELL * count), np.uint8)
        cv2.putText(canvas, text, (4, CELL - 24), int(rng.integers(0, 5)), 3.4, 255, int(rng.integers(4, 16)))
        return canvas
    return np.hstack(parts[:-1])


def lay_ink(picture: npt.NDArray[np.uint8], mask: Mask, ink: npt.ArrayLike) -> None:
    """Lay an RGB ink on an (h, w, 3) picture, in place, as thickly as the (h, w) mask says."""
    share = np.asarray(mask, np.float32)[..., None] / 255
    picture[:] = (picture * (1 - share) + np.asarray(ink, np.float32) * share).astype(np.uint8)


def _fill_cell(mask: Mask) -> Mask:
    return _resize_with_margin(mask, CELL, CELL)


def _resize_with_margin(mask: Mask, width: int, height: int) -> Mask:
    """The mask resized, with a little room around it."""
    air = max(2, width // 16)
    inner = cv2.resize(mask, (width - 2 * air, height - 2 * air), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.copyMakeBorder(inner, air, air, air, air, cv2.BORDER_CONSTANT, value=0), np.uint8)
