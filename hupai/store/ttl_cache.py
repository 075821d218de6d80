"""Answers that many ask for at once are computed once a second, and anew after every write of this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from sqlalchemy import Engine

from hupai.store.database import write_count

T = TypeVar("T")
TTL_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class _Kept(Generic[T]):
    """An answer: since when, and after how many writes and with which stamp it is known to be right."""

    value: T
    at: float
    writes: int
    stamp: Hashable


class TtlCache(Generic[T]):
    """An answer of the store, shared by all who ask within ``TTL_SECONDS``. Thread-safe.

    What another process writes (a camera's watcher) shows when that time is over or this process is notified of it; its
    own writes show at once.

    Args:
        engine: the store. ask: answers the question. stamp: a smaller question, answered otherwise after every write
            that matters; by default they all do.
    """

    def __init__(
        self, engine: Engine, ask: Callable[[Engine], T], stamp: Callable[[Engine], Hashable] = write_count
    ) -> None:
        self._engine, self._ask, self._stamp = engine, ask, stamp
        self._lock = threading.Lock()
        self._kept: _Kept[T] | None = None

    def value(self) -> T:
        """Return the present answer, or one less than ``TTL_SECONDS`` old."""
        with self._lock:
            writes, now, kept = write_count(self._engine), time.monotonic(), self._kept
            if kept is None or kept.writes != writes or now - kept.at > TTL_SECONDS:
                stamp = self._stamp(self._engine)
                if kept is None or kept.stamp != stamp or now - kept.at > TTL_SECONDS:
                    kept = _Kept(self._ask(self._engine), now, writes, stamp)
                kept = self._kept = replace(kept, writes=writes)
            return kept.value
