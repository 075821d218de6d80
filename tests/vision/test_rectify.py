from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.models.opencv import rectify


def tile_picture() -> np.ndarray:
    """64 x 96 pixels: a grey body with a red square at the top left and a blue one at the bottom right."""
    picture = np.full((96, 64, 3), 200, np.uint8)
    picture[10:30, 10:30], picture[66:86, 34:54] = (220, 20, 20), (20, 20, 220)
    return picture


@pytest.mark.parametrize("times", [0.7, 2.6, 8.0])
@pytest.mark.parametrize("corner", [0, 2])
def test_a_quad_comes_out_upright_whatever_its_size(times: float, corner: int) -> None:
    quad = np.array([[40, 30], [100, 50], [80, 140], [15, 120]], np.float32) * times
    size = (round(120 * times), round(150 * times))
    source = np.array([[0, 0], [64, 0], [64, 96], [0, 96]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, np.roll(quad, corner, axis=0))
    image = cv2.warpPerspective(tile_picture(), matrix, size, flags=cv2.INTER_AREA)
    crop = rectify(image, np.roll(quad, corner, axis=0), (64, 96), 0.0)
    assert crop.shape == (96, 64, 3) and crop.dtype == np.uint8
    assert crop[20, 20, 0] > 180 and crop[20, 20, 2] < 80
    assert crop[76, 44, 2] > 180 and crop[76, 44, 0] < 80


def test_the_margin_shows_what_lies_around() -> None:
    image = np.full((200, 200, 3), 9, np.uint8)
    image[50:146, 60:124] = 250
    quad = np.array([[60, 50], [124, 50], [124, 146], [60, 146]], np.float32)
    without = rectify(image, quad, (64, 96), 0.0)
    with_margin = rectify(image, quad, (64, 96), 0.25)
    assert without[2:-2, 2:-2].min() == 250
    assert with_margin[1, 1, 0] == 9 and with_margin[48, 32, 0] == 250


def test_beyond_the_image_its_border_is_repeated() -> None:
    image = np.full((50, 50, 3), 77, np.uint8)
    quad = np.array([[-30, -30], [20, -30], [20, 40], [-30, 40]], np.float32)
    assert (rectify(image, quad, (64, 96), 0.1) == 77).all()
