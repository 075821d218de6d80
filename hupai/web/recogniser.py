"""Photos are read in worker threads outside the event loop, a limited number at a time; beyond that, Busy is raised."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from hupai.web.errors import Busy
from vision.errors import ModelError

if TYPE_CHECKING:
    from vision.pipeline import TileReader

STALLED_SECONDS: Final = 60.0
"""Seconds for a photo after which a worker counts as hung."""
_FIRST_GUESS_SECONDS: Final = 0.5  # seconds a photo takes, until some have been measured

T = TypeVar("T")


@dataclass(slots=True)
class Places:
    """A limited number of places and bytes of memory; beyond that, callers should retry. From the event loop only.

    Attributes:
        limit: number of places. what: their users, in messages. max_bytes: for all of them together.
    """

    limit: int
    what: str
    max_bytes: int | None = None
    taken: int = 0
    bytes: int = 0

    @contextmanager
    def take(self, size: int = 0, retry_after: Callable[[], int] = lambda: 1) -> Iterator[None]:
        """Hold a place until the block ends.

        Args:
            size: bytes it needs. retry_after: seconds until another try makes sense, if there is no place.

        Raises:
            Busy: all are taken.
        """
        full = self.max_bytes is not None and self.bytes + size > max(self.max_bytes, size)
        if self.taken >= self.limit or full:
            raise Busy(f"All places for {self.what} are taken; try again shortly.", retry_after=retry_after())
        self.taken += 1
        self.bytes += size
        try:
            yield
        finally:
            self.taken -= 1
            self.bytes -= size


@dataclass(slots=True)
class Recogniser:
    """The models and the threads that run them.

    Attributes:
        workers: photos read at once. queue: photos that may wait. threads: cores that one recognition may use.
        failure: why the models cannot be used, or None.
        seconds: running mean of the time per photo, for Retry-After.
    """

    workers: int
    queue: int
    threads: int | None = None
    failure: ModelError | None = None
    seconds: float = _FIRST_GUESS_SECONDS
    _reader: TileReader | None = None
    _pool: ThreadPoolExecutor = field(init=False)
    _places: Places = field(init=False)
    _running: dict[int, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.workers, thread_name_prefix="hupai-reader")
        self._places = Places(self.workers + self.queue, "photos")

    def load(self) -> None:
        """Load the models; if they are unusable, record it in ``failure`` and serve the rest."""
        from vision.pipeline import TileReader

        try:
            self._reader = TileReader(threads=self.threads)
            self.failure = None
        except ModelError as error:
            self.failure = error

    def close(self) -> None:
        """Drop what is waiting and let running work finish."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    @property
    def models(self) -> dict[str, str]:
        """Name -> sha256 (12 digits) of the models in use."""
        return dict(self._reader.models) if self._reader else {}

    @property
    def waiting(self) -> int:
        """Photos in the queue or being read."""
        return self._places.taken

    @property
    def retry_after(self) -> int:
        """Seconds until a place should be free."""
        return max(1, math.ceil(self.seconds * (self.waiting - self.queue / 2) / self.workers))

    @property
    def stalled(self) -> bool:
        """Whether a worker has been busy with one photo for longer than any photo takes."""
        with self._lock:
            oldest = min(self._running.values(), default=math.inf)
        return time.monotonic() - oldest > STALLED_SECONDS

    async def run(self, work: Callable[[TileReader], T]) -> T:
        """Run ``work`` with the models, like :meth:`do`.

        Raises:
            Busy: all places are taken. ModelError: the models cannot be used.
        """
        if self.failure is not None:
            raise self.failure
        reader = self._reader
        if reader is None:
            raise ModelError("The models are still being loaded; try again in a moment.", code="model_missing")
        return await self.do(lambda: work(reader))

    async def do(self, work: Callable[[], T]) -> T:
        """Do heavy ``work`` in a worker thread; if the caller is cancelled while it waits, it is dropped.

        Raises:
            Busy: all places are taken.
        """
        with self._places.take(retry_after=lambda: self.retry_after):
            future: Future[T] = self._pool.submit(self._measure, work)
            return await asyncio.wrap_future(future)

    def _measure(self, work: Callable[[], T]) -> T:
        start = time.monotonic()
        me = threading.get_ident()
        with self._lock:
            self._running[me] = start
        try:
            return work()
        finally:
            with self._lock:
                self._running.pop(me, None)
                self.seconds = 0.9 * self.seconds + 0.1 * (time.monotonic() - start)
