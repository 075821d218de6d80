"""The house in five minutes: every path it names exists, and what it says to change is what matters."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from scoring.request import respond
from tests.trust.codes import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ANSWERS = dict(re.findall(r"^\| [^|]+\? \| `([^`]+)` \| `([^`]+)` \|$", PAGE, re.MULTILINE))
DRAWN = re.findall(r'\["((?:vision|scoring|hupai)/[\w./]+):', PAGE)
ROOMS = re.findall(r"^\| `([\w/]+)`(?:, `([\w/]+)`)? \| [^|]+ \| [^|]*\|$", PAGE, re.MULTILINE)


def test_seven_questions_are_answered() -> None:
    assert len(ANSWERS) == 7


@pytest.mark.parametrize(("path", "word"), ANSWERS.items())
def test_an_answer_names_the_one_file_that_defines_it(path: str, word: str) -> None:
    starts = rf"^ *(?:def |export const )?{re.escape(word)}"
    defined = re.compile(rf"{starts}(?:: Final|: int = Field| = |\(| \{{)", re.MULTILINE)
    assert defined.search((ROOT / path).read_text(encoding="utf-8")), f"{path} does not define {word}"
    listed = ["git", "ls-files", "-z", "scoring", "vision", "hupai"]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    others = [
        name
        for name in files
        if name != path
        and name.endswith((".py", ".js", ".css"))
        and (ROOT / name).is_file()
        and defined.search((ROOT / name).read_text(encoding="utf-8"))
    ]
    assert not others, f"{word} is defined in {others}, too"


def test_rooms_that_are_drawn_and_listed_exist() -> None:
    assert len(DRAWN) >= 12
    for name in (*DRAWN, *(room for pair in ROOMS for room in pair if room)):
        assert (ROOT / name).exists(), name


def test_every_room_of_vision_is_drawn() -> None:
    rooms = {path.parent.name for path in (ROOT / "vision").glob("*/__init__.py")}
    assert rooms - {"models"} == {name.removeprefix("vision/") for name in DRAWN if name.startswith("vision/")}


def test_the_nms_threshold_decides_what_is_suppressed() -> None:
    from vision.detect.nms import MOST_COVERED, non_maximum_suppression

    square = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)
    for covered, kept in ((MOST_COVERED - 0.1, 2), (MOST_COVERED + 0.1, 1)):
        pair = np.stack([square, square + np.array([10 * (1 - covered), 0], np.float32)])
        assert len(non_maximum_suppression(pair, np.array([0.9, 0.8], np.float32))) == kept


def test_the_fu_of_a_pair_is_counted_there(monkeypatch: pytest.MonkeyPatch) -> None:
    request = {
        **{"rules": "riichi", "concealed": "234m567p345s66s11z", "winning_tile": "6s"},
        "context": {"seat": "E", "round": "E", "win": "self_draw"},
    }
    before = respond(request)["total"]["fu"]
    monkeypatch.setattr("scoring.rules.riichi.hand.fu.pair_fu", lambda facts, kind: 22)
    assert respond(request)["total"]["fu"] > before


def test_the_upload_limit_is_that_setting() -> None:
    code = "from hupai.settings import Settings; print(Settings(max_upload_mb=7).max_upload_bytes)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == 7_000_000
