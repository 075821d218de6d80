"""What an explanation says is what the reading did."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.repository import ROOT
from vision.detect import detector
from vision.detect.scales import Pass, search
from vision.device import ScoredQuad, finish
from vision.explanation import Explanation, explain
from vision.geometry import align_corners
from vision.io.photo import Photo
from vision.layout.interpretations import lay_out
from vision.models.opencv import invert_lightness
from vision.pipeline import TileReader

PHOTOS = sorted((ROOT / "examples").glob("*.jpg"))
RIICHI = ROOT / "examples" / "hand-riichi.jpg"


@pytest.fixture(scope="module")
def riichi(reader: TileReader) -> Explanation:
    return reader.explain(RIICHI, rules="riichi")


def same(one: Any, other: Any) -> bool:
    return bool(np.allclose(one, other, atol=0.01))


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda p: p.stem)
def test_the_reading_is_that_of_a_photo_that_nobody_asks_about(reader: TileReader, photo: Any) -> None:
    plain = reader.read(photo).to_json("a.jpg")
    assert reader.explain(photo).reading.to_json("a.jpg") | {"timings_ms": {}} == plain | {"timings_ms": {}}


def test_every_detection_is_where_its_pass_found_it(riichi: Explanation) -> None:
    assert [one.size for one in riichi.passes[:2]] == [(160, 120), (640, 480)]
    closer = {n for n, one in enumerate(riichi.passes) if not same(one.window, (0, 0, 4000, 3000))}
    assert closer.intersection(one.found_in for one in riichi.detections), "the photo needs a closer look at its middle"
    (_, y0, _, y1), rows = riichi.passes[min(closer)].window, [s.centre[1] for s in riichi.reading.tiles]
    assert 0 < y0 < min(rows) < max(rows) < y1 < 3000
    for one in riichi.detections:
        found = [quad.quad for quad in riichi.passes[one.found_in].found if quad.score == one.score]
        assert any(same(quad, one.quad) for quad in found)


def test_names_lead_from_the_classifier_to_the_reading(reader: TileReader) -> None:
    strict = copy.copy(reader.device)
    of = strict.metadata.scene
    strict.metadata = replace(strict.metadata, scene=replace(of, least=0.9995))
    explained = finish(explain(strict, strict.open(Photo(RIICHI)), None, None))
    tiles, kept = explained.reading.tiles, [one for one in explained.detections if one.tile is not None]
    assert 0 < len(kept) < len(explained.detections) == len(reader.detect(RIICHI)[0])
    assert [one.tile for one in kept] == list(range(len(tiles)))
    for one in explained.detections:
        assert (one.tile is not None) == (one.chance >= explained.least == 0.9995)
        assert len(one.scene) == 3 and one.classifier[0][1] >= one.classifier[1][1] >= one.classifier[2][1]
    for one, seen in zip(kept, tiles, strict=True):
        assert one.scene[0] == (seen.tile.code, seen.confidence)
        assert same(align_corners(seen.corners, one.quad), one.quad)


def test_interpretations_weigh_what_the_layout_weighs(riichi: Explanation) -> None:
    reading, weighed = riichi.reading, riichi.interpretations
    layout = lay_out(reading.tiles, reading.width, reading.height, "riichi")
    best, *others = [one for one in weighed if one.hand]
    assert [best.nats - one.nats for one in others[:4]] == pytest.approx([cost for cost, _ in layout.alternatives])
    assert [one for one in weighed if one.taken] == [best] and best.hand == str(reading.hand) and best.shanten == -1
    assert set(best.parts["concealed"]) == set(layout.concealed) and best.parts["winning"] == layout.winning
    assert best.parts["melds"] == [meld.tiles for meld in layout.melds]
    assert sum(one.chance for one in weighed) == pytest.approx(1)
    (none,) = (one for one in weighed if not one.hand and not one.evidence)
    assert none.nats == 0 and math.log(best.chance / none.chance) == pytest.approx(best.nats)


def test_where_there_is_no_hand_that_is_what_was_taken(reader: TileReader) -> None:
    explained = reader.explain(Photo(RIICHI).view(1280)[400:, 740:960].copy())
    assert explained.reading.tiles and explained.reading.hand is None
    (taken,) = (one for one in explained.interpretations if one.taken)
    assert (taken.nats, taken.hand) == (0, None)


def test_a_negative_is_told_and_is_in_pixels_of_the_photo(reader: TileReader) -> None:
    black = invert_lightness(Photo(RIICHI).view(2000)[:1450, :1990].copy())
    explained = reader.explain(black)
    assert explained.negative and {one.negative for one in explained.passes} == {False, True}
    assert all(explained.passes[one.found_in].negative for one in explained.detections)
    x0, y0, x1, y1 = next(one.window for one in explained.passes if one.negative)
    assert same((x0, y0, x1, y1), (0, 0, 1990, 1450))
    for one in explained.detections:
        assert any(same(one.quad, quad.quad) for quad in explained.passes[one.found_in].found)


def test_a_search_may_take_as_many_passes_as_it_likes(reader: TileReader, monkeypatch: pytest.MonkeyPatch) -> None:
    windows = [(k / 12, 0.25, (k + 3) / 12, 0.75) for k in range(10)]

    def patient(*given: Any, **how: Any) -> Generator[Pass, list[ScoredQuad], list[ScoredQuad]]:
        found = yield from search(*given, **how)
        for window in windows:
            found += yield Pass(1500, window)
        return detector.non_maximum_suppression(found)

    monkeypatch.setattr(detector, "search", patient)
    explained = reader.explain(RIICHI)
    width, height = explained.reading.width, explained.reading.height
    for one, (x0, y0, x1, y1) in zip(explained.passes[-10:], windows, strict=True):
        assert np.allclose(one.window, (x0 * width, y0 * height, x1 * width, y1 * height), atol=8), "whole pixels"
    assert len({one.found_in for one in explained.detections}) > 2
    assert len(json.loads(json.dumps(explained.to_json()))["passes"]) == len(explained.passes)


def test_a_photo_of_nothing_has_passes_and_no_more(reader: TileReader) -> None:
    told = reader.explain(np.full((300, 400, 3), 128, np.uint8)).to_json()
    assert told["passes"] and (told["detections"], told["interpretations"]) == ([], [])
