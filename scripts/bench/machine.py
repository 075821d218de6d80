"""What processes have used so far; from ``/proc``, so on Linux only."""

from __future__ import annotations

import os
from pathlib import Path


def processor_seconds(*pids: int) -> float:
    """Seconds of processor time that processes have had: what work costs even on a machine that is otherwise busy."""
    stats = (Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace") for pid in pids)
    fields = [stat.rpartition(")")[2].split() for stat in stats]
    return sum(int(f[11]) + int(f[12]) for f in fields) / os.sysconf("SC_CLK_TCK")


def memory_kib(pid: int | str, what: str) -> int:
    """KiB of memory of a process (or ``self``) by the name in its status, such as VmRSS; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace").splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{what}:")), 0)


def resident_megabytes(*pids: int) -> float:
    """Megabytes of memory that processes hold; shared pages count in each."""
    return sum(memory_kib(pid, "VmRSS") for pid in pids) / 1e3
