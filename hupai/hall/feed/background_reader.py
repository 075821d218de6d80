"""Reads one frame in a thread of its own, while the frames after it are checked for motion."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from hupai.hall.feed.session.table_session import PendingRead
from hupai.hall.feed.tile_search import TileSearch
from vision.arrays import ImageArray
from vision.pipeline import TileReader
from vision.reading import Sighting


@dataclass(frozen=True, slots=True)
class FinishedRead:
    """A frame that was read.

    Attributes:
        pending: the frame. sightings: everything in sight. seconds: of processor time that it took.
    """

    pending: PendingRead
    sightings: list[Sighting]
    seconds: float


class BackgroundReader:
    """Reads the frames of one table, one at a time.

    Attributes:
        count: frames read so far. seconds: of processor time that they took.
    """

    def __init__(self, table: str, reader: TileReader, limit: threading.Semaphore) -> None:
        """Prepare to read; ``limit``: of the tables that are read at once."""
        self.count, self.seconds = 0, 0.0
        self._search, self._limit = TileSearch(reader), limit
        self._pool = ThreadPoolExecutor(1, f"read {table}")
        self._running: Future[FinishedRead] | None = None

    @property
    def busy(self) -> bool:
        """Whether a frame is being read, or the last one has not been collected."""
        return self._running is not None

    def start(self, pending: PendingRead) -> None:
        """Begin to read a frame."""
        self._running = self._pool.submit(self._read, pending)

    def collect(self, *, wait: bool = False) -> FinishedRead | None:
        """Return the running read if it has finished (or ``wait`` for it), else None."""
        if self._running is None or not (wait or self._running.done()):
            return None
        running, self._running = self._running, None
        finished = running.result()
        self.count += 1
        self.seconds += finished.seconds
        return finished

    def detect(self, image: ImageArray) -> list[Sighting]:
        """Return everything in sight in a (h, w, 3) uint8 BGR picture."""
        with self._limit:
            return self._search.find_tiles(image)

    def close(self) -> None:
        """End the thread; a read that has not begun is dropped."""
        self._pool.shutdown(cancel_futures=True)

    def _read(self, pending: PendingRead) -> FinishedRead:
        start = time.thread_time()
        sightings = self.detect(pending.image)
        return FinishedRead(pending, sightings, time.thread_time() - start)
