"""hupai and another reader are given the same photos, and compared alike."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from scripts.bench import readers
from scripts.bench.readers import figures, known_to_both

pytestmark = pytest.mark.slow


def test_tiles_are_compared_as_bags() -> None:
    truth = [known_to_both(["1m", "1m", "0p", "f1"]), known_to_both(["5z"])]
    seen = [known_to_both(["1m", "5p", "5p", "back"]), known_to_both(["5z"])]
    said = figures(truth, seen, [0.2, 0.1])
    assert (said.true, said.right, said.wrong, said.seconds) == (4, 3, 2, 0.2)


STUB = """import json, sys, types
sys.modules["mahjong_detector"] = types.ModuleType("mahjong_detector")
predict, preprocess = types.ModuleType("p"), types.ModuleType("q")
predict.CLASS_NAMES = ["1m", "tou", "0s"]
predict.predict = lambda *a: [types.SimpleNamespace(class_id=i) for i in range(3)]
preprocess.preprocess_image = lambda image: (image.size, image.mode)
sys.modules["mahjong_detector.predict"], sys.modules["mahjong_detector.preprocess"] = predict, preprocess
sys.argv = sys.argv[1:]
exec(compile(open(sys.argv[0]).read(), sys.argv[0], "exec"))
"""


def test_the_peer_is_asked_in_its_own_process_about_the_same_photos(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """``python -m scripts.bench.readers`` with a stand-in for the package, which only the real run fetches."""
    fake = tmp_path / "python"
    (tmp_path / "stub.py").write_text(STUB)
    fake.write_text(f'#!/bin/sh\nexec {sys.executable} {tmp_path / "stub.py"} "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setattr(readers, "peer_python", lambda: fake)
    monkeypatch.delenv("HUPAI_DATA", raising=False)
    rows = list(readers.side_by_side(2))
    names = [name for name, _ in rows]
    assert names[:2] == ["hupai on examples", f"{readers.PEER} on examples"]
    assert re.match(r" *\d+\.\d% of \d+ tiles", rows[0][1])
    assert re.match(r" *\d+\.\d% of \d+ tiles, \d+ missed", rows[1][1])
    assert "times" in json.dumps(rows[2:])
