"""Set up a fresh environment and run every check: ruff, mypy, import-linter, pytest.

Needs git and Python 3.11 or newer, nothing else: ``python3 scripts/test.py``. The tests run on every core (four at
most), and after them, one at a time, those that measure time. Skipped tests are counted by reason.
``--quick`` leaves out what takes long; other arguments go to pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys

from setup_env import ROOT, environment

CORES = ["-n", str(min(4, os.cpu_count() or 1)), "--dist", "loadfile", "--no-loadscope-reorder"]
"""Files run in folder order: sorted by number of tests, those with a few long ones would run last, on one core."""
QUICK = [[*CORES, "-m", "not alone and not slow"]]
WHOLE = [[*CORES, "-m", "not alone"], ["-m", "alone"]]


def main() -> int:
    bin_dir = environment("dev")
    given = sys.argv[1:]
    runs = QUICK if given == ["--quick"] else [given] if given else WHOLE
    checks = [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"], ["lint-imports"]]
    failed: list[str] = []
    for name, *arguments in (*checks, *(["pytest", *how] for how in runs)):
        print("==", name, *arguments, flush=True)
        command = [bin_dir / name, *arguments]
        if subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False).returncode:
            failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    elif given == ["--quick"]:
        print("left out: tests marked slow or alone, which python3 scripts/test.py runs, too")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
