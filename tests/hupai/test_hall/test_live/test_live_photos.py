"""Photographs that are filmed: which ones, what is known of them, and what happens to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.scenes.player_photos import film_photo
from scripts.accuracy.truth import load
from scripts.bench.live_photos import player_photo, undivided

ROW = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "1z"]


def noted(label: str, x: float, row: str, y: float = 300) -> dict[str, Any]:
    """A tile of 50 x 70 pixels as annotations have it."""
    return {"label": label, "corners": [[x, y], [x + 50, y], [x + 50, y + 70], [x, y + 70]], "row": row}


def photograph(folder: Path, beside: list[str], lift: float = 0) -> Path:
    """A photograph whose row, noted from the right, has a first tile lifted by so much."""
    tiles = [noted(t, 100 + 52 * k, "main", 300 - lift * (k == 0)) for k, t in enumerate(ROW)][::-1]
    tiles += [noted(t, 700 + 52 * k, "aside") for k, t in enumerate(beside)]
    picture = np.full((800, 1200, 3), 90, np.uint8)
    for t in tiles:
        cv2.fillConvexPoly(picture, np.array(t["corners"], np.int32), (240, 240, 240))
    cv2.imwrite(str(folder / "one.png"), picture)
    (folder / "one.json").write_text(json.dumps({"image": "one.png", "tiles": tiles}))
    return folder


@pytest.mark.parametrize(
    ("beside", "lift", "melds"),
    [
        (["6z", "6z", "6z"], 0, (("6z", "6z", "6z"),)),
        (["6z", "6z", "7z"], 0, None),
        (["6z", "6z", "6z"], 60, None),
    ],
)
def test_a_row_that_makes_a_hand_with_what_lies_beside_it_is_filmed(
    beside: list[str], lift: float, melds: tuple[tuple[str, ...], ...] | None, tmp_path: Path
) -> None:
    photo = player_photo(load(photograph(tmp_path, beside, lift))[0])
    assert (photo and photo.melds) == melds
    if photo is not None:
        assert list(photo.row) == ROW
        assert photo.quads.shape == (13, 4, 2)


def test_a_film_of_a_photograph_tells_when_its_tiles_are_free(tmp_path: Path) -> None:
    photo = player_photo(load(photograph(tmp_path, ["6z", "6z", "6z"]))[0])
    assert photo is not None
    film = film_photo(photo, seed=5, seconds=5, size=(640, 360))
    (held,), free = film.truth.held, film.truth.free
    assert (list(held.row), held.melds, held.end) == (ROW, photo.melds, film.truth.seconds)
    assert film.truth.covered >= 0.1
    assert 0 < sum(b - a for a, b in free) <= (1 - film.truth.covered) * film.truth.seconds + 1 / film.truth.fps
    (_, hand_comes), (hand_goes, _) = free[:2]
    moments = [round(at * film.truth.fps) for at in (0, (hand_comes + hand_goes) / 2)]
    still, under_hand = [(frame.min(axis=2) > 200).sum() for n, frame in enumerate(film) if n in moments]
    assert still > 1.1 * under_hand, "white tiles are under the hand"


def test_a_tile_that_stands_apart_is_one_of_the_hand() -> None:
    melds = (("6z", "6z", "6z"),)
    assert undivided((("1m", "2m"), "3m", melds)) == undivided((("1m", "2m", "3m"), None, melds))
