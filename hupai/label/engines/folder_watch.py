"""The procedure for a folder that fills up: label new pictures once they are completely written, until stopped."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from watchfiles import Change, watch

from hupai.label.engines.cores import sensible_workers
from hupai.label.engines.pool import Pool
from hupai.label.engines.run import Job, crop_folder, label_open, list_pictures, open_journal
from hupai.label.inputs.sources import InputSource, Item, Listed, sources_of
from hupai.label.journal import Journal
from hupai.label.outputs.finish import RunResult, finish
from hupai.label.progress import Progress

SETTLED_SECONDS: Final = 2.0
"""Seconds without change after which a file counts as complete. If it grows later it is labelled again."""
RESCAN_SECONDS: Final = 60.0
"""Seconds between two scans of folders that report no changes, such as network drives."""
TICK_MS: Final = 500
DERIVE_SECONDS: Final = 5.0
"""Minimum seconds between two derivations of the files; longer if deriving takes long."""


def watch_sources(job: Job, progress: Progress, stop: threading.Event) -> RunResult:
    """Label what is there and what arrives, until ``stop`` is set.

    Raises:
        HupaiError: as :func:`hupai.label.engines.run.run`; a bad picture is not a reason.
    """
    sources = sources_of(job.sources)
    with (
        open_journal(job, sources) as journal,
        Pool(job.options, job.workers or sensible_workers(), crop_folder(job)) as pool,
    ):
        settled = CompleteFiles()
        derived = _Derived()
        recalled = kept = 0
        for changed in _changes(sources, job.out, stop):
            if changed or settled.waiting or time.monotonic() - settled.looked > RESCAN_SECONDS:
                recalled += (known := list_pictures(journal, job, sources, progress, settled))
                counts = journal.counts()
                derived.due |= bool(known) or counts.kept != kept
                kept = counts.kept
                if counts.open:
                    label_open(journal, sources, pool, progress)
                    derived.due = True
                    progress.stage("watching")
            if derived.is_due():
                derived.derive(journal, job, progress)
        return replace(derived.derive(journal, job, progress), recalled=recalled)


@dataclass(slots=True)
class CompleteFiles:
    """Passes on files that are complete, and remembers whether some were not.

    Attributes:
        waiting: number of files in the last scan that are perhaps still being written.
        looked: time of that scan.
    """

    waiting: int = 0
    looked: float = field(default_factory=lambda: -RESCAN_SECONDS)
    _seen: dict[str, tuple[str, float]] = field(default_factory=dict)

    def __call__(self, entries: Iterator[tuple[int, Listed]]) -> Iterator[tuple[int, Listed]]:
        """Iterate over the entries, without files that are perhaps still being written."""
        now = time.monotonic()
        self.waiting, self.looked = 0, now
        seen: dict[str, tuple[str, float]] = {}
        for source, entry in entries:
            if isinstance(entry, Item) and not self._complete(entry, now, seen):
                self.waiting += 1
                continue
            yield source, entry
        self._seen = seen

    def _complete(self, item: Item, now: float, seen: dict[str, tuple[str, float]]) -> bool:
        try:
            known = item.place.stat()
        except OSError:
            return False  # moved away since it was listed
        age = time.time() - known.st_mtime
        if age > SETTLED_SECONDS:
            return True
        # A recent file, or one from the future (another machine's clock): wait until it stops changing.
        stamp, since = self._seen.get(item.name, ("", now))
        since = since if stamp == item.stamp else now
        seen[item.name] = (item.stamp, since)
        return now - since >= SETTLED_SECONDS


@dataclass(slots=True)
class _Derived:
    """When files were last derived, and how long that took."""

    due: bool = True
    at: float = 0.0
    took: float = 0.0

    def is_due(self) -> bool:
        return self.due and time.monotonic() - self.at > max(DERIVE_SECONDS, 10 * self.took)

    def derive(self, journal: Journal, job: Job, progress: Progress) -> RunResult:
        start = time.monotonic()
        finished = finish(journal, job.out, job.file_options(), progress)
        self.due, self.at, self.took = False, time.monotonic(), time.monotonic() - start
        progress.stage(f"watching; {finished.counts.labelled} labelled, {finished.counts.failed} failed")
        return finished


def _changes(sources: Sequence[InputSource], out: Path, stop: threading.Event) -> Iterator[bool]:
    """Yield twice a second whether something has changed."""
    roots = {root for source in sources for root in source.roots}
    ours = os.path.realpath(out)

    def foreign(_: Change, path: str) -> bool:
        return not os.path.realpath(path).startswith(ours + os.sep)

    yield True
    for changes in watch(
        *sorted(roots),
        watch_filter=foreign,
        stop_event=stop,
        rust_timeout=TICK_MS,
        yield_on_timeout=True,
        raise_interrupt=False,
        ignore_permission_denied=True,
    ):
        yield bool(changes)
