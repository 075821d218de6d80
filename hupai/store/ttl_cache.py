"""Answers that many ask for at once are computed once a second, and anew after every write of this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from sqlalchemy import Engine

from hupai.store.database import write_count

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
TTL_SECONDS: Final = 1.0
MAX_CACHED: Final = 256
"""Answers kept at once; beyond that the oldest is dropped."""


class TtlCache(Generic[T]):
    """An answer of the store, shared by all who ask within ``TTL_SECONDS``. Thread-safe.

    What another process writes (a camera's watcher) shows when that time is over or this process is notified of it; its
    own writes show at once.
    """

    def __init__(self, engine: Engine, ask: Callable[[Engine], T]) -> None:
        self._engine, self._ask = engine, ask
        self._lock = threading.Lock()
        self._kept: tuple[T, float, int] | None = None

    def value(self) -> T:
        """Return the present answer, or one less than ``TTL_SECONDS`` old."""
        with self._lock:
            writes, now = write_count(self._engine), time.monotonic()
            if self._kept is None or self._kept[2] != writes or now - self._kept[1] > TTL_SECONDS:
                self._kept = self._ask(self._engine), now, writes
            return self._kept[0]


@dataclass(slots=True)
class KeyedTtlCache(Generic[K, T]):
    """Like :class:`TtlCache` for many questions of one kind: each is computed once for all who are asking at the time.

    Attributes:
        engine: the store. ask: answers a question; an error it raises only reaches the caller who asked.
    """

    engine: Engine
    ask: Callable[[Engine, K], T]
    _kept: dict[K, TtlCache[T]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def value(self, key: K) -> T:
        """Return the answer to this question, at most ``TTL_SECONDS`` old."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None:
                while len(self._kept) >= MAX_CACHED:
                    del self._kept[next(iter(self._kept))]
                kept = self._kept[key] = TtlCache(self.engine, lambda engine: self.ask(engine, key))
        return kept.value()
