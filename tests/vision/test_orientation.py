"""Turning a picture, and bringing back what was found in it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from vision.detect import Orientation

ALL = [Orientation(mirrored, quarters) for mirrored, quarters in product((False, True), range(4))]


@pytest.mark.parametrize("orientation", ALL, ids=str)
def test_quads_come_back_to_where_they_were(orientation: Orientation) -> None:
    picture = np.zeros((30, 50, 3), np.uint8)
    corners = [(4, 5), (14, 8), (11, 24), (2, 21)]  # clockwise on the screen, the first edge a short one
    for i, (x, y) in enumerate(corners):
        picture[y, x] = i + 1
    turned = orientation.apply(picture)
    assert turned.shape == ((50, 30, 3) if orientation.quarters % 2 else (30, 50, 3)) and turned.flags.c_contiguous
    places = [np.argwhere(turned[..., 0] == i + 1)[0][::-1] for i in range(4)]
    found = np.array(places, np.float32)[[1, 0, 3, 2] if orientation.mirrored else slice(None)]
    (quad,) = orientation.undo(found[None], 50, 30)
    assert quad.tolist() == [list(map(float, corner)) for corner in corners]


@pytest.mark.parametrize("quarters", [-1, 4])
def test_other_quarters_are_refused(quarters: int) -> None:
    with pytest.raises(ValueError, match="quarters must be 0 to 3"):
        Orientation(quarters=quarters)


def test_all_orientations_differ() -> None:
    picture = np.arange(27, dtype=np.uint8).reshape(3, 3, 3)
    assert len({orientation.apply(picture).tobytes() for orientation in ALL}) == 8
    assert np.array_equal(Orientation(quarters=1).apply(picture)[0, 2], picture[0, 0]), "clockwise"
