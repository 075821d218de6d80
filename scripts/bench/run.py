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
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scoring.version import version
from scripts.accuracy.truth import load
from vision.models import zoo
from vision.pipeline import Eyes

ROOT: Final = Path(__file__).resolve().parents[2]
PEER: Final = "mahjong-detector==0.0.6"
PEER_HOME: Final = ROOT / "runs" / "peer-environment"
PARTS: Final[dict[str, tuple[str, dict[str, str]]]] = {
    # script: short arguments; name in the table -> pattern whose groups fill in the name and, the last, are the figure
    "photo": (
        "--times 8 --megapixels 12",
        {
            "photo to hand, {0} MP, ms p50/p95": r"^(\d+) MP .* total (\d+/\d+)",
            "peak memory, MB": r"reads it: (\d+) MB",
        },
    ),
    "scoring": (
        "--hands 1000 --rounds 3",
        {"{0}, hands/s": r"^(PyPI mahjong: .*?|scoring: .*?)  +([\d,]+) hands/s"},
    ),
    "batch": (
        "--pictures 64 --rounds 3 --patience 60",
        {"labelling, {0}": r"^(.*?): ([\d.]+ pictures/s)"},
    ),
    "feed": (
        "--videos 2",
        {
            "webcam: {0} hands, published once": r"(\d+) hands: (\d+) published once",
            "webcam: stillness to event, median": r"^stillness to event: median ([\d.]+ s)",
            "webcam: cores for a table at 15 frames/s": r"takes ([\d.]+) cores",
        },
    ),
}


def run_part(part: str) -> Iterator[tuple[str, str]]:
    """Run a part, show its output, and yield its rows of the table."""
    command = ["-m", f"scripts.bench.{part}", *PARTS[part][0].split()]
    print(f"== {' '.join(command)}", flush=True)
    done = subprocess.run([sys.executable, *command], cwd=ROOT, text=True, stdout=subprocess.PIPE, check=False)
    print(done.stdout, end="", flush=True)
    yield from rows_of(part, done.stdout)
    if done.returncode:
        yield part, f"FAILED: it ended with status {done.returncode}"


def rows_of(part: str, output: str) -> Iterator[tuple[str, str]]:
    """The rows of the table found in a part's output; a missing figure is a failure."""
    for name, pattern in PARTS[part][1].items():
        matches = list(re.finditer(pattern, output, re.MULTILINE))
        for match in matches:
            *words, figure = match.groups()
            yield name.format(*words), figure
        if not matches:
            yield part, f"FAILED: says nothing of {name}"


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
    pairs = list(zip(truth, seen, strict=True))
    return Tally(
        true=sum(t.total() for t in truth),
        right=sum((t & s).total() for t, s in pairs),
        extra=sum((s - t).total() for t, s in pairs),
        exact=sum(t == s for t, s in pairs),
        photos=len(pairs),
        seconds=sorted(seconds)[len(seconds) // 2],
    )


def side_by_side(most: int) -> Iterator[tuple[str, str]]:
    """Both readers on the same photos; in processor time, so that a busy machine harms neither."""
    python = peer_python()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})  # both get one core, which their runtimes then count their threads by
    try:
        eyes = Eyes(threads=1)
        for folder in (ROOT / "examples", Path(os.environ.get("HUPAI_DATA", ROOT)) / "scenes-d-validation"):
            if folder.is_dir():
                yield from read_by_both(python, folder, most, eyes)
    finally:
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
    ours = tally(truth, seen, seconds)
    yield f"hupai on {folder.name}", str(ours)
    command = [python, ROOT / "scripts" / "bench" / "peer.py", *(p.path for p in photos)]
    env = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONSAFEPATH": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=True)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    theirs = tally(truth, [known_to_both(one["tiles"]) for one in told], [one["seconds"] for one in told])
    yield f"{PEER} on {folder.name}", str(theirs)
    yield f"hupai against it on {folder.name}", ours.against(theirs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this one; may be repeated")
    parser.add_argument("--peer", action="store_true", help="read photos with mahjong-detector, too")
    parser.add_argument("--photos", type=int, default=200, help="photos of a folder for --peer, at most")
    given = parser.parse_args()
    rows: list[tuple[str, str]] = []
    for part in given.part or ([] if given.peer else PARTS):
        rows += run_part(part)
    if given.peer:
        rows += side_by_side(given.photos)
    weights = ", ".join(f"{role} {entry.short}" for role, entry in zoo.entries().items())
    print(f"\nhupai {version()}, {weights}")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}")
    width = max(len(name) for name, _ in rows)
    for name, figure in rows:
        print(f"{name:{width}}  {figure}")
    return int(any(figure.startswith("FAILED") for _, figure in rows))


if __name__ == "__main__":
    raise SystemExit(main())
