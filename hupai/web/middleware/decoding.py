"""What decoding photos may take: an address's share of time; memory, returned to the system around large ones."""

from __future__ import annotations

import ctypes
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from PIL import AvifImagePlugin

from hupai.web.errors import TooMany
from hupai.web.recogniser import RECENT_SECONDS, RecentUse
from vision.io.costs import LARGE_BYTES

BUDGET_SECONDS: Final = 30.0
"""Processor time for decoding that an address has in a minute: enough for 250 photos of 12 megapixels, 40 as HEIC. What
HEIC takes in threads of its own, about half, is not counted."""
_MMAP_THRESHOLD: Final = -3  # mallopt's names of what is set
_ARENA_MAX: Final = -8

AvifImagePlugin.DEFAULT_MAX_THREADS = 1  # what threads of its own take would not be counted


def return_blocks_early() -> None:
    """Let this process return blocks of pixels to the system when they are freed; where it can, with glibc.

    It would raise the size from which it does so to 32 MB, and keep arenas of its own for every thread.
    """
    with suppress(OSError, AttributeError, TypeError):  # Windows takes no None
        libc = ctypes.CDLL(None)
        libc.mallopt(_MMAP_THRESHOLD, 4 << 20)
        libc.mallopt(_ARENA_MAX, 2)


@dataclass(slots=True)
class DecodingBudget:
    """Time that addresses have spent on decoding in the last minute. For any thread.

    Attributes:
        release_memory: called before and after decoding a large picture. clock: seconds of the window.
        processor_time: seconds that this thread has had.
    """

    release_memory: Callable[[], None]
    clock: Callable[[], float] = time.monotonic
    processor_time: Callable[[], float] = time.thread_time
    _spent: RecentUse = field(default_factory=RecentUse)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def refuse_spent(self, client: str) -> None:
        """Raise TooMany, with the wait, for an address whose budget is spent."""
        now = self.clock()
        with self._lock:
            mine = self._spent.of(client, now)
        excess = sum(seconds for _, seconds in mine) - BUDGET_SECONDS
        for when, seconds in mine if excess >= 0 else ():
            excess -= seconds
            if excess < 0:
                message = "The photos from your address take too long to decode; wait a little, or send smaller ones."
                raise TooMany(message, retry_after=math.ceil(when + RECENT_SECONDS - now))

    @contextmanager
    def spend(self, client: str, needed: int) -> Iterator[None]:
        """Decode, in this thread, what takes so many bytes in the block."""
        if needed > LARGE_BYTES:
            self.release_memory()
        start = self.processor_time()
        try:
            yield
        finally:
            with self._lock:
                self._spent.add(self.clock(), client, self.processor_time() - start)
            if needed > LARGE_BYTES:
                self.release_memory()
