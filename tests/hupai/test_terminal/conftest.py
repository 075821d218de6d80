"""The command as a user types it, in a folder with photos of a hand."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image, ImageFilter

from tests.hupai.in_process import run
from tests.hupai.serving import ROOT

EXAMPLE = ROOT / "examples" / "hand-self-draw.jpg"
TRUTH = json.loads(EXAMPLE.with_suffix(".json").read_text())["tiles"]
HUPAI = [sys.executable, "-m", "hupai.cli"]


class Said(NamedTuple):
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


def environment(**more: str) -> dict[str, str]:
    """A plain user's environment, 80 columns wide."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("HUPAI_", "PYTHONIO", "_TYPER", "NO_COLOR"))}
    path = os.pathsep.join(filter(None, (str(ROOT), kept.get("PYTHONPATH"))))
    return {**kept, "PYTHONPATH": path, "COLUMNS": "80", "TERM": "dumb", "PYTHONUTF8": "0", "LC_ALL": "C.UTF-8", **more}


class Desk:
    """A folder with ``hand.jpg``, ``riichi.jpg``, ``thirteen.jpg`` (the winning tile gone), ``blurred.jpg``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, line: str, **more: str) -> Said:
        """Run a line ``hupai ...`` there."""
        words = shlex.split(line)
        assert words.pop(0) == "hupai"
        status, out, err = run(*words, environment=environment(**more), folder=self.folder)
        return Said(status, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))


def box_of(tile: int) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of an annotated tile, pixels."""
    xs, ys = zip(*TRUTH[tile]["corners"], strict=True)
    return round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys))


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder = tmp_path_factory.mktemp("desk")
    shutil.copy(EXAMPLE, folder / "hand.jpg")
    shutil.copy(ROOT / "examples" / "hand-riichi.jpg", folder / "riichi.jpg")
    with Image.open(EXAMPLE) as photo:
        left, top, right, bottom = box_of(13)
        grow = (right - left) // 3
        box = (left - grow, top - grow, right + grow, bottom + 2 * grow)
        table = photo.crop((box[0], box[3], box[2], 2 * box[3] - box[1])).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        without = photo.copy()
        without.paste(table, box[:2])
        without.save(folder / "thirteen.jpg", quality=92)
        box = box_of(6)
        unsharp = photo.copy()
        unsharp.paste(photo.crop(box).filter(ImageFilter.GaussianBlur(36)), box[:2])
        unsharp.save(folder / "blurred.jpg", quality=90)
    return Desk(folder)
