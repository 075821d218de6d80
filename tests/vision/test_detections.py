"""The looks of the real models at photos and at their negatives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.vision.subset import subset
from vision.device import finish
from vision.geometry import overlap_ratios
from vision.io.photo import Photo
from vision.models.opencv import invert_lightness
from vision.pipeline import TileReader
from vision.scene.detections import Detections
from vision.scene.views import detect

PHOTO = Path(__file__).resolve().parents[2] / "examples" / "hand-riichi.jpg"


def test_black_tiles_with_light_print_are_read_in_the_negative(reader: TileReader) -> None:
    light = reader.find_tiles(PHOTO)
    black = Photo(invert_lightness(Photo(PHOTO).pixels))
    assert reader.detect(black)[0].negative and not reader.detect(PHOTO)[0].negative
    seen = reader.find_tiles(black)
    assert sorted(s.tile.code for s in seen) == sorted(s.tile.code for s in light)
    for sighting in seen:  # in pixels of the photo, not of what was looked at
        assert any(overlap_ratios(sighting.corners, s.corners)[0] > 0.7 for s in light if s.tile is sighting.tile)


def test_the_view_that_is_likely_to_name_more_faces_is_read(reader: TileReader) -> None:
    black = reader.device.open(Photo(invert_lightness(Photo(PHOTO).pixels)))
    first, second = finish(detect(black, reader.device.metadata, {}))
    fewer, none = subset(second, range(7)), subset(second, ())

    def pick(*views: Detections) -> Detections:
        return finish(reader.photos.scene.pick_view(views))

    assert second.negative and pick(first, second) is second and pick(first) is first
    assert pick(fewer, second) is second and pick(second, fewer) is second
    assert pick(none, subset(second, ())) is none  # as many are not more
    one = second.found[0]
    doubted = replace(one, probabilities=[0.8 * p + 0.2 / len(one.probabilities) for p in one.probabilities])
    hazy = replace(second, found=[doubted, *second.found[1:]])
    assert pick(hazy, second) is hazy and pick(second, hazy) is second  # hardly more is chance
