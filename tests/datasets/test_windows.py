"""Windows of photographs: the truth moves with the pixels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.photographs.cutting import MatchedPhoto
from datasets.photographs.packs import make_pack
from datasets.photographs.real import BoxedPhoto, box_corners
from datasets.photographs.windows import PhotoWindows, Window, describe_photo, photo_windows
from datasets.scenes.targets import IGNORE, STRIDE
from vision.detect.codes import decode_quad

TILE = [100, 90, 140, 90, 140, 150, 100, 150]
OTHER = [220, 90, 260, 90, 260, 150, 220, 150]


def windows(**marks: Any) -> PhotoWindows:
    """One grey photo; what is marked is white, the left edge of it red."""
    photo = np.full((240, 360, 3), 90, np.uint8)
    for x0, y0, _, _, x1, y1, *_ in (shape for shapes in marks.values() for shape in shapes):
        photo[y0:y1, x0:x1] = 255
        photo[y0:y1, x0 : x0 + 8, 1:] = 0
    return PhotoWindows(make_pack([photo], [{"source": "here", "quads": [], "boxes": [], "ignored": [], **marks}], 95))


def drawn(photos: PhotoWindows, count: int = 40) -> list[Window]:
    rng = np.random.default_rng(4)
    return [photos.draw(rng, 192) for _ in range(count)]


def lightness(window: Window, cells: np.ndarray) -> np.ndarray:
    """The red channel at the middle of some cells."""
    rows, columns = np.nonzero(cells)
    return window.image[rows * STRIDE + STRIDE // 2, columns * STRIDE + STRIDE // 2, 0]


def test_tiles_are_taught_where_their_pixels_went() -> None:
    found = [window for window in drawn(windows(quads=[TILE])) if (window.target.kernel == 1).any()]
    assert len(found) > 20
    for window in found:
        assert (lightness(window, window.target.kernel == 1) > 200).all()
        assert (window.target.codes[1:] == 0).all()
        quad = np.array(decode_quad(window.target.codes[0].tolist()))
        lengths = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
        assert lengths.max() / lengths.min() == pytest.approx(1.5, abs=0.01)
        x, y = quad.T
        assert (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0  # clockwise on the screen


def test_a_box_teaches_its_middle_and_what_is_ignored_nothing() -> None:
    kinds = set[int]()
    for window in drawn(windows(boxes=[TILE], ignored=[OTHER])):
        assert (window.target.tile == -1).all()
        assert (lightness(window, window.target.kernel == 1) > 200).all()
        assert (lightness(window, window.target.kernel == 0) < 200).mean() > 0.98  # but for pixels of the edges
        kinds |= set(np.unique(window.target.kernel).tolist())
    assert kinds == {0, 1, IGNORE}


def test_a_photo_without_tiles_teaches_that_there_are_none() -> None:
    assert all((window.target.kernel == 0).all() for window in drawn(windows()))


def test_rare_sets_are_drawn_more_often_than_their_share() -> None:
    photos = [np.full((64, 64, 3), 40 if k else 200, np.uint8) for k in range(17)]
    facts = [{"source": "many" if k else "one", "quads": [], "boxes": [], "ignored": []} for k in range(17)]
    found = [window.image[96, 96, 0] > 120 for window in drawn(PhotoWindows(make_pack(photos, facts)), 300)]
    assert np.mean(found) == pytest.approx(0.2, abs=0.05)  # by share 0.06; 1 : sqrt(16)


def test_the_rest_of_a_tile_is_ignored_beside_the_part_that_is_boxed() -> None:
    boxes = np.array([[10, 10, 30, 40], [100, 100, 120, 106], [200, 10, 220, 40]], np.float32)
    whole, ignored = np.array([True, False, True]), np.array([[0, 200, 50, 250]], np.float32)
    photo = BoxedPhoto(Path("a.jpg"), "set", "a", np.zeros(3, np.int64), boxes, whole, None, ignored, False)
    quad, beside = box_corners(boxes[:1]), box_corners([[60, 60, 80, 90]])
    found = describe_photo(photo, MatchedPhoto(np.array([0]), quad, beside), 0.5)
    assert found == {
        "source": "set",
        "quads": [[5, 5, 15, 5, 15, 20, 5, 20]],
        "boxes": [[100, 5, 110, 5, 110, 20, 100, 20]],
        "ignored": [
            [40, 40, 70, 40, 70, 63, 40, 63],
            [0, 100, 25, 100, 25, 125, 0, 125],
            [30, 30, 40, 30, 40, 45, 30, 45],
        ],
    }


def test_a_pack_without_corners_is_refused(tmp_path: Any) -> None:
    make_pack([np.zeros((64, 64, 3), np.uint8)], [{"source": "a", "boxes": [[0, 0, 9, 9]]}]).save(tmp_path / "p.npz")
    with pytest.raises(ValueError, match=r"scripts\.train\.pack"):
        photo_windows(tmp_path / "p.npz")
