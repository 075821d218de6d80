"""Tile designs: what is engraved for every label. Shipped ones need nothing but this folder."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from datasets.faces.characters import CharacterStyle, add_index, draw_bonus_face, draw_character, draw_honour
from datasets.faces.glyphs import GlyphSheet, unpack_sheet
from datasets.faces.ink import HEIGHT, WIDTH, InkFace, from_picture
from datasets.faces.jokers import draw_joker
from datasets.faces.suits import SuitStyle, draw_bamboo, draw_dots
from datasets.labels import FACES

ART = Path(__file__).parents[1] / "art"
COLUMNS = 9


@dataclass(frozen=True)
class Design:
    """One complete or partial drawing of a tile set; keeps every face at the sizes it was asked for.

    Attributes:
        name: short name of its source.
    """

    name: str
    levels: dict[tuple[str, int], InkFace | None] = field(default_factory=dict, kw_only=True, repr=False, compare=False)

    def face(self, label: str) -> InkFace | None:
        """The engraving of a label, or None where this design has none."""
        raise NotImplementedError

    def at_level(self, label: str, level: int) -> InkFace | None:
        """The engraving at 1 / 2**level of the size."""
        key = (label, level)
        if key not in self.levels:
            larger = self.face(label) if level <= 1 else self.at_level(label, level - 1)
            if larger is None or level == 0:
                self.levels[key] = larger
            else:
                size = (WIDTH >> level, HEIGHT >> level)
                self.levels[key] = np.asarray(cv2.resize(larger, size, interpolation=cv2.INTER_AREA), np.uint8)
        return self.levels[key]


@dataclass(frozen=True)
class AtlasDesign(Design):
    """A design kept as RGBA pictures in the canonical inks, (HEIGHT, WIDTH, 4) by label."""

    cells: dict[str, npt.NDArray[np.uint8]] = field(repr=False)

    def face(self, label: str) -> InkFace | None:
        """The engraving of a label."""
        cell = self.cells.get(label)
        return None if cell is None else from_picture(cell)


@dataclass(frozen=True)
class DrawnDesign(Design):
    """Own drawings with the characters of one glyph sheet; every seed of the styles is another set."""

    sheet: GlyphSheet
    suits: SuitStyle
    characters: CharacterStyle
    animals: dict[str, InkFace] = field(default_factory=dict)

    def face(self, label: str) -> InkFace | None:
        """The engraving of a label, drawn anew."""
        return add_index(self._draw(label), label, self.sheet, self.characters)

    def _draw(self, label: str) -> InkFace:
        red, kind = label[0] == "0", label[-1]
        if label == "joker":
            return draw_joker(self.sheet, self.characters)
        if label[0] in "fga":
            return draw_bonus_face(label, self.sheet, self.characters, self.animals.get(label))
        if kind == "z":
            return draw_honour(label, self.sheet, self.characters)
        number = 5 if red else int(label[0])
        if kind == "m":
            return draw_character(number, self.sheet, self.characters, red)
        return (draw_dots if kind == "p" else draw_bamboo)(number, self.suits, red)


@dataclass(frozen=True)
class Library:
    """All art there is: whole designs, glyph sheets and animal pictures to draw more from."""

    atlases: tuple[AtlasDesign, ...]
    sheets: dict[str, GlyphSheet]
    animals: tuple[dict[str, InkFace], ...]

    def _random_sheet(self, rng: np.random.Generator) -> str:
        names = sorted(self.sheets)
        chances = np.array([3.0 if _WRITTEN.search(name) else 1.0 for name in names])
        return str(rng.choice(names, p=chances / chances.sum()))

    def draw(self, rng: np.random.Generator, sheet: str | None = None) -> DrawnDesign:
        """A new design of our own drawing, with a random (or the named) glyph sheet."""
        name = sheet or self._random_sheet(rng)
        animals = self.animals[int(rng.integers(len(self.animals)))] if self.animals else {}
        suits, characters = SuitStyle.random(rng), CharacterStyle.random(rng)
        return DrawnDesign(name, self.sheets[name], suits, characters, animals)


_WRITTEN = re.compile(
    r"kai|brush|mouhitsu|yuji|gungseo|soseki|klee|antique|dejima|oradano|iansui|kiloji|marker", re.IGNORECASE
)
"""Glyph sheets in handwritten styles, which carvers follow more often than print."""


def join_libraries(*libraries: Library) -> Library:
    """All the art of several libraries."""
    sheets: dict[str, GlyphSheet] = {}
    for library in libraries:
        sheets |= library.sheets
    atlases = tuple(atlas for library in libraries for atlas in library.atlases)
    return Library(atlases, sheets, tuple(animals for library in libraries for animals in library.animals))


def pack_atlas(faces: dict[str, npt.NDArray[np.uint8]]) -> tuple[npt.NDArray[np.uint8], list[str]]:
    """RGBA pictures of ``HEIGHT`` x ``WIDTH`` side by side in a grid, and their labels in order."""
    labels = [label for label in FACES if label in faces]
    rows = -(-len(labels) // COLUMNS)
    grid = np.zeros((rows * HEIGHT, COLUMNS * WIDTH, 4), np.uint8)
    for i, label in enumerate(labels):
        y, x = i // COLUMNS * HEIGHT, i % COLUMNS * WIDTH
        grid[y : y + HEIGHT, x : x + WIDTH] = faces[label]
    return grid, labels


def _read_picture(path: Path) -> npt.NDArray[np.uint8]:
    picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise OSError(f"{path} is not a picture")
    return np.asarray(picture, np.uint8)


def load_atlas(folder: Path, name: str, labels: list[str]) -> AtlasDesign:
    """One design from ``folder/name.webp``."""
    grid = np.asarray(cv2.cvtColor(_read_picture(folder / f"{name}.webp"), cv2.COLOR_BGRA2RGBA), np.uint8)
    cells: dict[str, npt.NDArray[np.uint8]] = {}
    for i, label in enumerate(labels):
        y, x = i // COLUMNS * HEIGHT, i % COLUMNS * WIDTH
        cells[label] = grid[y : y + HEIGHT, x : x + WIDTH]
    return AtlasDesign(name, cells)


@lru_cache(maxsize=4)
def load_library(folder: Path = ART) -> Library:
    """The art of a folder with its ``index.json``; by default what ships with the source."""
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    atlases = tuple(load_atlas(folder, name, labels) for name, labels in index["atlases"].items())
    sheets = {
        name: unpack_sheet(_read_picture(folder / f"{name}.webp")[..., 0], chars)
        for name, chars in index["sheets"].items()
    }
    animals = []
    for name, labels in index["animals"].items():
        strip = from_picture(
            np.asarray(cv2.cvtColor(_read_picture(folder / f"{name}.webp"), cv2.COLOR_BGRA2RGBA), np.uint8)
        )
        animals.append(
            {label: strip[:, i * strip.shape[0] : (i + 1) * strip.shape[0]] for i, label in enumerate(labels)}
        )
    return Library(atlases, sheets, tuple(animals))
