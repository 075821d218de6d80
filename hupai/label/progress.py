"""Progress of a run on standard error: a bar on a terminal, otherwise an occasional line."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

T = TypeVar("T")
LINE_SECONDS: Final = 30.0
"""Seconds between two lines if standard error is not a terminal."""
WARM_UP_PICTURES: Final = 16
"""The first pictures wait for workers to load their models: that many are not used to estimate the time left."""


class Progress:
    """Receives progress messages, and shows nothing."""

    def stage(self, text: str, total: int | None = None, done: int = 0) -> None:
        """Begin a stage, described in words; of how many pictures, if known, some of which were done before."""

    def step(self, *, failed: bool = False) -> None:
        """Count one more finished picture."""

    def track(self, items: Iterable[T], text: str, total: int | None = None) -> Iterator[T]:
        """Yield the items of a stage, and count them."""
        self.stage(text, total)
        for item in items:
            yield item
            self.step()


class ProgressLines(Progress):
    """Writes a line at the start of each stage and every half minute."""

    def __init__(self) -> None:
        self.stage("")

    def stage(self, text: str, total: int | None = None, done: int = 0) -> None:
        """Write a line."""
        self._total, self._done, self._before, self._failed = total, done, done, 0
        self._began = self._last_line = time.monotonic()
        if text:
            print(f"hupai: {text}", file=sys.stderr, flush=True)

    def step(self, *, failed: bool = False) -> None:
        """Write a line if the last one is old enough."""
        self._done += 1
        self._failed += failed
        now = time.monotonic()
        if now - self._last_line >= LINE_SECONDS:
            self._last_line = now
            rate = (self._done - self._before) / (now - self._began)
            parts = [f"{self._done} of {self._total}" if self._total else f"{self._done}", f"{rate:.1f} a second"]
            if self._total:
                few = self._done - self._before < WARM_UP_PICTURES
                left = format_duration((self._total - self._done) / rate)
                parts += ["time left not known yet" if few else f"{left} left", f"{self._failed} failed"]
            print(f"hupai: {', '.join(parts)}", file=sys.stderr, flush=True)


class ProgressBar(Progress):
    """A bar with rate, time left and failures."""

    def __init__(self, bar: RichProgress) -> None:
        self._bar, self._failed = bar, 0
        self._task = bar.add_task("", total=None, rate="", failed="")

    def stage(self, text: str, total: int | None = None, done: int = 0) -> None:
        """Begin a new bar."""
        # The speed of what was done before is unknown: it is not included.
        left = None if total is None else total - done
        self._failed = 0
        self._bar.reset(self._task, total=left, description=text, rate="", failed="")

    def step(self, *, failed: bool = False) -> None:
        """Move on the bar."""
        self._failed += failed
        speed = self._bar.tasks[0].speed
        rate, failures = f"{speed:.1f}/s" if speed else "", f"{self._failed} failed" if self._failed else ""
        self._bar.update(self._task, advance=1, rate=rate, failed=failures)


def format_duration(seconds: float) -> str:
    """Return a time span in words."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min {rest} s"


@contextmanager
def show_progress() -> Iterator[Progress]:
    """Show progress on standard error."""
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
        yield ProgressBar(bar)
