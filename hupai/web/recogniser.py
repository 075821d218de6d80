"""Photos are read in worker threads outside the event loop, a limited number at a time; beyond that, Busy is raised.

Nobody can starve the others: an address gets at most half of the places, and of the photos that wait, the next one is
from the address that has used the workers least in the last minute.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hupai.web.errors import Busy, TooMany
from vision.errors import ModelError

if TYPE_CHECKING:
    from vision.pipeline import TileReader

STALLED_SECONDS: Final = 60.0
"""Seconds for a photo after which a worker counts as hung."""
_FIRST_GUESS_SECONDS: Final = 0.5  # seconds a photo takes, until some have been measured
RECENT_SECONDS: Final = 60.0
"""How long the time that an address has used counts against it."""

T = TypeVar("T")


@dataclass(slots=True)
class RecentUse:
    """What addresses have used of something in the last minute, in seconds; whoever has it holds a lock meanwhile."""

    _entries: deque[tuple[float, str, float]] = field(default_factory=deque)

    def add(self, now: float, client: str, seconds: float) -> None:
        """Add what an address has used."""
        self._entries.append((now, client, seconds))

    def of(self, client: str, now: float) -> list[tuple[float, float]]:
        """When an address used it, and for how many seconds, the oldest first."""
        while self._entries and now - self._entries[0][0] >= RECENT_SECONDS:
            self._entries.popleft()
        return [(when, seconds) for when, who, seconds in self._entries if who == client]


@dataclass(slots=True)
class Places:
    """A limited number of places and bytes of memory; beyond that, callers should retry. From the event loop only.

    Attributes:
        limit: number of places. what: their users, in messages. max_bytes: for all of them together.
    """

    limit: int
    what: str
    max_bytes: int | None = None
    _taken: Counter[str] = field(default_factory=Counter)
    _bytes: Counter[str] = field(default_factory=Counter)

    @property
    def taken(self) -> int:
        """Places in use."""
        return self._taken.total()

    @contextmanager
    def take(self, client: str = "", size: int = 0, retry_after: Callable[[], int] = lambda: 1) -> Iterator[None]:
        """Hold a place until the block ends.

        Args:
            client: address of its user; "" is nobody's. size: bytes it needs. retry_after: seconds until another try
                makes sense, if there is no place.

        Raises:
            Busy: all are taken. TooMany: this address has half of them.
        """
        most = math.inf if self.max_bytes is None else self.max_bytes
        if self.taken >= self.limit or self._bytes.total() + size > max(most, size):
            raise Busy(f"All places for {self.what} are taken; try again shortly.", retry_after=retry_after())
        mine = self._taken[client]
        if client and mine and (mine >= self.limit / 2 or self._bytes[client] + size > most / 2):
            message = f"Your address has half of all places for {self.what}; wait for some of yours to be free."
            raise TooMany(message, retry_after=retry_after())
        self._taken[client] += 1
        self._bytes[client] += size
        try:
            yield
        finally:
            self._taken[client] -= 1
            self._bytes[client] -= size
            if not self._taken[client]:
                del self._taken[client], self._bytes[client]


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
    _waiting: dict[str, deque[tuple[Future[Any], Callable[[], Any]]]] = field(default_factory=dict)
    _used: RecentUse = field(default_factory=RecentUse)
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
            self._reader.device.release_memory()
            self.failure = None
        except ModelError as error:
            self.failure = error

    def release_memory(self) -> None:
        """Return memory that readings have left behind to the system."""
        if self._reader is not None:
            self._reader.device.release_memory()

    def close(self) -> None:
        """Drop what is waiting and let running work finish."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            waiting = [future for queue in self._waiting.values() for future, _ in queue]
        for future in waiting:
            future.cancel()

    @property
    def models(self) -> dict[str, str]:
        """Name -> sha256 (12 digits) of the models in use."""
        return dict(self._reader.models) if self._reader else {}

    @property
    def pending_photos(self) -> int:
        """Photos in the queue or being read."""
        return self._places.taken

    @property
    def retry_after(self) -> int:
        """Seconds until a place should be free."""
        return max(1, math.ceil(self.seconds * (self.pending_photos - self.queue / 2) / self.workers))

    @property
    def stalled(self) -> bool:
        """Whether a worker has been busy with one photo for longer than any photo takes."""
        with self._lock:
            oldest = min(self._running.values(), default=math.inf)
        return time.monotonic() - oldest > STALLED_SECONDS

    async def run(self, work: Callable[[TileReader], T], client: str = "") -> T:
        """Run ``work`` with the models, like :meth:`do`.

        Raises:
            Busy, TooMany: no place is free. ModelError: the models cannot be used.
        """
        if self.failure is not None:
            raise self.failure
        reader = self._reader
        if reader is None:
            raise ModelError("The models are still being loaded; try again in a moment.", code="model_missing")
        return await self.do(lambda: work(reader), client)

    async def do(self, work: Callable[[], T], client: str = "") -> T:
        """Do heavy ``work`` in a worker thread; if the caller is cancelled while it waits, it is dropped.

        Args:
            work: what to do. client: address that asked for it.

        Raises:
            Busy: all places are taken. TooMany: this address has half of them.
        """
        with self._places.take(client, retry_after=lambda: self.retry_after):
            future: Future[T] = Future()
            with self._lock:
                self._waiting.setdefault(client, deque()).append((future, work))
            self._pool.submit(self._work)
            return await asyncio.wrap_future(future)

    def _work(self) -> None:
        """Do what comes next; every piece of work that waits has one call of this function in the pool."""
        start = time.monotonic()
        me = threading.get_ident()
        with self._lock:
            client = self._next_client(start)
            future, work = self._waiting[client].popleft()
            if not self._waiting[client]:
                del self._waiting[client]
            if not future.set_running_or_notify_cancel():
                return
            self._running[me] = start
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is awaited
            future.set_exception(error)
        else:
            future.set_result(result)
        with self._lock:
            del self._running[me]
            seconds = time.monotonic() - start
            self._used.add(start, client, seconds)
            self.seconds = 0.9 * self.seconds + 0.1 * seconds

    def _next_client(self, now: float) -> str:
        """Return the address that has used the workers least, the one that has waited longest among equals."""
        return min(self._waiting, key=lambda client: sum(seconds for _, seconds in self._used.of(client, now)))
