"""The scripts around training, as a person runs them."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from scripts.accuracy.truth import load

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", f"scripts.train.{script}", *map(str, arguments)],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
    )  # fmt: skip


def test_training_without_torch_or_with_nonsense_says_so() -> None:
    pytest.importorskip("torch", reason="torch is not installed (extra: train)")
    done = run("run", "--out", "/nowhere", "--nets", "ears")
    assert done.returncode == 2
    assert "detector" in done.stderr


@pytest.mark.parametrize("sweep", [None, "tilt", "size"])
def test_validation_photos_say_how_they_were_taken(sweep, tmp_path: Path) -> None:
    more = ["--sweep", sweep] if sweep else []
    done = run("render_validation", "--out", tmp_path, "--count", 2, "--width", 480, *more)
    assert done.returncode == 0, done.stderr
    photos = load(tmp_path)
    assert len(photos) == 2
    for photo in photos:
        assert photo.path.is_file()
        assert all({"tilt", "blur", "light", "jpeg", "state"} <= set(t.facts) for t in photo.tiles)
    if sweep == "tilt":
        tilts = [np.mean([t.facts["tilt"] for t in photo.tiles]) for photo in photos]
        assert tilts[1] > tilts[0] + 20
