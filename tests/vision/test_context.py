from __future__ import annotations

import numpy as np
import pytest

from vision.classes import Classes
from vision.context import fits_around, judge

LABELS = ("1m", "5z", "back", "none")
CLASSES = Classes.of(LABELS, 3)
FACE, WHITE, BACK = 0, 1, 2
IVORY, BLUE, SHADED = (240, 235, 220), (40, 80, 200), (120, 117, 110)


def moved(quad: np.ndarray, x: float, y: float) -> np.ndarray:
    return quad + np.array([x, y], np.float32)


def row(count: int, size: float = 40) -> np.ndarray:
    """Tiles side by side, 40 x 54 pixels."""
    one = np.array([[0, 0], [1, 0], [1, 1.35], [0, 1.35]]) * size
    return np.stack([moved(one, i * size, 0) for i in range(count)]).astype(np.float32)


def crop(colour: tuple[int, int, int], printed: bool = False) -> np.ndarray:
    pixels = np.full((96, 64, 3), colour, np.uint8)
    if printed:
        pixels[36:60, 20:44] = (180, 20, 20)
    return pixels


def sure(column: int, p: float = 0.95) -> list[float]:
    rest = (1 - p) / (len(LABELS) - 1)
    return [p if i == column else rest for i in range(len(LABELS))]


def judged(
    plain: list[tuple[tuple[int, int, int], list[float]]], located: float = 0.9, faces: int = 4
) -> tuple[list[str], list[bool]]:
    """Labels and verdicts of plain faces in a row of printed ones."""
    crops = np.stack([crop(IVORY, printed=True)] * faces + [crop(colour) for colour, _ in plain])
    chances = np.array([sure(FACE)] * faces + [p for _, p in plain], np.float32)
    scores = np.array([0.95] * faces + [located] * len(plain), np.float32)
    changed, keep = judge(row(len(crops)), scores, chances, crops, CLASSES)
    assert np.allclose(changed.sum(axis=1), chances.sum(axis=1))
    return [LABELS[i] for i in changed[faces:].argmax(axis=1)], keep[faces:].tolist()


def test_a_plain_face_of_the_bodies_colour_is_a_white_dragon() -> None:
    undecided = [0.02, 0.38, 0.58, 0.02]
    assert judged([(IVORY, undecided)]) == (["5z"], [True])


@pytest.mark.parametrize(
    ("colour", "chances", "located", "label"),
    [
        (IVORY, [0.01, 0.02, 0.01, 0.96], 0.9, "5z"),  # specks: not a clean face, says the reader
        (IVORY, [0.50, 0.10, 0.05, 0.35], 0.9, "5z"),
        (IVORY, [0.01, 0.55, 0.04, 0.40], 0.78, "5z"),  # too unsure to be kept otherwise
        (IVORY, [0.01, 0.02, 0.01, 0.96], 0.7, None),  # not located well enough
        (BLUE, [0.01, 0.02, 0.01, 0.96], 0.9, None),  # not of the bodies' colour
        (SHADED, [0.01, 0.02, 0.01, 0.96], 0.9, None),  # the side of a tile
    ],
)
def test_a_bare_face_with_specks_is_a_white_dragon(
    colour: tuple[int, int, int], chances: list[float], located: float, label: str | None
) -> None:
    rng = np.random.default_rng(3)
    bare = crop(colour)
    bare[rng.integers(0, 96, 40), rng.integers(0, 64, 40)] = rng.choice([0, 255], (40, 1))
    crops = np.stack([crop(IVORY, printed=True)] * 4 + [bare])
    rows = np.array([sure(FACE)] * 4 + [chances], np.float32)
    scores = np.array([0.95] * 4 + [located], np.float32)
    changed, keep = judge(row(5), scores, rows, crops, CLASSES)
    assert keep[4] == (label is not None)
    assert label is None or LABELS[changed[4].argmax()] == label
    np.testing.assert_allclose(changed.sum(axis=1), 1, atol=1e-5)


def test_a_printed_face_that_is_not_clean_stays_none() -> None:
    crops = np.stack([crop(IVORY, printed=True)] * 5)
    rows = np.array([sure(FACE)] * 4 + [[0.01, 0.02, 0.01, 0.96]], np.float32)
    _, keep = judge(row(5), np.full(5, 0.95, np.float32), rows, crops, CLASSES)
    assert keep.tolist() == [True] * 4 + [False]


def test_a_plain_face_of_another_colour_is_a_back() -> None:
    undecided = [0.02, 0.58, 0.38, 0.02]
    assert judged([(BLUE, undecided)]) == (["back"], [True])


def test_there_are_four_white_dragons_in_a_set() -> None:
    labels, _ = judged([(IVORY, [0.0, 0.7, 0.3, 0.0])] * 12)
    assert labels.count("5z") == 0  # twelve alike: none can be told to be the four
    labels, _ = judged([(IVORY, sure(WHITE, 0.999))] * 4)
    assert labels == ["5z"] * 4


def test_more_than_four_plain_faces_of_one_colour_are_a_wall() -> None:
    """Pastel backs, some of which look like white dragons; a white dragon of another colour stays one."""
    pastel, like_a_dragon, like_a_back = (240, 218, 214), [0.0, 0.8, 0.2, 0.0], [0.0, 0.3, 0.7, 0.0]
    assert judged([(pastel, like_a_dragon)] * 3)[0] == ["5z"] * 3
    labels, _ = judged([(pastel, like_a_dragon)] * 3 + [(pastel, like_a_back)] * 2 + [(IVORY, like_a_dragon)])
    assert labels == ["back"] * 5 + ["5z"]


def test_without_printed_faces_nothing_is_compared() -> None:
    labels, keep = judged([(BLUE, sure(WHITE))], faces=1)
    assert (labels, keep) == (["5z"], [True])


@pytest.mark.parametrize(
    ("located", "faces", "shown"), [(0.84, 1, False), (0.84, 3, False), (0.86, 1, True), (0.84, 4, True)]
)
def test_a_printed_face_must_vouch_for_a_photo(located: float, faces: int, shown: bool) -> None:
    """One located well, or four: else a cupboard's doors would be tiles."""
    crops = np.stack([crop(IVORY, printed=True)] * faces + [crop(IVORY)] * 5)
    chances = np.array([sure(FACE)] * faces + [sure(BACK, 0.99)] * 5, np.float32)
    scores = np.array([located] * faces + [0.84] * 5, np.float32)
    _, keep = judge(row(len(crops)), scores, chances, crops, CLASSES)
    assert keep.any() == shown


def test_dark_sides_and_weakly_located_plain_faces_are_none() -> None:
    assert judged([(SHADED, sure(WHITE))], located=0.75)[1] == [False]
    assert judged([(SHADED, sure(WHITE))], located=0.9)[1] == [True]
    assert judged([(IVORY, sure(WHITE))], located=0.66)[1] == [False]


@pytest.mark.parametrize(
    ("located", "p", "stays"),
    [(0.9, 0.4, True), (0.7, 0.95, True), (0.7, 0.65, False), (0.8, 0.65, True), (0.8, 0.55, False), (0.7, 0.4, False)],
)
def test_a_find_doubtful_in_both_respects_is_none(located: float, p: float, stays: bool) -> None:
    chances = np.array([sure(FACE), sure(FACE), sure(FACE, p)], np.float32)
    crops = np.stack([crop(IVORY, printed=True)] * 3)
    scores = np.array([0.9, 0.9, located], np.float32)
    assert judge(row(3), scores, chances, crops, CLASSES)[1].tolist() == [True, True, stays]


def test_doubtful_finds_must_fit_in_size_and_place() -> None:
    quads = np.concatenate([row(4), moved(row(1), 200, 0), moved(row(1) * 0.4, 0, 60), row(1) * 2.5, row(1) + 2000])
    certain = np.array([True] * 4 + [False] * 4)
    assert fits_around(quads, certain).tolist() == [True] * 5 + [False] * 3


def test_a_sure_face_stays_whatever_its_size() -> None:
    quads = np.concatenate([row(4), moved(row(1) * 3, 0, 200)])
    chances = np.array([sure(FACE)] * 5, np.float32)
    crops = np.stack([crop(IVORY, printed=True)] * 5)
    assert judge(quads, np.full(5, 0.9, np.float32), chances, crops, CLASSES)[1].all()


def test_nothing_to_judge() -> None:
    empty = np.zeros((0, 4), np.float32)
    _, keep = judge(row(1)[:0], np.zeros(0, np.float32), empty, np.zeros((0, 96, 64, 3), np.uint8), CLASSES)
    assert keep.shape == (0,)


def test_a_reader_without_backs_is_left_alone() -> None:
    classes = Classes.of(("1m", "5z", "none"), 2)
    chances = np.array([[0.9, 0.05, 0.05], [0.9, 0.05, 0.05], [0.05, 0.9, 0.05]], np.float32)
    crops = np.stack([crop(IVORY, printed=True)] * 2 + [crop(BLUE)])
    changed, keep = judge(row(3), np.full(3, 0.9, np.float32), chances, crops, classes)
    assert np.array_equal(changed, chances) and keep.all()
