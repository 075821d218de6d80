"""Show that the tests still notice what they once did: ``python -m scripts.plant_faults``.

Each line of ``tests/faults/PART.jsonl`` is a fault: in ``function`` of the file ``path`` (in a script of the page:
anywhere) ``old`` becomes ``new``, and ``test`` fails. In clones of what is committed here every fault is
planted by itself and its test run. It is caught, missed, or gone: its text or its test is no longer there, and the
fault is to be planted anew where the behaviour is now. Missed or gone, the exit status is 1. ``--part scoring`` (any
number of them) leaves out the others.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
FAULTS: Final = ROOT / "tests" / "faults"
SECONDS: Final = 600
"""After so long a test is taken to hang in an endless loop, which is noticed, too."""
PASSED, MISUSED, NONE_FOUND = 0, 4, 5
"""Exit statuses of pytest: also of a test that was not found."""
TOKEN: Final = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Fault:
    """One change that a test notices; ``function`` is None in a script of the page."""

    part: str
    path: str
    old: str
    new: str
    test: str
    function: str | None = None

    def planted(self, source: str) -> str | None:
        """The source with the fault; None where its text is not there, or more than once. Line breaks do not count."""
        span = (0, len(source)) if self.function is None else find_function(source, self.function)
        if span is None:
            return None
        pattern = re.compile(r"\s*".join(map(re.escape, TOKEN.findall(self.old))))
        found = list(pattern.finditer(source, *span))
        if len(found) != 1:
            return None
        return source[: found[0].start()] + self.new + source[found[0].end() :]


def find_function(source: str, name: str) -> tuple[int, int] | None:
    """Where the lines of a function begin and end (``Class.method``); None if there is no such function."""
    body: list[ast.stmt] = ast.parse(source).body
    node: ast.stmt | None = None
    for part in name.split("."):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        node = next((one for one in body if isinstance(one, kinds) and one.name == part), None)
        if not isinstance(node, kinds):
            return None
        body = node.body
    assert node is not None and node.end_lineno is not None
    lines = source.splitlines(keepends=True)
    return len("".join(lines[: node.lineno - 1])), len("".join(lines[: node.end_lineno]))


@contextmanager
def clones(count: int) -> Iterator[SimpleQueue[Path]]:
    """Copies of what is committed here, to be taken and put back."""
    free: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory() as folder:
        for n in range(count):
            clone = Path(folder) / str(n)
            subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, clone], check=True)
            if (fetched := ROOT / "hupai" / "page" / "wasm").exists():
                shutil.copytree(fetched, clone / "hupai" / "page" / "wasm")
            free.put(clone)
        yield free


def try_fault(fault: Fault, clone: Path) -> str:
    """Plant a fault, run its test, and put the file right again."""
    path = clone / fault.path
    source = path.read_text(encoding="utf-8") if path.exists() else ""
    planted = fault.planted(source)
    if planted is None:
        return "gone"
    path.write_text(planted, encoding="utf-8")
    line = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", fault.test]
    env = {**os.environ, "PYTHONPATH": str(clone)}
    with subprocess.Popen(
        line, cwd=clone, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as run:
        try:
            said, _ = run.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return "caught"
        finally:
            path.write_text(source, encoding="utf-8")
    if run.returncode in (MISUSED, NONE_FOUND) and "no tests ran" in said:  # else the fault keeps it from being found
        return "gone"
    if run.returncode != PASSED:
        return "caught"
    return "missed" if " passed" in said else "skipped"


def main() -> int:
    every = sorted(path.stem for path in FAULTS.glob("*.jsonl"))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--part", choices=every, action="append", help="only the faults of this part")
    faults = [
        Fault(part, **json.loads(line))
        for part in parser.parse_args().part or every
        for line in (FAULTS / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    workers = min(4, os.cpu_count() or 1, len(faults))
    with clones(workers) as free, ThreadPoolExecutor(workers) as pool:

        def attempt(fault: Fault) -> str:
            clone = free.get()
            try:
                return try_fault(fault, clone)
            finally:
                free.put(clone)

        results: Counter[tuple[str, str]] = Counter()
        for fault, result in zip(faults, pool.map(attempt, faults), strict=True):
            results[fault.part, result] += 1
            if result != "caught":
                where = f"{fault.path} {fault.function or ''}".strip()
                print(f"{result}: {where}: {fault.old} -> {fault.new}\n    {fault.test}", flush=True)
    for (part, result), count in sorted(results.items()):
        print(f"{part:10}{result:10}{count:4}")
    return 1 if any(result in ("missed", "gone") for _, result in results) else 0


if __name__ == "__main__":
    raise SystemExit(main())
