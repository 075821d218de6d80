"""Every benchmark in one run, with one table at the end.

Usage: ``python -m scripts.bench.run [--part photo ...] [--peer]``. Each part is a script of its own, run here with
short settings; scoring compares with ``mahjong`` from PyPI. ``--peer`` reads the shipped photos, and those of
``HUPAI_DATA/scenes-d-validation`` where there are any, with hupai and with ``mahjong-detector`` from PyPI in the same
run; that package gets an environment of its own under ``runs/`` and is never a dependency.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import time
import venv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from vision.pipeline import Eyes

from scoring.version import version
from vision.models import zoo

ROOT: Final = Path(__file__).resolve().parents[2]
PEER: Final = "mahjong-detector==0.0.6"
PEER_HOME: Final = ROOT / "runs" / "peer-environment"


@dataclass(frozen=True, slots=True)
class Part:
    """A benchmark: its module, short arguments, and what of its output goes into the table.

    Attributes:
        figures: (name in the table, pattern whose group or groups are the figure); every match is a row.
    """

    module: str
    short: tuple[str, ...]
    figures: tuple[tuple[str, str], ...]


PARTS: Final = {
    "photo": Part(
        "scripts.bench.photo",
        ("--times", "8", "--megapixels", "12"),
        (
            ("photo to hand, {0} MP, ms p50/p95", r"^(\d+) MP .* total (\d+/\d+)"),
            ("peak memory, MB", r"reads it: (\d+) MB"),
        ),
    ),
    "scoring": Part(
        "scripts.bench.scoring",
        ("--hands", "1000", "--rounds", "3"),
        (("{0}, hands/s", r"^(PyPI mahjong: .*?|scoring: .*?)  +([\d,]+) hands/s"),),
    ),
    "batch": Part(
        "scripts.bench.batch",
        ("--pictures", "64", "--rounds", "3", "--patience", "60"),
        (("labelling, {0}", r"^(.*?): ([\d.]+ pictures/s)$"),),
    ),
    "webcam": Part(
        "scripts.bench.feed",
        ("--videos", "2"),
        (
            ("webcam: {0} hands, published once", r"(\d+) hands: (\d+) published once"),
            ("webcam: stillness to event, median", r"^stillness to event: median ([\d.]+ s)"),
            ("webcam: cores for a table at 15 frames/s", r"takes ([\d.]+) cores"),
        ),
    ),
}


def run_part(part: Part) -> Iterator[tuple[str, str]]:
    """Run a part, show its output, and yield its rows of the table."""
    command = [sys.executable, "-m", part.module, *part.short]
    print(f"== {' '.join(command[1:])}", flush=True)
    start = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, check=False)
    print(done.stdout, end="", flush=True)
    yield from rows_of(part, done.stdout)
    if done.returncode:
        yield part.module, f"FAILED: it ended with status {done.returncode}"
    yield f"{part.module} took, s", f"{time.perf_counter() - start:.0f}"


def rows_of(part: Part, output: str) -> Iterator[tuple[str, str]]:
    """The rows of the table found in a part's output; a missing figure is a failure."""
    for name, pattern in part.figures:
        matches = list(re.finditer(pattern, output, re.MULTILINE))
        for match in matches:
            *words, figure = match.groups()
            yield name.format(*words), figure
        if not matches:
            yield part.module, f"FAILED: says nothing of {name}"


def peer_python() -> Path | str:
    """The peer's interpreter, its environment made first if needed; or why there is none, in words."""
    python = PEER_HOME / "bin" / "python"
    if not (PEER_HOME / "installed").is_file():
        venv.create(PEER_HOME, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", PEER]
        done = subprocess.run(pip, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{PEER} cannot be installed: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}"
        (PEER_HOME / "installed").write_text(PEER)
    return python


@dataclass(frozen=True, slots=True)
class Tally:
    """The result of a reader on some photos; tiles are compared as multisets, so where they lie does not matter.

    Attributes:
        true, right, extra: tiles there are, named right, named in excess. exact: photos named right to the last tile.
        photos: how many there were. seconds: of the processor, median of one.
    """

    true: int
    right: int
    extra: int
    exact: int
    photos: int
    seconds: float

    def against(self, other: Tally) -> str:
        """Ratios: tiles named right, tiles missed or wrong, time."""
        wrong, others = (t.true - t.right + t.extra for t in (self, other))
        return (
            f"{_times(self.right, other.right)} the tiles right, {_times(wrong, others)} the mistakes, "
            f"{_times(self.seconds, other.seconds)} the time"
        )

    def __str__(self) -> str:
        return (
            f"{self.right / self.true:6.1%} of {self.true} tiles, {self.extra} named beside, "
            f"{self.exact} of {self.photos} photos exact, {1000 * self.seconds:.0f} ms of processor a photo"
        )


def _times(ours: float, theirs: float) -> str:
    return f"{ours / theirs:.2f} times" if theirs else f"{ours:g} against none of"


def known_to_both(labels: Iterable[str]) -> Counter[str]:
    """The 34 kinds, red fives as fives: the peer knows no others."""
    plain = (f"5{label[1]}" if label[0] == "0" else label for label in labels)
    return Counter(label for label in plain if re.fullmatch(r"[1-9][mps]|[1-7]z", label))


def tally(truth: Sequence[Counter[str]], seen: Sequence[Counter[str]], seconds: Sequence[float]) -> Tally:
    """Compare what is there with what was seen, photo by photo."""
    right = [sum((t & s).values()) for t, s in zip(truth, seen, strict=True)]
    extra = sum(sum((s - t).values()) for t, s in zip(truth, seen, strict=True))
    exact = sum(t == s for t, s in zip(truth, seen, strict=True))
    return Tally(
        sum(sum(t.values()) for t in truth), sum(right), extra, exact, len(truth), sorted(seconds)[len(seconds) // 2]
    )


@contextmanager
def one_core() -> Iterator[None]:
    """Both readers get the same: one core, which their runtimes then count their threads by."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def side_by_side(most: int) -> Iterator[tuple[str, str]]:
    """Both readers on the same photos, on one core; in processor time, so that a busy machine harms neither."""
    from vision.pipeline import Eyes  # noqa: PLC0415 - needs the packages of the project

    python = peer_python()
    if isinstance(python, str):
        yield "mahjong-detector", f"skipped: {python}"
        return
    folders = [ROOT / "examples"]
    data = os.environ.get("HUPAI_DATA")
    if data and (Path(data) / "scenes-d-validation").is_dir():
        folders.append(Path(data) / "scenes-d-validation")
    with one_core():
        yield from _read_by_both(python, folders, most, Eyes(threads=1))


def _read_by_both(python: Path, folders: Sequence[Path], most: int, eyes: Eyes) -> Iterator[tuple[str, str]]:
    from scripts.accuracy.truth import load  # noqa: PLC0415

    for folder in folders:
        photos = load(folder)[:most]
        # Tiles that stand aside count neither way, so photos with such tiles would blame both for seeing them.
        photos = [p for p in photos if not any(t.aside for t in p.tiles) and not len(p.ignore)] or photos
        truth = [known_to_both(t.label for t in p.tiles) for p in photos]
        seen, seconds = [], []
        for photo in photos:
            start = time.process_time()
            seen.append(known_to_both(s.tile.code for s in eyes.look(photo.path)))
            seconds.append(time.process_time() - start)
        ours = tally(truth, seen, seconds)
        yield f"hupai on {folder.name}", str(ours)
        command = [str(python), str(ROOT / "scripts" / "bench" / "peer.py"), *(str(p.path) for p in photos)]
        env = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONSAFEPATH": "1"}
        done = subprocess.run(command, capture_output=True, text=True, env=env, check=True)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        named = [known_to_both(line["tiles"]) for line in lines]
        theirs = tally(truth, named, [line["processor"] for line in lines])
        yield f"{PEER} on {folder.name}", str(theirs)
        yield f"hupai against it on {folder.name}", ours.against(theirs)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--part", action="append", choices=PARTS, help="only this one; may be repeated")
    parser.add_argument("--peer", action="store_true", help="read photos with mahjong-detector, too")
    parser.add_argument("--photos", type=int, default=200, help="photos of a folder for --peer, at most")
    given = parser.parse_args()
    rows: list[tuple[str, str]] = []
    wanted = given.part or ([] if given.peer else list(PARTS))
    for name in wanted:
        rows += run_part(PARTS[name])
    if given.peer:
        rows += side_by_side(given.photos)
    weights = ", ".join(f"{role} {entry.short}" for role, entry in zoo.entries().items())
    print(f"\nhupai {version()}, {weights}")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}")
    width = max(len(name) for name, _ in rows)
    for name, figure in rows:
        print(f"{name:{width}}  {figure}")
    return 1 if any(figure.startswith("FAILED") for _, figure in rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
