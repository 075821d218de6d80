"""Which photos measure, and which teach."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.labels import INDEX
from datasets.photographs.real import is_held_out
from scripts.accuracy import holdouts
from scripts.accuracy.holdouts import NO_IGNORE, SPLIT, collection, scenes_d, sets_held_out
from scripts.accuracy.truth import TruePhoto, TrueTile, key_of
from scripts.train.teaching import boxed_photos, teaching_photos, to_boxed


@pytest.mark.parametrize("name", SPLIT)
def test_one_half_decides_and_the_other_is_measured(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / f"{name}-validation"
    folder.mkdir()
    sources = []
    for k in range(40):
        (folder / f"{k}.json").write_text(json.dumps({"image": f"{k}.jpg", "tiles": []}))
        sources.append({"file": f"{k}.jpg", "source": f"owner+repo{k // 4}/photo{k}.jpg"})
    (folder / "SOURCES.json").write_text(json.dumps(sources))
    monkeypatch.setenv("HUPAI_DATA", str(tmp_path))
    halves = [{photo.path.name for photo in collection(f"{name}-{half}")} for half in ("deciding", "measured")]
    assert halves[0] and halves[1] and not halves[0] & halves[1] and len(halves[0] | halves[1]) == 40
    for k in range(0, 40, 4):
        assert len({f"{k + i}.jpg" in halves[0] for i in range(4)}) == 1, "a source is never split"


def test_one_tile_set_in_five_is_held_out_of_the_large_ones_and_of_the_small_ones() -> None:
    photos = {f"large {k}": 10 + k for k in range(10)} | {f"small {k}": 1 + k % 9 for k in range(15)}
    held_out = sets_held_out(photos)
    assert Counter(name.split()[0] for name in held_out) == {"large": 2, "small": 3}
    assert sets_held_out(dict(sorted(photos.items(), reverse=True))) == held_out


def photo(folder: Path, name: str) -> None:
    """A file of its own, with its line in ``boxes.jsonl``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(f"{folder.name}/{name}".encode())
    with (folder / "boxes.jsonl").open("a") as file:
        file.write(json.dumps({"image": name, "width": 9, "height": 9, "boxes": []}) + "\n")


def test_no_photo_teaches_that_measures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held_out, kept = (
        next(name for name in map(str, range(99)) if is_held_out(f"{name}_1") == held) for held in (True, False)
    )
    for source in ("scenes-a", "scenes-b", "scenes-c-red-fives"):
        photo(tmp_path / source, f"{source}.jpg")
    for name in (held_out, kept):
        photo(tmp_path / "scenes-b", f"{name}_1_jpg.rf.0.jpg")
        photo(tmp_path / "scenes-g-train" / "colour", f"{name}.jpg")
    photo(tmp_path / "scenes-h-train", "h.jpg")
    lines = []
    for k in range(12):
        photo(tmp_path / "scenes-d-validation", f"d{k}.jpg")
        lines.append({"photo": key_of(tmp_path / "scenes-d-validation" / f"d{k}.jpg"), "set": f"set {k // 2}"})
    listed = tmp_path / "sets.jsonl"
    listed.write_text("".join(json.dumps(line) + "\n" for line in lines))
    monkeypatch.setattr(holdouts, "D_SETS", listed)
    monkeypatch.setenv("HUPAI_DATA", str(tmp_path))
    taught = {p.path.relative_to(tmp_path).as_posix() for p in teaching_photos()}
    measured = {p.path.relative_to(tmp_path).as_posix() for p in collection("scenes-d-held-out")}
    assert len(measured) == 4 and not measured & taught, "two of six sets"
    assert len(measured | {name for name in taught if "scenes-d" in name}) == len(scenes_d()) == 12
    assert f"scenes-g-train/colour/{kept}.jpg" in taught and f"scenes-g-train/colour/{held_out}.jpg" not in taught
    assert {"scenes-h-train/h.jpg", f"scenes-b/{kept}_1_jpg.rf.0.jpg"} <= taught
    boxed = {p.path.relative_to(tmp_path).as_posix(): p for p in boxed_photos()}
    assert boxed.keys() == taught
    for name, p in boxed.items():
        if "scenes-d" in name:
            assert p.source == next(line["set"] for line in lines if line["photo"] == key_of(p.path))
    assert boxed["scenes-h-train/h.jpg"].source == "scenes-h-train"


def test_the_hands_among_the_photos_that_teach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = ("scenes-a", "scenes-b", "scenes-c-red-fives", "scenes-g-train/colour", "scenes-h-train")
    for place in places:
        photo(tmp_path / place, "hand.jpg")
        photo(tmp_path / place, "river.jpg")
    keys = {key_of(tmp_path / place / "hand.jpg") for place in places}
    monkeypatch.setattr(holdouts, "true_hands", lambda: keys)
    monkeypatch.setenv("HUPAI_DATA", str(tmp_path))
    found = [p.path.relative_to(tmp_path).as_posix() for p in collection("taught-hands")]
    assert found == [f"{place}/hand.jpg" for place in places]


def test_tiles_are_cut_by_their_boxes_or_by_their_own_corners() -> None:
    box = np.array([[10, 20], [30, 20], [30, 50], [10, 50]], np.float32)
    tiles = (TrueTile("1m", box, True, False), TrueTile("foreign", box, True, False), TrueTile("5z", box, True, True))
    of_quads = to_boxed(TruePhoto(Path("table_jpg.rf.1.jpg"), tiles, NO_IGNORE), None)
    assert of_quads.labels.tolist() == [INDEX["1m"], INDEX["5z"]] and of_quads.whole.tolist() == [True, False]
    assert of_quads.boxes.tolist() == [[10, 20, 30, 50]] * 2 and of_quads.shot == "table"
    assert of_quads.quads is not None and np.array_equal(of_quads.quads, [box, box])
    of_boxes = to_boxed(TruePhoto(Path("table.jpg"), (replace(tiles[0], quad=False),), NO_IGNORE), "bone and bamboo")
    assert of_boxes.quads is None and of_boxes.source == "bone and bamboo"
