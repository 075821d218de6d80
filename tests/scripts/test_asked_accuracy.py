"""How often the true answer is offered: counted on doubts of which the answer is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scripts.accuracy.asked import count_in_photo, count_in_tables
from scripts.accuracy.holdouts import NO_IGNORE
from scripts.accuracy.truth import TruePhoto, TrueTile
from tests.vision.laid import row, seen
from vision.hand.read import read_hand

pytestmark = pytest.mark.release


def test_an_answer_counts_as_offered_where_it_is_among_them() -> None:
    tiles = row("123m456p789s11z88p8p", gaps={13: 0.9})
    x, y = (float(v) for v in tiles[3].centre)
    tiles[3] = seen("4p", x, y, 0, 0.6, _4m=0.3)
    tiles.append(seen("g2", 400, 520, 0, 0.4, _g3=0.3))
    reading, _ = read_hand(tiles, 1200, 900, "hongkong")
    labels = [t.tile.code for t in tiles[:-1]]
    told = []
    for fourth in ("4m", "9s"):
        labels[3] = fourth
        true = [
            TrueTile(label, np.asarray(t.corners), True, False) for label, t in zip([*labels, "f4"], tiles, strict=True)
        ]
        told.append(count_in_photo(TruePhoto(Path("x.jpg"), tuple(true), NO_IGNORE), tiles, reading))
    asked = {"tiles asked": 2, "bonus tiles asked": 1, "bonus tiles offered": 1}
    assert told == [asked | {"tiles offered": 2}, asked | {"tiles offered": 1}]


def test_tables_tell_which_tile_won() -> None:
    told = count_in_tables(range(100_000, 100_030))
    assert told["won asked"] >= told["won offered"] > 0
