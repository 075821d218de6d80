"""Throw broken input at everything that parses: no crash, hang, gigabyte of memory or foreign exception may follow.

Usage: ``python -m scripts.fuzz.run --inputs 100000 [--seed 1] [--target image] [--only 1234]``. Every input is made
from target, seed and number alone, so a finding is repeated with ``--target T --seed S --only N``. Inputs are tried in
child processes with limits on memory and time; one that ends its process, as does one without an answer after 5 s of
processor time (30 s on the clock where the machine is busy), is a finding, and the next input goes to a new child.
Findings are printed, kept in ``runs/fuzz`` with the input that caused them, and end the run with status 1.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from scripts.bench.machine import memory
from scripts.fuzz.common import Feed

ROOT: Final = Path(__file__).resolve().parents[2]
KEPT: Final = ROOT / "runs" / "fuzz"
HANG_SECONDS: Final = 5
SILENT_SECONDS: Final = 30
MEMORY: Final = 1 << 20
"""KiB one input may take."""
LARGEST_FILE: Final = 256 << 20
"""Most bytes of any file that a parser may be made to write, as by an archive that unpacks without end."""
SILENT: Final = {
    -signal.SIGPROF: f"no answer within {HANG_SECONDS} s at work",
    -signal.SIGALRM: f"no answer within {SILENT_SECONDS} s",
}
"""What a child's status says when one of its timers ended it."""


@dataclass(frozen=True, slots=True)
class FuzzFinding:
    """An input that was not handled: which, and what happened."""

    target: str
    seed: int
    number: int
    what: str

    @property
    def again(self) -> str:
        """The command that repeats it."""
        return f"python -m scripts.fuzz.run --target {self.target} --seed {self.seed} --only {self.number}"


def made(target: str, seed: int, number: int) -> tuple[bytes, Feed]:
    """Input ``number`` of a target, of ``TARGETS`` or ``module:function``, and what feeds it."""
    module, _, name = target.rpartition(":")
    home = importlib.import_module(module or "scripts.fuzz.targets")  # planted parsers are loaded without the others
    maker = getattr(home, name) if module else home.TARGETS[name][0]
    return maker(random.Random(f"{target} {seed} {number}"))


def work(target: str, seed: int, numbers: range) -> None:
    """The child: try the inputs; a line of JSON before each, after each that went wrong, and at the end."""
    signal.alarm(120)  # until the parsers are loaded
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what parsers print must not be taken for ours
    if ":" not in target:
        for number in range(-3, 0):  # load the parsers before the memory is measured
            with suppress(Exception):  # reported when its turn comes
                made(target, 0, number)[1]()
    # Half as much again: an input is judged by its own peak, and this limit only keeps the machine safe.
    limit = (memory("self", "VmSize") + MEMORY + MEMORY // 2) << 10
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    for number in numbers:
        out.write(f'{{"at": {number}}}\n')
        # Forget the peak so far, so that memory is measured for each input by itself.
        Path("/proc/self/clear_refs").write_text("5")
        before = memory("self", "VmRSS")
        signal.setitimer(signal.ITIMER_PROF, HANG_SECONDS)
        signal.alarm(SILENT_SECONDS)
        try:
            made(target, seed, number)[1]()
        except BaseException:  # noqa: BLE001 - whatever it is, it is the finding
            out.write(json.dumps({"found": traceback.format_exc(limit=-6)}) + "\n")
        taken = memory("self", "VmHWM") - before
        if taken > MEMORY:
            out.write(json.dumps({"found": f"took {taken >> 10} MiB of memory"}) + "\n")
    out.write(f'{{"at": {numbers.stop}}}\n')


def fuzz(target: str, seed: int, numbers: range) -> Iterator[FuzzFinding]:
    """Every finding among the inputs of a target."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "OMP_NUM_THREADS": "1"}
    quiet = subprocess.DEVNULL  # decoders complain there about every broken picture
    at = numbers.start - 1
    while at + 1 < numbers.stop:
        begun = at + 1
        given = map(str, (target, seed, begun, numbers.stop))
        command = [sys.executable, "-m", "scripts.fuzz.run", "--work", *given]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, cwd=ROOT, env=env) as child:
            assert child.stdout is not None
            for line in map(json.loads, child.stdout):
                if "found" in line:
                    yield FuzzFinding(target, seed, at, line["found"])
                else:
                    at = line["at"]
        ended = SILENT.get(child.returncode, f"the process died with status {child.returncode}")
        if at < begun:
            raise SystemExit(f"{target}: the child did not start: {ended}")
        if at < numbers.stop:
            yield FuzzFinding(target, seed, at, ended)


def main(inputs: int = 2000, seed: int = 1, target: str | None = None, only: int | None = None) -> None:
    if target and only is not None:
        made(target, seed, only)[1]()
        print("dealt with")
        return
    from scripts.fuzz.targets import TARGETS  # noqa: PLC0415 - the child of another target needs none of it

    KEPT.mkdir(parents=True, exist_ok=True)
    found = 0
    for name in [target] if target else TARGETS:
        count, bad = inputs if target else inputs * TARGETS[name][1] // 100, 0
        for finding in fuzz(name, seed, range(count)):
            bad += 1
            path = KEPT / f"{name}-{seed}-{finding.number}"
            path.write_bytes(made(name, seed, finding.number)[0])
            print(f"{path}: {finding.what}\n  again: {finding.again}", file=sys.stderr, flush=True)
        print(f"{name}: {count} inputs, {bad} findings", flush=True)
        found += bad
    raise typer.Exit(bool(found))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], int(sys.argv[3]), range(int(sys.argv[4]), int(sys.argv[5])))
    else:
        typer.run(main)
