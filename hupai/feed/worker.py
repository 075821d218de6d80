"""One watched table: frames -> events -> store, with a heartbeat that reports its health."""

from __future__ import annotations

import logging
import resource
import sys
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

import cv2
import numpy as np
from sqlalchemy import Engine

from hupai.feed.frames import Frame, FrameSource, LiveFrames, VideoFrames
from hupai.feed.plan import Watched
from hupai.feed.session import Due, EventKind, FeedState, SessionEvent, TableSession
from hupai.feed.stillness.plane import Plane, from_corners
from hupai.feed.writes import Writes
from hupai.store.errors import STORE_AWAY, Displaced
from hupai.store.events import feed
from scoring.errors import HupaiError
from scoring.tiles import tile
from vision.pipeline import Eyes
from vision.reading import ImageArray, Sighting

BEAT: Final = 2.0
PREVIEW: Final = 10.0
_PREVIEW_SIDE: Final = 640
_QUALITY: Final = 85
log = logging.getLogger("hupai.watch")


class Worker:
    """Watches one table until its source ends, it is stopped, or another worker takes the table.

    Attributes:
        table: the table. happened: how many hands this worker has published.
    """

    def __init__(
        self,
        table: Watched,
        engine: Engine,
        eyes: Eyes,
        name: str,
        reading: threading.Semaphore,
        *,
        keep_frames: int = 1000,
        report: Callable[[str], None] = lambda _: None,
        frames: Callable[[], FrameSource] | None = None,
    ) -> None:
        """Prepare to watch.

        Args:
            table, engine, eyes: the table, the store, the models. name: of this process, unique.
            reading: limits how many tables are read at once. keep_frames: audit pictures kept per table.
            report: receives messages about what happens. frames: starts the capture; default: by the table's source.
        """
        self.table, self.happened = table, 0
        self._open = frames or self._capture
        self._engine, self._eyes, self._name, self._reading = engine, eyes, name, reading
        self._keep, self._say = keep_frames, report
        self._stop = threading.Event()
        self._writes = Writes(table.name, self._stop, self.stop)
        self._frames: FrameSource | None = None
        self._watch: TableSession | None = None
        self._corners: list[Any] | None = None
        self._size, self._aimed = (0, 0), False
        self._cornered = threading.Event()  # the director has marked the table
        self._beat_error: Exception | None = None  # what ended the heartbeat
        self._processed, self._read_seconds, self._looks = 0, 0.0, 0
        # Frames are checked for motion while one of them is being read.
        self._reader = ThreadPoolExecutor(1, f"read {table.name}")
        self._reading_now: tuple[Due, Future[tuple[list[Sighting], float]]] | None = None
        self._counted, self._counted_reads, self._counted_at = 0, 0, time.monotonic()
        self._shown_at = 0.0
        self._picture: bytes | None = None  # the preview that the next beat stores
        self._lost, self._lag = False, 0.0
        self._health: dict[str, Any] = {}

    def stop(self) -> None:
        """Ask the worker to stop; safe from any thread."""
        self._stop.set()
        if self._frames is not None:
            self._frames.close()

    def run(self) -> None:
        """Watch the table.

        Raises:
            Displaced: another process has the table.
        """
        given = self.table.corners
        claimed = self._claim()
        self._corners = [list(p) for p in given] if given is not None else claimed.corners
        tiles = tuple(tile(code) for code in claimed.tiles)
        self._watch = TableSession(self._look, rules=claimed.rules, published=tiles, token=claimed.token or "")
        try:
            self._frames = self._open()
        except HupaiError:
            self._writes.now(lambda: feed.release(self._engine, self.table.name, self._name, FeedState.LOST.value))
            raise
        beating = threading.Thread(target=self._beats, name=f"beat {self.table.name}", daemon=True)
        end = FeedState.ENDED
        self._writes.begin()
        try:
            beating.start()
            try:
                for frame in self._frames:
                    self._one(frame)
                    if self._stop.is_set():
                        break
            finally:
                self._writes.close()
            if self._beat_error is not None:
                raise self._beat_error
        except Exception:
            end = FeedState.LOST  # the table is still watched: by another process, or by this one again
            raise
        finally:
            self._stop.set()
            self._frames.close()
            self._reader.shutdown(cancel_futures=True)
            beating.join(timeout=10)
            if end is FeedState.ENDED:
                self._store_preview()
                self._writes.now(lambda: feed.release(self._engine, self.table.name, self._name, end.value))

    def _claim(self) -> feed.Claimed:
        """Claim the table. A killed worker holds it for some seconds; wait for that, unless it shows a new heartbeat.

        Raises:
            Displaced: another process is watching it.
        """
        wanted = feed.Claim(self.table.name, self.table.source.shown, self._name, self.table.rules)
        heard: datetime | None = None
        while True:
            try:
                return self._writes.now(lambda: feed.claim(self._engine, wanted))
            except Displaced as error:
                if heard is None:
                    heard = error.beat
                    self._say(f"{self.table.name}: another process had this table; waiting whether it is still alive")
                if error.beat != heard or self._stop.wait(1.0):
                    raise

    def _capture(self) -> FrameSource:
        source = self.table.source
        return LiveFrames(source) if source.live else VideoFrames(source, self.table.speed)

    def _one(self, frame: Frame) -> None:
        watch = self._watch
        assert watch is not None and self._frames is not None
        if frame.image is None:
            if not self._lost:
                self._lost = True
                self._tell_state(FeedState.LOST, {"trouble": getattr(self._frames, "trouble", None)})
            return
        if self._lost:
            self._lost = False
            watch.state = FeedState.STARTING  # so that the state it finds is reported
        height, width = frame.image.shape[:2]
        if self._size != (width, height) or self._cornered.is_set():
            self._cornered.clear()
            self._size = (width, height)
            watch.fit(frame.image.shape)
            if self._corners is not None:
                watch.aim(self._plane(self._corners, width, height))
            elif self._aimed:
                watch.aim(None)
            self._aimed = self._corners is not None
        self._take()
        if self.table.source.live:
            self._lag = max(0.0, time.monotonic() - frame.time)
        found, due = watch.glimpse(frame.image, frame.time)
        for event in found:
            self._keep_event(event, frame.image)
        self._processed += 1
        if due is not None and self._reading_now is None:
            self._reading_now = (due, self._reader.submit(self._timed_look, due.image))
            if not self.table.source.live and self.table.speed is None and isinstance(self._frames, VideoFrames):
                # A file has a clock of its own: it skips what was missed.
                self._frames.spent(self._take(wait=True))
        if time.monotonic() - self._shown_at > PREVIEW:
            self._shown_at = time.monotonic()
            self._preview(frame.image)

    def _take(self, *, wait: bool = False) -> float:
        """Process the running read if it has finished (or ``wait`` for it); return the seconds it took, else 0."""
        if self._reading_now is None or not (wait or self._reading_now[1].done()):
            return 0.0
        due, future = self._reading_now
        self._reading_now = None
        sightings, spent = future.result()
        self._read_seconds += spent
        self._looks += 1
        assert self._watch is not None
        for event in self._watch.take(due, sightings):
            self._keep_event(event, due.image)
        return spent

    def _timed_look(self, image: ImageArray) -> tuple[list[Sighting], float]:
        """Return everything in sight, and the processor time it took, seconds."""
        start = time.thread_time()
        return self._look(image), time.thread_time() - start

    def _look(self, image: ImageArray) -> list[Sighting]:
        with self._reading:
            return self._eyes.look(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8))

    def _keep_event(self, event: SessionEvent, image: ImageArray) -> None:
        watch, name, engine = self._watch, self.table.name, self._engine
        assert watch is not None
        if event.kind is EventKind.STATE:
            self._tell_state(event.state, {})
        elif event.kind is EventKind.GONE and event.published is not None:
            token = event.published.token
            self._writes.put(
                lambda: feed.hand_gone(engine, name, self._name, token),
                lambda _: self._say(f"{name}: the hand has left the table"),
            )
        elif event.reading is not None and event.published is not None:
            read = {**event.reading.to_json(name), "models": dict(self._eyes.models)}
            jpeg = _jpeg(image, _QUALITY)
            if event.kind is EventKind.SETTLED:
                more = {"wins": event.wins, "still_for": round(event.still_for, 3)}
                token = uuid.uuid4().hex
                self._writes.put(
                    lambda: feed.hand_settled(engine, name, self._name, token, read, jpeg, more),
                    lambda hand_id: self._published(read["hand"], hand_id),
                )
            else:
                token = event.published.token
                self._writes.put(lambda: feed.hand_revised(engine, name, self._name, token, read, jpeg))
            self._writes.put(lambda: feed.prune_frames(engine, name, self._keep))
            watch.keep(token, event.published)

    def _published(self, hand: dict[str, Any], hand_id: int) -> None:
        self.happened += 1
        self._say(f"{self.table.name}: {_in_words(hand)} (hand {hand_id})")

    def _tell_state(self, state: FeedState, more: dict[str, Any]) -> None:
        trouble = more.get("trouble")
        self._writes.put(
            lambda: feed.set_state(self._engine, self.table.name, self._name, state.value, more),
            lambda _: self._say(f"{self.table.name}: {state.value}{f' ({trouble})' if trouble else ''}"),
        )

    def _beats(self) -> None:
        while not self._stop.wait(BEAT):
            try:
                self._beat()
            except STORE_AWAY as error:
                log.warning("%s: the beat was not kept: %s", self.table.name, error)
            except Exception as error:  # noqa: BLE001 - raised by run()
                self._beat_error = error
                self.stop()
                return

    def _beat(self) -> None:
        """Report health, and learn what the director has set.

        Raises:
            Displaced: another process has the table.
        """
        self._health, picture = self.health(), self._picture
        corners, rules = feed.beat(self._engine, self.table.name, self._name, self._health, picture)
        if self._picture is picture:
            self._picture = None
        if self.table.corners is None and corners != self._corners:
            self._corners = corners
            self._cornered.set()
        if self._watch is not None and self.table.rules is None:
            self._watch.play(rules)

    def health(self) -> dict[str, Any]:
        """Return measurements: frames and reads per second since the last call, brightness, shake in pixels, memory."""
        watch, frames = self._watch, self._frames
        assert watch is not None and frames is not None
        now = time.monotonic()
        taken = max(1e-6, now - self._counted_at)
        fps = (self._processed - self._counted) / taken
        reads = (watch.reads - self._counted_reads) / taken
        self._counted, self._counted_reads, self._counted_at = self._processed, watch.reads, now
        glance = watch.glance
        return {
            "fps": round(fps, 1),
            "reads_per_second": round(reads, 2),
            "lag_ms": round(1000 * self._lag),
            "read_ms": round(1000 * self._read_seconds / max(1, self._looks)),
            "frames": self._processed,
            "reads": watch.reads,
            "reconnects": getattr(frames, "reconnects", 0),
            "trouble": getattr(frames, "trouble", None),
            "level": round(glance.level) if glance is not None else None,
            "still_for": round(glance.still_for, 1) if glance is not None else None,
            "shake": round(glance.shake, 1) if glance is not None else None,
            "calibrated": watch.calibrated,
            "width": self._size[0],
            "height": self._size[1],
            "memory_mb": round(memory_mb()),
        }

    def _preview(self, image: ImageArray) -> None:
        scale = _PREVIEW_SIDE / max(image.shape[:2])
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
        # Stored with a beat: pictures are watched meanwhile, also while the store does not answer.
        self._picture = _jpeg(np.asarray(small, np.uint8), 70)

    def _store_preview(self) -> None:
        """Store the last preview, if there was no beat after it."""
        jpeg = self._picture
        if jpeg is not None:
            with suppress(Displaced):  # whose table it is shows its own picture
                self._writes.now(lambda: feed.beat(self._engine, self.table.name, self._name, self._health, jpeg))

    @staticmethod
    def _plane(corners: list[Any], width: int, height: int) -> Plane:
        return from_corners([(x * width, y * height) for x, y in corners])


def memory_mb() -> float:
    """Return this process's memory in megabytes: the present use if the system reports it, otherwise the peak."""
    if sys.platform == "linux":
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * resource.getpagesize() / 1e6
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most / 1e3


def _jpeg(image: ImageArray, quality: int) -> bytes:
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RuntimeError("OpenCV cannot write JPEG")
    return data.tobytes()


def _in_words(hand: dict[str, Any]) -> str:
    melds = "".join(f" [{''.join(m['tiles'])}]" for m in hand["melds"])
    bonus = f" {' '.join(hand['bonus'])}" if hand["bonus"] else ""
    return f"{' '.join(hand['concealed'])}{melds}{bonus}, won with {hand['winning_tile']}"
