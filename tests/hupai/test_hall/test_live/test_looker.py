"""When a row is searched at another size: where tiles may have been overlooked, or two taken for one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import cast

import numpy as np
import pytest

from datasets.scenes.player_videos import player_video
from hupai.hall.live.row.faces import READS, FaceReader, shows_table, without_doubles
from hupai.hall.live.row.look import Face, Melds, Span
from hupai.hall.live.row.looker import NEW, ROW_PX, RowLooker, SearchSize, in_picture, is_whole, reasons_of
from hupai.hall.live.row.melds import FITTING
from hupai.hall.live.row.strip import Row, Strip, width
from scoring.tiles import Tile, parse_tiles, tile
from vision.arrays import FloatArray, ImageArray
from vision.onnx_device import OnnxDevice
from vision.pipeline import TileReader

MELD = tuple(parse_tiles("111z"))


def row(many: int, without: Sequence[int] = (), drawn: bool = False) -> list[Face]:
    found = [Face(50.0 * k, 48.0) for k in range(many) if k not in without]
    return [*found, Face(50.0 * (many + 0.7), 48.0)] if drawn else found


@pytest.mark.parametrize(
    ("faces", "melds", "glare", "whole"),
    [
        (row(13), (), (), True),
        (row(13, drawn=True), (), (), True),
        (row(10), (MELD,), (), True),
        (row(12), (), (), False),
        (row(10), None, (), True),  # how many there have to be is not known
        (row(15, without=[4]), (), (), False),
        (row(15, without=[4]), (), ((180.0, 220.0),), True),
        (row(15, without=[4]), (), ((480.0, 520.0),), False),
        (row(12), (), ((600.0, 640.0),), True),
    ],
)
def test_a_row_is_whole_if_nothing_can_be_missing_but_in_glare(
    faces: list[Face], melds: Melds | None, glare: tuple[Span, ...], whole: bool
) -> None:
    assert is_whole(faces, melds, glare) == whole


@pytest.mark.slow
def test_a_row_may_be_whole_once_it_has_been_searched_at_all_sizes(reader: TileReader) -> None:
    first = next(iter(player_video(2, seconds=1, fps=10)))[..., ::-1]
    looker = RowLooker(reader)
    *new, last = [looker.look(first, k / 10) for k in range(NEW + 2)]
    assert all(look.melds is None for look in new[: NEW - 1])
    assert last.melds is not None and len(last.faces) + 3 * len(last.melds) in FITTING


@pytest.mark.slow
def test_only_what_has_changed_is_searched_again(reader: TileReader) -> None:
    first = np.ascontiguousarray(next(iter(player_video(2, seconds=1, fps=10)))[..., ::-1])
    looker, searched = RowLooker(reader), list[int]()
    looks = [looker.look(first, k / 10) for k in range(NEW + 6)]
    find = looker._find
    looker._find = lambda strip: searched.append(strip.pixels.shape[1]) or find(strip)  # type: ignore[method-assign]
    places = [face.at for face in looks[-1].faces]
    assert [face.at for face in looker.look(first, 1.3).faces] == places and not searched
    row = looker._row
    assert row is not None
    x, y = row.to_picture(np.array([[places[6], 0.0]]))[0].astype(int)
    changed = first.copy()
    changed[y - 4 : y + 4, x - 4 : x + 4] = 255 - changed[y - 4 : y + 4, x - 4 : x + 4]
    look = looker.look(changed, 1.4)
    whole = (row.span[1] - row.span[0]) * ROW_PX[0] / min(row.wide, row.high)
    assert len(searched) == 1 and searched[0] < 0.6 * whole
    assert [face.at for face in look.faces] == pytest.approx(places, abs=3.0)


def test_other_sizes_are_tried_in_single_looks_from_the_one_at_which_the_row_is_whole() -> None:
    size, seen = SearchSize(), list[int]()
    for k in range(40):
        size.follow(0.1 * k, whole=size.now != 0, drawn=False, stirred=False)  # at the first size one is overlooked
        seen.append(size.now)
    assert size.usual == 1 and seen.count(1) == 37 and set(seen) == {0, 1, 2, 3}
    size.now = 3
    size.follow(4.0, whole=True, drawn=True, stirred=True)
    assert size.now == size.usual == 3, "where the drawn tile is seen"


def test_two_tiles_do_not_stand_in_one_place() -> None:
    sure, doubtful = {parse_tiles("1z")[0]: 0.9}, {parse_tiles("5z")[0]: 0.5}
    steps = [41, 44, 46, 47, 48, 51, 52, 55, 58, 60, 62]  # a camera at the left
    faces = [Face(float(at), wide, sure) for at, wide in zip(accumulate(steps, initial=0), [*steps, 63], strict=True)]
    assert without_doubles(faces) == tuple(faces)
    between = Face(faces[4].at + 30, 50.0, doubtful)
    assert without_doubles([*faces[:5], between, *faces[5:]]) == tuple(faces)
    assert without_doubles([]) == ()
    gaps = row(16, without=[2, 4])
    assert without_doubles(gaps) == tuple(gaps), "where tiles are covered the others stand as they did"
    few = [*row(4, without=[2]), Face(235.0, 48.0)]
    assert without_doubles(few) == tuple(few), "most steps are wide ones"


def test_a_slanted_tile_is_as_wide_as_an_upright_one() -> None:
    upright = np.array([[0, -30], [45, -30], [45, 30], [0, 30]], np.float64)
    slanted = upright + np.outer(upright[:, 1], [0.4, 0.0])
    assert width(slanted) == pytest.approx(width(upright)) == pytest.approx(45)


@pytest.mark.parametrize(("left", "right", "cut"), [(30, 900, False), (4, 900, True), (30, 996, True)])
def test_a_row_at_the_edge_of_the_picture_may_be_cut_off(left: int, right: int, cut: bool) -> None:
    picture = np.full((400, 1000, 3), 90, np.uint8)
    seen = Row((500.0, 200.0, 0.0), 40.0, 52.0, (-500.0, 500.0), (-500.0, 500.0))
    quads = [np.array([[u, -26.0], [u + 40, -26.0], [u + 40, 26.0], [u, 26.0]]) for u in (left - 500.0, right - 540.0)]
    strip = Strip.cut(picture, seen, seen.span, 1.0)
    assert reasons_of(seen, strip, strip.pixels[..., 0], quads, 1000) == (("cut_off",) if cut else ())


@pytest.mark.parametrize(("left", "there"), [(2, True), (-4, True), (-10, False), (954, True), (970, False)])
def test_a_tile_counts_of_which_only_a_corner_is_outside_the_picture(left: int, there: bool) -> None:
    seen = Row((500.0, 200.0, 0.0), 40.0, 52.0, (-500.0, 500.0), (-500.0, 500.0))
    slanted = np.array([[left - 512.0, -26.0], [left - 472, -26.0], [left - 448, 26.0], [left - 488, 26.0]])
    assert bool(in_picture([slanted], seen, 1000)) == there


IVORY, CLOTH, SHADOW, BLUE = (200, 190, 165), (120, 122, 126), (85, 86, 90), (30, 45, 120)
DARK, NOISE = (3, 46, 4), (0, 41, 0)


@pytest.mark.parametrize(
    ("colour", "frame", "hole"),
    [
        ((196, 186, 160), None, False),
        ((186, 176, 153), None, False),
        (CLOTH, None, True),
        (CLOTH, SHADOW, True),
        (DARK, NOISE, True),
        ((190, 60, 150), (20, 50, 25), True),  # a check
        ((170, 160, 140), (12, 12, 14), False),
        (IVORY, BLUE, False),  # frames may cover most of a white dragon
    ],
)
def test_a_blank_face_of_another_colour_than_the_printed_ones_is_a_hole(
    colour: tuple[int, int, int], frame: tuple[int, int, int] | None, hole: bool
) -> None:
    pixels = np.full((60, 250, 3), CLOTH, np.uint8)
    quads = []
    for k in range(5):
        left, right = 50.0 * k + 2, 50.0 * k + 48
        pixels[4:56, int(left) : int(right)] = colour if k == 2 else IVORY
        pixels[20:35, int(left) + 16 : int(left) + 30] = colour if k == 2 else (20, 120, 40)
        if k == 2 and frame is not None:
            for inset, shade in ((4, frame), (12, (150, 148, 152)), (16, colour)):
                pixels[4 + inset : 56 - inset, int(left) + inset : int(right) - inset] = shade
        quads.append(np.array([[left, 4.0], [right, 4.0], [right, 56.0], [left, 56.0]]))
    assert shows_table(Strip(pixels, 0.0, 0.0, 1.0, 46.0), quads[2], quads) == hole
    assert not shows_table(Strip(pixels, 0.0, 0.0, 1.0, 46.0), quads[2], quads[2:3])


def test_a_blank_face_beside_faces_that_are_mostly_printed_is_none() -> None:
    pixels = np.full((60, 250, 3), CLOTH, np.uint8)
    quads = [np.array([[at, 4.0], [at + 46, 4.0], [at + 46, 56.0], [at, 56.0]]) for at in (2.0, 52.0, 102.0, 152.0)]
    for quad in quads:
        pixels[4:56, int(quad[0, 0]) : int(quad[1, 0])] = IVORY
    for quad in quads[:3]:
        pixels[10:50, int(quad[0, 0]) + 6 : int(quad[0, 0]) + 34] = (20, 30, 90)
    assert not shows_table(Strip(pixels, 0.0, 0.0, 1.0, 46.0), quads[3], quads)


def test_a_blank_face_that_is_too_narrow_is_a_hole() -> None:
    strip = Strip(np.full((60, 250, 3), IVORY, np.uint8), 0.0, 0.0, 1.0, 46.0)
    quads = [np.array([[at, 4.0], [at + 46, 4.0], [at + 46, 56.0], [at, 56.0]]) for at in (2, 52, 102, 190)]
    assert not shows_table(strip, quads[2], quads)
    assert shows_table(strip, np.array([[151.0, 4.0], [187, 4.0], [187, 56.0], [151, 56.0]]), quads)


def test_what_stands_beside_a_strip_has_no_part_in_it() -> None:
    """A row of which one end has gone is looked at on a shorter strip; the faces known there are off it."""
    strip = Strip(np.zeros((60, 250, 3), np.uint8), 0.0, 0.0, 1.0, 46.0)
    faces = [np.array([[at, 4.0], [at + 46.0, 4.0], [at + 46.0, 56.0], [at, 56.0]]) for at in (-56, -20, 0, 220, 260)]
    assert [strip.part(face).shape[1] for face in faces] == [0, 26, 46, 30, 0]


def test_a_pattern_on_the_table_that_is_read_as_a_picture_is_no_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = np.full((60, 250, 3), CLOTH, np.uint8)
    quads = [np.array([[at, 4.0], [at + 46, 4.0], [at + 46, 56.0], [at, 56.0]]) for at in (2.0, 52.0, 102.0, 152.0)]
    for quad in quads[:3]:
        pixels[4:56, int(quad[0, 0]) : int(quad[1, 0])] = IVORY
    names = [tile("1m"), tile("2m"), tile("g1"), tile("a3")]
    monkeypatch.setattr("hupai.hall.live.row.faces.name_faces", lambda *_: [{name: 0.87} for name in names])
    row, strip = Row((0, 0, 0), 46.0, 52.0, (0, 250), (0, 250)), Strip(pixels, 0.0, 0.0, 1.0, 46.0)
    faces = FaceReader(cast(OnnxDevice, None)).read(pixels, row, strip, quads)
    assert [next(iter(face.chances)) for face in faces] == names[:3]


def test_a_white_dragon_is_told_by_printed_faces_though_light_is_nearer(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = np.full((60, 400, 3), IVORY, np.uint8)
    pixels[:, 200:] = (245, 240, 235)  # nearly blown out
    quads = [np.array([[at, 4.0], [at + 46, 4.0], [at + 46, 56.0], [at, 56.0]]) for at in range(2, 352, 50)]
    names = {k: {tile("5z" if k == 3 else "1m"): 0.9 if k < 4 else 0.2} for k in range(len(quads))}
    monkeypatch.setattr(
        "hupai.hall.live.row.faces.name_faces",
        lambda _, rgb, row, found: [dict(names[int(quad[0, 0]) // 50]) for quad in found],
    )
    row, strip = Row((0, 0, 0), 46.0, 52.0, (0, 400), (0, 400)), Strip(pixels, 0.0, 0.0, 1.0, 46.0)
    faces = FaceReader(cast(OnnxDevice, None)).read(pixels, row, strip, quads)
    assert [next(iter(face.chances)) for face in faces] == [tile("1m")] * 3 + [tile("5z")]


def test_what_is_blank_may_be_a_hole_and_is_read_again_whenever_something_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    strip = Strip(np.full((60, 250, 3), IVORY, np.uint8), 0.0, 0.0, 1.0, 46.0)
    quads = [np.array([[at, 4.0], [at + 46, 4.0], [at + 46, 56.0], [at, 56.0]]) for at in (2.0, 52.0)]
    named = list[list[float]]()

    def name(_: object, rgb: ImageArray, row: Row, found: list[FloatArray]) -> list[dict[Tile, float]]:
        named.append([float(quad[0, 0]) for quad in found])
        return [{tile("5z" if quad[0, 0] == 2.0 else "1m"): 0.9} for quad in found]

    monkeypatch.setattr("hupai.hall.live.row.faces.name_faces", name)
    reader = FaceReader(cast(OnnxDevice, None))
    for found in (*(list(quads) for _ in range(READS + 2)), quads, quads):  # the same list: nothing has changed
        faces = reader.read(strip.pixels, Row((0, 0, 0), 46.0, 52.0, (0, 250), (0, 250)), strip, found)
    assert named == [[2.0, 52.0]] * READS + [[2.0]] * 3
    assert [next(iter(face.chances)) for face in faces] == [tile("5z"), tile("1m")]
