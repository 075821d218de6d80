"""Training crops for the classifier: cut from scenes as the detector will place them, a little off, half turned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.labels import INDEX, LABELS, NONE, TURN_SYMMETRIC
from datasets.scenes.training import TrainingScene
from vision.models.opencv import rectify

UNASKED: Final = -1
UPRIGHT, LYING = 4, 5
"""Turns of faces that look the same upside down: no quarter turn or a half; one or three quarters."""
_SYMMETRIC: Final = np.array([label in TURN_SYMMETRIC for label in LABELS])
LEAST_SEEN: Final = 0.5
SMALLEST: Final = 12.0
BADLY_PLACED: Final = 0.12
"""Share of tiles cut as if the detector had seen only a part: such a tile keeps its label."""


@dataclass(frozen=True, slots=True)
class CropShape:
    """Size and margin of the crops a classifier takes, see :func:`vision.models.opencv.rectify`."""

    width: int = 64
    height: int = 96
    margin: float = 0.16


@dataclass(frozen=True, slots=True)
class Crops:
    """Labelled crops.

    Attributes:
        images: (n, h, w, 3) RGB uint8.
        faces: (n,) indices into ``LABELS``.
        turns: (n,) the crop's corner (clockwise from its top-left) that is the picture's top-left; :data:`UPRIGHT` or
            :data:`LYING` of faces that look the same upside down; :data:`UNASKED` of what is not a tile.
    """

    images: npt.NDArray[np.uint8]
    faces: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int64]


def scene_crops(rng: np.random.Generator, scene: TrainingScene, shape: CropShape, most: int = 24) -> Crops:
    """Crops of a scene's tiles, and of things that are none: wrong quads, look-alikes, bare table."""
    images: list[npt.NDArray[np.uint8]] = []
    faces: list[int] = []
    turns: list[int] = []

    def cut(quad: npt.NDArray[np.float32], face: int, corner: int) -> None:
        """Add a crop; ``corner``: index of the quad's corner that becomes the crop's top-left."""
        turned = np.roll(quad, -corner, axis=0).astype(np.float32)
        images.append(rectify(scene.image, turned, (shape.width, shape.height), shape.margin))
        faces.append(face)
        turns.append(_turn(face, corner))

    sides = np.linalg.norm(scene.quads - np.roll(scene.quads, 1, axis=1), axis=2)
    good = (scene.visible > LEAST_SEEN) & ~scene.unsure & (sides.min(axis=1, initial=np.inf) > SMALLEST)
    chosen = rng.permutation(np.nonzero(good)[0])[:most]
    for i in chosen:
        corner = int(rng.choice([0, 2, 1, 3], p=[0.47, 0.47, 0.03, 0.03]))
        place = misplace_quad if rng.random() < BADLY_PLACED else jitter_quad
        cut(place(rng, scene.quads[i]), int(scene.labels[i]), corner)
    none = INDEX[NONE]
    for quad in _wrong_quads(rng, scene, chosen, max(1, most // 8)):
        cut(quad, none, 0)
    for quad in _cells(rng, scene, max(2, most // 5)):
        cut(quad, none, int(rng.integers(4)))
    if not images:
        empty = np.zeros((0, shape.height, shape.width, 3), np.uint8)
        return Crops(empty, np.zeros(0, np.int64), np.zeros(0, np.int64))
    return Crops(np.stack(images), np.array(faces, np.int64), np.array(turns, np.int64))


def _turn(face: int, corner: int) -> int:
    if LABELS[face] == NONE:
        return UNASKED
    if _SYMMETRIC[face]:
        return LYING if corner % 2 else UPRIGHT
    return (4 - corner) % 4


def jitter_quad(rng: np.random.Generator, quad: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The quad as a detector would give it: corners, place and size a little off."""
    reach = float(np.linalg.norm(quad[0] - quad[2])) / 2
    loose = 0.04 * rng.random() * 1.4
    moved = quad + rng.normal(0, loose * reach, (4, 2)) + rng.normal(0, 0.022 * reach, 2)
    middle = moved.mean(axis=0)
    return np.asarray((moved - middle) * rng.uniform(0.92, 1.09) + middle, np.float32)


def misplace_quad(rng: np.random.Generator, quad: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The quad as if the detector had seen only a part: up to 30 % off along one side, too long or short."""
    middle = quad.mean(axis=0)
    along = quad[1] - quad[0], quad[3] - quad[0]
    across = int(rng.integers(2))
    wide, high = rng.uniform(0.85, 1.15), rng.uniform(0.85, 1.15)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * [wide, high]
    sheared = middle + corners[:, :1] * along[0] + corners[:, 1:] * along[1]
    return jitter_quad(rng, (sheared + along[across] * rng.uniform(-0.3, 0.3)).astype(np.float32))


def _wrong_quads(
    rng: np.random.Generator, scene: TrainingScene, tiles: npt.NDArray[np.intp], count: int
) -> list[npt.NDArray[np.float32]]:
    """Quads that are half a tile off, over two tiles, far too large or small, or on nothing at all."""
    found: list[npt.NDArray[np.float32]] = []
    side = scene.image.shape[0]
    for _ in range(count):
        if len(tiles) and rng.random() < 0.55:
            quad = scene.quads[int(rng.choice(tiles))]
            middle = quad.mean(axis=0)
            wrong = quad + (quad[int(rng.integers(4))] - middle) * rng.uniform(0.75, 1.1)
            if rng.random() < 0.4:
                wrong = (quad - middle) * rng.choice([0.42, 1.9]) + middle
            found.append(wrong.astype(np.float32))
            continue
        middle, size = rng.uniform(20, side - 20, 2), np.exp(rng.uniform(2.6, 4.8))
        on = scene.owner[int(middle[1]), int(middle[0])]
        if on >= 0 and scene.visible[on] > 0.3:
            continue
        a = rng.uniform(0, 2 * np.pi)
        spin = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        shape = np.array([[-1, -1.35], [1, -1.35], [1, 1.35], [-1, 1.35]])
        found.append((shape * size / 2 @ spin + middle).astype(np.float32))
    return found


def _cells(rng: np.random.Generator, scene: TrainingScene, count: int) -> list[npt.NDArray[np.float32]]:
    """Cells of look-alikes that no tile covers."""
    found: list[npt.NDArray[np.float32]] = []
    side = scene.image.shape[0]
    for i in rng.permutation(len(scene.cells)):
        if len(found) == count:
            break
        quad = scene.cells[i]
        middle = quad.mean(axis=0)
        if middle.min() < 2 or middle.max() > side - 3 or np.linalg.norm(quad[0] - quad[1]) < 9:
            continue
        if np.abs(quad - middle).max() > side or scene.owner[int(middle[1]), int(middle[0])] >= 0:
            continue
        if cv2.contourArea(quad, True) < 0:  # rectify wants them clockwise on the screen
            quad = quad[::-1]
        found.append(jitter_quad(rng, quad))
    return found
