"""Training in the small: scenes are rendered with their truth, read, and what was read is compared with it.

Everything else about training is marked ``release``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.repository import run_script

pytestmark = pytest.mark.slow


def test_rendered_scenes_are_read_and_compared_with_their_truth(tmp_path: Path) -> None:
    done = run_script("train.render_validation", "--out", tmp_path, "--each", 1)
    assert done.returncode == 0, done.stderr
    done = run_script("evaluate", "--data", tmp_path / "rendered")
    assert done.returncode == 0, done.stderr
    rows = dict(re.findall(r"^  (\w[\w ]+?)  +([\d.]+) \[", done.stdout, re.MULTILINE))
    assert float(rows["end to end"]) > 90
