"""Progress of a run on standard error: a bar on a terminal, otherwise an occasional line."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol

LINE_SECONDS: Final = 30.0
"""Seconds between two lines if standard error is not a terminal."""
WARM_UP_PICTURES: Final = 16
"""The first pictures wait for workers to load their models: that many are not used to estimate the time left."""


class Progress(Protocol):
    """Receives progress messages."""

    def stage(self, text: str) -> None:
        """Begin a new stage, described in words."""

    def begin(self, total: int, done: int) -> None:
        """Set the number of pictures, and how many of them were done before."""

    def step(self, *, failed: bool) -> None:
        """Count one more finished picture."""


class NoProgress:
    """Shows nothing."""

    def stage(self, text: str) -> None:
        """Do nothing."""

    def begin(self, total: int, done: int) -> None:
        """Do nothing."""

    def step(self, *, failed: bool) -> None:
        """Do nothing."""


class ProgressLines:
    """Writes a line at the start of each stage and every half minute."""

    def __init__(self) -> None:
        self._total = self._done = self._before = self._failed = 0
        self._began = self._last_line = time.monotonic()

    def stage(self, text: str) -> None:
        """Write a line."""
        print(f"hupai: {text}", file=sys.stderr, flush=True)

    def begin(self, total: int, done: int) -> None:
        """Start counting."""
        self._total, self._done, self._before = total, done, done
        self._began = self._last_line = time.monotonic()

    def step(self, *, failed: bool) -> None:
        """Write a line if the last one is old enough."""
        self._done += 1
        self._failed += failed
        now = time.monotonic()
        if now - self._last_line >= LINE_SECONDS:
            self._last_line = now
            rate = (self._done - self._before) / (now - self._began)
            few = self._done - self._before < WARM_UP_PICTURES
            left = "time left not known yet" if few else f"{format_duration((self._total - self._done) / rate)} left"
            print(
                f"hupai: {self._done} of {self._total}, {rate:.1f} a second, {left}, {self._failed} failed",
                file=sys.stderr,
                flush=True,
            )


def format_duration(seconds: float) -> str:
    """Return a time span in words."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min {rest} s"


@contextmanager
def show_progress(*, quiet: bool = False) -> Iterator[Progress]:
    """Show progress on standard error; nothing if ``quiet``."""
    if quiet:
        yield NoProgress()
        return
    if not sys.stderr.isatty():
        yield ProgressLines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[failed]}"),
    )
    with Progress(*columns, console=Console(stderr=True), speed_estimate_period=60) as bar:
        task = bar.add_task("beginning", total=None, rate="", failed="")

        class Bar:
            """A bar with rate, time left and failures."""

            failures = 0

            def stage(self, text: str) -> None:
                bar.update(task, description=text)

            def begin(self, total: int, done: int) -> None:
                # The speed of what was done before is unknown: it is not included.
                bar.reset(task, total=total - done, description="labelling", rate="", failed="")

            def step(self, *, failed: bool) -> None:
                self.failures += failed
                speed = bar.tasks[0].speed
                bar.update(
                    task,
                    advance=1,
                    rate=f"{speed:.1f}/s" if speed else "",
                    failed=f"{self.failures} failed" if self.failures else "",
                )

        yield Bar()
