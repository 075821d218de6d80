"""What all tests share: a guard against taking the machine down, and against leaving anything behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from collections import Counter
from collections.abc import Iterator
from multiprocessing import active_children, forkserver, resource_tracker
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from hatch_build import compile_catalogues
from tests.guard import VARIABLE

if TYPE_CHECKING:
    from vision.pipeline import TileReader

# Property tests take their time on a busy machine: 200 ms an example, and a second for ten, are no promise of ours.
# What they try is the same in every run but that before a release, so that a change is judged by what it changes.
settings.register_profile(
    "unhurried",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=os.environ.get("HUPAI_FULL") != "1",
)
settings.load_profile("unhurried")

MEMORY = Path("/dev/shm")
"""Files in memory, where there is such a folder: stores and labels wait for the disk at every commit."""
SLOW = {"browser", "server"}
"""Fixtures that start something; what uses them is slow."""
TOOLS = {"browser", "postgresql", "fresh_postgresql"}
"""Fixtures that need a program which many machines lack."""


def pytest_configure(config: pytest.Config) -> None:
    """Bring the compiled catalogues up to date and choose where temporary folders are, once for all workers."""
    if not hasattr(config, "workerinput"):
        compile_catalogues(Path(__file__).parents[1])
        if _has_room(MEMORY):
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def _has_room(folder: Path) -> bool:
    """Whether 4 GiB can be written into a folder, and programs run from there."""
    if not folder.is_dir():
        return False
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize >= 4 << 30 and not found.f_flag & os.ST_NOEXEC


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes long, and what needs a browser or PostgreSQL."""
    for item in items:
        for name, fixtures in (("slow", SLOW), ("tools", TOOLS)):
            if fixtures.intersection(getattr(item, "fixturenames", ())):
                item.add_marker(name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was skipped, and why: a line a reason."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    if reasons:
        terminalreporter.section("skipped")
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count:5}  {reason}")


@pytest.fixture(scope="session")
def reader() -> TileReader:
    """The networks that ship, loaded once; no test may change them."""
    from vision.pipeline import TileReader

    return TileReader(threads=1)


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Begun in the background of a script, the tests ignore Ctrl-C, and so would every command they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def guard() -> Iterator[None]:
    """Bounds the memory of everything the tests start, and ends what they left over, also when they are killed."""
    if not sys.platform.startswith("linux") or VARIABLE in os.environ:  # a run within a run has its guard
        yield
        return
    mark = uuid.uuid4().hex
    command = [sys.executable, "-S", str(Path(__file__).with_name("guard.py")), mark]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        os.environ[VARIABLE] = mark
        try:
            yield
        finally:
            del os.environ[VARIABLE]
            # Starting processes by multiprocessing starts these, too, which would only end with the tests' own.
            for child in (forked := active_children()):
                child.kill()
            forkserver._forkserver._stop()
            resource_tracker._resource_tracker._stop()
            left, _ = process.communicate(timeout=120)
    assert not (forked or left), (forked, left)
