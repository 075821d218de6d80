"""Both looks of the real models: at photos and at their negatives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.detect.negative import negative
from vision.geometry import overlap
from vision.io.photo import Photo
from vision.pipeline import Eyes
from vision.scene import Detections

PHOTO = Path(__file__).resolve().parent.parent.parent / "examples" / "hand-riichi.jpg"


def test_black_tiles_with_light_print_are_read_in_the_negative(eyes: Eyes) -> None:
    light = eyes.look(PHOTO)
    black = Photo(negative(Photo(PHOTO).pixels))
    assert eyes.detect(black).negative and not eyes.detect(PHOTO).negative
    seen = eyes.look(black)
    assert sorted(s.tile.code for s in seen) == sorted(s.tile.code for s in light)
    for sighting in seen:  # in pixels of the photo, not of what was looked at
        assert any(overlap(sighting.corners, s.corners)[0] > 0.7 for s in light if s.tile is sighting.tile)


def test_the_negative_must_be_likely_to_name_a_tile_more(eyes: Eyes) -> None:
    first, second = eyes.looks(Photo(negative(Photo(PHOTO).pixels)))
    assert second.negative and eyes.scene.better((first, second)) is second and eyes.scene.better((first,)) is first
    assert eyes.scene.better((second, second)) is second  # as many are not more

    def only(count: int) -> Detections:
        names = ("quads", "located", "crops", "probabilities", "turns", "embeddings")
        return replace(second, **{name: getattr(second, name)[:count] for name in names})

    one, two, three = only(7), only(8), only(9)
    assert eyes.scene.better((one, two)) is one and eyes.scene.better((one, three)) is three


def test_an_empty_picture_has_no_detections(eyes: Eyes) -> None:
    nothing = eyes.detect(np.full((300, 400, 3), 40, np.uint8))
    assert len(nothing) == 0 and not nothing.negative
    assert eyes.name(nothing) == []


def test_detections_are_of_the_same_finds(eyes: Eyes) -> None:
    with pytest.raises(ValueError, match="equally many"):
        replace(eyes.detect(PHOTO), located=np.zeros(1, np.float32))
