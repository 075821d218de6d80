"""Batch labelling compared with reading one picture after another, side by side, and the cost of a long run.

    python -m scripts.bench.batch [--photos FOLDER] [--pictures 5000] [--rounds 9] [--long]

The folder (a temporary one if not given) is filled up with rendered photos of hands if it has fewer than asked for.
Each round labels one block of pictures three ways, in rotating order: ``TileReader.read`` one after another with its
default threads (the networks then use every core), the same with one thread, and the worker processes of ``hupai
label``. The figures are medians over the rounds, and quartiles of the ratios. Nothing else may run meanwhile: two
processes of ours get more of a busy machine than one does. ``--long`` also runs the command over the whole folder and
follows its memory.
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

from datasets.scenes.scene import random_hand_scene, save_photo
from hupai.label.engines.cores import sensible_workers, usable_cores
from hupai.label.engines.pictures import FileImage, LabelOptions
from hupai.label.engines.pool import Pool
from scripts.bench.machine import processor_seconds, resident_megabytes
from vision.pipeline import TileReader

SIZE_PX: Final = (960, 720)
ROUND_PICTURES: Final = 32
"""Pictures of a round."""
WARM_UP_PICTURES: Final = 8
BATCH: Final = "hupai label"


class Lap(NamedTuple):
    """Pictures labelled one way: how many a second, and processor seconds of one."""

    pace: float
    processor: float


def render_photo(folder: Path, seed: int) -> Path:
    """A rendered photo in a folder, kept if it is already there."""
    path = folder / f"{seed:05d}.jpg"
    if not path.exists():
        draft = folder / f".{seed:05d}.jpg"
        save_photo(random_hand_scene(seed, size=SIZE_PX).image, {}, draft)
        draft.with_suffix(".json").unlink()
        draft.rename(path)
    return path


def time_lap(work: Callable[[Sequence[Path]], None], pictures: Sequence[Path], pids: Sequence[int]) -> Lap:
    """Time pictures labelled by these processes."""
    used, begun = processor_seconds(*pids), time.monotonic()
    work(pictures)
    wall = time.monotonic() - begun
    return Lap(len(pictures) / wall, (processor_seconds(*pids) - used) / len(pictures))


def compare_side_by_side(paths: Sequence[Path], rounds: int, workers: int) -> None:
    """Label in rounds, and print how fast."""
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
        laps: list[dict[str, Lap]] = []
        for number in range(rounds):
            start = (number * ROUND_PICTURES) % max(1, len(paths) - ROUND_PICTURES)
            ways = [*ways[1:], ways[0]]
            laps.append(
                {name: time_lap(work, paths[start : start + ROUND_PICTURES], pids) for name, work, pids in ways}
            )
            print("  ".join(f"{name} {laps[-1][name].pace:.2f}/s" for name in sorted(laps[-1])), flush=True)
    for name in sorted(laps[0]):
        ratios = [one[BATCH].pace / one[name].pace for one in laps]
        print(
            f"{name}: {quartiles([one[name].pace for one in laps])[1]} pictures/s, "
            f"{np.median([1e3 * one[name].processor for one in laps]):.0f} ms of processor a picture; "
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


def main(photos: Path | None = None, pictures: int = 5000, rounds: int = 9, long: bool = False) -> None:
    workers = sensible_workers()
    with tempfile.TemporaryDirectory() as place:
        folder = photos or Path(place)
        folder.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(usable_cores(), get_context("spawn")) as pool:
            paths = list(pool.map(partial(render_photo, folder), range(pictures), chunksize=8))
        print(f"{usable_cores()} cores, {workers} workers, {len(paths)} photos of {SIZE_PX[0]} x {SIZE_PX[1]} pixels")
        if rounds:
            compare_side_by_side(paths, rounds, workers)
        if long:
            long_run(folder, workers)


if __name__ == "__main__":
    typer.run(main)
