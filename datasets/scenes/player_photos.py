"""Videos of a photograph of a player's tiles, filmed as :mod:`datasets.scenes.player_videos` are, with the truth.

The hand never changes: hands reach over it, a spot of light wanders over it or stays, the focus hunts or the camera is
bumped. The same seed gives the same frames.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from datasets.render.photo import Picture
from datasets.scenes.player_videos import Held, HeldTruth, Points, arm_from_below, troubled, when_free
from datasets.scenes.videos import Director, Film

LEAST_PX: Final = 40.0
"""Width of a tile in the film, unless it is narrower in the photograph, which is never enlarged."""
FPS: Final = (10, 15, 20, 25, 30)


@dataclass(frozen=True, slots=True)
class PlayerPhoto:
    """A photograph of one player's tiles.

    Attributes:
        image: (h, w, 3) RGB uint8. row: tiles by their codes as they lie, from the left. melds: beside them.
        quads: (n, 4, 2) float32 pixels: the faces of the row from the left, then those of the melds.
    """

    image: Picture
    row: tuple[str, ...]
    melds: tuple[tuple[str, ...], ...]
    quads: Points


def film_photo(
    photo: PlayerPhoto, seed: int, *, seconds: float = 20, size: tuple[int, int] = (1280, 720)
) -> Film[HeldTruth]:
    """A video of the photograph; ``seed`` decides all about it, from the size of the tiles to what troubles it."""
    rng = np.random.default_rng([seed, 70])
    fps = float(rng.choice(FPS))
    picture, quads, unit = _framed(rng, photo, size)
    middles = quads[: len(photo.row)].mean(axis=1)
    d = Director(rng, fps, size, arm_from_below(rng, unit))
    d.stage([])
    d.rest(float(rng.uniform(3, 4)))
    while d.now < seconds:
        at = middles[int(rng.integers(len(middles)))]
        d.reach([0], (float(at[0]), float(at[1])), linger=float(rng.choice([0, 0.5, 2.0])), before=0)
        d.rest(float(rng.uniform(1.5, 4)))
    ends = [(float(x), float(y)) for x, y in (middles[0], middles[-1])]
    shots = troubled(rng, d.shots, fps, unit, ends)
    free, covered = when_free(shots, [quads], d.arm, fps)
    held = Held(photo.row, None, photo.melds, 0.0, len(shots) / fps)
    truth = HeldTruth(seed, str(len(photo.row)), fps, len(shots) / fps, unit, (held,), free, covered)
    return Film(truth, size, shots, [picture], d.arm, float(rng.uniform(1.2, 3.0)))


def _framed(rng: np.random.Generator, photo: PlayerPhoto, size: tuple[int, int]) -> tuple[Picture, Points, float]:
    """The picture of a camera that is pointed at the row, the quads in it, and the width of a tile."""
    own = photo.quads[: len(photo.row)]
    wide = float(np.median(np.linalg.norm(own[:, 1] - own[:, 0], axis=1)))
    fills = wide * max(n / m for n, m in zip(size, photo.image.shape[1::-1], strict=True))
    fits = 0.9 * size[0] * wide / float(np.ptp(photo.quads[..., 0]))
    unit = min(wide, fits, max(LEAST_PX, fills * float(rng.uniform(0.7, 1.0))))
    low, high = photo.quads.min(axis=(0, 1)), photo.quads.max(axis=(0, 1))
    at = np.array(size) * (0.5, rng.uniform(0.4, 0.6)) + (rng.normal(0, 0.3 * unit), 0)
    scale = unit / wide
    shift = at - scale * (low + high) / 2
    small = cv2.resize(photo.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
    # Beyond the photograph there is its middling colour.
    around = [float(v) for v in np.median(small.reshape(-1, 3), axis=0)]
    picture = cv2.warpAffine(small, move, size, borderMode=cv2.BORDER_CONSTANT, borderValue=around)
    return np.asarray(picture, np.uint8), np.asarray(photo.quads * scale + shift, np.float32), unit
