"""One picture, one hand: a photo and a camera come to the same reading, under all rules."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from hupai.hall.feed.session.session_events import EventKind
from hupai.hall.feed.session.table_session import TableSession
from tests.hupai.test_commands.test_same_hand import PHOTOS, read_photos, said
from vision import TileReader
from vision.io.photo import Photo
from vision.layout.shapes import shapes_of
from vision.reading import Sighting

CAMERA = 1280
"""Pixels across a camera's picture."""


@pytest.fixture(scope="module")
def looks() -> dict[str, tuple[np.ndarray, list[Sighting]]]:
    """What a camera over each photo would take (h, w, 3 BGR), and what the reader finds in it."""
    reader, found = TileReader(), {}
    for path in PHOTOS:
        pixels = Photo(path).pixels
        shape = (CAMERA, round(CAMERA * pixels.shape[0] / pixels.shape[1]))
        frame = np.asarray(cv2.resize(pixels, shape, interpolation=cv2.INTER_AREA), np.uint8)
        found[path.name] = frame[..., ::-1].copy(), reader.find_tiles(frame)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("rules", [None, "riichi", "taiwanese"], ids=str)
def test_photo_and_camera_give_the_same_hand(
    rules: str | None, looks: dict[str, tuple[np.ndarray, list[Sighting]]]
) -> None:
    read = read_photos(rules)
    seen = {path.name: watched(*looks[path.name], rules) for path in PHOTOS}
    settled = {name: told["hand"] for name, told in seen.items() if told is not None}
    # One of the photos shows a hand of seventeen tiles, the others have fourteen.
    least = 2 if shapes_of(rules).size == 14 else 1
    assert len(settled) >= least, "hands that win are settled"
    assert settled == {name: read[name]["hand"] for name in settled}


def watched(frame: np.ndarray, seen: list[Sighting], rules: str | None) -> dict[str, Any] | None:
    """What a camera says that takes nothing but this picture for a second and a half."""
    table = TableSession(lambda _: seen, rules=rules)
    events = [event for n in range(15) for event in table.process_frame(frame, n / 10)]
    readings = [event.reading for event in events if event.kind is EventKind.SETTLED and event.reading is not None]
    return said(readings[-1].to_json("")) if readings else None
