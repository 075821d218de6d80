"""Measure how many tables this machine can watch, each at 15 frames and 2 reads a second from 720p.

    python -m scripts.bench.tables --most 6

Watches one table, then two, and so on, for some seconds each, on the clock: every table has a capture of its own (a
motion-JPEG film of a hand that lies there, decoded as it comes) and all share one set of models, as ``hupai watch
--tables`` does it. Reads are forced to two a second, where a still table would be read every two seconds. The
report gives the frames and reads a second of the slowest table and the cores used. The cores must be free; what other
programs use of them is reported, too.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from datasets.scenes.videos import table_video
from hupai.feed import session as watch
from hupai.feed.plan import Watched
from hupai.feed.source import Source
from hupai.feed.worker import Worker
from hupai.store.database import open_store
from scripts.bench.machine import busy
from scripts.bench.soak import Loop
from vision.pipeline import Eyes

FPS = 15.0
ENOUGH_FRAMES, ENOUGH_READS = 14.5, 1.9


@dataclass(frozen=True)
class Load:
    """How watching several tables went: frames and reads a second of the slowest, cores used by us and by others."""

    tables: int
    frames: float
    reads: float
    cores: float
    others: float

    @property
    def kept_up(self) -> bool:
        """Whether every table got its frames and reads."""
        return self.frames >= ENOUGH_FRAMES and self.reads >= ENOUGH_READS


def film(path: Path, seed: int) -> str:
    """Write a second of a hand that lies still to ``path``; returns the hand's rules."""
    made = table_video(seed, hands=1, troubles=["none"], fps=FPS)
    first = round(made.truth.hands[0].settled * FPS) + 2
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, made.size)
    for frame in islice(made, first, first + round(FPS)):
        writer.write(np.asarray(cv2.cvtColor(frame, cv2.COLOR_RGB2BGR)))
    writer.release()
    return made.truth.rules


def loaded(eyes: Eyes, path: Path, rules: str, tables: int, seconds: float) -> Load:
    """Watch ``tables`` tables for ``seconds`` seconds."""
    reading = threading.Semaphore(os.cpu_count() or 1)
    with tempfile.TemporaryDirectory() as folder:
        engine = open_store(f"sqlite:///{folder}/hupai.db")
        frames = partial(Loop, path, 1.0, seconds)
        tables_ = [Watched(str(n), Source.of(str(path)), rules, None, 1.0) for n in range(tables)]
        workers = [Worker(t, engine, eyes, "tables", reading, keep_frames=1, frames=frames) for t in tables_]
        mine, all_, start = time.process_time(), busy(), time.monotonic()
        with ThreadPoolExecutor(tables) as pool:
            for running in [pool.submit(worker.run) for worker in workers]:
                running.result()
        taken, mine = time.monotonic() - start, time.process_time() - mine
        others = busy() - all_ - mine
        engine.dispose()
    slowest = [min(worker.health()[what] for worker in workers) / taken for what in ("frames", "reads")]
    return Load(tables, round(slowest[0], 1), round(slowest[1], 2), round(mine / taken, 2), round(others / taken, 2))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=6, help="tables at most")
    parser.add_argument("--seconds", type=float, default=20, help="for each number of tables")
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    watch.IDLE = watch.EVERY  # type: ignore[misc]
    eyes, loads = Eyes(threads=1), []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "published.avi"
        rules = film(path, given.seed)
        for tables in range(1, given.most + 1):
            load = loaded(eyes, path, rules, tables, given.seconds)
            loads.append(load)
            words = "kept up" if load.kept_up else "did not keep up"
            rates = f"{load.frames} frames/s, {load.reads} reads/s of the slowest"
            print(f"{tables} tables: {rates}, {load.cores} cores used ({load.others} by others): {words}", flush=True)
            if not load.kept_up:
                break
    each = loads[0].cores
    cores = os.cpu_count() or 1
    print(f"a table takes {each:.2f} cores: at most {int(cores / each)} on {cores} free cores by processor time")
    return 0 if loads[0].kept_up else 1


if __name__ == "__main__":
    sys.exit(main())
