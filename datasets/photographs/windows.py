"""Windows of photographs with the ground truth that the detector learns: any part, size, turn and mirroring."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.photographs.cutting import MatchedPhoto
from datasets.photographs.packs import Pack, load_pack
from datasets.photographs.real import BoxedPhoto, Picture, box_corners
from datasets.quads import shares_inside
from datasets.scenes.targets import IGNORE, MOST_CODES, SMALLEST_PX, DetectorTarget, quads_target, resized_mask
from vision.arrays import to_quad
from vision.geometry import extent

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
SHAPES: Final = ("quads", "boxes", "ignored")


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
        shapes = {name: np.array(fact[name], np.float32).reshape(-1, 4, 2) for name in SHAPES}
        matrix = _window_matrix(rng, picture, np.concatenate([shapes["quads"], shapes["boxes"]]), side)
        turn = matrix[:, :2]
        determinant = np.linalg.det(turn)  # the square of the scale, negative of a mirror
        tone = int(rng.integers(256)) if rng.random() < 0.5 else 0
        image = cv2.warpAffine(
            picture, matrix, (side, side), flags=cv2.INTER_AREA if abs(determinant) < 1 else cv2.INTER_LINEAR,
            borderValue=(tone, tone, tone),
        )  # fmt: skip
        moved = {name: np.asarray(shape @ turn.T + matrix[:, 2], np.float32) for name, shape in shapes.items()}
        if determinant < 0:  # clockwise again; the first edge is still a short one
            moved = {name: shape[:, ::-1] for name, shape in moved.items()}
        return Window(np.asarray(image, np.uint8), _target(rng, side, **moved))


def describe_photo(photo: BoxedPhoto, matched: MatchedPhoto, scale: float) -> dict[str, object]:
    """The facts of a photo that is packed at ``scale``; of a part of a tile the surroundings are ignored, too."""
    boxes = box_corners(photo.boxes)
    reach = (photo.boxes[:, 2:] - photo.boxes[:, :2]).max(axis=1, keepdims=True)
    around = box_corners(photo.boxes + reach * np.array([-1, -1, 1, 1], np.float32))
    unmatched = ~np.isin(np.arange(len(boxes)), matched.rows)
    shapes = {
        "quads": matched.quads,
        "boxes": boxes[unmatched & photo.whole],
        "ignored": np.concatenate([around[~photo.whole], box_corners(photo.ignored), matched.beside]),
    }
    return {"source": photo.source, **{k: (v.reshape(-1, 8) * scale).round(1).tolist() for k, v in shapes.items()}}


def photo_windows(path: Path) -> PhotoWindows:
    """The photos of ``photos.npz`` of a training folder.

    Raises:
        ValueError: the file is of an earlier form, without corners.
    """
    pack = load_pack(path)
    if not all(set(SHAPES) <= fact.keys() for fact in pack.facts):
        raise ValueError(f"{path} has boxes without corners; make it again with scripts.train.pack")
    return PhotoWindows(pack)


def _window_matrix(rng: np.random.Generator, picture: Picture, tiles: Quads, side: int) -> npt.NDArray[np.float64]:
    """(2, 3): pixels of the photo -> pixels of the window."""
    height, width = picture.shape[:2]
    if len(tiles):
        wanted = float(np.exp(rng.uniform(*np.log(TILE_PX))))
        scale = min(LARGEST_SCALE, wanted / max(1.0, float(np.median(_spans(tiles)))))
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


def _spans(quads: Quads) -> list[float]:
    return [min(extent(to_quad(quad))) for quad in quads]


def _target(rng: np.random.Generator, side: int, quads: Quads, boxes: Quads, ignored: Quads) -> DetectorTarget:
    visible = shares_inside(quads, side, side)
    inside = rng.permutation(np.nonzero(visible > 0)[0])
    asked, spare = inside[:MOST_CODES], inside[MOST_CODES:]
    owner = np.full((side, side), -1, np.int16)
    for k, i in enumerate(asked):
        cv2.fillConvexPoly(owner, np.rint(quads[i]).astype(np.int32), k)
    target = quads_target(quads[asked], visible[asked], np.zeros(len(asked), bool), owner)
    free, shape = target.tile < 0, target.tile.shape
    for quad in (*ignored, *quads[spare]):
        target.kernel[resized_mask(quad, 1.0, shape) & free] = IGNORE
    for box, short in zip(boxes, _spans(boxes), strict=True):
        target.kernel[resized_mask(box, AROUND, shape) & free] = IGNORE
        if short >= SMALLEST_PX:
            target.kernel[resized_mask(box, MIDDLE, shape) & free] = 1
    return target
