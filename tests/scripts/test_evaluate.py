from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from scoring.tiles import tile
from scoring.version import version
from scripts.accuracy.matching import (
    Rule,
    broken_down,
    by_group,
    by_rotation,
    calibration,
    confusion,
    figures,
    match,
)
from scripts.accuracy.truth import TruePhoto, TrueTile, group_of, load
from scripts.evaluate import summary
from vision.reading import Sighting

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent.parent
NO_IGNORE = np.zeros((0, 4), np.float32)


def rectangle(x: float, y: float, w: float = 40, h: float = 54) -> np.ndarray:
    return np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)


def true(label: str, corners: np.ndarray, *, quad: bool = True, aside: bool = False) -> TrueTile:
    return TrueTile(label, corners, quad, aside, {"state": "face_up"})


def photo(*tiles: TrueTile, ignore: np.ndarray = NO_IGNORE) -> TruePhoto:
    return TruePhoto(Path("a.jpg"), tiles, ignore, "here")


def seen(label: str, corners: np.ndarray, p: float = 0.9) -> Sighting:
    return Sighting(corners, tile(label), p, {tile(label): p})


def diamond(x: float, y: float) -> np.ndarray:
    return np.array([[x, y - 33], [x + 33, y], [x, y + 33], [x - 33, y]], np.float32)


def test_right_wrong_missed_and_false() -> None:
    result = match(
        photo(true("1m", rectangle(0, 0)), true("2m", rectangle(50, 0)), true("3m", rectangle(100, 0))),
        [seen("1m", rectangle(2, 1)), seen("9m", rectangle(52, 0)), seen("4p", rectangle(300, 0))],
    )
    assert [(o.truth.label, o.seen and o.seen.tile.code) for o in result.outcomes] == [
        ("1m", "1m"),
        ("2m", "9m"),
        ("3m", None),
    ]
    assert [s.tile.code for s in result.false_alarms] == ["4p"]
    made = figures([result])
    assert (made["located"], made["named_when_located"], made["end_to_end"]) == (0.6667, 0.5, 0.3333)
    assert made["precision"] == 0.6667 and made["photos_whole"] == 0.0 and result.faults == 3
    assert confusion([result]) == {("2m", "9m"): 1}


def test_a_photo_can_be_all_right_and_yet_not_whole() -> None:
    tiles = photo(true("1m", rectangle(0, 0)))
    whole = match(tiles, [seen("1m", rectangle(0, 0))])
    more = match(tiles, [seen("1m", rectangle(0, 0)), seen("2m", rectangle(200, 0))])
    made = figures([whole, more, match(tiles, [])])
    assert (made["photos_all_right"], made["photos_whole"]) == (0.6667, 0.3333)


def test_the_highest_overlap_wins_and_each_counts_once() -> None:
    result = match(photo(true("1m", rectangle(0, 0))), [seen("2m", rectangle(6, 0)), seen("1m", rectangle(1, 0))])
    assert result.outcomes[0].right and [s.tile.code for s in result.false_alarms] == ["2m"]


def test_half_overlap_is_needed() -> None:
    assert match(photo(true("1m", rectangle(0, 0))), [seen("1m", rectangle(13, 0))]).outcomes[0].seen is not None
    assert match(photo(true("1m", rectangle(0, 0))), [seen("1m", rectangle(14, 0))]).outcomes[0].seen is None


def test_polygons_are_compared_not_the_boxes_around_them() -> None:
    turned = diamond(100, 100)
    around = rectangle(67, 67, 66, 66)
    assert match(photo(true("1m", turned)), [seen("1m", around)]).outcomes[0].overlap == pytest.approx(0.5, abs=0.01)
    assert match(photo(true("1m", turned, quad=False)), [seen("1m", around)]).outcomes[0].overlap == pytest.approx(1.0)


def test_a_box_around_the_symbol_only_is_met_by_centres() -> None:
    symbol = photo(true("1m", rectangle(82, 82, 36, 36), quad=False))
    assert match(symbol, [seen("1m", diamond(100, 100))]).outcomes[0].seen is None
    assert match(symbol, [seen("1m", diamond(100, 100))], rule=Rule.CENTRES).outcomes[0].right
    assert match(symbol, [seen("1m", diamond(140, 100))], rule=Rule.CENTRES).outcomes[0].seen is None


def test_what_stands_aside_and_what_is_ignored_counts_neither_way() -> None:
    strip = true("f1", rectangle(0, 0, 40, 10), quad=False, aside=True)
    ignore = np.array([[200, 0, 300, 60]], np.float32)
    result = match(photo(strip, ignore=ignore), [seen("f2", rectangle(0, 0)), seen("back", rectangle(230, 0))])
    assert result.outcomes == () and result.false_alarms == ()
    assert figures([result])["located"] is None


def test_false_alarms_are_told_with_and_without_backs() -> None:
    result = match(photo(true("1m", rectangle(0, 0))), [seen("1m", rectangle(0, 0)), seen("back", rectangle(90, 0))])
    made = figures([result])
    assert (made["precision"], made["precision_without_backs"]) == (0.5, 1.0)
    assert not result.whole and result.faces_right


def test_orientation_is_scored_where_it_can_be_told() -> None:
    upright, turned = rectangle(0, 0), np.roll(rectangle(0, 0), 2, axis=0)
    assert figures([match(photo(true("1m", upright)), [seen("1m", turned)])])["orientation_when_right"] == 0.0
    assert figures([match(photo(true("1m", upright)), [seen("1m", upright)])])["orientation_when_right"] == 1.0
    assert figures([match(photo(true("1p", upright)), [seen("1p", turned)])])["orientation_when_right"] is None


def test_break_downs() -> None:
    result = match(
        photo(true("1m", rectangle(0, 0)), true("0m", np.roll(rectangle(50, 0), 1, axis=0))),
        [seen("1m", rectangle(0, 0))],
    )
    groups = broken_down([result], by_group)
    assert groups["characters"]["end_to_end"] == 1.0 and groups["red fives"]["located"] == 0.0
    assert sorted(broken_down([result], by_rotation)) == ["000", "270"]
    assert set(map(group_of, ("5z", "back", "joker", "f1", "a1", "7z", "3z", "5s"))) == {
        "white dragon",
        "jokers",
        "face-down",
        "flowers",
        "animals",
        "green and red dragon",
        "winds",
        "bamboo",
    }
    assert "state" in summary([result])["by"] and "tilt" not in summary([result])["by"]


def test_calibration() -> None:
    assert calibration([0.95] * 10, [True] * 9 + [False])[0] == pytest.approx(0.05)
    assert calibration([1.0] * 4, [True] * 4)[0] == 0.0
    assert calibration([], []) == (None, [])


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
    assert loaded.path == tmp_path / "boxes" / "images" / "a.jpg" and loaded.source == "boxes"
    rendered = load(ROOT / "examples")
    assert all(t.quad and not t.aside for p in rendered for t in p.tiles)
    assert {p.source for p in rendered} == {"rendered"}
    with pytest.raises(FileNotFoundError, match="neither"):
        load(tmp_path)


def test_the_whole_evaluation_of_the_shipped_photos(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scripts.evaluate", "--data", "examples", "--out", str(tmp_path), "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    made = json.loads(done.stdout[done.stdout.index("{") :])
    assert made == json.loads((tmp_path / "evaluation.json").read_text())
    assert made["made"]["version"] == version() and set(made["made"]["models"]) == {
        "detector",
        "classifier",
        "scene",
        "bonus",
    }
    assert made["made"]["options"]["data"] == ["examples"] and made["made"]["options"]["rule"] == "overlap"
    assert made["figures"]["end_to_end"] >= 0.97 and made["figures"]["orientation_when_right"] >= 0.97
    page = (tmp_path / "index.html").read_text()
    assert f"hupai {version()}, detector {made['made']['models']['detector']}" in page and "--rule overlap" in page
    assert page.count("<figure>") == len(made["photos"]) == len(list((ROOT / "examples").glob("*.jpg")))
    assert "<th>share right</th>" in page and len(made["reliability"]) > 0
