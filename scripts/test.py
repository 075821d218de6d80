"""Set up a fresh environment and run every check: ruff, mypy, import-linter, pytest.

Needs git and Python 3.11 or newer, nothing else: ``python3 scripts/test.py``. The tests run on every core (four at
most), and after them, one at a time, those that measure time. Skipped tests are counted by reason.
``--quick`` leaves out what takes long; other arguments go to pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from setup_env import environment

ROOT = Path(__file__).resolve().parent.parent
CORES = ["-n", str(min(4, os.cpu_count() or 1)), "--dist", "loadfile", "--no-loadscope-reorder"]
"""Files run in folder order: sorted by number of tests, those with a few long ones would run last, on one core."""
QUICK = [[*CORES, "-m", "not alone and not slow"]]
WHOLE = [[*CORES, "-m", "not alone"], ["-m", "alone"]]


def main() -> int:
    bin_dir = environment("dev")
    given = sys.argv[1:]
    runs = QUICK if given == ["--quick"] else [given] if given else WHOLE
    steps = [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        ["lint-imports"],
        *(["pytest", *how] for how in runs),
    ]
    failed: list[str] = []
    for step in steps:
        print(f"== {' '.join(step)}", flush=True)
        command = [str(bin_dir / step[0]), *step[1:]]
        if subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False).returncode:
            failed.append(step[0])
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    elif given == ["--quick"]:
        print("left out: tests marked slow or alone, which python3 scripts/test.py runs, too")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
