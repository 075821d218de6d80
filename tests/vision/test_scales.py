from __future__ import annotations

import contextlib

import numpy as np
import pytest

from vision.arrays import to_quad
from vision.detect.codes import Cells, read_cells
from vision.detect.detector import search_photo
from vision.detect.scales import (
    CLOSER_FACTOR,
    FIRST_SIDE_PX,
    GLANCE_SCALE,
    MAX_ENLARGED,
    MAX_FIRST_SIDE_PX,
    MAX_FLAT,
    MAX_PASS_PIXELS,
    MAX_SIDE_PX,
    MAX_STRETCH,
    VIEW_SIDE_PX,
    Pass,
    first_side,
    plan_later_passes,
    search,
)
from vision.device import ScoredQuad, finish
from vision.geometry import extent

GLANCE_SIDE = round(GLANCE_SCALE * FIRST_SIDE_PX)


def upright(x0: float, y0: float, x1: float, y1: float) -> ScoredQuad:
    return ScoredQuad(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), 0.9, 0.01)


def found(size: float, count: int = 14, x: float = 100, y: float = 400) -> list[ScoredQuad]:
    """A row of tiles, ``size`` wide, in pixels of the photo."""
    return [upright(x + i * size, y, x + (i + 1) * size, y + 1.35 * size) for i in range(count)]


def test_tiles_of_a_good_size_need_no_second_pass() -> None:
    assert plan_later_passes(found(250), 4000, 3000, 36, 130) == []


def test_small_tiles_are_looked_at_closer_where_they_are() -> None:
    (closer,) = plan_later_passes(found(150, y=1000), 4000, 3000, 36, 130)
    assert closer.side == round(FIRST_SIDE_PX * CLOSER_FACTOR * 36 / 24)
    x0, y0, x1, y1 = closer.window
    assert x0 == 0.0 and 2600 / 4000 < x1 < 2800 / 4000
    assert 700 / 3000 < y0 < 800 / 3000 and 1400 / 3000 < y1 < 1500 / 3000


def test_a_second_pass_has_a_limit() -> None:
    spread = found(20, x=10, y=10)
    corner = found(20, count=1, x=3900, y=2900)
    (closer,) = plan_later_passes(spread + corner, 4000, 3000, 36, 130)
    x0, y0, x1, y1 = closer.window
    assert closer.side**2 * 0.75 * (x1 - x0) * (y1 - y0) == pytest.approx(MAX_PASS_PIXELS, rel=0.01)
    (row,) = plan_later_passes(found(20, count=150, x=10), 4000, 3000, 36, 130)
    x0, _, x1, _ = row.window
    assert row.side * (x1 - x0) == pytest.approx(MAX_SIDE_PX, rel=0.01)


def test_the_first_pass_has_as_many_pixels_whatever_the_shape() -> None:
    assert first_side(4000, 3000) == first_side(640, 640) == first_side(30, 40) == FIRST_SIDE_PX
    wide = round((FIRST_SIDE_PX**2 * 3 / 4 * 16 / 9) ** 0.5)
    assert first_side(1600, 900) == first_side(900, 1600) == wide > FIRST_SIDE_PX
    assert first_side(100, 4000) == MAX_FIRST_SIDE_PX


def test_where_nothing_is_found_other_sizes_are_tried() -> None:
    assert plan_later_passes([], 4000, 3000, 36, 130) == [Pass(VIEW_SIDE_PX), Pass(FIRST_SIDE_PX // 2)]


class FakePhoto:
    """A photo, and its only view, in which one tile is found, wherever the brightest pixel is, where it may be.

    Attributes:
        shown: the sizes it was searched at.
    """

    def __init__(self, pixels: np.ndarray, half: float = 10, sides: tuple[int, int] = (0, 10_000)) -> None:
        """``half``: half the tile's side, in pixels of the network; ``sides``: of the pictures it is found in."""
        self.pixels, self.half, self.sides = pixels, half, sides
        self.height, self.width = pixels.shape[:2]
        self.shown: list[tuple[int, int]] = []

    async def view(self, _: int) -> FakePhoto:
        return self

    async def detect(self, window: tuple[int, int, int, int], width: int, height: int) -> list[ScoredQuad]:
        self.shown.append((width, height))
        if not self.sides[0] <= max(width, height) <= self.sides[1]:
            return []
        left, top, right, bottom = window
        image = self.pixels[top:bottom, left:right, 0]
        y, x = np.unravel_index(int(image.argmax()), image.shape)
        by = np.array([width / (right - left), height / (bottom - top)])
        x, y = (np.array([x, y]) + 0.5) * by - 0.5
        return read_cells(Cells([x, y, self.half, 0, 0, 0, 0, self.half, 0, 0] * 4, [0.9] * 4, [4]))

    def search(self, *, thorough: bool = True) -> list[ScoredQuad]:
        return finish(search_photo(self, (36.0, 130.0), thorough=thorough))


def marked(x: int, y: int) -> np.ndarray:
    """A dark picture, 600 x 600, with one bright pixel."""
    pixels = np.full((600, 600, 3), 9, np.uint8)
    pixels[y, x] = 255
    return pixels


@pytest.mark.parametrize(("width", "height"), [(2000, 1500), (900, 1600), (640, 640), (300, 200)])
def test_finds_come_back_in_pixels_of_the_photo(width: int, height: int) -> None:
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[height // 3, width // 2] = 255
    photo = FakePhoto(pixels)
    seen = photo.search()
    assert np.abs(np.mean(seen[0].quad, axis=0) - (width // 2, height // 3)).max() < 1.5
    side = first_side(width, height)
    assert [max(shown) for shown in photo.shown[:2]] == [round(GLANCE_SCALE * side), side]
    assert len(photo.shown) == 3
    assert photo.shown[2][0] * photo.shown[2][1] < 400_000


def test_a_tile_that_fills_the_photo_is_seen_at_a_glance_and_looked_at_from_further_away() -> None:
    photo = FakePhoto(marked(300, 300), half=50, sides=(0, 260))
    assert len(photo.search()) == 1
    further = round(0.7 * 130 / 400 * FIRST_SIDE_PX)
    assert [max(shown) for shown in photo.shown] == [GLANCE_SIDE, FIRST_SIDE_PX, further]


def test_what_a_glance_sees_of_smaller_tiles_does_not_count() -> None:
    photo, hasty = (FakePhoto(marked(300, 300), half=17, sides=(0, GLANCE_SIDE)) for _ in range(2))
    assert not photo.search()
    assert [max(shown) for shown in photo.shown[2:]] == [VIEW_SIDE_PX, FIRST_SIDE_PX // 2]
    assert not hasty.search(thorough=False)
    assert len(hasty.shown) == 2


def test_a_later_pass_looks_further_along_a_row_than_across_it() -> None:
    """What the first pass overlooks are the ends of rows."""
    row = found(100, x=1000, y=1400)
    (closer,) = plan_later_passes(row, 4000, 4000, 36, 130)
    left, top = 1000 - 4000 * closer.window[0], 1400 - 4000 * closer.window[1]
    assert left == pytest.approx(2 * top, rel=0.01)
    column = [one._replace(quad=to_quad(np.array(one.quad)[:, ::-1])) for one in row]
    (turned,) = plan_later_passes(column, 4000, 4000, 36, 130)
    assert turned.window == pytest.approx(np.array(closer.window)[[1, 0, 3, 2]])
    (alone,) = plan_later_passes(found(100, count=1, x=1000, y=1400), 4000, 4000, 36, 130)
    assert 1000 - 4000 * alone.window[0] == pytest.approx(1400 - 4000 * alone.window[1])


@pytest.mark.parametrize("x", [300, 12, 2, 597])
def test_a_face_cut_by_the_edge_counts_while_half_of_it_is_in_the_picture(x: int) -> None:
    assert len(FakePhoto(marked(x, 300)).search()) == 1


def test_a_face_of_which_less_than_half_is_in_the_picture_is_left_out() -> None:
    assert not FakePhoto(marked(1, 1)).search()


def test_a_small_photo_is_not_enlarged_without_end() -> None:
    (closer,) = plan_later_passes(found(8, count=5), 960, 960, 36, 130)
    assert closer.side == MAX_SIDE_PX and closer.window[2] - closer.window[0] < 0.2


def looks_of(tiles: list[ScoredQuad], width: int, height: int) -> list[Pass]:
    """The passes over a photo in which each finds the tiles of its window that it shows at least 6 pixels wide."""
    passes = search(width, height, 36, 130)
    looks = [next(passes)]
    with contextlib.suppress(StopIteration):
        while True:
            x0, y0, x1, y1 = np.array(looks[-1].window) * (width, height, width, height)
            scale = looks[-1].side / max(width, height)
            seen = [
                one
                for one in tiles
                if extent(one.quad)[0] * scale >= 6 and all(x0 <= x <= x1 and y0 <= y <= y1 for x, y in one.quad)
            ]
            looks.append(passes.send(seen))
    return looks


def test_each_group_that_is_still_small_is_looked_at_by_itself() -> None:
    """One row near the camera and two rows far from it, in opposite corners."""
    near, far, further = found(200, y=2500), found(60, x=200, y=200), found(45, count=9, x=3000, y=700)
    later, *closer = looks_of(near + far + further, 4000, 3000)[2:]
    assert later.side < min(look.side for look in closer)
    assert [look.side for look in closer] == [round(4000 * CLOSER_FACTOR * 36 / span) for span in (60, 45)]
    for look, row in zip(closer, (far, further), strict=True):
        x0, y0, x1, y1 = np.array(look.window) * (4000, 3000, 4000, 3000)
        assert all(x0 < x < x1 and y0 < y < y1 for one in row for x, y in one.quad)
        assert (x1 - x0) * (y1 - y0) < 4000 * 3000 / 10


def seen_low(rows: int, flat: float) -> list[ScoredQuad]:
    """Rows of tiles, as wide as :func:`found` has them, of whose height so much is left."""
    tiles = [one for row in range(rows) for one in found(100, x=300, y=1000 + 135 * row)]
    return [one._replace(quad=to_quad(np.array(one.quad) * (1, flat))) for one in tiles]


def test_tiles_seen_from_low_down_are_shown_higher() -> None:
    (above,) = plan_later_passes(seen_low(3, 0.8), 4000, 3000, 36, 130)
    (low,) = plan_later_passes(seen_low(3, 0.25), 4000, 3000, 36, 130)
    wider, higher = low.stretch
    assert above.stretch == (1, 1) and wider == 1
    assert 1 / 1.35 / 0.25 / higher == pytest.approx(MAX_FLAT)
    span = 135 * 0.25 * low.scale(4000)[1]  # larger than a tile's width only in the photo as it is
    assert span == pytest.approx(CLOSER_FACTOR * 36, rel=0.01)
    turned = [one._replace(quad=to_quad(np.array(one.quad)[:, ::-1])) for one in seen_low(3, 0.25)]
    assert plan_later_passes(turned, 3000, 4000, 36, 130)[0].stretch == pytest.approx((higher, wider))
    assert plan_later_passes(seen_low(3, 0.05), 4000, 3000, 36, 130)[0].stretch == (1, MAX_STRETCH)


def test_one_hand_gets_no_closer_look() -> None:
    assert len(looks_of(found(250), 4000, 3000)) == 2
    assert len(looks_of(found(110, y=1000), 4000, 3000)) == 3


def test_a_group_is_enlarged_four_times_at_most() -> None:
    looks = looks_of(found(60, count=6, y=900) + found(9, count=4, x=400, y=820), 1200, 1200)
    assert looks[-1].side == MAX_ENLARGED * 1200


def test_closer_looks_take_no_more_pixels_than_the_passes_before() -> None:
    rows = [one for k in range(12) for one in found(70, count=26, x=2000 * (k % 2) + 50, y=100 + 500 * (k // 2))]
    pixels = [look.count_pixels(4000, 3000) for look in looks_of(rows, 4000, 3000)]
    assert 2 <= len(pixels[3:]) < 12
    assert 0.8 * sum(pixels[1:3]) < sum(pixels[3:]) <= sum(pixels[1:3])


def test_what_was_shown_as_large_is_not_looked_at_again() -> None:
    table = Pass(1600, (0.1, 0.1, 0.9, 0.9))
    assert table.shows(Pass(1800, (0.2, 0.2, 0.5, 0.9)))
    assert table.shows(Pass(1600, (0.095, 0.2, 0.5, 0.905)))
    assert not table.shows(Pass(1900, (0.2, 0.2, 0.5, 0.9)))
    assert not table.shows(Pass(1600, (0.05, 0.2, 0.5, 0.9)))
    assert not table.shows(Pass(800, (0.2, 0.2, 0.5, 0.9), (1.0, 2.5)))
    assert table.shows(Pass(800, (0.2, 0.2, 0.5, 0.9), (1.0, 2.0)))
