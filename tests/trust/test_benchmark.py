"""The table of all benchmarks: every part gives figures, and the peers read what we read."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.bench import run as benchmark
from scripts.bench.run import PARTS, known_to_both, rows_of, tally
from tests.trust.codes import ROOT

pytestmark = pytest.mark.slow

FULL = os.environ.get("HUPAI_FULL") == "1"


def test_a_part_that_says_nothing_expected_has_failed() -> None:
    told = "12 MP (7.1 MB), 16 tiles: p50/p95 ms: decode 27/30  total 250/343\n    peak memory ... reads it: 423 MB\n"
    assert [figure for _, figure in rows_of("photo", told)] == ["250/343", "423"]
    assert ("photo", "FAILED: says nothing of peak memory, MB") in list(rows_of("photo", "12 MP total 1/2\n"))


@pytest.mark.parametrize("name", PARTS)
def test_what_parts_are_asked_for_exists(name: str) -> None:
    """Every argument of the short form is one that the script takes."""
    text = (ROOT / "scripts" / "bench" / f"{name}.py").read_text(encoding="utf-8")
    for word in PARTS[name][0].split():
        assert not word.startswith("--") or f'"{word}"' in text, word


@pytest.mark.skipif(not FULL, reason="takes minutes: set HUPAI_FULL=1")
def test_all_of_it_runs() -> None:
    """``python -m scripts.bench.run``"""
    command = [sys.executable, "-m", "scripts.bench.run"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=1800)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "FAILED" not in done.stdout


def test_tiles_are_compared_as_bags() -> None:
    truth = [known_to_both(["1m", "1m", "0p", "f1"]), known_to_both(["5z"])]
    seen = [known_to_both(["1m", "5p", "5p", "back"]), known_to_both(["5z"])]
    said = tally(truth, seen, [0.2, 0.1])
    assert (said.true, said.right, said.extra, said.exact, said.photos) == (4, 3, 1, 1, 2)


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
    """``python -m scripts.bench.run --peer`` with a stand-in for the package, which only the real run fetches."""
    fake = tmp_path / "python"
    (tmp_path / "stub.py").write_text(STUB)
    fake.write_text(f'#!/bin/sh\nexec {sys.executable} {tmp_path / "stub.py"} "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setattr(benchmark, "peer_python", lambda: fake)
    monkeypatch.delenv("HUPAI_DATA", raising=False)
    rows = list(benchmark.side_by_side(2))
    names = [name for name, _ in rows]
    assert names[:2] == ["hupai on examples", f"{benchmark.PEER} on examples"]
    assert re.match(r" *\d+\.\d% of \d+ tiles", rows[0][1])
    assert "of 2 photos exact" in rows[1][1]
    assert "times" in json.dumps(rows[2:])
