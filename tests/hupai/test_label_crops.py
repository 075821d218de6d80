"""Crops of tiles whose finds are not believed in the order in which the finder gave them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hupai.batch.labeller import How, Labeller, Opened
from vision import pipeline
from vision.find import Finder, Found
from vision.photo import Photo
from vision.scales import search

pytestmark = pytest.mark.slow

PHOTO = Path(__file__).resolve().parent.parent.parent / "examples" / "hand-riichi.jpg"


def test_a_tile_that_its_row_bears_out_gets_its_own_crop(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes before tiles that the finder was surer of."""

    def search_unsurely(opened: Photo, finder: Finder) -> Found:
        found = search(opened, finder)
        return Found(found.quads, np.where(np.arange(len(found)) < 9, found.scores, np.float32(0.7)))

    monkeypatch.setattr(pipeline, "search", search_unsurely)
    plain: dict[str, bytes] = {}
    (before,) = Labeller(How(), plain.__setitem__).label([Opened("a.jpg", Photo(PHOTO), "", "")])
    monkeypatch.setattr(pipeline, "borne_out", lambda image, quads, crops, weak: np.arange(len(weak)) == len(weak) - 1)
    crops: dict[str, bytes] = {}
    (after,) = Labeller(How(), crops.__setitem__).label([Opened("a.jpg", Photo(PHOTO), "", "")])
    assert [b.located for b in after.boxes] == sorted((b.located for b in after.boxes), reverse=True)
    assert [b.corners for b in after.boxes][: len(before.boxes)] != [b.corners for b in before.boxes]
    assert {b.corners for b in before.boxes} <= {b.corners for b in after.boxes}
    assert len(crops) == len(after.boxes) and set(plain.values()) <= set(crops.values())
