"""Photos are read in worker threads off the event loop, a bounded number at a time; when all places are taken: Busy."""

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
    from vision.pipeline import Eyes

STALLED_SECONDS: Final = 60.0
"""A photo that takes longer than this means a worker hangs."""
_FIRST_GUESS: Final = 0.5  # seconds a photo takes, until some were measured

T = TypeVar("T")


@dataclass(slots=True)
class Places:
    """So many at once, and so many bytes of memory; the next one is told to come back. From the event loop only.

    Attributes:
        limit: places there are. what: for whom, in messages. max_bytes: what all of them may hold together.
    """

    limit: int
    what: str
    max_bytes: int | None = None
    taken: int = 0
    bytes: int = 0

    @contextmanager
    def take(self, size: int = 0, retry_after: Callable[[], int] = lambda: 1) -> Iterator[None]:
        """A place until the block ends.

        Args:
            size: bytes it needs. retry_after: seconds after which to try again, when there is none.

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
        workers: photos at once. queue: photos that may wait beside. threads: cores one recognition may use.
        failure: why the models cannot be used, or None.
        seconds: running mean of what a photo takes, for Retry-After.
    """

    workers: int
    queue: int
    threads: int | None = None
    failure: ModelError | None = None
    seconds: float = _FIRST_GUESS
    _eyes: Eyes | None = None
    _pool: ThreadPoolExecutor = field(init=False)
    _places: Places = field(init=False)
    _running: dict[int, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.workers, thread_name_prefix="hupai-eyes")
        self._places = Places(self.workers + self.queue, "photos")

    def load(self) -> None:
        """Load the models; when they are unusable, say so in ``failure`` and serve the rest."""
        from vision.pipeline import Eyes

        try:
            self._eyes = Eyes(threads=self.threads)
            self.failure = None
        except ModelError as error:
            self.failure = error

    def close(self) -> None:
        """Drop what waits and let the running ones end."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    @property
    def models(self) -> dict[str, str]:
        """Name -> sha256 (12 digits) of the models in use."""
        return dict(self._eyes.models) if self._eyes else {}

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
        """Whether a worker has been at one photo for longer than any photo takes."""
        with self._lock:
            oldest = min(self._running.values(), default=math.inf)
        return time.monotonic() - oldest > STALLED_SECONDS

    async def run(self, work: Callable[[Eyes], T]) -> T:
        """Do ``work`` with the eyes, as :meth:`do`.

        Raises:
            Busy: all places are taken. ModelError: the models cannot be used.
        """
        if self.failure is not None:
            raise self.failure
        eyes = self._eyes
        if eyes is None:
            raise ModelError("The models are still being loaded; try again in a moment.", code="model_missing")
        return await self.do(lambda: work(eyes))

    async def do(self, work: Callable[[], T]) -> T:
        """Do heavy ``work`` in a worker thread; when the caller is cancelled and it still waits, it is dropped.

        Raises:
            Busy: all places are taken.
        """
        with self._places.take(retry_after=lambda: self.retry_after):
            future: Future[T] = self._pool.submit(self._timed, work)
            return await asyncio.wrap_future(future)

    def _timed(self, work: Callable[[], T]) -> T:
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
