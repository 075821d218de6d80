"""What many ask for at once is worked out once a second, and anew after every write of this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from sqlalchemy import Connection, Engine, event

from hupai.store.database import is_writing

T = TypeVar("T")
KEPT_SECONDS: Final = 1.0


class Lately(Generic[T]):
    """An answer of the store, shared by all who ask within ``KEPT_SECONDS``. From any thread.

    What another process writes (a camera's watcher) shows when that time is over; what this one writes, at once.
    """

    def __init__(self, engine: Engine, ask: Callable[[Engine], T]) -> None:
        self._engine, self._ask = engine, ask
        self._lock = threading.Lock()
        self._kept: tuple[T, float, int] | None = None
        self._writes = 0
        event.listen(engine, "commit", self._heed)

    def value(self) -> T:
        """The answer as it is now, or was less than ``KEPT_SECONDS`` ago."""
        with self._lock:
            writes, now = self._writes, time.monotonic()
            if self._kept is None or self._kept[2] != writes or now - self._kept[1] > KEPT_SECONDS:
                self._kept = self._ask(self._engine), now, writes
            return self._kept[0]

    def _heed(self, connection: Connection) -> None:
        if is_writing(connection):
            self._writes += 1
