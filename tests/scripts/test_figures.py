from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from scoring.tiles import tile
from scripts.accuracy.confidence import confidence_by_size
from scripts.accuracy.figures import Collection
from scripts.accuracy.holdouts import teaches, without_tiles
from scripts.accuracy.looks import Looks
from scripts.accuracy.matching import PhotoResult, match
from scripts.accuracy.truth import NO_TILE, SIDE, UNTOLD, TruePhoto, TrueTile, key_of, load
from vision.arrays import to_quad
from vision.geometry import Quad
from vision.onnx_device import pixels_of
from vision.pipeline import TileReader
from vision.reading import Sighting

pytestmark = pytest.mark.release

ROOT = Path(__file__).resolve().parent.parent.parent
PHOTO = ROOT / "examples" / "hand-riichi.jpg"


def place(i: int) -> np.ndarray:
    return np.array([[0, 0], [40, 0], [40, 54], [0, 54]], np.float32) + np.array([50 * i, 0], np.float32)


def quad(i: int) -> Quad:
    return to_quad(place(i))


def result(name: str, right: int, false: tuple[str, ...] = (), tiles: int = 4) -> PhotoResult:
    """A photo with so many tiles, of which the first ones were read right, and false alarms."""
    photo = TruePhoto(Path(name), tuple(TrueTile("1m", place(i), True, False) for i in range(tiles)), np.zeros((0, 4)))
    seen = [Sighting(quad(i), tile("1m"), 0.9, {}) for i in range(right)]
    return match(photo, [*seen, *(Sighting(quad(20 + i), tile(code), 0.9, {}) for i, code in enumerate(false))])


def test_figures_and_false_detections() -> None:
    made = Collection.of("made up", [result(f"{i}.jpg", 3, ("back", "5z", "2p")) for i in range(20)])
    told = made.figures()
    assert told["right"] == [60, 60, 60] and told["exact"] == [0, 0, 0] and told["net"] == [0, 0, 0]
    assert told["precision"] == [50, 50, 50] and told["end to end"] == [75, 75, 75]
    assert "false detections: 20 backs, 20 white dragons" in str(made)
    both = Collection.together([made, Collection.of("right", [result(f"{i}.jpg", 4) for i in range(20)])])
    assert both.figures()["exact"] == [20, 20, 20] and "all together: 40 photos, 160 tiles" in str(both)


def test_confidence_is_told_by_the_size_of_what_was_found() -> None:
    """Tiles of 40 by 54 pixels, all right, and one far smaller find beside them that is none."""
    photo = TruePhoto(Path("-"), tuple(TrueTile("1m", place(i), True, False) for i in range(3)), np.zeros((0, 4)))
    tiny = Sighting(to_quad(place(9) / 4), tile("2p"), 0.5, {})
    sure = [Sighting(quad(i), tile("1m"), p, {}) for i, p in enumerate((0.995, 0.995, 0.8))]
    told = confidence_by_size([match(photo, [*sure, tiny])])
    calibration = {"confidence": 0.8225, "right": 0.75, "error": 0.1775, "sure_right": 1.0}
    assert told == {
        "confidence": {"detections": 4, "sure": 2, **calibration},
        "confidence below 30 px": {"detections": 1, "sure": 0, "confidence": 0.5, "right": 0.0, "error": 0.5},
    }
    assert confidence_by_size([match(photo, [])]) == {}


def test_exports_of_one_photograph_are_one_draw() -> None:
    """Ten copies of a good and of a bad photo say no more than one of each."""
    names = ["good", "bad"]
    copies = [result(f"{n}.rf.{i}.jpg", 4 if n == "good" else 0) for n in names for i in range(10)]
    apart = [result(f"{n}-{i}.jpg", 4 if n == "good" else 0) for n in names for i in range(10)]
    wide, narrow = (Collection.of("x", r).figures()["end to end"] for r in (copies, apart))
    assert wide[1:] == [0, 100] and narrow[0] == 50 and 20 < narrow[1] < narrow[2] < 80


def test_detections_are_kept_until_the_photo_changes(tmp_path: Path) -> None:
    photo, kept = tmp_path / "a.jpg", tmp_path / "kept"
    shutil.copy(PHOTO, photo)
    looks = Looks(TileReader(threads=1), kept)
    first, again = looks(photo), looks(photo)
    (file,) = kept.rglob("*.pickle")
    assert len(first) and first.found == again.found
    assert np.array_equal(pixels_of(first.crops), pixels_of(again.crops))
    other = Looks(looks.reader, tmp_path / "other")
    other(ROOT / "examples" / "hand-taiwanese.jpg")
    (taken,) = (tmp_path / "other").rglob("*.pickle")
    shutil.copy(taken, file)
    assert len(looks(photo)) != len(first)  # what is kept is what is given
    os.utime(photo, (1, 1))
    assert len(looks(photo)) == len(first)


def test_what_lies_beside_the_boxes_is_judged_by_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tile nobody boxed is right by its own name alone, its side and the table are always false."""
    image = tmp_path / "a.jpg"
    shutil.copy(PHOTO, image)
    known = hashlib.sha256(image.read_bytes()).hexdigest()[:16]
    names = ["back", "back", SIDE, NO_TILE, UNTOLD]
    found = [[name, *(int(v) for v in place(i + 1).ravel())] for i, name in enumerate(names)]
    box = {"label": "1m", "box": [0, 0, 40, 54]}
    (tmp_path / "boxes.jsonl").write_text(json.dumps({"image": image.name, "boxes": [box]}))
    (tmp_path / "beside.jsonl").write_text(json.dumps({"photo": known, "beside": found}))
    monkeypatch.setattr("scripts.accuracy.truth.BESIDE", tmp_path / "beside.jsonl")
    (photo,) = load(tmp_path)
    seen = [Sighting(quad(0), tile("1m"), 0.9, {})]
    seen += [Sighting(quad(i + 1), tile(code), 0.9, {}) for i, code in enumerate(["back", *["5z"] * 4, "1p"])]
    made = match(photo, seen)
    assert [s.corners[0][0] for s in made.false_alarms] == [100, 150, 200, 300] and made.unjudged == 1
    assert "1 that nobody has looked at" in str(Collection.of("here", [made]))


def test_labels_that_people_saw_to_be_wrong_are_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody can tell counts neither way."""
    shutil.copy(PHOTO, tmp_path / "a.jpg")
    boxes = [{"label": "5p", "box": [50 * i, 0, 50 * i + 40, 54]} for i in range(3)]
    (tmp_path / "boxes.jsonl").write_text(json.dumps({"image": "a.jpg", "boxes": boxes}))
    seen = {"photo": key_of(tmp_path / "a.jpg"), "labels": {"1": "0p", "2": UNTOLD}}
    (tmp_path / "relabelled.jsonl").write_text(json.dumps(seen))
    monkeypatch.setattr("scripts.accuracy.truth.RELABELLED", tmp_path / "relabelled.jsonl")
    (photo,) = load(tmp_path)
    assert [(t.label, t.aside) for t in photo.tiles] == [("5p", False), ("0p", False), (UNTOLD, True)]


def test_the_half_that_teaches_is_chosen_by_source(tmp_path: Path) -> None:
    origins = [f"github owner/repository-{i}/{picture}.jpg" for i in range(40) for picture in "ab"]
    chosen = [teaches(origin) for origin in origins]
    assert chosen[::2] == chosen[1::2] and 10 <= sum(chosen[::2]) <= 30
    listed = [{"file": f"{i}.jpg", "origin": origin, "shows": "dice"} for i, origin in enumerate(origins)]
    (tmp_path / "sources.json").write_text(json.dumps(listed))
    assert sum(t for _, t in without_tiles(tmp_path)) == sum(chosen)
