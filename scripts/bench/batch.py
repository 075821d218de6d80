"""Batch labelling compared with reading one picture after another, side by side, and the cost of a long run.

    python -m scripts.bench.batch [--photos FOLDER] [--pictures 5000] [--rounds 9] [--block 32] [--workers N]

The folder (a temporary one if not given) is filled up with rendered photos of hands if it has fewer than asked for.
Each round labels one block of pictures three ways, in rotating order: ``Eyes.see`` one after another with its default
threads (the networks then use every core), the same with one thread, and the worker processes of ``hupai label``. The
figures are medians over the rounds with their quartiles. A round counts only if other processes used little of the
machine during each of its laps: two processes of ours get more of a busy machine than one does. The
benchmark waits for such moments (``--patience``) and reports how many rounds counted. ``--long`` also runs the command
over the whole folder and follows its memory.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.scenes.scene import random_hand_scene, save_scene
from hupai.batch.engines.cores import sensible_workers, usable_cores
from hupai.batch.engines.labeller import How, InFile
from hupai.batch.engines.pool import Pool
from scripts.bench.machine import busy, resident, worked
from vision.pipeline import Eyes

ROOT: Final = Path(__file__).resolve().parents[2]
SIZE: Final = (960, 720)
WARM: Final = 8
QUIET: Final = 0.1
"""Share of the machine that others may have in a round that counts."""
LOOK: Final = 0.5
"""Seconds over which the load of the machine is sampled."""


@dataclass(frozen=True, slots=True)
class Lap:
    """One block labelled one way: seconds on the clock, processor seconds, other processes' share of the machine."""

    wall: float
    processor: float
    others: float


def fill(folder: Path, count: int, processes: int) -> list[Path]:
    """At least ``count`` rendered photos in a folder; those already there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{i:05d}.jpg" for i in range(count)]
    missing = [i for i, path in enumerate(paths) if not path.exists()]
    if missing:
        print(f"rendering {len(missing)} photos ...", file=sys.stderr, flush=True)
        with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
            for _ in pool.map(render, [folder] * len(missing), missing, chunksize=8):
                pass
    return paths


def render(folder: Path, seed: int) -> None:
    draft = folder / f".{seed:05d}.jpg"
    save_scene(random_hand_scene(seed, size=SIZE), draft)
    draft.with_suffix(".json").unlink()
    draft.rename(folder / f"{seed:05d}.jpg")


def lap(work: Callable[[], None], pids: Sequence[int]) -> Lap:
    """Time a piece of work done by these processes."""
    mine, all_, start = worked(*pids), busy(), time.perf_counter()
    work()
    wall = time.perf_counter() - start
    mine = worked(*pids) - mine
    others = max(0.0, busy() - all_ - mine) / wall / (os.cpu_count() or 1)
    return Lap(wall, mine, others)


def others_now() -> float:
    """Share of the machine that other processes use while this one sleeps."""
    before = busy()
    time.sleep(LOOK)
    return (busy() - before) / LOOK / (os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class Rounds:
    """How rounds are run: how many must count, pictures in each, seconds until those that are done must do."""

    wanted: int
    block: int
    patience: float


Laps = dict[str, Lap]


def side_by_side(paths: Sequence[Path], how: Rounds, workers: int) -> list[Laps]:
    """The laps of all ways, round by round, including rounds that do not count."""
    me = [os.getpid()]
    plain, single = Eyes(), Eyes(threads=1)
    rounds: list[Laps] = []
    with Pool(How(), workers) as pool:

        def batch(pictures: Sequence[Path]) -> None:
            found = list(pool.label(iter([InFile(p.name, p) for p in pictures])))
            assert len(found) == len(pictures) and not any(failed for _, failed, _ in found)

        def see(eyes: Eyes, pictures: Sequence[Path]) -> None:
            for path in pictures:
                eyes.see(path)

        batch(paths[: WARM * workers])
        see(plain, paths[:WARM])
        see(single, paths[:WARM])
        end = time.monotonic() + how.patience
        while sum(map(is_quiet, rounds)) < how.wanted:
            while others_now() > QUIET and time.monotonic() < end:
                time.sleep(LOOK)
            if rounds and time.monotonic() > end:
                break
            number = len(rounds)
            start = (number * how.block) % max(1, len(paths) - how.block)
            part = paths[start : start + how.block]
            ways: list[tuple[str, Callable[[], None], list[int]]] = [
                ("plain", partial(see, plain, part), me),
                ("plain, 1 thread", partial(see, single, part), me),
                ("batch", partial(batch, part), [*me, *pool.pids]),
            ]
            ways = ways[number % 3 :] + ways[: number % 3]
            laps = {name: lap(work, pids) for name, work, pids in ways}
            rounds.append(laps)
            summed = "  ".join(f"{name} {how.block / laps[name].wall:.2f}/s" for name in sorted(laps))
            counts = "" if is_quiet(laps) else ", does not count"
            busy = max(one.others for one in laps.values())
            print(f"round {number + 1}: {summed}  (others had up to {busy:.0%}{counts})", flush=True)
    return rounds


def is_quiet(laps: Laps) -> bool:
    """Whether other processes used little of the machine in every lap of ours."""
    return all(one.others <= QUIET for one in laps.values())


def summary(rounds: Sequence[Laps], how: Rounds) -> dict[str, Any]:
    """Medians and quartiles of the rounds that count, or of all if too few do."""
    quiet = list(filter(is_quiet, rounds))
    counted = quiet if len(quiet) >= min(3, how.wanted) else rounds
    out: dict[str, Any] = {"rounds": len(rounds), "quiet": len(quiet), "counted": len(counted)}
    if counted is not quiet:
        out["warning"] = "the machine was busy all the time: these figures say little"
    for name in counted[0]:
        found = [one[name] for one in counted]
        rates = [how.block / one.wall for one in found]
        out[name] = {
            "pictures_a_second": quartiles(rates, 3),
            "processor_ms_a_picture": round(float(np.median([1e3 * o.processor / how.block for o in found])), 1),
            "cores_used": round(float(np.median([one.processor / one.wall for one in found])), 2),
            "others_share": round(float(np.median([one.others for one in found])), 2),
        }
    for name in sorted(set(counted[0]) - {"batch"}):
        out[f"batch against {name}"] = quartiles([one[name].wall / one["batch"].wall for one in counted], 2)
    return out


def quartiles(values: Sequence[float], digits: int) -> list[float]:
    return [round(float(v), digits) for v in np.percentile(values, [25, 50, 75])]


def descendants(pid: int) -> list[int]:
    """A process and all it has started."""
    found = [pid]
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # it has ended meanwhile
            found += [one for child in children.read_text().split() for one in descendants(int(child))]
    return found


def long_run(folder: Path, workers: int) -> dict[str, Any]:
    """The command over the whole folder: pictures a second and memory over time."""
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "hupai.cli", "label", str(folder), "--out", f"{place}/out"]
        before = os.times()
        start = time.perf_counter()
        memory: list[tuple[float, float]] = []
        running = subprocess.Popen([*command, "--workers", str(workers), "--json"], cwd=ROOT, stdout=subprocess.PIPE)
        while running.poll() is None:
            memory.append((time.perf_counter() - start, resident(*descendants(running.pid))))
            time.sleep(2)
        wall = time.perf_counter() - start
        summed = json.loads(running.stdout.read()) if running.stdout is not None else {}
    if running.returncode != 0:
        raise SystemExit(f"the run ended with status {running.returncode}")
    after, count = os.times(), int(summed["pictures"])
    used = after.children_user + after.children_system - before.children_user - before.children_system
    times, amounts = np.array(memory, np.float64).T
    at = np.interp(np.linspace(0.1, 0.9, 5) * wall, times, amounts)
    return {
        "pictures": count,
        "tiles": summed["tiles"],
        "seconds": round(wall, 1),
        "pictures_a_second": round(count / wall, 2),
        "processor_ms_a_picture": round(1e3 * used / count, 1),
        "memory_mb_at_10_30_50_70_90_percent": [round(float(v)) for v in at],
        "memory_mb_peak": round(max(m for _, m in memory)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--photos", type=Path, help="folder of the photos, kept for the next time; none is kept if not")
    parser.add_argument("--pictures", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=9, help="rounds that must count")
    parser.add_argument("--block", type=int, default=32, help="pictures of a round")
    parser.add_argument("--patience", type=float, default=600.0, help="seconds to wait for quiet rounds")
    parser.add_argument("--workers", type=int, default=sensible_workers())
    parser.add_argument("--long", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        measure(given, given.photos or Path(place))


def measure(given: argparse.Namespace, folder: Path) -> None:
    paths = fill(folder, given.pictures, usable_cores())
    print(f"{usable_cores()} cores, {given.workers} workers, {given.pictures} photos of {SIZE[0]} x {SIZE[1]} pixels")
    if given.rounds:
        how = Rounds(given.rounds, given.block, given.patience)
        summed = summary(side_by_side(paths, how, given.workers), how)
        print(json.dumps(summed, indent=1))
        for name, figures in summed.items():
            if isinstance(figures, dict):
                print(f"{name}: {figures['pictures_a_second'][1]:.2f} pictures/s")
    if given.long:
        print(json.dumps(long_run(folder, given.workers), indent=1))


if __name__ == "__main__":
    main()
