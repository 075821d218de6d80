"""Crops of single tiles without rendering a scene: one tile, its neighbours and its edges, as a photo shows them.

A scene costs as much time as forty of these. They lack shadows, ponds and hands, but show what is written on a tile in
every size, tilt and blur.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.faces.designs import DrawnDesign
from datasets.faces.ink import WIDTH
from datasets.faces.textured_tileset import LEVELS, TexturedTileSet
from datasets.labels import BACK
from datasets.objects.surfaces import surface
from datasets.render.camera import picture_corners, turn_x, turn_z
from datasets.render.photo import PhotoEffects, Picture, develop
from datasets.scenes.crops import BADLY_PLACED, CropShape, jitter_quad, misplace_quad
from datasets.scenes.studio import Studio
from vision.models.opencv import rectify

Points = npt.NDArray[np.float32]
WIDTHS_PX: Final = (16.0, 150.0)
"""Range of the width of an untilted tile, pixels, drawn by equal ratios (log-uniform)."""
STEEPEST_DEGREES: Final = 68.0
"""Largest tilt, degrees."""
BARE_WIDTHS_PX: Final = (55.0, 150.0)
BARE_STEEPEST_DEGREES: Final = 45.0
"""The same for tiles without captions."""
AROUND_WIDTHS: Final = 1.25
"""How far the picture reaches from the tile's middle, tile widths."""
RENEW: Final = 0.004
"""Chance per crop that a kept set or table is replaced: a new set's faces take as long as a hundred crops."""


@dataclass
class LoneTiles:
    """Makes crops of tiles with given labels.

    Attributes:
        studio: where sets, tables and photographed faces come from.
        labels: faces asked for, all equally often.
        shape: of the crops.
        kept: how many sets are kept at a time.
        bare: drawn sets without captions, large and seen well, for glyphs to be set into.
    """

    studio: Studio
    labels: Sequence[str]
    shape: CropShape = field(default_factory=CropShape)
    kept: int = 60
    bare: bool = False
    _sets: list[TexturedTileSet] = field(default_factory=list, repr=False)
    _tables: list[Picture] = field(default_factory=list, repr=False)

    def crop(self, rng: np.random.Generator) -> tuple[Picture, str]:
        """A crop, (height, width, 3) RGB, upright or upside down, and its label."""
        tiles = self._tiles(rng)
        label = str(rng.choice(self.labels))
        wide = float(np.exp(rng.uniform(*np.log(BARE_WIDTHS_PX if self.bare else WIDTHS_PX))))
        view = _View.random(rng, wide, BARE_STEEPEST_DEGREES if self.bare else STEEPEST_DEGREES)
        picture = self._table(rng, view.side)
        for x, y in _tile_centres(rng, tiles.height):
            own = x == y == 0
            _draw_tile(picture, view, tiles, label if own else self._other(rng), np.array([x, y], np.float32), rng)
        if rng.random() < 0.07:  # a finger, a tile that stands in front
            _cover_one_side(picture, rng)
        photo = develop(picture, PhotoEffects.random(rng, 0.3 if self.bare else 1.0), rng)
        place = misplace_quad if rng.random() < BADLY_PLACED / 2 else jitter_quad
        quad = np.roll(place(rng, view.project(_rectangle(tiles.height))), 2 * int(rng.integers(2)), axis=0)
        size = self.shape.width, self.shape.height
        return rectify(photo, quad.astype(np.float32), size, self.shape.margin), label

    def _tiles(self, rng: np.random.Generator) -> TexturedTileSet:
        if len(self._sets) < self.kept:
            self._sets.append(self._set(rng))
            return self._sets[-1]
        at = int(rng.integers(len(self._sets)))
        if rng.random() < RENEW:
            self._sets[at] = self._set(rng)
        return self._sets[at]

    def _set(self, rng: np.random.Generator) -> TexturedTileSet:
        tiles = self.studio.tiles(rng)
        if not self.bare:
            return tiles
        drawn = [replace(d, sheet={}, levels={}) for d in tiles.designs if isinstance(d, DrawnDesign)]
        return replace(tiles, designs=tuple(drawn), photos=())

    def _table(self, rng: np.random.Generator, side: int) -> Picture:
        if len(self._tables) < self.kept:
            self._tables.append(surface(rng, 2 * round(AROUND_WIDTHS * WIDTHS_PX[1]) + 2))
        at = int(rng.integers(len(self._tables)))
        if rng.random() < RENEW:
            self._tables[at] = surface(rng, 2 * round(AROUND_WIDTHS * WIDTHS_PX[1]) + 2)
        table = self._tables[at]
        x, y = (int(v) for v in rng.integers(0, table.shape[0] - side + 1, 2))
        return np.ascontiguousarray(np.rot90(table[y : y + side, x : x + side], int(rng.integers(4))))

    def _other(self, rng: np.random.Generator) -> str:
        return BACK if rng.random() < 0.15 else str(rng.choice(self.labels))


@dataclass(frozen=True)
class _View:
    """A camera far above one tile: pixels of a point of the table, in tile widths from the tile's middle."""

    side: int
    matrix: Points  # (3, 3) of points (x, y, height, all in tile widths) to right, down, towards the camera
    scale: float
    far: float

    @staticmethod
    def random(rng: np.random.Generator, wide: float, steepest: float) -> _View:
        tilt = np.radians(steepest * rng.random() ** 1.3)
        spin, turn = rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi)
        matrix = turn_z(turn) @ turn_x(-tilt) @ turn_z(spin)
        side = max(32, round(2 * AROUND_WIDTHS * wide))
        return _View(side, matrix.astype(np.float32), wide, float(rng.uniform(6, 30)))

    def project(self, points: Points) -> Points:
        """(n, 2) pixels of (n, 2) points on the tiles' tops, or of (n, 3) with heights above them."""
        flat = points if points.shape[1] == 3 else np.column_stack([points, np.zeros(len(points), np.float32)])
        at = flat @ self.matrix.T
        return np.asarray(at[:, :2] / (1 - at[:, 2:] / self.far) * self.scale + self.side / 2, np.float32)


def _rectangle(height: float) -> Points:
    return np.array([[-0.5, -height / 2], [0.5, -height / 2], [0.5, height / 2], [-0.5, height / 2]], np.float32)


def _tile_centres(rng: np.random.Generator, height: float) -> list[tuple[float, float]]:
    """Centres of the tile and of those beside it, the tile last."""
    gap = 0.0 if rng.random() < 0.6 else float(rng.uniform(0, 0.3))
    beside = [(s * (1 + gap), float(rng.normal(0, 0.02))) for s in (-1, 1) if rng.random() < 0.65]
    ahead = [(float(rng.normal(0, 0.2)), s * (height + gap + 0.02)) for s in (-1, 1) if rng.random() < 0.25]
    return [*beside, *ahead, (0.0, 0.0)]


def _draw_tile(
    picture: Picture, view: _View, tiles: TexturedTileSet, label: str, at: Points, rng: np.random.Generator
) -> None:
    """Draw a tile with its visible sides."""
    top = _rectangle(tiles.height) + at
    corners = view.project(top)
    if corners.max() < 0 or corners.min() > view.side:
        return
    depths = (0.0, -tiles.depth * (1 - tiles.material.back_share), -tiles.depth)
    rims = [view.project(np.column_stack([top, np.full(4, depth, np.float32)])) for depth in depths]
    shade = float(rng.uniform(0.5, 0.95))
    for low, colour in ((2, tiles.material.back), (1, tiles.material.body)):
        hull = cv2.convexHull(np.concatenate([rims[0], rims[low]]).reshape(-1, 1, 2))
        cv2.fillConvexPoly(picture, np.rint(hull).astype(np.int32), tuple(float(c) * shade for c in colour))
    level = int(np.clip(np.floor(np.log2(WIDTH / max(view.scale, 1))), 0, LEVELS - 1))
    texture, relief = tiles.texture(label, level)
    if relief is not None:
        light = rng.normal(0, 0.6, 2).astype(np.float32)
        lit = texture * np.clip(1 + relief @ light, 0.5, 1.5)[..., None]
        texture = np.clip(lit, 0, 255).astype(np.uint8)
    h, w = texture.shape[:2]
    low, high = np.floor(corners.min(axis=0)).astype(int), np.ceil(corners.max(axis=0)).astype(int) + 1
    low, high = np.maximum(low, 0), np.minimum(high, view.side)
    if (high <= low).any():
        return
    warp = cv2.getPerspectiveTransform(picture_corners(w, h), (corners - low).astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    cover = cv2.warpPerspective(_rounded_mask(h, w, round(tiles.radius, 3)), warp, size)[..., None]
    face = cv2.warpPerspective(texture, warp, size, borderMode=cv2.BORDER_REPLICATE)
    part = picture[low[1] : high[1], low[0] : high[0]]
    part[:] = (part * (1 - cover) + face * cover).astype(np.uint8)


@lru_cache(maxsize=512)
def _rounded_mask(h: int, w: int, radius: float) -> npt.NDArray[np.float32]:
    """(h, w) coverage of a face with round corners, 0-1."""
    r = max(1.0, radius * w)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    dx = np.maximum(np.maximum(r - x, x - (w - 1 - r)), 0)
    dy = np.maximum(np.maximum(r - y, y - (h - 1 - r)), 0)
    return np.asarray(np.clip(r + 0.5 - np.hypot(dx, dy), 0, 1), np.float32)


def _cover_one_side(picture: Picture, rng: np.random.Generator) -> None:
    """Lay something over one side."""
    side = picture.shape[0]
    a = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(a), np.sin(a)])
    middle = side / 2 + away * side * rng.uniform(0.45, 0.75)
    size = (float(side * rng.uniform(0.4, 0.8)), float(side * rng.uniform(0.4, 0.8)))
    colour = tuple(float(c) for c in rng.uniform(20, 240, 3))
    box = cv2.boxPoints(((float(middle[0]), float(middle[1])), size, float(np.degrees(a))))
    cv2.fillConvexPoly(picture, np.rint(box).astype(np.int32), colour)
