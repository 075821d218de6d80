"""Pictures brought to the size they are searched at."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.models.opencv import resize_image


def smooth(width: int, height: int) -> np.ndarray:
    x, y = np.meshgrid(np.linspace(0, 1, width), np.linspace(0, 1, height))
    picture = np.stack([200 * x, 200 * y, 100 * (x + y)], axis=2) + 20
    return picture.astype(np.uint8)


@pytest.mark.parametrize("size", [(640, 480), (160, 120), (1171, 878), (999, 749), (2500, 1875)])
@pytest.mark.parametrize("start", [(2000, 1500), (2001, 1501)])
def test_sizes_and_places_are_kept(start: tuple[int, int], size: tuple[int, int]) -> None:
    """By halves or at once, every place shows what the picture shows there, to the half pixel of the coarser one."""
    found = resize_image(smooth(*start), *size)
    assert found.shape == (size[1], size[0], 3) and found.dtype == np.uint8
    step = 200 / min(size[0], size[1], start[0])
    assert np.abs(found.astype(float) - smooth(*size)).max() < 2 + step


def test_a_picture_of_the_size_is_not_copied() -> None:
    picture = smooth(640, 480)
    assert resize_image(picture, 640, 480) is picture


def test_halves_give_what_the_whole_average_gives() -> None:
    picture = np.random.default_rng(0).integers(0, 256, (1500, 2000, 3), np.uint8)
    found = resize_image(picture, 500, 375)
    whole = cv2.resize(picture, (500, 375), interpolation=cv2.INTER_AREA)
    assert np.abs(found.astype(int) - whole).max() <= 1
