"""Training in the small: scenes are rendered with their truth, read, and what was read is compared with it.

Everything else about training is marked ``release``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import ROOT

pytestmark = pytest.mark.slow


def run(*words: object) -> str:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_rendered_scenes_are_read_and_compared_with_their_truth(tmp_path: Path) -> None:
    run("scripts.train.render_validation", "--out", tmp_path, "--each", 1)
    told = run("scripts.evaluate", "--data", tmp_path / "rendered")
    rows = dict(re.findall(r"^  (\w[\w ]+?)  +([\d.]+) \[", told, re.MULTILINE))
    assert float(rows["end to end"]) > 90
