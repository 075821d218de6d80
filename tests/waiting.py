"""Waiting for what others do, and doing several things at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any


def until(true: Callable[[], Any], seconds: float = 120, *, every: float = 0.05) -> bool:
    """Wait until something holds, looking ``every`` so many seconds; whether it does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(every)
    return False


def at_once(*works: Callable[[], Any]) -> Sequence[Any]:
    """What these yield, begun at the same moment in a thread each; where one fails, so does this."""
    ready = Barrier(len(works))

    def begun(work: Callable[[], Any]) -> Any:
        ready.wait()
        return work()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(begun, works))
