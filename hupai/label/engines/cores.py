"""How many workers this machine can run, given its cores and memory and the limits of a container."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

WORKER_BYTES: Final = 700_000_000
"""Memory that one worker may need: models and their buffers 350 MB, a large photo being decoded as much again."""
_CGROUP: Final = Path("/sys/fs/cgroup")


def usable_cores(cgroup: Path = _CGROUP) -> int:
    """Return the number of cores this process may use: its CPU affinity, or less if a container limits CPU time."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota, _, period = _text(cgroup / "cpu.max").partition(" ")
    if quota.isdigit() and period.strip().isdigit() and int(period) > 0:
        cores = min(cores, max(1, round(int(quota) / int(period))))
    return cores


def usable_memory(cgroup: Path = _CGROUP, meminfo: Path = Path("/proc/meminfo")) -> int | None:
    """Return the bytes of memory that are free for this process; None if unknown."""
    free = None
    for line in _text(meminfo).splitlines():
        if line.startswith("MemAvailable:"):
            free = 1024 * int(line.split()[1])
    limit, used = _text(cgroup / "memory.max").strip(), _text(cgroup / "memory.current").strip()
    if limit.isdigit() and used.isdigit():
        within = max(0, int(limit) - int(used))
        free = within if free is None else min(free, within)
    return free


def sensible_workers() -> int:
    """Return one worker per core, as far as memory allows."""
    memory = usable_memory()
    room = usable_cores() if memory is None else memory // WORKER_BYTES
    return max(1, min(usable_cores(), room))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ""
