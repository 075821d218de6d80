"""Pictures without tiles, counted as a person would count them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent.parent


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scripts.accuracy.empty", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_finds_are_counted_and_named(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "hand-self-draw.jpg", tmp_path / "b.jpg")
    Image.fromarray(np.full((400, 500, 3), 90, np.uint8)).save(tmp_path / "a.png")
    Image.fromarray(np.full((100, 500, 3), 90, np.uint8)).save(tmp_path / "small.png")
    (tmp_path / "c.jpg").write_text("no picture")
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    finds, told = done.stdout.splitlines()
    assert told == "1 of 2 pictures without a find: 50.0%; 1 could not be read"
    name, *codes = finds.split()
    assert name == "b.jpg:" and len(codes) >= 16


def test_a_folder_without_pictures_is_no_success(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 3
    assert "no picture" in done.stdout
