"""How a command that runs on is asked to end."""

from __future__ import annotations

import signal
import threading


def stopped() -> threading.Event:
    """What is set by Ctrl-C or a polite request to end; call it on the main thread."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    return stop
