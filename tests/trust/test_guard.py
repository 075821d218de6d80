"""The tests cannot take the machine down: what they may hold is bounded, and nothing of them outlives them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.guard import VARIABLE, bound, clear, held, members, too_much
from tests.hupai.serving import ROOT
from tests.waiting import until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
SLEEP = "import time; time.sleep(600)"
Start = Callable[[str], subprocess.Popen[bytes]]


@pytest.fixture
def mark() -> str:
    return uuid.uuid4().hex


@pytest.fixture
def start(mark: str) -> Iterator[Start]:
    """Starts Python with some code under the mark."""
    begun: list[subprocess.Popen[bytes]] = []

    def it(code: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen([sys.executable, "-S", "-c", code], env={**os.environ, VARIABLE: mark})
        begun.append(process)
        return process

    yield it
    for process in begun:
        process.kill()
        process.wait()


def test_whoever_takes_too_much_is_killed_and_the_others_stay(mark: str, start: Start) -> None:
    small, large = start(SLEEP), start(f"taken = b'x' * (300 << 20); {SLEEP}")
    assert until(lambda: held(large.pid) > 300 << 20)
    assert too_much(mark, 500 << 20) is None
    said = too_much(mark, 200 << 20)
    assert said and f"process {large.pid} " in said
    assert large.wait(10) == -signal.SIGKILL
    assert small.poll() is None
    assert list(members(mark)) == [small.pid]


def test_what_is_left_over_is_killed_and_nothing_else(mark: str, start: Start) -> None:
    other = subprocess.Popen([sys.executable, "-S", "-c", SLEEP], env={**os.environ, VARIABLE: mark + "x"})
    mine = start(SLEEP)
    try:
        assert until(lambda: list(members(mark)) == [mine.pid])
        (said,) = clear(mark, patience=0)
        assert said.startswith(f"{mine.pid}: ")
        assert mine.wait(10) == -signal.SIGKILL
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_tests_that_are_killed_leave_nothing(tmp_path: Path) -> None:
    """kill -9 of a run in the middle of a test that has started a process of a session of its own."""
    (tmp_path / "test_it.py").write_text(
        "import pathlib, subprocess, sys, time\n"
        "def test_it():\n"
        f"    child = subprocess.Popen([sys.executable, '-S', '-c', {SLEEP!r}], start_new_session=True)\n"
        "    pathlib.Path('child').write_text(str(child.pid))\n"
        "    time.sleep(600)\n"
    )
    hurried = "from tests import conftest\nconftest.patience = 1.0\nguard = conftest.guard\n"
    (tmp_path / "conftest.py").write_text(hurried)
    env = {k: v for k, v in os.environ.items() if k != VARIABLE} | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    run = subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert until(lambda: (tmp_path / "child").exists() and (tmp_path / "child").read_text())
        child = Path("/proc") / (tmp_path / "child").read_text()
        assert child.exists()
        run.kill()
        run.wait()
        assert until(lambda: not child.exists())
    finally:
        run.kill()
        run.wait()


def test_the_bound_leaves_the_machine_some_memory() -> None:
    everything = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert bound() <= min(8 << 30, everything * 4 // 5)
    assert VARIABLE in os.environ, "this run is watched"
