"""Measure how many tables this machine can watch, each at 15 frames and 2 reads a second from 720p.

    python -m scripts.bench.tables [--most 6] [--seconds 20]

Watches one table, then two, and so on, for some seconds each, on the clock: every table has a capture of its own (a
motion-JPEG film of a hand that lies there, decoded as it comes) and all share one set of models, as ``hupai watch
--tables`` does it. Reads are forced to two a second, where a still table would be read every two seconds. The
report gives the frames and reads a second of the slowest table and the cores used. The cores must be free; what other
programs use of them is reported, too.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import typer

from datasets.scenes.videos import table_video
from hupai.feed import session as watch
from hupai.feed.plan import Watched
from hupai.feed.source import VideoSource
from hupai.feed.worker import Worker
from hupai.store.database import open_store
from scripts.bench.machine import busy
from scripts.bench.soak import FPS, Loop
from vision.pipeline import Eyes

ENOUGH_FRAMES, ENOUGH_READS = 14.5, 1.9
"""A second, of a table that keeps up."""


def film(path: Path) -> str:
    """Write a second of a hand that lies still to ``path``; returns the hand's rules."""
    made = table_video(3, hands=1, troubles=["none"], fps=FPS)
    first = round(made.truth.hands[0].settled * FPS) + 2
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, made.size)
    for frame in islice(made, first, first + FPS):
        writer.write(np.asarray(cv2.cvtColor(frame, cv2.COLOR_RGB2BGR)))
    writer.release()
    return made.truth.rules


def kept_up(eyes: Eyes, path: Path, rules: str, tables: int, seconds: float) -> tuple[bool, float]:
    """Watch ``tables`` tables for ``seconds`` seconds: whether each got its frames and reads, and the cores used."""
    reading = threading.Semaphore(os.cpu_count() or 1)
    with tempfile.TemporaryDirectory() as folder:
        engine = open_store(f"sqlite:///{folder}/hupai.db")
        frames = partial(Loop, path, 1.0, seconds)
        watched = [Watched(str(n), VideoSource.of(str(path)), rules, None, 1.0) for n in range(tables)]
        workers = [Worker(t, engine, eyes, "tables", reading, keep_frames=1, frames=frames) for t in watched]
        mine, all_, start = time.process_time(), busy(), time.monotonic()
        with ThreadPoolExecutor(tables) as pool:
            list(pool.map(Worker.run, workers))
        taken, mine = time.monotonic() - start, time.process_time() - mine
        others = (busy() - all_ - mine) / taken
        engine.dispose()
    slow, fewest = (min(worker.health()[what] for worker in workers) / taken for what in ("frames", "reads"))
    enough = slow >= ENOUGH_FRAMES and fewest >= ENOUGH_READS
    print(
        f"{tables} tables: {slow:.1f} frames/s, {fewest:.2f} reads/s of the slowest, {mine / taken:.2f} cores used "
        f"({others:.2f} by others): {'kept up' if enough else 'did not keep up'}",
        flush=True,
    )
    return enough, mine / taken


def main(most: int = 6, seconds: float = 20) -> None:
    cv2.setNumThreads(1)
    watch.IDLE = watch.EVERY  # type: ignore[misc]
    eyes, cores = Eyes(threads=1, once=True), os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "published.avi"
        rules = film(path)
        first, each = kept_up(eyes, path, rules, 1, seconds)
        tables, enough = 1, first
        while enough and tables < most:
            tables += 1
            enough, _ = kept_up(eyes, path, rules, tables, seconds)
    print(f"a table takes {each:.2f} cores: at most {int(cores / each)} on {cores} free cores by processor time")
    raise typer.Exit(not first)


if __name__ == "__main__":
    typer.run(main)
