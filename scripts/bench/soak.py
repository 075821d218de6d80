"""Watch one table for a long time, faster than real time, and report whether memory grows or anything drifts.

    python -m scripts.bench.soak --minutes 60 --speed 2

A table video is watched over and over by one process (its frames come in a loop, on one clock), every hand kept in a
real store as ``hupai watch`` keeps it. The report at the end: hands laid and published, memory, how far behind the
clock frames were, the processor time used, and whether the health and the state that the board shows agree with what
was counted here. Exit status 1 when hands were missed, doubled or invented, memory grew by more than 10 % after the
first tenth, or the health was wrong. The machine's cores must be free: a process without one misses hands.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import typer

from datasets.scenes.videos import table_video, write_video
from hupai.feed.frames import Frame
from hupai.feed.plan import Watched
from hupai.feed.source import Source
from hupai.feed.worker import Worker, memory_mb
from hupai.store.database import open_store
from hupai.store.events import feed
from hupai.store.tournament import directing
from scripts.bench.machine import first_and_last
from scripts.bench.provenance import made_by
from vision.pipeline import Eyes

FPS = 15


@dataclass
class Loop:
    """The frames of a video over and over on one clock, ``speed`` times as fast; frames that are late are skipped.

    Attributes:
        rounds: of the video. captured, passed: frames in all, frames skipped. behind: seconds, of each other frame.
    """

    video: Path
    speed: float
    seconds: float
    captured: int = 0
    passed: int = 0
    rounds: int = 0
    behind: list[float] = field(default_factory=list)
    _closed: bool = False

    def __iter__(self) -> Iterator[Frame]:
        start = time.monotonic()
        while not self._closed and time.monotonic() - start < self.seconds:
            capture = cv2.VideoCapture(str(self.video))
            while not self._closed:
                due = start + self.captured / FPS / self.speed
                now = time.monotonic()
                late = now - due > 1.5 / FPS / self.speed
                there, image = (capture.grab(), None) if late else capture.read()
                if not there:
                    break
                self.captured += 1
                if image is None:
                    self.passed += 1
                    continue
                time.sleep(max(0.0, due - now))
                self.behind.append(max(0.0, now - due))
                yield Frame(np.asarray(image, np.uint8), self.captured / FPS, self.captured)
            capture.release()
            self.rounds += 1

    def spent(self, seconds: float) -> None:
        """Time passes by itself."""

    def close(self) -> None:
        """Stop."""
        self._closed = True


def main(minutes: float = 60, speed: float = 2) -> None:
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:
        raise typer.Exit(soak(Path(folder), minutes, speed))


def soak(folder: Path, minutes: float, speed: float) -> bool:
    """Watch, and report; whether anything was wrong."""
    video = folder / "table.avi"
    film = table_video(3, hands=2, troubles=["hand", "flicker"], size=(1280, 720), fps=FPS)
    write_video(film, video)
    loop = Loop(video, speed, 60 * minutes)
    engine = open_store(f"sqlite:///{folder / 'hupai.db'}")
    table = Watched("soak", Source.of(str(video)), film.truth.rules, None, speed)
    eyes = Eyes(threads=1)
    worker = Worker(table, engine, eyes, "soak", threading.Semaphore(2), keep_frames=50, frames=lambda: loop)
    memory: list[float] = []
    wrong: list[str] = []
    done = threading.Event()

    def look() -> None:
        while not done.wait(5):
            memory.append(memory_mb())
            shown = directing.get_table(engine, "soak")
            health = shown["health"]
            if not shown["watched"] or not health:
                continue
            if shown["silent"]:
                wrong.append("the board calls the watcher silent")
            if health["trouble"] is not None or shown["state"] in ("lost", "dark", "frozen", "ended"):
                wrong.append(f"the board says {shown['state']}, {health['trouble']}")
            if abs(health["frames"] - (loop.captured - loop.passed)) > 6 * FPS * speed:
                wrong.append(f"health says {health['frames']} frames, {loop.captured - loop.passed} were seen")

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    begin, spent = time.monotonic(), time.process_time()
    worker.run()
    taken, spent = time.monotonic() - begin, time.process_time() - spent
    done.set()
    watcher.join()
    events = feed.events_after(engine, 0, 10**6)
    engine.dispose()
    laid = loop.rounds * len(film.truth.hands)
    published = sum(e["event"] == feed.SETTLED for e in events)
    whole = [e["number"] for e in events] == list(range(1, len(events) + 1))
    early, late = first_and_last(memory[len(memory) // 10 :] or [memory_mb()])
    found = {
        "made": made_by(argparse.Namespace(minutes=minutes, speed=speed), eyes.models),
        "cores_used": round(spent / taken, 2),
        "frames": loop.captured,
        "frames_passed_over": loop.passed,
        "hands_laid": laid,
        "hands_published": published,
        "numbers_whole": whole,
        "memory_mb_after_a_tenth_and_at_the_end": [round(early), round(late)],
        "behind_seconds_first_and_last_third": [round(s, 3) for s in first_and_last(loop.behind)],
        "health_wrong": wrong[:5],
    }
    print(json.dumps(found, indent=2))
    # The round that the clock cut off may or may not have shown its hands.
    return abs(published - laid) > 2 or late > 1.1 * early or bool(wrong) or not whole


if __name__ == "__main__":
    typer.run(main)
