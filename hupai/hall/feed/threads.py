"""Threads of one process, each with a worker of its own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Protocol


class Stoppable(Protocol):
    """What runs in a thread, and ends it when it is asked to."""

    def stop(self) -> None:
        """Ask it to stop."""


def run_until(stop: threading.Event, threads: Sequence[threading.Thread], workers: Sequence[Stoppable]) -> None:
    """Run the workers' threads until all are done or ``stop`` is set; then ask the workers to stop."""
    for thread in threads:
        thread.start()
    while any(t.is_alive() for t in threads) and not stop.wait(0.2):
        pass
    for worker in workers:
        worker.stop()
    for thread in threads:
        thread.join(timeout=15)
