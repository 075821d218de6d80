"""What processes, and all of the machine, have used so far; from ``/proc``, so on Linux only."""

from __future__ import annotations

import os
from pathlib import Path


def worked(*pids: int) -> float:
    """Seconds of processor time that processes have had; tells what work costs on a machine that is busy otherwise."""
    stats = (Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace") for pid in pids)
    fields = [stat.rpartition(")")[2].split() for stat in stats]
    return sum(int(f[11]) + int(f[12]) for f in fields) / os.sysconf("SC_CLK_TCK")


def busy() -> float:
    """Seconds of processor time that everybody has had, on all cores."""
    ticks = [int(v) for v in Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def resident(*pids: int) -> float:
    """Megabytes of memory that processes hold; shared pages count in each, one that has ended holds none."""
    total = 0.0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace").splitlines()
        except (FileNotFoundError, ProcessLookupError):
            continue
        total += next((int(line.split()[1]) / 1e3 for line in lines if line.startswith("VmRSS")), 0.0)
    return total
