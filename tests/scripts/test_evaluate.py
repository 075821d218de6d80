from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scoring.tiles import tile
from scoring.version import version
from scripts.accuracy.confidence import confidence_by_size
from scripts.accuracy.figures import Collection
from scripts.accuracy.matching import PhotoResult, match, overlaps
from scripts.accuracy.mistakes import count_mistakes, count_wrong_turns
from scripts.accuracy.truth import TruePhoto, TrueTile, group_of, load
from scripts.evaluate import count_by_group
from tests.repository import ROOT, run_script
from vision.arrays import to_quad
from vision.reading import Sighting

pytestmark = pytest.mark.release

NO_IGNORE = np.zeros((0, 4), np.float32)


def rectangle(x: float, y: float, w: float = 40, h: float = 54) -> np.ndarray:
    return np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)


def true(label: str, corners: np.ndarray, *, quad: bool = True, aside: bool = False) -> TrueTile:
    return TrueTile(label, corners, quad, aside)


def photo(*tiles: TrueTile, ignore: np.ndarray = NO_IGNORE) -> TruePhoto:
    return TruePhoto(Path("a.jpg"), tiles, ignore)


def seen(label: str, corners: np.ndarray, p: float = 0.9) -> Sighting:
    return Sighting(to_quad(corners), tile(label), p, {tile(label): p})


def diamond(x: float, y: float) -> np.ndarray:
    return np.array([[x, y - 33], [x + 33, y], [x, y + 33], [x - 33, y]], np.float32)


def figures(*results: PhotoResult) -> dict[str, float]:
    return {name: value for name, (value, *_) in Collection.of("here", results).figures().items()}


def test_right_wrong_missed_and_false() -> None:
    result = match(
        photo(true("1m", rectangle(0, 0)), true("2m", rectangle(50, 0)), true("3m", rectangle(100, 0))),
        [seen("1m", rectangle(2, 1)), seen("9m", rectangle(52, 0)), seen("4p", rectangle(300, 0))],
    )
    assert [o.seen and o.seen.tile.code for o in result.tiles] == ["1m", "9m", None]
    assert [s.tile.code for s in result.false_alarms] == ["4p"]
    made = figures(result)
    assert (made["located"], made["named"], made["end to end"]) == (66.67, 50, 33.33)
    assert made["precision"] == 66.67 and made["exact"] == 0 and result.faults == 3


def test_a_photo_can_be_all_right_and_yet_not_whole() -> None:
    tiles = photo(true("1m", rectangle(0, 0)))
    whole = match(tiles, [seen("1m", rectangle(0, 0))])
    more = match(tiles, [seen("1m", rectangle(0, 0)), seen("2m", rectangle(200, 0))])
    made = figures(whole, more, match(tiles, []))
    assert (made["all right"], made["exact"]) == (2, 1)


def test_the_highest_overlap_wins_and_each_counts_once() -> None:
    result = match(photo(true("1m", rectangle(0, 0))), [seen("2m", rectangle(6, 0)), seen("1m", rectangle(1, 0))])
    assert result.tiles[0].right and [s.tile.code for s in result.false_alarms] == ["2m"]


def test_half_overlap_is_needed() -> None:
    for quad in (True, False):  # the centre of a box also has to lie outside
        tile_there = photo(true("1m", rectangle(0, 0), quad=quad))
        assert match(tile_there, [seen("1m", rectangle(13, 0))]).tiles[0].seen is not None
        assert match(tile_there, [seen("1m", rectangle(14 if quad else 21, 0))]).tiles[0].seen is None


def test_polygons_are_compared_not_the_boxes_around_them() -> None:
    turned = diamond(100, 100)
    part = rectangle(67, 67, 66, 60)
    assert overlaps(photo(true("1m", turned)), part[None])[0, 0] == pytest.approx(0.5, abs=0.05)
    assert overlaps(photo(true("1m", turned, quad=False)), part[None])[0, 0] == pytest.approx(0.9, abs=0.05)


def test_a_box_around_the_symbol_only_is_met_by_centres() -> None:
    symbol = photo(true("1m", rectangle(82, 82, 36, 36), quad=False))
    assert match(symbol, [seen("1m", diamond(100, 100))]).tiles[0].right
    assert match(symbol, [seen("1m", diamond(140, 100))]).tiles[0].seen is None


def test_what_stands_aside_and_what_is_ignored_counts_neither_way() -> None:
    strip = true("f1", rectangle(0, 0, 40, 10), quad=False, aside=True)
    ignore = np.array([[200, 0, 300, 60]], np.float32)
    result = match(photo(strip, ignore=ignore), [seen("f2", rectangle(0, 0)), seen("back", rectangle(230, 0))])
    assert result.tiles == () and result.false_alarms == ()
    assert figures(result)["false"] == figures(result)["located"] == 0


def test_groups() -> None:
    result = match(
        photo(true("1m", rectangle(0, 0)), true("0m", rectangle(50, 0)), true("2m", rectangle(100, 0))),
        [seen("1m", rectangle(0, 0)), seen("3m", rectangle(100, 0))],
    )
    assert count_by_group([result]) == {"characters": "50.0% of 2 right", "red fives": "0.0% of 1 right"}
    assert [group_of(label) for label in ("5z", "back", "joker", "f1", "g2", "a1", "7z", "5s", "0p", "9p")] == [
        "white dragon",
        "back",
        "joker",
        "flowers",
        "seasons",
        "animals",
        "other honours",
        "bamboo",
        "red fives",
        "dots",
    ]


def test_mistakes_are_counted_by_kind() -> None:
    labels = {"back": "4p", "1m": "2m", "2m": "2m", "0s": None}
    tiles = [true(label, rectangle(50 * i, 0)) for i, label in enumerate(labels)]
    sightings = [seen(read, rectangle(50 * i, 0)) for i, read in enumerate(labels.values()) if read]
    result = match(photo(*tiles), [*sightings, seen("5z", rectangle(400, 0))])
    assert count_mistakes([result]) == {
        "back read as dots": "1",
        "characters read as another": "1",
        "red fives not detected": "1",
        "white dragon where there is none": "1",
    }


def test_turns_are_counted_by_label() -> None:
    ways = [("7m", 0), ("7m", 2), ("6s", 2), ("6s", 1), ("1z", 0)]
    tiles = [true(label, rectangle(50 * i, 0)) for i, (label, _) in enumerate(ways)]
    boxed = true("2m", rectangle(400, 0), quad=False)
    sideways = true("6s", np.roll(rectangle(450, 0), 1, axis=0))
    sightings = [seen(label, np.roll(rectangle(50 * i, 0), k, axis=0)) for i, (label, k) in enumerate(ways)]
    result = match(
        photo(*tiles, boxed, sideways), [*sightings, seen("2m", rectangle(400, 0)), seen("6s", rectangle(450, 0))]
    )
    assert count_wrong_turns([result]) == {
        "turn of 7m": "wrong in 1 of 2",
        "turn of 6s": "wrong in 1 of 2",
        "turn of all others": "wrong in 0 of 1",
    }


def test_calibration() -> None:
    def error(confidence: float, right: list[bool]) -> float:
        places = [rectangle(50 * i, 0) for i in range(len(right))]
        there = photo(*(true("1m" if hit else "2m", place) for hit, place in zip(right, places, strict=True)))
        return confidence_by_size([match(there, [seen("1m", place, confidence) for place in places])])["confidence"][
            "error"
        ]

    assert error(0.95, [True] * 9 + [False]) == pytest.approx(0.05)
    assert error(1.0, [True] * 4) == 0


def test_both_formats_are_loaded(tmp_path: Path) -> None:
    line = {
        "image": "images/a.jpg",
        "width": 10,
        "height": 10,
        "boxes": [
            {"label": "1m", "box": [1, 2, 3, 4]},
            {"label": "f1", "box": [1, 2, 3, 4], "part": "strip"},
            {"label": "2m", "box": [1, 2, 9, 4], "stretched": True},
        ],
    }
    (tmp_path / "boxes").mkdir()
    (tmp_path / "boxes" / "boxes.jsonl").write_text(json.dumps(line) + "\n")
    (loaded,) = load(tmp_path / "boxes")
    assert [t.aside for t in loaded.tiles] == [False, True, True]
    assert loaded.path == tmp_path / "boxes" / "images" / "a.jpg"
    rendered = load(ROOT / "examples")
    assert all(t.quad and not t.aside for p in rendered for t in p.tiles)
    with pytest.raises(FileNotFoundError, match="neither"):
        load(tmp_path)


def test_the_whole_evaluation_of_the_shipped_photos(tmp_path: Path) -> None:
    done = run_script("evaluate", "--data", ROOT / "examples", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"hupai {version()}, detector ")
    assert f"{ROOT / 'examples'}: {len(list((ROOT / 'examples').glob('*.jpg')))} photos" in done.stdout
    rows = dict(re.findall(r"^  (\w[\w ]+?)  +([\d.]+) \[", done.stdout, re.MULTILINE))
    assert float(rows["end to end"]) >= 97 and float(rows["precision"]) >= 97
    assert "characters" in done.stdout and "confidence" in done.stdout and "most faults" in done.stdout


def test_finds_in_pictures_without_a_tile_are_counted(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "hand-self-draw.jpg", tmp_path / "b.jpg")
    Image.fromarray(np.full((400, 500, 3), 90, np.uint8)).save(tmp_path / "a.png")
    Image.fromarray(np.full((100, 500, 3), 90, np.uint8)).save(tmp_path / "small.png")
    (tmp_path / "c.jpg").write_text("no picture")
    done = run_script("evaluate", "--empty", tmp_path, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"{tmp_path}: 2 photos, 0 tiles" in done.stdout
    assert re.search(r"^  exact +1 \[", done.stdout, re.MULTILINE) and "most faults: b.jpg" in done.stdout
    (tmp_path / "none").mkdir()
    done = run_script("evaluate", "--empty", "none", folder=tmp_path)
    assert done.returncode == 3, "a folder without pictures is no success"
