"""Writes to the store, in order and in a thread of their own: pictures are watched while it does not answer."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

from hupai.store.errors import STORE_AWAY

_RETRY_SECONDS: Final = (0.5, 1, 2, 4, 8)
"""Seconds before the next tries; the last for all that follow."""
_MAX_WAITING: Final = 200
"""Writes that wait at most, each with a picture; then whoever watches waits, too."""
T = TypeVar("T")
log = logging.getLogger("hupai.watch")


class WriteQueue:
    """Writes one after another; if the store does not answer, tries again while the others wait."""

    def __init__(self, name: str, stop: threading.Event, failed: Callable[[], None]) -> None:
        """Prepare to write.

        Args:
            name: of the table. stop: once it is set, a store that does not answer is given up at the third try.
            failed: called in the thread once a write has failed for good; what follows it is not written.
        """
        self._name, self._stop, self._failed = name, stop, failed
        self._waiting: queue.Queue[Callable[[], None] | None] = queue.Queue(_MAX_WAITING)
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name=f"write {name}", daemon=True)

    def begin(self) -> None:
        """Start the thread."""
        self._thread.start()

    def put(self, write: Callable[[], T], then: Callable[[T], None] = lambda _: None) -> None:
        """Write this after all before it, ``then`` do something with what the write has returned."""
        self._waiting.put(lambda: then(self.now(write)))

    def now(self, write: Callable[[], T]) -> T:
        """Write this at once and return what the write returns.

        Raises:
            SQLAlchemyError, StoreError: the store does not answer, and the watching is to stop.
        """
        tries = 0
        while True:
            try:
                return write()
            except STORE_AWAY as error:
                if self._stop.is_set() and tries >= 2:
                    log.warning("%s: not kept, the store does not answer: %s", self._name, error)
                    raise
                log.warning("%s: the store does not answer, trying again: %s", self._name, error)
                time.sleep(_RETRY_SECONDS[min(tries, len(_RETRY_SECONDS) - 1)])
                tries += 1

    def close(self) -> None:
        """Wait until everything is written, and end the thread.

        Raises:
            Exception: that of a write which has failed for good.
        """
        self._waiting.put(None)
        self._thread.join()
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        while (write := self._waiting.get()) is not None:
            if self._error is not None:
                continue
            try:
                write()
            except Exception as error:  # noqa: BLE001 - raised by close()
                self._error = error
                self._failed()
