"""Small photos for the tests of labelling: windows of the shipped photos, each another one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np

from tests.hupai import in_process
from tests.hupai.hurried import Constants, words

ROOT = Path(__file__).parents[3]
SHIPPED = ("hand-self-draw", "hand-riichi", "hand-dark-diagonal")


def write_photos(folder: Path, count: int, *, start: int = 0, size: tuple[int, int] = (400, 300)) -> list[Path]:
    """So many JPEG files of a few tiles each; the same number gives the same file."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    views = {}
    for i in range(start, start + count):
        rng = np.random.default_rng(i)
        name = SHIPPED[i % len(SHIPPED)]
        if name not in views:
            photo = cv2.imread(str(ROOT / "examples" / f"{name}.jpg"), cv2.IMREAD_REDUCED_COLOR_2)
            tiles = json.loads((ROOT / "examples" / f"{name}.json").read_text())["tiles"]
            views[name] = photo, np.array([np.mean(t["corners"], axis=0) for t in tiles]) / 2
        photo, centres = views[name]
        h, w = photo.shape[:2]
        width = int(rng.integers(360, 640))
        height = width * size[1] // size[0]
        x, y = centres[rng.integers(len(centres))] - [width / 2, height / 2] + rng.normal(0, width / 8, 2)
        left, top = int(np.clip(x, 0, w - width)), int(np.clip(y, 0, h - height))
        window = cv2.resize(photo[top : top + height, left : left + width], size, interpolation=cv2.INTER_AREA)
        path = folder / f"{i:04d}.jpg"
        cv2.imwrite(str(path), window, [cv2.IMWRITE_JPEG_QUALITY, 90])
        paths.append(path)
    return paths


def command(*arguments: object, hurried: Constants | None = None) -> list[str]:
    return [sys.executable, "-m", *words(hurried or {}), *map(str, arguments)]


def hupai(*arguments: object) -> tuple[int, str, str]:
    """Exit status, standard output, standard error of a command, run by this process: to load it anew takes long.

    Labels are made by one worker, in a process of its own, where nothing else is said: a second one takes longer to
    begin than these few pictures to read.
    """
    if arguments[0] == "label" and "--workers" not in arguments:
        arguments = (*arguments, "--workers", 1)
    return in_process.hupai(*arguments)


def hupai_process(*arguments: object, timeout: float = 300) -> tuple[int, str, str]:
    """The same of a process of its own, as a user runs it."""
    done = subprocess.run(command(*arguments), capture_output=True, check=False, timeout=timeout, env=environment())
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def environment() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1"}


def contents(out: Path) -> dict[str, bytes]:
    """Every file of the labels but the journal's, by its name."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and ".hupai" not in path.parts
    }
