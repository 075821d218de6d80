"""Throw broken input at everything that parses: no crash, hang, gigabyte of memory or foreign exception may follow.

Usage: ``python -m scripts.fuzz.run --inputs 100000 [--seed 1] [--target image] [--only 1234]``. Every input is made
from target, seed and number alone, so a finding is repeated with ``--target T --seed S --only N``. Inputs are tried in
child processes under a memory limit; one that dies, or gives no answer for 5 s of processor time (30 s on the clock
where the machine is busy), is a finding, and the next input goes to a new child.
Findings are printed, kept under ``--out`` with the input that caused them, and end the run with status 1.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import json
import os
import random
import resource
import selectors
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scripts.bench.machine import memory, worked

ROOT: Final = Path(__file__).resolve().parents[2]
HANG_SECONDS: Final = 5.0
SILENT_SECONDS: Final = 30.0
START_SECONDS: Final = 120.0
MEMORY: Final = 1 << 20
"""KiB one input may take."""
LARGEST_FILE: Final = 256 << 20
"""Most bytes of any file that a parser may be made to write, as by an archive that unpacks without end."""
_PARENT_DEATH: Final = 1  # PR_SET_PDEATHSIG


@dataclass(frozen=True, slots=True)
class Finding:
    """An input that was not handled: which, and what happened."""

    target: str
    seed: int
    number: int
    what: str

    @property
    def again(self) -> str:
        """The command that repeats it."""
        return f"python -m scripts.fuzz.run --target {self.target} --seed {self.seed} --only {self.number}"


def made(target: str, seed: int, number: int) -> tuple[bytes, Callable[[], None]]:
    """Input ``number`` of a target, of ``TARGETS`` or ``module:function``, and what feeds it."""
    module, _, name = target.rpartition(":")
    home = importlib.import_module(module or "scripts.fuzz.targets")  # the parent process needs no parser
    maker = getattr(home, name) if module else home.TARGETS[name][0]
    found: tuple[bytes, Callable[[], None]] = maker(random.Random(f"{target} {seed} {number}"))
    return found


# ---- the child ----


def work(target: str, seed: int, numbers: range) -> None:
    """Try the inputs; a line of JSON before each, after each that went wrong, and at the end."""
    sys.setrecursionlimit(1000)
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what parsers print must not be taken for ours
    # Die with the parent: after the run is killed, an input that never ends would go on for ever.
    ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGKILL)
    _warm(target)
    _limit()
    for number in numbers:
        out.write(f'{{"at": {number}}}\n')
        # Forget the peak so far, so that memory is measured for each input by itself.
        Path("/proc/self/clear_refs").write_text("5")
        before = memory("self", "VmRSS")
        try:
            made(target, seed, number)[1]()
        except BaseException:  # noqa: BLE001 - whatever it is, it is the finding
            out.write(json.dumps({"found": traceback.format_exc(limit=-6)}) + "\n")
        taken = memory("self", "VmHWM") - before
        if taken > MEMORY:
            out.write(json.dumps({"found": f"took {taken >> 10} MiB of memory"}) + "\n")
    out.write('{"done": true}\n')


def _warm(target: str) -> None:
    """Load the parsers before the memory is measured."""
    if ":" in target:
        return
    for number in range(-3, 0):
        with suppress(Exception):  # reported when its turn comes
            made(target, 0, number)[1]()


def _limit() -> None:
    # Half as much again: an input is judged by its own peak, and this limit only keeps the machine safe.
    limit = (memory("self", "VmSize") + MEMORY + MEMORY // 2) << 10
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))


# ---- the parent ----


def fuzz(target: str, seed: int, numbers: range) -> Iterator[Finding]:
    """Every finding among the inputs of a target."""
    start = numbers.start
    while start < numbers.stop:
        last = start - 1
        for kind, value in _child(target, seed, range(start, numbers.stop)):
            if kind == "at":
                last = value
            elif kind == "found":
                yield Finding(target, seed, last, value)
            elif kind == "ended":
                if last < start:
                    raise SystemExit(f"{target}: the child did not start: {value}")
                yield Finding(target, seed, last, value)
            else:
                return
        start = last + 1


def _child(target: str, seed: int, numbers: range) -> Iterator[tuple[str, Any]]:
    """What a child reports; ``ended`` with the reason when it died or fell silent."""
    work = map(str, (target, seed, numbers.start, numbers.stop))
    command = [sys.executable, "-m", "scripts.fuzz.run", "--work", *work]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "OMP_NUM_THREADS": "1"}
    quiet = subprocess.DEVNULL  # decoders complain there about every broken picture
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, cwd=ROOT, env=env, bufsize=0) as child:
        if child.stdout is None:
            raise AssertionError("the child has no output")
        started, rest = False, b""
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdout, selectors.EVENT_READ)
            while True:
                silent = _silence(child.pid, selector, started)
                if silent:
                    child.kill()
                    yield "ended", silent
                    return
                piece = os.read(child.stdout.fileno(), 1 << 16)
                if not piece:
                    yield "ended", f"the process died with status {child.wait()}"
                    return
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    ((kind, value),) = json.loads(line).items()
                    started = True
                    yield kind, value
                    if kind == "done":
                        return


def _silence(pid: int, selector: selectors.BaseSelector, started: bool) -> str | None:
    """Wait for the child to report something; None when it did, else why not to wait any longer."""
    begun, spent = time.monotonic(), worked(pid)
    while not selector.select(0.5):
        waited, at_work = time.monotonic() - begun, worked(pid) - spent
        if started and (at_work > HANG_SECONDS or waited > SILENT_SECONDS):
            return f"no answer within {waited:.0f} s, {at_work:.0f} s of them at work"
        if waited > START_SECONDS:
            return f"not started within {waited:.0f} s"
    return None


def main() -> int:
    if sys.argv[1:2] == ["--work"]:
        target, seed, start, stop = sys.argv[2:6]
        work(target, int(seed), range(int(start), int(stop)))
        return 0
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--inputs", type=int, default=2000, help="in all, shared out among the targets")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", help="only this one")
    parser.add_argument("--only", type=int, help="only this input of --target, in this process, with its traceback")
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "fuzz", help="where inputs that did harm are kept")
    given = parser.parse_args()
    if given.only is not None:
        made(given.target, given.seed, given.only)[1]()
        print("dealt with")
        return 0
    from scripts.fuzz.targets import TARGETS  # noqa: PLC0415 - the child of another target needs none of it

    found = 0
    for target, (_, share) in TARGETS.items():
        if given.target not in (None, target):
            continue
        count = given.inputs if given.target else given.inputs * share // 100
        begun = time.perf_counter()
        bad = list(_printed(fuzz(target, given.seed, range(count)), given.out))
        found += len(bad)
        taken = time.perf_counter() - begun
        print(f"{target}: {count} inputs in {taken:.0f} s, {len(bad)} findings", flush=True)
    return 1 if found else 0


def _printed(findings: Iterator[Finding], out: Path) -> Iterator[Finding]:
    for finding in findings:
        out.mkdir(parents=True, exist_ok=True)
        name = f"{finding.target}-{finding.seed}-{finding.number}"
        (out / name).write_bytes(made(finding.target, finding.seed, finding.number)[0])
        print(f"{name}: {finding.what}\n  again: {finding.again}", file=sys.stderr, flush=True)
        yield finding


if __name__ == "__main__":
    raise SystemExit(main())
