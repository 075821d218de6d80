"""Printed sheets: rules cards with pictures of tiles, tables of numbers, other games. Flat, and none of it a tile."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from datasets.faces.ink import CANONICAL
from datasets.faces.textured_tileset import TexturedTileSet
from datasets.labels import BACK, FACES
from datasets.objects.foreign import foreign_face
from datasets.objects.lettering import random_line
from datasets.objects.lookalikes import LookAlike, Picture, print_mask
from datasets.objects.props import NO_CELLS
from datasets.objects.surfaces import random_colour

Ink = tuple[float, ...]


def rules_card(rng: np.random.Generator, tiles: TexturedTileSet) -> LookAlike:
    """A card or cheat sheet: lines of text, and under them tiles in sets, drawn flat, at times with a drawn edge.

    The pictures are no cells: cut out alone, one cannot be told from a tile.
    """
    wide, lines, most = int(rng.integers(24, 40)), int(rng.integers(1, 7)), int(rng.integers(3, 15))
    tall, text = round(wide * tiles.height), round(wide * rng.uniform(0.35, 0.8))
    edge, frame, apart = int(rng.choice([0, 0, wide // 6])), rng.random() < 0.7, int(rng.choice([0, 0, 1, 3]))
    two, few = rng.random() < 0.25, int(rng.choice([2, 3, 3, 4, 14]))
    pitch = wide + apart
    paper, ink = _paper(rng), (24.0, 26.0, 30.0)
    column = most * pitch + (most // few) * wide // 2 + wide
    step = tall + edge + text + round(wide * rng.uniform(0.2, 0.7))
    image = np.full((text + lines * step + wide, column * (1 + two), 3), paper.astype(np.uint8))
    for k in range(lines * (1 + two)):
        x, y = wide // 2 + k // lines * column, text // 2 + k % lines * step
        _write(rng, image, x, y, text, int(rng.integers(1, 4)), ink)
        count = most if rng.random() < 0.5 else int(rng.integers(2, most + 1))
        labels = [FACES[int(i)] for i in rng.integers(len(FACES), size=count)]
        for n, label in enumerate(sorted(labels, key=FACES.index)):
            drawn = _drawn_tile(tiles, label if rng.random() < 0.95 else BACK, (wide, tall), paper, frame)
            at = x + n * pitch + n // few * wide // 2
            spot = image[y + text : y + text + tall + edge, at : at + wide]
            spot[:tall] = drawn
            spot[tall:] = np.clip(tiles.material.back, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        cv2.rectangle(image, (3, 3), (image.shape[1] - 4, image.shape[0] - 4), ink, int(rng.integers(1, 4)))
    return LookAlike(image, NO_CELLS)


def number_table(rng: np.random.Generator) -> LookAlike:
    """A score sheet: a table of numbers, printed or written in, some of its rows and columns coloured."""
    columns, rows = int(rng.integers(3, 10)), int(rng.integers(3, 12))
    w, h = int(rng.integers(36, 64)), int(rng.integers(18, 34))
    paper, printed = _paper(rng), rng.random() < 0.7
    tint = np.clip(random_colour(rng, 0.6, 1), 0, 255)
    ink = (24.0, 26.0, 30.0) if printed else (30.0, 40.0, float(rng.uniform(80, 190)))
    image = np.full((rows * h + h + 8, columns * w + 8, 3), paper.astype(np.uint8))
    _write(rng, image, 8, 4, h, 2, ink)
    cells, filled = [], rng.uniform(0.4, 1)
    for r in range(rows):
        for c in range(columns):
            x, y = 4 + c * w, 4 + h + r * h
            if ((r == 0 or c == 0) and rng.random() < 0.9) or c % 4 == 3:
                image[y : y + h, x : x + w] = tint.astype(np.uint8)
            if rng.random() < filled:
                number = str(int(rng.integers(1, 130)) * int(rng.choice([1, 10, 100])))
                font = int(rng.integers(0, 4)) if printed else 7
                cv2.putText(image, number, (x + 3, y + h - 6), font, h / 48, ink, 1, cv2.LINE_AA)
            cells.append([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
            cv2.rectangle(image, (x, y), (x + w, y + h), (90, 90, 96), 1)
    upright = np.roll(np.array(cells, np.float32), 1, axis=1)  # cells begin at a short edge
    return LookAlike(image, upright[rng.permutation(len(upright))[:10]])


def foreign_picture(rng: np.random.Generator, kind: str, ground: npt.ArrayLike = (248, 248, 246)) -> Picture:
    """(288, 216, 3) RGB picture of a face of no mahjong set, one of ``datasets.objects.foreign.KINDS``, on a ground."""
    cover = foreign_face(rng, kind).astype(np.float32) / 255
    total = np.minimum(cover.sum(axis=2, keepdims=True), 1)
    mixed = np.asarray(ground) * (1 - total) + cover @ CANONICAL.astype(np.float32)
    return np.asarray(np.clip(mixed, 0, 255), np.uint8)


def _paper(rng: np.random.Generator) -> Picture:
    """The RGB colour of a sheet, mostly white."""
    white = np.float32(rng.uniform(215, 255)) * np.array([1, rng.uniform(0.96, 1), rng.uniform(0.88, 1)])
    return np.clip(white if rng.random() < 0.7 else random_colour(rng, 0.3, 1), 0, 255).astype(np.uint8)


def _write(rng: np.random.Generator, image: Picture, x: int, y: int, tall: int, words: int, ink: Ink) -> None:
    """A line of words, Latin or Chinese, from (x, y) on, as far as the picture reaches."""
    if rng.random() < 0.4:
        mask = random_line(rng, 3 * words)
        size = max(6, round(tall * 0.7))
        long = min(image.shape[1] - x, size * mask.shape[1] // mask.shape[0])
        print_mask(image, mask, (x, y + 2, x + long, y + 2 + size), ink)
        return
    letters = [chr(int(c)) for c in rng.integers(97, 123, 7 * words)]
    text = "".join(" " if n and rng.random() < 0.15 else letter for n, letter in enumerate(letters)).capitalize()
    cv2.putText(image, text, (x, y + tall - 4), int(rng.integers(0, 4)), tall / 36, ink, 1, cv2.LINE_AA)


def _drawn_tile(tiles: TexturedTileSet, label: str, size: tuple[int, int], paper: Picture, frame: bool) -> Picture:
    """A flat picture of a tile, (width, height) pixels: in a frame with its own ground, or printed on the paper."""
    drawn = np.asarray(cv2.resize(tiles.texture(label, 1)[0], size, interpolation=cv2.INTER_AREA), np.uint8)
    if not frame and tiles.material.body.min() > 150 and label != BACK:
        return np.clip(drawn * (paper / tiles.material.body), 0, 255).astype(np.uint8)
    return np.asarray(cv2.rectangle(drawn, (0, 0), (size[0] - 1, size[1] - 1), (70, 72, 76), 1), np.uint8)
