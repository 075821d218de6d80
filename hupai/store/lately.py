"""What many ask for at once is worked out once a second, and anew after every write of this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from sqlalchemy import Engine

from hupai.store.database import written

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
KEPT_SECONDS: Final = 1.0
MOST: Final = 256
"""Answers that are kept at once; beyond that the one asked for first goes."""


class Lately(Generic[T]):
    """An answer of the store, shared by all who ask within ``KEPT_SECONDS``. From any thread.

    What another process writes (a camera's watcher) shows when that time is over, or when this one hears of it; what
    this one writes, at once.
    """

    def __init__(self, engine: Engine, ask: Callable[[Engine], T]) -> None:
        self._engine, self._ask = engine, ask
        self._lock = threading.Lock()
        self._kept: tuple[T, float, int] | None = None

    def value(self) -> T:
        """The answer as it is now, or was less than ``KEPT_SECONDS`` ago."""
        with self._lock:
            writes, now = written(self._engine), time.monotonic()
            if self._kept is None or self._kept[2] != writes or now - self._kept[1] > KEPT_SECONDS:
                self._kept = self._ask(self._engine), now, writes
            return self._kept[0]


@dataclass(slots=True)
class LatelyEach(Generic[K, T]):
    """As :class:`Lately`, for many questions of a kind: each is worked out once, whoever else is asking meanwhile.

    Attributes:
        engine: the store. ask: answers a question; what it raises is nobody's but the asker's.
    """

    engine: Engine
    ask: Callable[[Engine, K], T]
    _kept: dict[K, Lately[T]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def value(self, key: K) -> T:
        """The answer to this question, at most ``KEPT_SECONDS`` old."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None:
                while len(self._kept) >= MOST:
                    del self._kept[next(iter(self._kept))]
                kept = self._kept[key] = Lately(self.engine, lambda engine: self.ask(engine, key))
        return kept.value()
