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
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from datasets.scenes.videos import table_video
from hupai.feed import session as watch
from scripts.bench.provenance import made_by
from vision.pipeline import Eyes
from vision.reading import ImageArray, Sighting

FPS = 15.0
ENOUGH_FRAMES, ENOUGH_READS = 14.5, 1.9


@dataclass(frozen=True)
class Load:
    """How so many tables went: frames and reads a second of the slowest, cores used by us and by others."""

    tables: int
    frames: float
    reads: float
    cores: float
    others: float

    @property
    def kept_up(self) -> bool:
        """Every table got its frames and reads."""
        return self.frames >= ENOUGH_FRAMES and self.reads >= ENOUGH_READS


def film(path: Path, seed: int) -> str:
    """A second of a hand that lies there, written to ``path``; the rules it is of."""
    made = table_video(seed, hands=1, troubles=["none"], fps=FPS)
    first = round(made.truth.hands[0].settled * FPS) + 2
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, made.size)
    for frame in islice(made, first, first + round(FPS)):
        writer.write(np.asarray(cv2.cvtColor(frame, cv2.COLOR_RGB2BGR)))
    writer.release()
    return made.truth.rules


def frames(path: Path, until: float) -> Iterator[ImageArray]:
    """The film over and over on the clock; frames that nobody had time for are passed over."""
    capture, due = cv2.VideoCapture(str(path)), time.monotonic()
    while time.monotonic() < until:
        late = time.monotonic() - due > 1 / FPS
        there, image = (capture.grab(), None) if late else capture.read()
        if not there:
            capture.set(cv2.CAP_PROP_POS_FRAMES, 0)
            continue
        due += 1 / FPS
        if image is None:
            continue
        time.sleep(max(0.0, due - time.monotonic()))
        yield np.asarray(image, np.uint8)


def busy() -> float:
    """Seconds of processor time that everybody used so far, all cores."""
    ticks = [int(v) for v in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def loaded(eyes: Eyes, path: Path, rules: str, tables: int, seconds: float) -> Load:
    """Watch so many tables for so long."""
    reading = threading.Semaphore(os.cpu_count() or 1)

    def look(image: ImageArray) -> list[Sighting]:
        with reading:
            return eyes.look(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8))

    counts: list[tuple[int, int]] = []
    until = time.monotonic() + seconds

    def one() -> None:
        table, seen, under_way = watch.TableSession(look, rules=rules), 0, None
        with ThreadPoolExecutor(1) as reader:
            for image in frames(path, until):
                if under_way is not None and under_way[1].done():
                    for event in table.take(under_way[0], under_way[1].result()):
                        if event.published is not None:
                            table.keep(1, event.published)
                    under_way = None
                due = table.glimpse(image, time.monotonic())[1]
                if due is not None and under_way is None:
                    under_way = (due, reader.submit(look, due.image))
                seen += 1
        counts.append((seen, table.reads))

    mine, all_, start = time.process_time(), busy(), time.monotonic()
    threads = [threading.Thread(target=one) for _ in range(tables)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken, mine = time.monotonic() - start, time.process_time() - mine
    others = busy() - all_ - mine
    slowest = [min(c[i] for c in counts) / taken for i in (0, 1)]
    return Load(tables, round(slowest[0], 1), round(slowest[1], 2), round(mine / taken, 2), round(others / taken, 2))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=6, help="tables at most")
    parser.add_argument("--seconds", type=float, default=20, help="for each number of tables")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--json", type=Path)
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
    if given.json is not None:
        made = made_by(given, eyes.models)
        given.json.write_text(json.dumps({"made": made, "loads": [asdict(load) for load in loads]}) + "\n")
    return 0 if loads[0].kept_up else 1


if __name__ == "__main__":
    sys.exit(main())
