"""White dragons and backs, told apart by what lies beside them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.scene.classes import Classes
from vision.scene.context import judge

LABELS = ("1m", "5z", "back", "none")
CLASSES = Classes.of(LABELS, 3)
FACE, WHITE, BACK = ([0.997 if i == column else 0.001 for i in range(4)] for column in range(3))
IVORY, CREAM, PASTEL, TAN = (240, 235, 220), (240, 233, 219), (240, 222, 216), (210, 160, 90)
"""The bodies; their colour in another light; backs a little off it; other backs."""
SIZE = 40


def tile(x: float, y: float = 0) -> np.ndarray:
    """A tile 40 x 54 pixels whose place is given in widths and heights."""
    corners = np.array([[0, 0], [1, 0], [1, 1.35], [0, 1.35]], np.float32) + np.array([x, 1.35 * y], np.float32)
    return corners * SIZE


def face(colour: tuple[int, int, int], print_: str = "") -> np.ndarray:
    pixels = np.full((96, 64, 3), colour, np.uint8)
    if print_ == "symbol":
        pixels[36:60, 20:44] = (180, 20, 20)
    if print_ == "frame":
        pixels[20:76, 14:50] = (30, 60, 160)
        pixels[32:64, 24:40] = colour
    return pixels


def named(*more: tuple[np.ndarray, np.ndarray, list[float]], row: int = 4) -> list[str]:
    """What finds (quad, crop, probabilities) are called beside a row of so many printed tiles, the first at 0."""
    quads = np.stack([tile(i) for i in range(row)] + [q for q, _, _ in more])
    crops = np.stack([face(IVORY, "symbol")] * row + [c for _, c, _ in more])
    chances = np.array([FACE] * row + [p for _, _, p in more], np.float32)
    changed, keep = judge(quads, np.full(len(quads), 0.95, np.float32), chances, crops, CLASSES)
    assert keep.all()
    np.testing.assert_allclose(changed.sum(axis=1), 1, atol=1e-5)
    return [LABELS[i] for i in changed[row:].argmax(axis=1)]


def test_in_the_row_of_printed_faces_the_reader_is_believed() -> None:
    assert named((tile(4), face(PASTEL), WHITE)) == ["5z"]


def test_behind_another_white_dragon_of_the_row_too() -> None:
    row = [(tile(4 + i), face(PASTEL), WHITE) for i in range(3)]
    assert named(*row) == ["5z"] * 3
    assert named(row[0], row[2]) == ["5z", "back"]


@pytest.mark.parametrize(("colour", "label"), [(IVORY, "5z"), (CREAM, "5z"), (PASTEL, "back")])
def test_apart_it_must_have_the_bodies_own_colour(colour: tuple[int, int, int], label: str) -> None:
    assert named((tile(1, -3), face(colour), WHITE)) == [label]
    assert named(*((tile(i, -3), face(colour), WHITE) for i in range(3))) == [label] * 3


def test_light_differs_from_place_to_place() -> None:
    """A winning tile set apart at the end of a row whose last tiles lie in warmer light than the others."""
    warm = [(tile(8 + i), face(PASTEL, "symbol"), FACE) for i in range(3)]
    assert named(*warm, (tile(12), face(PASTEL), WHITE), row=8) == ["1m"] * 3 + ["5z"]
    assert named(*warm, (tile(1, -3), face(PASTEL), WHITE), row=8) == ["1m"] * 3 + ["back"]


def test_a_turned_tile_of_a_meld_lies_beside_the_others() -> None:
    lying = (tile(0) - tile(0).mean(axis=0)) @ np.array([[0, 1], [-1, 0]], np.float32) + tile(4.2).mean(axis=0)
    assert named((lying.astype(np.float32), face(PASTEL), WHITE)) == ["5z"]


def test_five_of_one_colour_apart_are_a_wall_however_sure_the_reader_is() -> None:
    assert named(*((tile(i, -3), face(IVORY), WHITE) for i in range(5))) == ["back"] * 5


def test_where_one_is_framed_bare_ones_are_backs() -> None:
    framed = (tile(4), face(IVORY, "frame"), WHITE)
    assert named(framed, (tile(1, -3), face(IVORY), WHITE)) == ["5z", "back"]


def test_framed_ones_are_no_backs_whatever_is_alike() -> None:
    """Their middle has the colour of the bodies, as the backs of sets in one piece have."""
    framed = [(tile(4 + i), face(IVORY, "frame"), WHITE) for i in range(2)]
    assert named(*framed, *((tile(i, -3), face(IVORY), BACK) for i in range(6))) == ["5z"] * 2 + ["back"] * 6


def test_a_dora_indicator_lies_between_backs_of_another_colour() -> None:
    wall = [(tile(i, -3), face(TAN), BACK) for i in (0, 2, 3)]
    assert named((tile(1, -3), face(IVORY), WHITE), *wall) == ["5z"] + ["back"] * 3


@pytest.mark.parametrize(("x", "located", "stays"), [(4, 0.72, True), (8, 0.72, False), (8, 0.78, True)])
def test_apart_one_must_be_located_better_than_in_a_row(x: float, located: float, stays: bool) -> None:
    """What lies apart and looks like one is mostly the side of a tile."""
    quads = np.stack([*(tile(i) for i in range(4)), tile(x)])
    crops = np.stack([*[face(IVORY, "symbol")] * 4, face(IVORY)])
    chances = np.array([*[FACE] * 4, WHITE], np.float32)
    _, keep = judge(quads, np.array([0.95] * 4 + [located], np.float32), chances, crops, CLASSES)
    assert keep.tolist() == [True] * 4 + [stays]
