"""Set up a fresh environment and run every check: ruff, mypy, import-linter, pytest.

Needs git and Python 3.11 or newer, nothing else: ``python3 scripts/test.py``. The other checks run beside the
tests, which tell skipped ones by reason. ``--quick`` leaves out what takes long, and PostgreSQL. ``--release`` installs
torch and Ray and runs what the others leave out as well, and longer. Other arguments go to pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys

from setup_env import ROOT, environment

CORES = ["-n", str(min(4, (os.cpu_count() or 1) + 1)), "--dist", "loadfile", "--no-loadscope-reorder"]
"""One more than cores, since tests also wait for what they start. Files run in folder order: sorted by number of
tests, those with a few long ones would run last, on one core."""
CHECKS = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",), ("lint-imports",))
RUNS = {
    (): ["-m", "not release"],
    ("--quick",): ["-m", "not slow and not tools and not release"],
    ("--release",): [],
}


def main() -> int:
    given = tuple(sys.argv[1:])
    release = given == ("--release",)
    bin_dir = environment("dev,cluster,train" if release else "dev")
    tests = [*CORES, *RUNS[given]] if given in RUNS else list(given)
    env = {**os.environ, "PYTHONPATH": str(ROOT), **({"HUPAI_FULL": "1"} if release else {})}
    # Beside the tests, since each of them takes one core.
    checks = [
        subprocess.Popen([bin_dir / name, *more], cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for name, *more in CHECKS
    ]
    print("== pytest", *tests, flush=True)
    passed = subprocess.run([bin_dir / "pytest", *tests], cwd=ROOT, env=env, check=False).returncode == 0
    failed = [] if passed else ["pytest"]
    for words, check in zip(CHECKS, checks, strict=True):
        print("==", *words, flush=True)
        sys.stdout.buffer.write(check.communicate()[0])
        if check.returncode:
            failed.append(words[0])
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    elif given == ("--quick",):
        print("left out: tests marked slow or tools, which python3 scripts/test.py runs, too")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
