"""One physical tile set: its sizes, its material, and the texture of every face."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from datasets.faces.designs import Design, Library
from datasets.faces.ink import HEIGHT, WIDTH, InkFace
from datasets.faces.materials import Material, random_material
from datasets.labels import BACK
from datasets.noise import clouds, grain

Texture = npt.NDArray[np.uint8]
Relief = npt.NDArray[np.float32]

LEVELS: Final = 5
"""Texture sizes: level k is (HEIGHT, WIDTH) / 2**k."""


class PhotoFaces(Protocol):
    """Faces cut from photographs."""

    def photo(self, label: str) -> Texture | None:
        """An upright RGB picture of the whole face, or None."""


@dataclass
class TexturedTileSet:
    """A tile set lying on the table. Lengths are in tile widths.

    Attributes:
        height, depth: of a tile; its width is 1.
        radius: of its rounded edges.
        designs: where engravings come from, first that has the label wins.
        photos: photographed faces, which take precedence over engravings.
        margin: extra free border round the engraving, share of the width.
        blank_white: the white dragon is bare whatever the designs say.
    """

    height: float
    depth: float
    radius: float
    material: Material
    designs: tuple[Design, ...]
    photos: tuple[PhotoFaces, ...] = ()
    margin: float = 0.0
    blank_white: bool = False
    back_pattern: int = 0
    seed: int = 0
    _cache: dict[tuple[str, int], tuple[Texture, Relief | None]] = field(default_factory=dict, repr=False)

    def texture(self, label: str, level: int) -> tuple[Texture, Relief | None]:
        """RGB texture of the big face that shows ``label`` (or the back), and its relief.

        Returns:
            uint8 (HEIGHT >> level, WIDTH >> level, 3), and float32 (h, w, 2), the slope of the carving along x
            and y, or None where nothing is carved (or it would be too small to see).
        """
        key = (label, level)
        if key not in self._cache:
            rng = np.random.default_rng([self.seed, *map(ord, label)])
            h, w = HEIGHT >> level, WIDTH >> level
            if label == BACK:
                self._cache[key] = self._back_texture(rng, h, w), None
            else:
                photo = next((p for p in (d.photo(label) for d in self.photos) if p is not None), None)
                if photo is not None and not (label == "5z" and self.blank_white):
                    self._cache[key] = self._tint(photo, h, w), None
                else:
                    self._cache[key] = self._engrave(label, level, rng, h, w)
        return self._cache[key]

    def engraving(self, label: str, level: int = 0) -> InkFace | None:
        """The ink face of a label in this set, (HEIGHT >> level, WIDTH >> level, 4); None for a bare one."""
        if label == "5z" and self.blank_white:
            return None
        for design in self.designs:
            face = design.at_level(label, level)
            if face is not None:
                return self._fit_to_tile(face)
        return None

    def _fit_to_tile(self, face: InkFace) -> InkFace:
        h, w = face.shape[:2]
        stretch = (HEIGHT / WIDTH) / self.height  # the cell is 3:4, the tile's face may not be
        sx = (1 - 2 * self.margin) * (1 / stretch if stretch > 1 else 1.0)
        sy = (1 - 2 * self.margin) * (stretch if stretch < 1 else 1.0)
        shift = np.array([[sx, 0, w * (1 - sx) / 2], [0, sy, h * (1 - sy) / 2]], np.float32)
        return np.asarray(cv2.warpAffine(face, shift, (w, h), flags=cv2.INTER_LINEAR), np.uint8)

    def _engrave(
        self, label: str, level: int, rng: np.random.Generator, h: int, w: int
    ) -> tuple[Texture, Relief | None]:
        m = self.material
        base = np.full((h, w, 3), m.body, np.float32)
        if m.mottle > 0.02:
            base *= 1 + np.float32(0.03 * m.mottle) * clouds(rng, h, w)
        if m.grained:
            base *= 1 + np.float32(0.25 * m.grained) * _wood_grain(rng, h, w)
        face = self.engraving(label, level)
        relief = None
        if face is not None:
            cover = face.astype(np.float32) * np.float32(1 / 255)
            total = np.minimum(cover[..., :1] + cover[..., 1:2] + cover[..., 2:3] + cover[..., 3:], 1)
            inked = cover.reshape(-1, 4) @ m.inks
            if level < 2:
                inked *= 1 - 0.06 * np.maximum(grain(rng, h, w, sigma=2), 0).reshape(-1, 1)
            base = base * (1 - total) + inked.reshape(h, w, 3)
            if m.engraving > 0.05 and level <= 2:
                depth = cv2.GaussianBlur(total[..., 0], (0, 0), max(0.6, 2.2 / 2**level))
                relief = np.dstack([cv2.Sobel(depth, cv2.CV_32F, 1, 0), cv2.Sobel(depth, cv2.CV_32F, 0, 1)])
                relief *= np.float32(0.9 * m.engraving / (1 + 0.5 * level))
        return np.clip(base, 0, 255).astype(np.uint8), relief

    def _tint(self, photo: Texture, h: int, w: int) -> Texture:
        """A photographed face with its body recoloured to that of this set."""
        picture = np.asarray(cv2.resize(photo, (w, h), interpolation=cv2.INTER_AREA), np.float32)
        k = max(1, h // 14)
        ring = np.concatenate([s.reshape(-1, 3) for s in (picture[k : 2 * k], picture[-2 * k : -k])])
        own = np.percentile(ring, 70, axis=0)
        return np.asarray(
            np.clip(picture * np.clip(self.material.body / np.maximum(own, 40), 0.6, 1.7), 0, 255), np.uint8
        )

    def _back_texture(self, rng: np.random.Generator, h: int, w: int) -> Texture:
        image = np.full((h, w, 3), self.material.back, np.float32)
        if self.back_pattern == 1:
            image *= 1 + 0.08 * clouds(rng, h, w)
        elif self.back_pattern == 2:  # bamboo or wood grain
            image *= 1 + 0.4 * _wood_grain(rng, h, w)
        elif self.back_pattern == 3:
            image[:, :: max(2, w // int(rng.integers(7, 20)))] *= 0.8
        elif self.back_pattern == 4:  # a printed mark
            ink = tuple(float(v) for v in 255 - self.material.back)
            cv2.circle(image, (w // 2, h // 2), w // 4, ink, max(1, w // 40))
            cv2.rectangle(image, (w // 9, w // 9), (w - w // 9, h - w // 9), ink, max(1, w // 60))
        return np.clip(image, 0, 255).astype(np.uint8)


def _wood_grain(rng: np.random.Generator, h: int, w: int) -> npt.NDArray[np.float32]:
    """(h, w, 1) grain of wood or bamboo that runs up the face, values around 0."""
    lines = cv2.blur(np.ascontiguousarray(grain(rng, h, w, sigma=0.8)), (1, max(3, h // 5)))
    return np.asarray(lines, np.float32).reshape(h, w, 1)


def random_tileset(
    rng: np.random.Generator, library: Library, design: str | None = None, drawn: Design | None = None
) -> TexturedTileSet:
    """A set in a random (or the named) design; what a design lacks is filled from a drawn one.

    Args:
        drawn: the drawn design to use instead of a new one.
    """
    given = drawn is not None
    drawn = drawn or library.draw(rng)
    atlases = {d.name: d for d in library.atlases}
    main: Design = drawn
    if design in atlases:
        main = atlases[str(design)]
    elif design is not None:
        main = library.draw(rng, design)
    elif not given and rng.random() < 0.45 and atlases:
        main = atlases[str(rng.choice(sorted(atlases)))]
    return TexturedTileSet(
        height=float(rng.uniform(1.26, 1.46)),
        depth=float(rng.uniform(0.55, 0.92)),
        radius=float(rng.uniform(0.035, 0.13)),
        material=random_material(rng),
        designs=(main, drawn) if main is not drawn else (drawn,),
        margin=float(rng.uniform(0, 0.09)),
        blank_white=bool(rng.random() < 0.35),
        back_pattern=int(rng.choice(5, p=[0.72, 0.1, 0.08, 0.04, 0.06])),
        seed=int(rng.integers(1 << 30)),
    )
