"""Batch labelling compared with reading one picture after another, side by side, and the cost of a long run.

    python -m scripts.bench.batch [--photos FOLDER] [--pictures 5000] [--rounds 9] [--patience 600] [--long]

The folder (a temporary one if not given) is filled up with rendered photos of hands if it has fewer than asked for.
Each round labels one block of pictures three ways, in rotating order: ``TileReader.read`` one after another with its
default threads (the networks then use every core), the same with one thread, and the worker processes of ``hupai
label``. The figures are medians over the rounds, and quartiles of the ratios. A round counts only if other processes
used little of the machine during each of its laps: two processes of ours get more of a busy machine than one does. The
benchmark waits for such moments (``--patience``) and reports how many rounds counted. ``--long`` also runs the command
over the whole folder and follows its memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import typer

from datasets.scenes.scene import random_hand_scene, save_scene
from hupai.batch.engines.cores import sensible_workers, usable_cores
from hupai.batch.engines.labeller import FileImage, LabelOptions
from hupai.batch.engines.pool import Pool
from scripts.bench.machine import busy_seconds, processor_seconds, resident_megabytes
from vision.pipeline import TileReader

SIZE_PX: Final = (960, 720)
ROUND_PICTURES: Final = 32
"""Pictures of a round."""
WARM_UP_PICTURES: Final = 8
QUIET_SHARE: Final = 0.1
"""Share of the machine that others may have in a round that counts."""
SAMPLE_SECONDS: Final = 0.5
"""Seconds over which the load of the machine is sampled."""
BATCH: Final = "hupai label"


class Lap(NamedTuple):
    """Pictures labelled one way: a second; processor seconds of one; other processes' share of the machine."""

    pace: float
    processor: float
    others: float


def render_photo(folder: Path, seed: int) -> Path:
    """A rendered photo in a folder, kept if it is already there."""
    path = folder / f"{seed:05d}.jpg"
    if not path.exists():
        draft = folder / f".{seed:05d}.jpg"
        save_scene(random_hand_scene(seed, size=SIZE_PX), draft)
        draft.with_suffix(".json").unlink()
        draft.rename(path)
    return path


def share_of_others(since: tuple[float, float], mine: float = 0.0) -> float:
    """Share of the machine that other processes have had ``since`` a ``(busy(), time.monotonic())``."""
    used, begun = since
    return max(0.0, busy_seconds() - used - mine) / (time.monotonic() - begun) / (os.cpu_count() or 1)


def time_lap(work: Callable[[Sequence[Path]], None], pictures: Sequence[Path], pids: Sequence[int]) -> Lap:
    """Time pictures labelled by these processes."""
    mine, since = processor_seconds(*pids), (busy_seconds(), time.monotonic())
    work(pictures)
    wall = time.monotonic() - since[1]
    mine = processor_seconds(*pids) - mine
    return Lap(len(pictures) / wall, mine / len(pictures), share_of_others(since, mine))


def compare_side_by_side(paths: Sequence[Path], wanted: int, patience: float, workers: int) -> None:
    """Label in rounds until ``wanted`` of them count, or ``patience`` seconds have gone by; print how fast."""
    with Pool(LabelOptions(), workers) as pool:

        def batch(pictures: Sequence[Path]) -> None:
            found = list(pool.label(iter([FileImage(p.name, p) for p in pictures])))
            assert len(found) == len(pictures) and not any(failed for _, failed, _ in found)

        def see(reader: TileReader, pictures: Sequence[Path]) -> None:
            for path in pictures:
                reader.read(path)

        me = [os.getpid()]
        ways: list[tuple[str, Callable[[Sequence[Path]], None], list[int]]] = [
            ("plain", partial(see, TileReader()), me),
            ("plain, 1 thread", partial(see, TileReader(threads=1)), me),
            (BATCH, batch, [*me, *pool.pids]),
        ]
        for _, work, _ in ways:
            work(paths[: WARM_UP_PICTURES * workers])
        end = time.monotonic() + patience
        rounds: list[dict[str, Lap]] = []
        quiet: list[dict[str, Lap]] = []
        while len(quiet) < wanted and not (rounds and time.monotonic() > end):
            share = 1.0
            while share > QUIET_SHARE and time.monotonic() < end:
                since = busy_seconds(), time.monotonic()
                time.sleep(SAMPLE_SECONDS)
                share = share_of_others(since)
            start = (len(rounds) * ROUND_PICTURES) % max(1, len(paths) - ROUND_PICTURES)
            ways = [*ways[1:], ways[0]]
            laps = {name: time_lap(work, paths[start : start + ROUND_PICTURES], pids) for name, work, pids in ways}
            most = max(one.others for one in laps.values())
            rounds.append(laps)
            quiet += [laps] if most <= QUIET_SHARE else []
            paces = "  ".join(f"{name} {laps[name].pace:.2f}/s" for name in sorted(laps))
            print(f"round {len(rounds)}: {paces}  (others had up to {most:.0%})", flush=True)
    print(f"{len(quiet)} of {len(rounds)} rounds count")
    if len(quiet) < min(3, wanted):
        print("the machine was busy all the time: these figures say little")
        quiet = rounds
    for name in sorted(quiet[0]):
        ratios = [one[BATCH].pace / one[name].pace for one in quiet]
        print(
            f"{name}: {quartiles([one[name].pace for one in quiet])[1]} pictures/s, "
            f"{np.median([1e3 * one[name].processor for one in quiet]):.0f} ms of processor a picture; "
            f"{BATCH} against it, quartiles: {' '.join(quartiles(ratios))}"
        )


def quartiles(values: Sequence[float]) -> list[str]:
    return [f"{v:.2f}" for v in np.percentile(values, [25, 50, 75])]


def descendants(pid: int) -> list[int]:
    """A process and all it has started."""
    found = [pid]
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # it has ended meanwhile
            found += [one for child in children.read_text().split() for one in descendants(int(child))]
    return found


def long_run(folder: Path, workers: int) -> None:
    """The command over the whole folder: pictures a second and memory over time."""
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "hupai.cli", "label", str(folder), "--out", f"{place}/out", "--json"]
        start, used, memory = time.monotonic(), sum(os.times()[2:4]), []
        with subprocess.Popen([*command, "--workers", str(workers)], stdout=subprocess.PIPE) as running:
            while running.poll() is None:
                memory.append(resident_megabytes(*descendants(running.pid)))
                time.sleep(2)
            wall = time.monotonic() - start
            summed = json.loads(running.communicate()[0])
    if running.returncode:
        raise SystemExit(f"the run ended with status {running.returncode}")
    cores = (sum(os.times()[2:4]) - used) / wall
    pictures, tiles = summed["pictures"], summed["tiles"]
    print(f"{pictures} pictures, {tiles} tiles in {wall:.0f} s: {pictures / wall:.2f} pictures/s on {cores:.2f} cores")
    tenth = len(memory) // 10
    print(f"MB after a tenth {memory[tenth]:.0f}, nine tenths {memory[-tenth - 1]:.0f}, most {max(memory):.0f}")


def main(
    photos: Path | None = None, pictures: int = 5000, rounds: int = 9, patience: float = 600, long: bool = False
) -> None:
    workers = sensible_workers()
    with tempfile.TemporaryDirectory() as place:
        folder = photos or Path(place)
        folder.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(usable_cores(), get_context("spawn")) as pool:
            paths = list(pool.map(partial(render_photo, folder), range(pictures), chunksize=8))
        print(f"{usable_cores()} cores, {workers} workers, {len(paths)} photos of {SIZE_PX[0]} x {SIZE_PX[1]} pixels")
        if rounds:
            compare_side_by_side(paths, rounds, patience, workers)
        if long:
            long_run(folder, workers)


if __name__ == "__main__":
    typer.run(main)
