"""What people correct means the same in every format: the same tiles, of the same pictures, in the same places."""

from __future__ import annotations

import importlib.util
import tempfile
import unicodedata
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from hupai.label.corrections.merge import Changes
from hupai.label.corrections.record_store import FILES, A, B, RecordStore
from hupai.label.formats import BY_NAME, LabelError, read_labels
from hupai.label.formats.base import upright_corners
from hupai.label.records import Box, Record
from scoring.tiles import TILES
from tests.hupai.test_label.batch_photos import merge
from tests.hupai.test_label.test_formats.test_batch_formats import write

WIDTH, HEIGHT = 600, 400
PLACES = [(x, y) for y in (70, 200, 330) for x in (70, 220, 370, 530)]
NAMES = [name for name, each in BY_NAME.items() if not each.package or importlib.util.find_spec(each.package)]
BOXES = ("yolo",)
"""Formats of upright boxes: a tile that was moved or added lies straight."""
NO_SIZES = ("yolo", "yolo-obb")
"""Formats that do not say how large a picture is."""


def box(place: int, code: int, angle: float, **more: object) -> Box:
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = (np.array([[-20, -28], [20, -28], [20, 28], [-20, 28]]) @ turn.T + PLACES[place]).round(1)
    a, b, c, d = (tuple(map(float, point)) for point in corners)
    return Box(TILES[code], (a, b, c, d), **more)


codes, angles = st.integers(0, 33), st.floats(-3.1, 3.1)
steps = st.sampled_from((-6, -4, 4, 6))
read_tiles = st.lists(st.tuples(codes, angles), min_size=6, max_size=6)
done = st.one_of(
    st.sampled_from((("let stand",), ("removed",), ("unsure",))),
    st.tuples(st.just("renamed"), codes),
    st.tuples(st.just("moved"), steps, steps),
)
drawn = st.lists(st.tuples(codes, angles), max_size=3)


def correct(read: Record, work: list[tuple], more: list[tuple[int, float]]) -> Record:
    """What a tool gives back: names and corners, and places where nobody can tell."""
    boxes, ignored = [], []
    for old, (what, *how) in zip(read.boxes, work, strict=True):
        plain = Box(old.tile, old.corners, origin="corrected")
        if what == "unsure":
            ignored.append(old.bounds)
        elif what == "renamed":
            boxes.append(replace(plain, tile=TILES[how[0]]))
        elif what == "moved":
            boxes.append(replace(plain, corners=tuple((x + how[0], y + how[1]) for x, y in old.corners)))
        elif what != "removed":
            boxes.append(plain)
    boxes += [box(6 + i, code, angle, origin="corrected") for i, (code, angle) in enumerate(more)]
    return replace(read, boxes=tuple(boxes), ignored=tuple(ignored))


def pass_through(name: str, records: list[Record], read: list[Record]) -> list[Record]:
    """The records, written in a format and read back."""
    with tempfile.TemporaryDirectory() as folder, RecordStore() as store:
        store.add(B, read, "read")
        path = write(Path(folder) / "l", records, (name,)) / BY_NAME[name].files[0]
        return read_labels(path, name, sizes=store.sizes(B))


def outcome(records: list[Record], read: list[Record]) -> tuple[Record, Changes]:
    (merged,), changes = merge(records, read)
    return merged, changes


@settings(max_examples=25, deadline=None)
@given(read_tiles, st.lists(done, min_size=6, max_size=6), drawn)
def test_corrections_mean_the_same_in_every_format(given_tiles, work, more):
    tiles = [box(i, code, angle, confidence=0.9, located=0.8) for i, (code, angle) in enumerate(given_tiles)]
    read = Record("a/b.jpg", WIDTH, HEIGHT, tuple(tiles), models={"classifier": "1" * 12})
    said = correct(read, work, more)
    for name in NAMES:
        meant, changes = outcome([said if BY_NAME[name].holds_ignored else replace(said, ignored=())], [read])
        got, counted = outcome(pass_through(name, [said], [read]), [read])
        assert asdict(counted) == asdict(changes), name
        assert [(b.tile, b.origin, b.confidence) for b in got.boxes] == [
            (b.tile, b.origin, b.confidence) for b in meant.boxes
        ], name
        for one, other in zip(got.boxes, meant.boxes, strict=True):
            straight = name in BOXES and other.origin == "corrected"
            assert np.allclose(*((b.bounds if straight else b.corners) for b in (one, other)), atol=0.1), name
        assert np.allclose(got.ignored, meant.ignored, atol=0.1), name


@pytest.mark.parametrize("orientation", range(1, 9))
def test_labels_are_of_the_upright_picture_however_it_lies_in_its_file(tmp_path, orientation):
    """Those of a tool that does not turn pictures by their EXIF data are refused, also where it made them smaller."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.new("RGB", (WIDTH, HEIGHT)).save(tmp_path / "a.jpg", exif=exif)
    turned = orientation >= 5
    upright = (HEIGHT, WIDTH) if turned else (WIDTH, HEIGHT)
    corners = upright_corners(50, 60, 90, 116)
    with RecordStore() as store:
        store.add_pictures(str(tmp_path))
        sizes = store.sizes(FILES)
        for name in NAMES:
            record = Record("a.jpg", *upright, (Box(TILES[4], corners),))
            path = write(tmp_path / name, [record], (name,)) / BY_NAME[name].files[0]
            (back,) = read_labels(path, name, sizes=sizes)
            assert (back.width, back.height) == upright
            assert np.allclose(back.boxes[0].bounds, (50, 60, 90, 116), atol=0.1), name
            for share in (1, 2) if turned and name not in NO_SIZES else ():
                lying = Record("a.jpg", WIDTH // share, HEIGHT // share, (Box(TILES[4], corners),))
                path = write(tmp_path / f"{name}{share}", [lying], (name,)) / BY_NAME[name].files[0]
                with pytest.raises(LabelError, match="EXIF"):
                    read_labels(path, name, sizes=sizes)


def test_pictures_whose_names_only_differ_in_how_accents_are_spelt_are_two():
    names = sorted(unicodedata.normalize(form, "caf\u00e9.jpg") for form in ("NFC", "NFD"))
    read = [Record(name, WIDTH, HEIGHT, (box(i, i, 0.2),)) for i, name in enumerate(names)]
    for kind in NAMES:
        with RecordStore() as store:
            store.add(A, pass_through(kind, read, read), "given")
            store.add(B, read, "read")
            assert [(a.boxes[0].tile, b) for a, b in store.pairs()] == [(r.boxes[0].tile, r) for r in read], kind


def test_pictures_are_known_again_by_roboflows_names():
    """Two versions of one picture are neither."""
    read = [Record(f"in/{name}.jpg", WIDTH, HEIGHT, (box(0, 4, 0.2),)) for name in ("IMG_1", "IMG_2")]
    named = [f"IMG_{name}_jpg.rf.{mark * 32}.jpg" for name, mark in (("1", "0"), ("2", "a"), ("2", "b"))]
    for kind in ("coco", "yolo"):
        known = read[:1] if kind == "yolo" else read
        back = pass_through(kind, [replace(read[0], image=name) for name in named[: 2 * len(known) - 1]], known)
        with RecordStore() as store:
            store.add(A, back, "given")
            store.add(B, read, "read")
            assert [base for _, base in store.pairs()] == [read[0], None, None][: len(back)], kind


letters = st.characters(categories=("L", "M", "N")) | st.sampled_from(" \n東é")
picture_names = st.text(letters, min_size=1, max_size=12).map(lambda stem: f"{stem}.jpg")


@settings(max_examples=25, deadline=None)
@given(st.lists(picture_names, min_size=1, max_size=2))
def test_pictures_are_known_again_by_names_in_any_script(parts):
    """As they are, as a Mac spells them, and (where a file holds whole names of a tool's own) as paths of Windows."""
    name = "/".join(parts)
    read = Record(name, WIDTH, HEIGHT, (box(0, 4, 0.2), box(1, 5, 0.3)))
    for kind in NAMES:
        spelt = [name, unicodedata.normalize("NFD", name)]
        if kind in ("coco", "cvat", "csv"):
            spelt.append("C:\\photos\\" + name.replace("/", "\\"))
        for each in spelt:
            (back,) = pass_through(kind, [replace(read, image=each)], [read])
            with RecordStore() as store:
                store.add(A, [back], "given")
                store.add(B, [read], "read")
                ((_, partner),) = store.pairs()
            assert partner == read, (kind, each)
