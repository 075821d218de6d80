"""How a long-running command is asked to stop."""

from __future__ import annotations

import signal
import threading


def stop_event() -> threading.Event:
    """Return the event set by Ctrl-C or a termination signal; call it on the main thread."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    return stop
