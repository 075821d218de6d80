"""Watch one table for a long time, faster than real time, and report whether memory grows or anything drifts.

    python -m scripts.bench.soak --minutes 60 --speed 2

A table video is watched over and over by one process, every hand kept in a
real store as ``hupai watch`` keeps it. The report at the end: hands laid and published, memory, how far behind the
clock frames were, the processor time used, and whether the health and the state that the board shows agree with what
was counted here. Exit status 1 when hands were missed, doubled or invented, memory grew by more than 10 % after the
first tenth, or the health was wrong. The machine's cores must be free: a process without one misses hands.
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import typer

from datasets.scenes.videos import table_video, write_video
from hupai.feed.frames import Frame, VideoFrames
from hupai.feed.plan import Watched
from hupai.feed.source import VideoSource
from hupai.feed.worker import Worker, memory_mb
from hupai.store.database import open_store
from hupai.store.events import feed
from hupai.store.tournament import directing
from scripts.bench import made_with
from scripts.bench.machine import first_and_last
from vision.pipeline import Eyes

FPS = 15


class Loop:
    """A video over and over, played by the clock as ``hupai watch`` plays a file; frames that are late are skipped.

    Attributes:
        rounds: of the video. captured, seen: frames in all, frames not skipped. behind: seconds, of each frame seen.
    """

    def __init__(self, video: Path, speed: float, seconds: float) -> None:
        self._source, self._speed, self._seconds = VideoSource.of(str(video)), speed, seconds
        self._closed = False
        self.rounds = self.captured = self.seen = 0
        self.behind: list[float] = []

    def __iter__(self) -> Iterator[Frame]:
        end = time.monotonic() + self._seconds
        while time.monotonic() < end:
            frames, before, start = VideoFrames(self._source, self._speed), self.captured, time.monotonic()
            for frame in frames:
                if self._closed:
                    return
                self.behind.append(max(0.0, time.monotonic() - start - frame.time / self._speed))
                self.captured = before + frame.number
                self.seen += 1
                yield Frame(frame.image, before / FPS + frame.time, self.captured)
            self.captured = before + frames.captured
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
    table = Watched("soak", VideoSource.of(str(video)), film.truth.rules, None, speed)
    eyes = Eyes(threads=1, once=True)
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
            if abs(health["frames"] - loop.seen) > 6 * FPS * speed:
                wrong.append(f"health says {health['frames']} frames, {loop.seen} were seen")

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
        "made_with": made_with(eyes.models),
        "minutes_and_speed": [minutes, speed],
        "cores_used": round(spent / taken, 2),
        "frames": loop.captured,
        "frames_passed_over": loop.captured - loop.seen,
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
