"""Blank tiles that only their row tells of, in drawn pictures and in a rendered photo whose tile was washed out."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import blanks, pipeline
from vision.blanks import Looks, borne_out, overlooked
from vision.find import Finder, Found
from vision.photo import Photo
from vision.rectify import rectify_all
from vision.scales import search

ROOT = Path(__file__).resolve().parent.parent.parent
CLOTH, BODY, SHADE = (30, 90, 60), (238, 234, 222), (120, 118, 110)
W, H = 40, 54


def tile(x: float, y: float, across: bool = False) -> np.ndarray:
    """A tile's quad, its top-left corner at a place counted in tiles."""
    w, h = (H, W) if across else (W, H)
    left, top = 60 + x * w, 60 + y * h
    quad = np.array([[left, top], [left + w, top], [left + w, top + h], [left, top + h]], np.float32)
    return np.asarray(np.roll(quad, -1, axis=0) if across else quad, np.float32)


def picture(printed: list[np.ndarray], blank: list[np.ndarray], cloth: tuple[int, int, int] = CLOTH) -> np.ndarray:
    image = np.full((420, 640, 3), cloth, np.uint8)
    for quad in [*printed, *blank]:
        cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), BODY)
    for quad in printed:
        low, high = np.round(quad.min(axis=0) + 9).astype(int), np.round(quad.max(axis=0) - 9).astype(int)
        cv2.rectangle(image, (int(low[0]), int(low[1])), (int(high[0]), int(high[1])), (160, 30, 30), 3)
    noise = np.random.default_rng(0).normal(0, 3, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def proposed(printed: list[np.ndarray], blank: list[np.ndarray], cloth: tuple[int, int, int] = CLOTH) -> np.ndarray:
    image, quads = picture(printed, blank, cloth), np.array(printed, np.float32)
    return overlooked(Looks(image), quads, rectify_all(image, quads, (64, 96), 0.12))


def same_places(found: np.ndarray, wanted: list[np.ndarray]) -> bool:
    middles = sorted(tuple(np.round(q.mean(axis=0)).tolist()) for q in wanted)
    return sorted(tuple(np.round(q.mean(axis=0)).tolist()) for q in found) == middles


@pytest.mark.parametrize("gap", [(3,), (2, 3), (1, 2, 3)])
def test_a_gap_of_whole_tiles_in_the_bodies_colour_is_filled(gap: tuple[int, ...]) -> None:
    blank = [tile(x, 1) for x in gap]
    found = proposed([tile(x, 1) for x in range(8) if x not in gap], blank)
    assert same_places(found, blank)
    np.testing.assert_allclose(np.linalg.norm(found[:, 0] - found[:, 1], axis=1), W, atol=1)  # a short edge first


@pytest.mark.parametrize("at", [(6,), (6, 7), (-1,)])
def test_a_row_that_goes_on_for_whole_tiles_has_them(at: tuple[int, ...]) -> None:
    blank = [tile(x, 1) for x in at]
    assert same_places(proposed([tile(x, 1) for x in range(6)], blank), blank)


def test_a_tile_on_top_of_a_blank_one_is_seen_with_it() -> None:
    blank = [tile(3, 2), tile(3, 1)]
    assert same_places(proposed([tile(x, 2) for x in range(7) if x != 3], blank), blank)


def test_a_hole_in_a_grid_is_filled_though_no_ground_is_seen() -> None:
    blank = [tile(2, 1), tile(2, 2)]
    grid = [tile(x, y) for x in range(5) for y in range(4) if (x, y) not in ((2, 1), (2, 2))]
    assert same_places(proposed(grid, blank), blank)


def test_a_column_of_tiles_that_lie_across_is_a_row() -> None:
    blank = [tile(2, 3, across=True)]
    assert same_places(proposed([tile(2, y, across=True) for y in range(6) if y != 3], blank), blank)


@pytest.mark.parametrize(
    ("printed", "cloth"),
    [
        ([0, 1, 2, 4, 5], CLOTH),  # the cloth shows through
        ([0, 1, 2, 4, 5], BODY),  # a table of the tiles' colour
        ([0, 1, 2, 3, 4], BODY),
        ([0, 1], CLOTH),  # two tiles are no row
    ],
)
def test_bare_ground_is_no_tile(printed: list[int], cloth: tuple[int, int, int]) -> None:
    assert len(proposed([tile(x, 1) for x in printed], [], cloth)) == 0


@pytest.mark.parametrize("width", [0.5, 0.7, 1.4])
def test_what_ends_within_a_tile_or_beyond_it_is_none(width: float) -> None:
    """The white side of the last tile, or a white card beside the row."""
    side = tile(6, 1)
    side[1:3, 0] = side[0, 0] + width * W
    assert len(proposed([tile(x, 1) for x in range(6)], [side])) == 0


def test_a_gap_of_half_a_tile_is_none() -> None:
    strip = tile(3, 1)
    strip[1:3, 0] += W / 2
    assert len(proposed([tile(x, 1) for x in (0, 1, 2, 4.5, 5.5)], [strip])) == 0


def test_other_colours_and_prints_are_no_blank_tiles() -> None:
    printed = [tile(x, 1) for x in (0, 1, 2, 4, 5)]
    quads = np.array(printed, np.float32)
    pale_cloth, sunlit = (226, 235, 226), (255, 255, 250)
    for colour in (SHADE, (60, 160, 90), (230, 170, 180), pale_cloth, sunlit):
        image = picture(printed, [])
        cv2.fillConvexPoly(image, tile(3, 1).astype(np.int32), colour)
        assert len(overlooked(Looks(image), quads, rectify_all(image, quads, (64, 96), 0.12))) == 0
    image = picture([*printed, tile(3, 1)], [])
    assert len(overlooked(Looks(image), quads, rectify_all(image, quads, (64, 96), 0.12))) == 0


def test_a_blank_tile_is_as_light_as_the_tile_beside_it() -> None:
    """Not as the middle of the row: light falls off along it."""
    printed, blank = [tile(x, 1) for x in range(8) if x != 6], [tile(6, 1)]
    image, quads = picture(printed, blank), np.array(printed, np.float32)
    falls = (image * np.interp(np.arange(640), (0, 640), (1.0, 0.55))[None, :, None]).astype(np.uint8)
    assert same_places(overlooked(Looks(falls), quads, rectify_all(falls, quads, (64, 96), 0.12)), blank)


def test_a_row_bears_out_a_blank_tile_that_was_found_weakly_and_no_other() -> None:
    printed, blank = [tile(x, 1) for x in range(8) if x not in (3, 4)], [tile(3, 1), tile(4, 1)]
    elsewhere = tile(3, 4)
    image, quads = picture(printed, blank), np.array([*printed, blank[1], elsewhere], np.float32)
    crops = rectify_all(image, quads, (64, 96), 0.12)
    weak = np.arange(8) >= 5  # a printed tile, the blank one, bare cloth
    assert borne_out(Looks(image), quads, crops, weak).tolist() == [False] * 6 + [True, False]
    assert not borne_out(Looks(image), quads, crops, np.zeros(8, np.bool_)).any()


def test_a_quad_without_area_stops_nothing() -> None:
    blank = [tile(3, 1)]
    printed = [tile(x, 1) for x in range(6) if x != 3]
    image, quads = picture(printed, blank), np.array([*printed, np.full((4, 2), 200), tile(9, 3) * 0], np.float32)
    assert same_places(overlooked(Looks(image), quads, np.zeros((7, 96, 64, 3), np.uint8) + np.uint8(BODY)), blank)


def test_each_place_is_looked_at_once_and_few_quads_are_asked_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four hundred finds on ground of the bodies' colour took seconds."""
    looked, held = list[bytes](), list[int]()
    look, asked = blanks._look, cv2.pointPolygonTest

    def look_and_count(image: np.ndarray, quad: np.ndarray) -> blanks._Place:
        looked.append(np.asarray(quad, np.float32).tobytes())
        return look(image, quad)

    def asked_and_counted(quad: np.ndarray, point: tuple[float, float], far: bool) -> float:
        held.append(1)
        return asked(quad, point, far)

    monkeypatch.setattr(blanks, "_look", look_and_count)
    monkeypatch.setattr(cv2, "pointPolygonTest", asked_and_counted)
    blank = [tile(x, y) for x in (2, 4, 6) for y in (1, 3)]
    printed = [tile(x, y) for x in range(9) for y in range(6)]
    printed = [q for q in printed if not any((q == b).all() for b in blank)]
    assert same_places(proposed(printed, blank), blank)
    assert len(looked) == len(set(looked)) > 0
    assert len(held) < 4 * len(looked)


def test_no_tiles_no_rows() -> None:
    none, look = np.zeros((0, 4, 2), np.float32), Looks(np.zeros((90, 90, 3), np.uint8))
    assert overlooked(look, none, np.zeros((0, 96, 64, 3), np.uint8)).shape == (0, 4, 2)


@pytest.mark.parametrize("label", ["4m", "6s"])
def test_a_washed_out_tile_that_was_not_found_is_read_as_a_white_dragon(
    monkeypatch: pytest.MonkeyPatch, label: str
) -> None:
    """A tile in the middle of a photo's row, its print and its seams gone as in too much light."""
    photo = ROOT / "examples" / "hand-riichi.jpg"
    tiles = json.loads(photo.with_suffix(".json").read_text())["tiles"]
    quad = next(np.array(t["corners"], np.float32) for t in tiles if t["label"] == label)
    middle, near = quad.mean(axis=0), 0.15 * float(np.linalg.norm(quad[0] - quad[1]))
    image = Photo(photo).view(4000).copy()
    body = np.percentile(rectify_all(image, quad[None], (64, 96), 0.0)[0].reshape(-1, 3), 70, axis=0)
    cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), tuple(float(v) for v in body))

    def search_but_there(opened: Photo, finder: Finder) -> Found:
        found = search(opened, finder)
        away = np.linalg.norm(found.quads.mean(axis=1) - middle, axis=1) > near
        return Found(found.quads[away], found.scores[away])

    monkeypatch.setattr(pipeline, "search", search_but_there)
    seen = [s for s in pipeline.Eyes(threads=1).look(image) if np.linalg.norm(np.subtract(s.centre, middle)) < near]
    assert [s.tile.code for s in seen] == ["5z"]
    assert seen[0].located == pytest.approx(pipeline.LOCATED_BY_ROW)


def test_nothing_is_inferred_from_photos_that_lack_nothing() -> None:
    eyes = pipeline.Eyes(threads=1)
    for photo in sorted((ROOT / "examples").glob("*.jpg")):
        assert all(s.located != pytest.approx(pipeline.LOCATED_BY_ROW, abs=1e-7) for s in eyes.look(photo))
