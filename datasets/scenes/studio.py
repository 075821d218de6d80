"""The stock that training scenes draw from, kept and slowly renewed: designs, photo faces, surfaces, photos."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from datasets.faces.designs import Design, Library, load_library
from datasets.faces.textured_tileset import PhotoFaces, TexturedTileSet, random_tileset
from datasets.objects.surfaces import surface

Picture = npt.NDArray[np.uint8]
RENEW = 0.06
"""Chance per scene that a kept design or surface is replaced by a new one."""


@dataclass(frozen=True)
class RandomPhotos:
    """A set made of photographed faces: for every label one picture of one source, random but always the same."""

    pictures: dict[str, list[Picture]]
    seed: int

    def photo(self, label: str) -> Picture | None:
        """The picture of a label."""
        found = self.pictures.get(label)
        if not found:
            return None
        return found[int(np.random.default_rng([self.seed, *map(ord, label)]).integers(len(found)))]


@dataclass
class Studio:
    """The stock of one worker.

    Attributes:
        library: glyph sheets, whole designs and animals, shipped and collected.
        photos: photographed faces by source and label: (h, w, 3) RGB, upright, whole face.
        backgrounds: photos without tiles, RGB.
        photo_share: share of scenes with photographed faces, where there are any.
    """

    library: Library = field(default_factory=load_library)
    photos: dict[str, dict[str, list[Picture]]] = field(default_factory=dict)
    backgrounds: list[Picture] = field(default_factory=list)
    photo_share: float = 0.45
    kept: int = 40
    _designs: list[Design] = field(default_factory=list, repr=False)
    _surfaces: list[Picture] = field(default_factory=list, repr=False)

    def design(self, rng: np.random.Generator) -> Design:
        """A drawn design: one of those kept, or a new one."""
        if len(self._designs) < self.kept:
            self._designs.append(self.library.draw(rng))
            return self._designs[-1]
        at = int(rng.integers(len(self._designs)))
        if rng.random() < RENEW:
            self._designs[at] = self.library.draw(rng)
        return self._designs[at]

    def table(self, rng: np.random.Generator, n: int = 640) -> Picture:
        """A table's texture: one of those kept, turned and tinted anew."""
        if len(self._surfaces) < self.kept:
            self._surfaces.append(surface(rng, n))
            return self._surfaces[-1]
        at = int(rng.integers(len(self._surfaces)))
        if rng.random() < RENEW:
            self._surfaces[at] = surface(rng, n)
        texture = np.rot90(self._surfaces[at], int(rng.integers(4)))
        if rng.random() < 0.35:
            texture = texture[..., rng.permutation(3)]
        return np.ascontiguousarray(texture)

    def tiles(self, rng: np.random.Generator) -> TexturedTileSet:
        """A tile set: photographed faces over drawn ones, a whole design, or drawings alone."""
        base = random_tileset(rng, self.library, drawn=self.design(rng))
        designs = base.designs
        if self.library.atlases and rng.random() < 0.3:
            designs = (self.library.atlases[int(rng.integers(len(self.library.atlases)))], *designs)
        photos: tuple[PhotoFaces, ...] = ()
        if self.photos and rng.random() < self.photo_share:
            source = sorted(self.photos)[int(rng.integers(len(self.photos)))]
            photos = (RandomPhotos(self.photos[source], int(rng.integers(1 << 30))),)
        return replace(base, designs=designs, photos=photos, _cache={})

    def background(self, rng: np.random.Generator) -> Picture | None:
        """A photo without tiles, where there is one."""
        return self.backgrounds[int(rng.integers(len(self.backgrounds)))] if self.backgrounds else None
