"""Faces of no mahjong set: letters, words, numbers, playing cards, signs and shapes printed on a tile."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.faces.designs import Design
from datasets.faces.ink import BLUE, DARK, GREEN, RED, Canvas, InkFace, Mask
from datasets.faces.textured_tileset import TexturedTileSet
from datasets.labels import FACES
from datasets.objects.lettering import strange_character

KINDS: Final = ("letter", "sign", "shape", "picture", "card", "number", "word")
WORDS: Final = ("JOKER", "BIG", "LITTLE", "WILD", "FREE", "JOLLY", "FLOWER", "BONUS")
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


@dataclass(frozen=True)
class ForeignDesign(Design):
    """A design that has something else in place of some labels, and nothing for the others.

    Attributes:
        labels: those labels.
        kinds: what may be drawn in their place, of :data:`KINDS`.
        seed: decides what exactly is drawn.
    """

    labels: frozenset[str]
    kinds: tuple[str, ...]
    seed: int

    def face(self, label: str) -> InkFace | None:
        """What is drawn in place of a label; None for any other."""
        if label not in self.labels:
            return None
        rng = np.random.default_rng([self.seed, *map(ord, label)])
        return foreign_face(rng, str(rng.choice(self.kinds)))


def with_foreign_faces(
    rng: np.random.Generator, tiles: TexturedTileSet, kinds: tuple[str, ...], *, every: bool = False
) -> tuple[TexturedTileSet, frozenset[str]]:
    """A set with such faces in place of some of its own, or of ``every`` one, and the labels replaced."""
    own = [face for face in FACES if face != "5z"]  # a bare white dragon would stay bare
    labels = frozenset(
        str(face) for face in rng.choice(own, len(own) if every else int(rng.integers(4, 20)), replace=False)
    )
    foreign = ForeignDesign("foreign", labels, kinds, int(rng.integers(1 << 30)))
    return replace(tiles, designs=(foreign, *tiles.designs), photos=(), _cache={}), labels


def foreign_face(rng: np.random.Generator, kind: str) -> InkFace:
    """A random face.

    Args:
        kind: one of :data:`KINDS`.
    """
    canvas = Canvas()
    ink = int(rng.choice([DARK, RED, GREEN, BLUE]))
    low = float(rng.uniform(0.08, 0.25))
    middle = (low, low, 1 - low, 1 - low)
    if kind == "letter":
        text = "".join(chr(int(c)) for c in rng.integers(65, 91, int(rng.choice([1, 1, 2]))))
        canvas.stamp(_text_mask(rng, text), middle, ink)
        if rng.random() < 0.4:
            canvas.stamp(_text_mask(rng, str(rng.integers(1, 10))), (0.72, 0.8, 0.92, 0.93), ink)
    elif kind == "word":
        text = str(rng.choice(WORDS))
        if rng.random() < 0.5:
            canvas.stamp(_text_mask(rng, text), (0.06, 0.3, 0.94, 0.7), ink)
        else:
            for i, letter in enumerate(text):
                y = 0.05 + 0.9 * i / len(text)
                canvas.stamp(_text_mask(rng, letter), (0.3, y, 0.7, y + 0.86 / len(text)), ink)
    elif kind == "number":
        canvas.stamp(_text_mask(rng, str(rng.integers(1, 14))), (low, 0.1, 1 - low, 0.62), ink)
        if rng.random() < 0.7:
            canvas.disc(0.5, 0.78, float(rng.uniform(0.06, 0.12)), ink)
            canvas.disc(0.5, 0.78, 0.05, None)
    elif kind == "card":
        _draw_card(rng, canvas)
    elif kind == "picture":
        _draw_picture(rng, canvas)
    elif kind == "sign":
        count = int(rng.choice([1, 2, 2]))
        for i in range(count):
            y = 0.06 + 0.88 * i / count
            canvas.stamp(strange_character(rng), (0.12, y, 0.88, y + 0.84 / count), ink)
    else:
        _draw_shape(rng, canvas, ink)
    return canvas.face()


def _draw_picture(rng: np.random.Generator, canvas: Canvas) -> None:
    """A figure of several colours, nearly the same on both sides, as jokers and masks are; now and then its name."""
    for _ in range(int(rng.integers(5, 14))):
        x, y = float(rng.uniform(0, 0.34)), float(rng.uniform(0.14, 0.82))
        rx, ry, turn = float(rng.uniform(0.03, 0.2)), float(rng.uniform(0.03, 0.2)), float(rng.uniform(-60, 60))
        ink = None if rng.random() < 0.2 else int(rng.integers(4))
        round_ = rng.random() < 0.6
        for side in (-1, 1):
            if round_:
                canvas.ellipse(0.5 + side * x, y, rx, ry, side * turn, ink)
            else:
                points = [(0.5 + side * (x + dx * rx), y + dy * ry) for dx, dy in ((-1, 1), (1, 1), (turn / 60, -1))]
                canvas.polygon(points, ink)
    if rng.random() < 0.3:
        canvas.stamp(_text_mask(rng, str(rng.choice(WORDS))), (0.1, 0.86, 0.9, 0.97), int(rng.integers(4)))


def _text_mask(rng: np.random.Generator, text: str) -> Mask:
    """(h, w) mask of Latin letters or digits, cropped."""
    font, thick = int(rng.choice([0, 2, 3, 4, 6])), int(rng.integers(8, 26))
    (width, height), below = cv2.getTextSize(text, font, 6.0, thick)
    mask = np.zeros((height + below + 2 * thick, width + 2 * thick), np.uint8)
    cv2.putText(mask, text, (thick, height + thick), font, 6.0, 255, thick, cv2.LINE_AA)
    x, y, w, h = cv2.boundingRect(mask)
    return mask[y : y + h, x : x + w]


def _draw_card(rng: np.random.Generator, canvas: Canvas) -> None:
    """A rank in two corners, and its suit once or as pips."""
    suit, rank = int(rng.integers(4)), int(rng.integers(13))
    ink = RED if suit < 2 else DARK
    mark = _text_mask(rng, RANKS[rank])
    canvas.stamp(mark, (0.04, 0.03, 0.24, 0.2), ink)
    canvas.stamp(mark[::-1, ::-1], (0.76, 0.8, 0.96, 0.97), ink)
    if 0 < rank < 10 and rng.random() < 0.6:
        places = [(0.34, y) for y in (0.2, 0.4, 0.6, 0.8)] + [(0.66, y) for y in (0.2, 0.4, 0.6, 0.8)]
        places += [(0.5, 0.3), (0.5, 0.7)]
        for i in rng.permutation(len(places))[: rank + 1]:
            _draw_suit(canvas, suit, *places[int(i)], 0.09, ink)
    else:
        _draw_suit(canvas, suit, 0.5, 0.5, float(rng.uniform(0.2, 0.34)), ink)


def _draw_suit(canvas: Canvas, suit: int, x: float, y: float, r: float, ink: int) -> None:
    """A heart, diamond, spade or club of radius ``r`` tile widths."""
    flat = 0.75 * r  # heights are shares of the face, which is taller than wide
    if suit == 1:
        canvas.polygon([(x, y - flat), (x + 0.75 * r, y), (x, y + flat), (x - 0.75 * r, y)], ink)
        return
    way = -1 if suit == 0 else 1
    if suit < 3:
        for side in (-1, 1):
            canvas.disc(x + side * 0.48 * r, y + way * 0.25 * flat, 0.5 * r, ink)
        canvas.polygon(
            [(x - 0.97 * r, y + way * 0.4 * flat), (x + 0.97 * r, y + way * 0.4 * flat), (x, y - way * flat)], ink
        )
    else:
        for dx, dy in ((-0.5, 0.3), (0.5, 0.3), (0, -0.45)):
            canvas.disc(x + dx * r, y + dy * flat, 0.45 * r, ink)
    if suit > 1:
        canvas.polygon([(x, y), (x + 0.4 * r, y + 1.1 * flat), (x - 0.4 * r, y + 1.1 * flat)], ink)


def _draw_shape(rng: np.random.Generator, canvas: Canvas, ink: int) -> None:
    """A star, a face, rings of polygons, a spiral or crossed strokes."""
    kind, size = int(rng.integers(5)), float(rng.uniform(0.25, 0.42))
    if kind == 0:
        points = int(rng.integers(4, 9))
        angles = np.arange(2 * points) * np.pi / points - np.pi / 2
        reach = np.where(np.arange(2 * points) % 2, size * rng.uniform(0.35, 0.6), size)
        canvas.polygon(_points_around(angles, reach), ink)
    elif kind == 1:
        canvas.disc(0.5, 0.5, size, ink)
        canvas.disc(0.5, 0.5, 0.85 * size, None)
        for side in (-1, 1):
            canvas.disc(0.5 + side * 0.35 * size, 0.5 - 0.2 * size, 0.1 * size, ink)
        canvas.ellipse(0.5, 0.5 + 0.3 * size, 0.45 * size, 0.12 * size, 0, ink)
    elif kind == 2:
        corners = int(rng.integers(3, 7))
        angles = np.arange(corners + 1) * 2 * np.pi / corners + rng.uniform(0, 3)
        for share in (1, 0.6):
            canvas.line(_points_around(angles, share * size), 0.05, int(rng.choice([ink, RED, GREEN])))
    elif kind == 3:
        turn = np.linspace(0, float(rng.uniform(8, 16)), 60)
        canvas.line(_points_around(turn, size * turn / turn[-1]), 0.05, ink)
    else:
        for _ in range(int(rng.integers(3, 8))):
            canvas.line(rng.uniform(0.15, 0.85, (int(rng.integers(2, 4)), 2)), float(rng.uniform(0.03, 0.09)), ink)


def _points_around(angles: npt.NDArray[np.float64], reach: npt.NDArray[np.float64] | float) -> npt.NDArray[np.float64]:
    """(n, 2) places on the face at these angles and distances, tile widths, from its middle."""
    return np.column_stack([0.5 + reach * np.cos(angles), 0.5 + 0.75 * reach * np.sin(angles)])
