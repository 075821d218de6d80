"""``hupai serve`` forked from a process that has imported all it needs, which takes longer than the rest of a start.

Each server is still a process of its own, with settings, constants, files and an end of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from tests.hupai.hurried import Constants, hurry

_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    ["__main__", __name__, "hupai.cli", "hupai.web.listen.server", "hupai.hall.web_wing", "alembic.command"]
)


@dataclass
class Forked:
    """What the tests ask of a ``subprocess.Popen``; output and errors are one stream."""

    process: ForkServerProcess
    stdout: TextIOWrapper
    pid: int = field(init=False)

    def __post_init__(self) -> None:
        assert self.process.pid is not None
        self.pid = self.process.pid
        self.terminate, self.kill = self.process.terminate, self.process.kill

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self.process.join(timeout)
        if self.process.exitcode is None:
            raise subprocess.TimeoutExpired("hupai", timeout or 0)
        return self.process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


def fork_hupai(words: Sequence[str], hurried: Constants, variables: Mapping[str, str], folder: Path) -> Forked:
    """Start a command in a folder, with these constants and nothing but these variables in its environment."""
    heard, said = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_run, args=(words, hurried, variables, folder, said), daemon=True)
    process.start()
    said.close()
    return Forked(process, os.fdopen(os.dup(heard.fileno()), encoding="utf-8"))


def _run(
    words: Sequence[str], hurried: Constants, variables: Mapping[str, str], folder: Path, said: Connection
) -> None:
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(said.fileno(), number)
        setattr(sys, name, os.fdopen(number, "w", buffering=1, encoding="utf-8"))
    said.close()
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(folder)
    sys.argv = ["hupai", *words]
    for name, value in hurried.items():
        hurry(name, value)
    from hupai import cli

    cli.main()
