"""Windows of photographs with the ground truth that the detector learns: any part, size, turn and mirroring."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.labels import INDEX
from datasets.photographs.packs import Pack, load_pack
from datasets.photographs.real import Picture
from datasets.scenes.targets import IGNORE, MOST_CODES, SMALLEST_PX, STRIDE, DetectorTarget, detector_target
from datasets.scenes.training import TrainingScene

Quads = npt.NDArray[np.float32]
TILE_PX: Final = (14.0, 110.0)
"""Short sides of a photo's median tile in a window, pixels; any as likely as twice it."""
LARGEST_SCALE: Final = 2.5
"""More than this only blurs."""
TILTED: Final = 0.4
"""Share of the windows that are turned by any angle, besides quarter turns."""
TILT_DEGREES: Final = 12.0
MIDDLE: Final = 0.5
"""A box whose tile has no corners teaches that its middle, this share of its sides, is a tile."""
AROUND: Final = 1.15
"""Up to this multiple of its sides the rest of such a box teaches nothing."""
NO_QUADS: Final = np.zeros((0, 4, 2), np.float32)


@dataclass(frozen=True, slots=True)
class Window:
    """A square part of a photo.

    Attributes:
        image: (side, side, 3) RGB uint8; ``target``: what the detector is to answer.
    """

    image: Picture
    target: DetectorTarget


class PhotoWindows:
    """Photographs of a training folder, of which windows are drawn at random; rare tile sets are drawn more often.

    Each photo's facts are ``source``, its tile set, and polygons of eight coordinates: ``quads``, tiles with their
    corners; ``boxes``, tiles without; ``ignored``, where there may be a tile or not.
    """

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        counts = Counter(fact["source"] for fact in pack.facts)
        weights = np.array([counts[fact["source"]] ** -0.5 for fact in pack.facts])
        self._chances = weights / weights.sum()

    def __len__(self) -> int:
        return len(self.pack)

    def draw(self, rng: np.random.Generator, side: int) -> Window:
        """A window of ``side`` x ``side`` pixels of any photo."""
        which = int(rng.choice(len(self.pack), p=self._chances))
        picture, fact = self.pack.picture(which), self.pack.facts[which]
        shapes = {name: polygons(fact[name]) for name in ("quads", "boxes", "ignored")}
        matrix = _window_matrix(rng, picture, np.concatenate([shapes["quads"], shapes["boxes"]]), side)
        tone = int(rng.integers(256)) if rng.random() < 0.5 else 0
        image = cv2.warpAffine(
            picture, matrix, (side, side), flags=cv2.INTER_AREA if _scale(matrix) < 1 else cv2.INTER_LINEAR,
            borderValue=(tone, tone, tone),
        )  # fmt: skip
        window = np.asarray(image, np.uint8)
        moved = {name: _clockwise(_transformed(shape, matrix)) for name, shape in shapes.items()}
        return Window(window, _target(rng, window, **moved))


def photo_windows(path: Path) -> PhotoWindows:
    """The photos of ``photos.npz`` of a training folder.

    Raises:
        ValueError: the file is of an earlier form, without corners.
    """
    pack = load_pack(path)
    if not all({"quads", "boxes", "ignored"} <= fact.keys() for fact in pack.facts):
        raise ValueError(f"{path} has boxes without corners; make it again with scripts.train.pack")
    return PhotoWindows(pack)


def polygons(given: list[Any]) -> Quads:
    """(n, 4, 2) float32 of n lists of eight coordinates."""
    return np.array(given, np.float32).reshape(-1, 4, 2)


def _short_sides(quads: Quads) -> npt.NDArray[np.float32]:
    return np.asarray(np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).min(axis=1), np.float32)


def _scale(matrix: npt.NDArray[np.float64]) -> float:
    return float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))


def _window_matrix(rng: np.random.Generator, picture: Picture, tiles: Quads, side: int) -> npt.NDArray[np.float64]:
    """(2, 3): pixels of the photo -> pixels of the window."""
    height, width = picture.shape[:2]
    if len(tiles):
        wanted = float(np.exp(rng.uniform(*np.log(TILE_PX))))
        scale = min(LARGEST_SCALE, wanted / max(1.0, float(np.median(_short_sides(tiles)))))
        centre = tiles[int(rng.integers(len(tiles)))].mean(axis=0) + rng.normal(0, 0.25, 2) * side / scale
    else:
        scale = side / max(height, width) * float(np.exp(rng.uniform(0, np.log(LARGEST_SCALE))))
        centre = rng.uniform(0, 1, 2) * (width, height)
    quarters = int(rng.integers(4)) * 90
    tilt = float(rng.normal(0, TILT_DEGREES)) if rng.random() < TILTED else 0.0
    angle = np.deg2rad(quarters + tilt)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if rng.random() < 0.5:
        turn[:, 0] *= -1
    return np.column_stack([turn, (side - 1) / 2 - turn @ centre])


def _transformed(quads: Quads, matrix: npt.NDArray[np.float64]) -> Quads:
    return np.asarray(quads @ matrix[:, :2].T + matrix[:, 2], np.float32)


def _clockwise(quads: Quads) -> Quads:
    """Mirrored corners clockwise again; the first edge is still a short one."""
    x, y = quads[..., 0], quads[..., 1]
    area = (x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)
    return np.asarray(np.where((area < 0)[:, None, None], quads[:, ::-1], quads), np.float32)


def _target(rng: np.random.Generator, image: Picture, quads: Quads, boxes: Quads, ignored: Quads) -> DetectorTarget:
    side = image.shape[0]
    frame = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    shares = [cv2.intersectConvexConvex(q, frame)[0] / max(1.0, cv2.contourArea(q)) for q in quads]
    visible = np.minimum(np.array(shares, np.float32), 1)
    inside = rng.permutation(np.nonzero(visible > 0)[0])
    asked, spare = inside[:MOST_CODES], inside[MOST_CODES:]
    owner = np.full((side, side), -1, np.int16)
    for k, i in enumerate(asked):
        cv2.fillConvexPoly(owner, np.rint(quads[i]).astype(np.int32), k)
    scene = TrainingScene(
        image, quads[asked], np.full(len(asked), INDEX["1m"], np.int64), visible[asked],
        np.zeros(len(asked), bool), owner, NO_QUADS, "photo", True,
    )  # fmt: skip
    target = detector_target(scene)
    free = target.tile < 0
    for quad in (*ignored, *quads[spare]):
        target.kernel[_cells(target, quad, 1.0) & free] = IGNORE
    for box in boxes:
        target.kernel[_cells(target, box, AROUND) & free] = IGNORE
        if _short_sides(box[None])[0] >= SMALLEST_PX:
            target.kernel[_cells(target, box, MIDDLE) & free] = 1
    return target


def _cells(target: DetectorTarget, quad: npt.NDArray[np.float32], share: float) -> npt.NDArray[np.bool_]:
    """Which cells of a target lie in a quad made this share of its size."""
    middle = quad.mean(axis=0)
    points = ((quad - middle) * share + middle - (STRIDE - 1) / 2) / STRIDE
    mask = np.zeros(target.kernel.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(points * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return np.asarray(mask > 0)
