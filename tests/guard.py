"""Watches over a run of the tests, from a process of its own: memory is bounded, and nothing outlives the run.

``python tests/guard.py MARK``, started by the run: to it belong its process and every process whose
environment holds ``TESTS_OF_HUPAI=MARK``, however it was started and whoever its parent is by now. The guard ends when
its standard input does, however the run ends; what is left of the run so many seconds later is killed, one process
after the other, by its id.
"""

from __future__ import annotations

import os
import selectors
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

VARIABLE: Final = "TESTS_OF_HUPAI"
MOST: Final = 8 << 30
"""Bytes that all processes of a run may hold together, or four fifths of what the machine has."""
_LOOK_SECONDS: Final = 1.0
_PATIENCE: Final = 60.0
"""Seconds in which processes that were told to end may do so."""
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


def members(mark: str) -> Iterator[int]:
    """Processes of the run, this one not."""
    wanted = f"{VARIABLE}={mark}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile, or is somebody else's
            if int(place.name) != os.getpid() and wanted in (place / "environ").read_bytes().split(b"\0"):
                yield int(place.name)


def held(pid: int) -> int:
    """Bytes of memory that are this process's alone; what it shares, as libraries, is not counted."""
    with suppress(OSError, IndexError, ValueError):
        _, resident, shared, *_ = map(int, Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split())
        return (resident - shared) * _PAGE
    return 0


def bound() -> int:
    """Bytes the run may hold."""
    return min(MOST, os.sysconf("SC_PHYS_PAGES") * _PAGE * 4 // 5)


def too_much(mark: str, most: int, run: int | None = None) -> str | None:
    """Kill the largest process of a run that holds more than ``most`` bytes; what was done, or None.

    Args:
        run: the process of the tests itself, which got its mark after it began.
    """
    sizes = {pid: held(pid) for pid in (*members(mark), *([] if run is None else [run]))}
    if sum(sizes.values()) <= most:
        return None
    worst = max(sizes, key=sizes.__getitem__)
    with suppress(ProcessLookupError):
        os.kill(worst, signal.SIGKILL)
    return (
        f"{sum(sizes.values()) >> 20} MiB held by the tests: process {worst} with {sizes[worst] >> 20} MiB was killed"
    )


def clear(mark: str) -> list[str]:
    """Kill what is left of a run; the command lines."""
    end = time.monotonic() + _PATIENCE
    while any(members(mark)) and time.monotonic() < end:
        time.sleep(0.2)
    found = []
    for pid in members(mark):
        with suppress(OSError):
            line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            os.kill(pid, signal.SIGKILL)
            found.append(f"{pid}: {line[:200]}")
    return found


def main() -> None:
    """Watch until standard input ends."""
    for sent in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(sent, signal.SIG_IGN)  # a Ctrl-C is for the run; this must outlive it
    mark = sys.argv[1]
    most, run = bound(), os.getppid()
    with selectors.DefaultSelector() as selector:
        selector.register(sys.stdin.fileno(), selectors.EVENT_READ)
        while not (selector.select(_LOOK_SECONDS) and not os.read(sys.stdin.fileno(), 4096)):
            said = too_much(mark, most, run)
            if said:
                print(said, file=sys.stderr, flush=True)
    for line in clear(mark):
        print(f"left over by the tests and killed: {line}", flush=True)


if __name__ == "__main__":
    main()
