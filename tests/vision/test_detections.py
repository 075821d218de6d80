"""The looks of the real models: at photos, at their negatives, and again where the first look leaves doubt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.subset import subset
from vision.classify import Classification
from vision.detect import ScoredQuads
from vision.detect.negative import invert_lightness
from vision.geometry import overlap_ratios
from vision.io.photo import Photo
from vision.pipeline import TileReader
from vision.scene import Detections, detect, detect_augmented

PHOTO = Path(__file__).resolve().parents[2] / "examples" / "hand-riichi.jpg"


def test_black_tiles_with_light_print_are_read_in_the_negative(reader: TileReader) -> None:
    light = reader.find_tiles(PHOTO)
    black = Photo(invert_lightness(Photo(PHOTO).pixels))
    assert reader.detect(black)[0].negative and not reader.detect(PHOTO)[0].negative
    seen = reader.find_tiles(black)
    assert sorted(s.tile.code for s in seen) == sorted(s.tile.code for s in light)
    for sighting in seen:  # in pixels of the photo, not of what was looked at
        assert any(overlap_ratios(sighting.corners, s.corners)[0] > 0.7 for s in light if s.tile is sighting.tile)


def test_the_negative_must_be_likely_to_name_a_tile_more(reader: TileReader) -> None:
    first, second = detect(Photo(invert_lightness(Photo(PHOTO).pixels)), reader.detector, reader.classifier, {})
    one, two, three = (subset(second, slice(count)) for count in (7, 8, 9))
    pick = reader.scene.pick_view
    assert second.negative and pick((first, second)) is second and pick((first,)) is first
    assert pick((second, second)) is second  # as many are not more
    assert pick((one, two)) is one and pick((one, three)) is three


def test_only_where_the_first_look_leaves_doubt_there_is_another(
    reader: TileReader, lone_back: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Detections] = []

    def again(photo: Photo, first: Detections, *_: object) -> Detections:
        looked.append(first)
        return first

    monkeypatch.setattr("vision.pipeline.detect_augmented", again)
    once = TileReader(threads=1, second_look=False)
    once.find_tiles(lone_back)
    reader.find_tiles(PHOTO)
    assert not looked
    assert reader.scene.is_in_doubt(reader.scene.rescore(once.detect(lone_back)[0])[1])
    for look in (reader.find_tiles, reader.detect, reader.read):
        look(lone_back)
    assert len(looked) == 3


def test_a_second_look_counts(reader: TileReader, lone_back: np.ndarray) -> None:
    """What it reports is what is weighed, named and given."""
    once = TileReader(threads=1, second_look=False)
    first, last = once.detect(lone_back)[0], reader.detect(lone_back)[0]
    assert (first.support == 1).all() and not np.array_equal(first.quads, last.quads)
    again = detect_augmented(Photo(lone_back), first, reader.detector, reader.classifier, {})
    np.testing.assert_array_equal(again.quads, last.quads)
    assert [s.corners.tolist() for s in reader.find_tiles(lone_back)] == [
        s.corners.tolist() for s in reader.classify(last)
    ]


@pytest.mark.parametrize("black", [False, True])
def test_a_second_look_finds_the_same_tiles_in_the_same_places(reader: TileReader, black: bool) -> None:
    photo = Photo(invert_lightness(Photo(PHOTO).pixels) if black else PHOTO)
    first = reader.detect(photo)[0]
    second = detect_augmented(photo, first, reader.detector, reader.classifier, {})
    assert second.negative == first.negative == black and second.size.tolist() == first.size.tolist()
    assert set(second.support.tolist()) <= {0.25, 0.5, 0.75, 1} and second.support.mean() > 0.9
    before, after = reader.classify(first), reader.classify(second)
    assert sorted(s.tile.code for s in before) == sorted(s.tile.code for s in after)
    for sighting in after:
        assert any(overlap_ratios(sighting.corners, s.corners)[0] > 0.8 for s in before if s.tile is sighting.tile)


class Silent:
    """A detector that finds nothing."""

    tile_px = (36.0, 130.0)

    def __call__(self, image: np.ndarray, scale: float) -> ScoredQuads:
        return ScoredQuads(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))


class Wavering:
    """A classifier that is sure of the first of two crops, and answers otherwise when asked about the second again."""

    crop, margin = (48, 64), 0.12

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, crops: np.ndarray) -> Classification:
        self.asked.append(len(crops))
        told = [[0.96, 0.04], [0.5, 0.5]] if len(self.asked) == 1 else [[0.9, 0.1]]
        turns, embeddings = np.zeros(len(crops), int), np.zeros((len(crops), 4), np.float32)
        return Classification(np.array(told, np.float32), turns, embeddings)


def test_unsure_names_are_the_geometric_mean_of_those_of_all_crops(reader: TileReader) -> None:
    photo, classifier = Photo(PHOTO), Wavering()
    first = subset(reader.detect(photo)[0], slice(2))
    second = detect_augmented(photo, first, Silent(), classifier, {})  # type: ignore[arg-type]
    assert classifier.asked == [2, 1]
    np.testing.assert_allclose(second.probabilities, [[0.96, 0.04], [0.75, 0.25]], atol=1e-6)
    np.testing.assert_array_equal(second.quads, first.quads)
    assert second.support.tolist() == [0.25, 0.25], "no other search found them"
    assert second.located == pytest.approx(first.located)
