"""Noise fields, made once and sampled everywhere: fresh noise would cost more than the rest of a scene."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.float32]
SIDE_PX: Final = 1024


@lru_cache(maxsize=1)
def _white() -> Field:
    return np.random.default_rng(0).standard_normal((SIDE_PX, SIDE_PX, 3)).astype(np.float32)


@lru_cache(maxsize=8)
def _smooth(sigma: float) -> Field:
    white = _white()
    pad = int(4 * sigma) + 1
    wrapped = cv2.copyMakeBorder(white, pad, pad, pad, pad, cv2.BORDER_WRAP)
    blurred = np.asarray(cv2.GaussianBlur(wrapped, (0, 0), sigma), np.float32)[pad:-pad, pad:-pad]
    return np.ascontiguousarray(blurred / blurred.std())


@lru_cache(maxsize=1)
def _clouds() -> Field:
    total = sum((0.6**k) * _smooth(s) for k, s in enumerate((64.0, 24.0, 9.0, 3.5)))
    return np.ascontiguousarray((total / np.std(total)).astype(np.float32))


def _window(field: Field, rng: np.random.Generator, height: int, width: int, channels: int) -> Field:
    if height > SIDE_PX or width > SIDE_PX:  # only for large pictures: repeat the whole field
        reps = (-(-height // SIDE_PX), -(-width // SIDE_PX), 1)
        start = (int(rng.integers(SIDE_PX)), int(rng.integers(SIDE_PX)))
        rolled = np.roll(field[..., :channels], start, axis=(0, 1))
        return np.tile(rolled, reps)[:height, :width]
    y, x = int(rng.integers(SIDE_PX - height + 1)), int(rng.integers(SIDE_PX - width + 1))
    return field[y : y + height, x : x + width, :channels]


def grain(rng: np.random.Generator, height: int, width: int, channels: int = 1, sigma: float = 0.0) -> Field:
    """(height, width, channels) noise of standard deviation 1, white or smoothed by 0.8, 2, 4 or 12 pixels."""
    field = _white() if sigma == 0 else _smooth(min((0.8, 2.0, 4.0, 12.0), key=lambda s: abs(s - sigma)))
    return _window(field, rng, height, width, channels)


def clouds(rng: np.random.Generator, height: int, width: int, channels: int = 1, zoom: float = 1.0) -> Field:
    """(height, width, channels) fractal noise of standard deviation about 1; ``zoom`` > 1 gives larger shapes."""
    h, w = max(8, round(height / zoom)), max(8, round(width / zoom))
    small = _window(_clouds(), rng, h, w, channels)
    if (h, w) == (height, width):
        return small
    large = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(large, np.float32).reshape(height, width, channels)
