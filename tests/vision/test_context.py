from __future__ import annotations

import numpy as np
import pytest

from vision.scene.classes import Classes
from vision.scene.context import fits_around, judge

LABELS = ("1m", "5z", "back", "none")
CLASSES = Classes.of(LABELS, 3)
FACE, WHITE, BACK, NONE = range(4)


def moved(quad: np.ndarray, x: float, y: float) -> np.ndarray:
    return quad + np.array([x, y], np.float32)


def row(count: int, size: float = 40) -> np.ndarray:
    """Tiles side by side, 40 x 54 pixels."""
    one = np.array([[0, 0], [1, 0], [1, 1.35], [0, 1.35]]) * size
    return np.stack([moved(one, i * size, 0) for i in range(count)]).astype(np.float32)


def sure(column: int, p: float = 0.95) -> list[float]:
    rest = (1 - p) / (len(LABELS) - 1)
    return [p if i == column else rest for i in range(len(LABELS))]


IVORY, PRINT = (240, 235, 220), (180, 20, 20)


def crop(printed: bool) -> np.ndarray:
    pixels = np.full((96, 64, 3), IVORY, np.uint8)
    if printed:
        pixels[36:60, 20:44] = PRINT
    return pixels


def judged(quads: np.ndarray, scores: list[float], chances: list[list[float]]) -> list[bool]:
    crops = np.stack([crop(max(range(4), key=p.__getitem__) == FACE) for p in chances])
    named, kept = judge(quads, np.array(scores, np.float32), np.array(chances, np.float32), crops, CLASSES)
    np.testing.assert_allclose(named.sum(axis=1), 1, atol=1e-5)
    return [bool(k) for k in kept]


@pytest.mark.parametrize(
    ("located", "faces", "shown"), [(0.84, 1, False), (0.84, 3, False), (0.86, 1, True), (0.84, 4, True)]
)
def test_a_printed_face_must_vouch_for_a_photo(located: float, faces: int, shown: bool) -> None:
    """One located well, or four: else a cupboard's doors would be tiles."""
    chances = [sure(FACE)] * faces + [sure(BACK, 0.99)] * 5
    assert any(judged(row(faces + 5), [located] * faces + [0.84] * 5, chances)) == shown


@pytest.mark.parametrize(
    ("located", "p", "stays"),
    [(0.9, 0.4, True), (0.7, 0.95, True), (0.7, 0.65, False), (0.8, 0.65, True), (0.8, 0.55, False), (0.7, 0.4, False)],
)
def test_a_find_doubtful_in_both_respects_is_none(located: float, p: float, stays: bool) -> None:
    chances = [sure(FACE), sure(FACE), sure(FACE, p)]
    assert judged(row(3), [0.9, 0.9, located], chances) == [True, True, stays]


def test_what_the_reader_calls_none_is_none() -> None:
    assert judged(row(3), [0.95] * 3, [sure(FACE), sure(FACE), sure(NONE)]) == [True, True, False]


@pytest.mark.parametrize(("x", "located", "stays"), [(4, 0.72, True), (8, 0.72, False), (8, 0.78, True)])
def test_away_from_printed_faces_a_white_dragon_must_be_located_better(x: float, located: float, stays: bool) -> None:
    """What lies there and looks like one is mostly the side of a tile."""
    quads = np.concatenate([row(4), moved(row(1), 40 * x, 0)])
    assert judged(quads, [0.95] * 4 + [located], [sure(FACE)] * 4 + [sure(WHITE)])[4] == stays


def test_a_row_of_printed_faces_goes_on_behind_white_dragons() -> None:
    chances = [sure(FACE)] * 3 + [sure(WHITE)] * 3
    assert all(judged(row(6), [0.95] * 3 + [0.72] * 3, chances))
    gap = np.delete(row(7), 4, axis=0)
    assert judged(gap, [0.95] * 3 + [0.72] * 3, chances) == [True] * 4 + [False] * 2


def test_doubtful_finds_must_fit_in_size_and_place() -> None:
    quads = np.concatenate([row(4), moved(row(1), 200, 0), moved(row(1) * 0.4, 0, 60), row(1) * 2.5, row(1) + 2000])
    certain = np.array([True] * 4 + [False] * 4)
    assert fits_around(quads, certain).tolist() == [True] * 5 + [False] * 3


def test_a_sure_face_stays_whatever_its_size() -> None:
    quads = np.concatenate([row(4), moved(row(1) * 3, 0, 200)])
    assert all(judged(quads, [0.9] * 5, [sure(FACE)] * 5))


def test_nothing_to_judge() -> None:
    none = np.zeros((0, 4), np.float32)
    _, kept = judge(row(1)[:0], np.zeros(0, np.float32), none, np.zeros((0, 96, 64, 3), np.uint8), CLASSES)
    assert kept.shape == (0,)


def test_a_reader_without_backs_keeps_its_faces() -> None:
    classes = Classes.of(("1m", "5z", "none"), 2)
    chances = np.array([[0.9, 0.05, 0.05], [0.9, 0.05, 0.05], [0.05, 0.9, 0.05]], np.float32)
    crops = np.stack([crop(True), crop(True), crop(False)])
    named, kept = judge(row(3), np.full(3, 0.9, np.float32), chances, crops, classes)
    assert np.array_equal(named, chances) and kept.all()
