"""hupai beside another reader, ``mahjong-detector`` from PyPI, on the same photos.

    python -m scripts.bench.readers [--photos 200]

Reads the shipped photos, and so many of those of ``HUPAI_DATA/scenes-d-validation`` where there are any. The package
gets an environment of its own under ``runs/`` and is never a dependency.
"""

from __future__ import annotations

import json
import os
import platform
import re
import statistics
import subprocess
import time
import venv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import typer

from scripts.accuracy.truth import load
from scripts.bench import made_with
from vision.models import zoo
from vision.pipeline import Eyes

ROOT: Final = Path(__file__).resolve().parents[2]
PEER: Final = "mahjong-detector==0.0.6"
PEER_HOME: Final = ROOT / "runs" / "peer-environment"


def peer_python() -> Path:
    """The peer's interpreter, its environment made first if needed.

    Raises:
        SystemExit: the package cannot be installed.
    """
    python = PEER_HOME / "bin" / "python"
    if not (PEER_HOME / "installed").is_file():
        venv.create(PEER_HOME, with_pip=True, clear=True)
        if subprocess.run([python, "-m", "pip", "install", "-q", PEER], check=False).returncode:
            raise SystemExit(f"{PEER} cannot be installed")
        (PEER_HOME / "installed").touch()
    return python


class ReaderFigures(NamedTuple):
    """What a reader made of some photos; tiles are compared as multisets, so where they lie does not matter.

    Attributes:
        true, right: tiles there are, tiles named right. wrong: tiles missed, and tiles named that are not there.
        seconds: of the processor, median of a photo.
    """

    true: int
    right: int
    wrong: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.right / self.true:6.1%} of {self.true} tiles, {self.wrong} missed or named in excess, "
            f"{1000 * self.seconds:.0f} ms of processor a photo"
        )


def known_to_both(labels: Iterable[str]) -> Counter[str]:
    """The 34 kinds, red fives as fives: the peer knows no others."""
    plain = (f"5{label[1]}" if label[0] == "0" else label for label in labels)
    return Counter(label for label in plain if re.fullmatch(r"[1-9][mps]|[1-7]z", label))


def figures(truth: Sequence[Counter[str]], seen: Sequence[Counter[str]], seconds: Sequence[float]) -> ReaderFigures:
    """Compare what is there with what was seen, photo by photo."""
    pairs = list(zip(truth, seen, strict=True))
    right = sum((t & s).total() for t, s in pairs)
    wrong = sum((t - s).total() + (s - t).total() for t, s in pairs)
    return ReaderFigures(sum(t.total() for t in truth), right, wrong, statistics.median_high(seconds))


def side_by_side(most: int) -> Iterator[tuple[str, str]]:
    """Both readers on the same photos; in processor time, so that a busy machine harms neither."""
    python = peer_python()
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    if cores:  # both get one core, which their runtimes then count their threads by
        os.sched_setaffinity(0, {min(cores)})
    try:
        eyes = Eyes(threads=1)
        for folder in (ROOT / "examples", Path(os.environ.get("HUPAI_DATA", ROOT)) / "scenes-d-validation"):
            if folder.is_dir():
                yield from read_by_both(python, folder, most, eyes)
    finally:
        if cores:
            os.sched_setaffinity(0, cores)


def read_by_both(python: Path, folder: Path, most: int, eyes: Eyes) -> Iterator[tuple[str, str]]:
    photos = load(folder)[:most]
    # Tiles that stand aside count neither way, so photos with such tiles would blame both for seeing them.
    photos = [p for p in photos if not any(t.aside for t in p.tiles) and not len(p.ignore)] or photos
    truth = [known_to_both(t.label for t in p.tiles) for p in photos]
    seen, seconds = [], []
    for photo in photos:
        start = time.process_time()
        seen.append(known_to_both(s.tile.code for s in eyes.look(photo.path)))
        seconds.append(time.process_time() - start)
    ours = figures(truth, seen, seconds)
    yield f"hupai on {folder.name}", str(ours)
    command = [python, ROOT / "scripts" / "bench" / "peer.py", *(p.path for p in photos)]
    env = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONSAFEPATH": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    theirs = figures(truth, [known_to_both(one["tiles"]) for one in answers], [one["seconds"] for one in answers])
    yield f"{PEER} on {folder.name}", str(theirs)
    tiles, mistakes, time_ = (a / b for a, b in zip(ours[1:], theirs[1:], strict=True))
    told = f"{tiles:.2f} times the tiles right, {mistakes:.2f} times the mistakes, {time_:.2f} times the time"
    yield f"hupai against it on {folder.name}", told


def main(photos: int = 200) -> None:
    for name, told in side_by_side(photos):
        print(f"{name:50} {told}", flush=True)
    made = made_with({role: entry.short for role, entry in zoo.entries().items()})
    print(f"{made}; Python {platform.python_version()}, {os.cpu_count()} cores")


if __name__ == "__main__":
    typer.run(main)
