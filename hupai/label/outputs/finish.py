"""Journal -> files: the settings are kept in the journal, so that the files can be derived again without a run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from hupai.basics.counts import count_of
from hupai.label.inputs.sources import STATE
from hupai.label.journal import Counts, Journal
from hupai.label.outputs.crops import CropFolder
from hupai.label.outputs.derive import OutputOptions, derive
from hupai.label.outputs.images import Images
from hupai.label.progress import Progress, format_duration
from hupai.label.provenance import Provenance


@dataclass(frozen=True, slots=True)
class Pace:
    """The speed of this run: pictures, seconds on the clock, worker processes."""

    pictures: int
    seconds: float
    workers: int

    def __str__(self) -> str:
        rate = self.pictures / max(self.seconds, 1e-3)
        return (
            f"{self.pictures} in {format_duration(self.seconds)}, {rate:.2f} a second with "
            f"{count_of(self.workers, 'worker')}"
        )


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a run; the summary is the same however it was produced.

    Attributes:
        counts: of the records.
        summary: as in ``summary.json``.
        pace: of this run; None if nothing was read.
        recalled: pictures that had been read before under another name or date.
    """

    counts: Counts
    summary: dict[str, Any]
    pace: Pace | None = None
    recalled: int = 0

    @property
    def exit_status(self) -> int:
        """0: all labelled, 1: some failed, 3: none could be read."""
        if not self.counts.failed:
            return 0
        return 1 if self.counts.labelled else 3


@dataclass(frozen=True, slots=True)
class FileOptions:
    """Which files to derive from a journal, and what they say about how they were made.

    Attributes:
        wanted: the files. facts, made: what they say.
        crops: whether every tile is also a picture.
        images: ``link`` or ``copy`` to put the pictures beside labels that want them; None for neither.
    """

    wanted: OutputOptions
    facts: Mapping[str, str]
    made: Provenance
    crops: bool = False
    images: str | None = None

    def to_json(self) -> str:
        """As stored in the journal."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def of_json(cls, text: str) -> FileOptions:
        """The inverse of :meth:`to_json`."""
        return TypeAdapter(cls).validate_json(text)


def finish(journal: Journal, out: Path, options: FileOptions, progress: Progress) -> RunResult:
    """Derive every file from the journal."""
    journal.write_note("order", options.to_json())
    journal.save()
    crops = crops_in(out) if options.crops else None
    if crops is not None:
        clear_litter(journal, crops)
    counts = journal.counts()
    progress.stage("writing the label files")
    images = None if options.images is None else Images(journal.unchanged_items, options.images, out)
    summary = derive(journal, out, options.wanted, options.facts, options.made, images)
    return RunResult(counts, summary)


def crops_in(out: Path) -> CropFolder:
    """Return the crops of a folder of labels."""
    place = out.absolute()  # workers on a cluster have current folders of their own
    return CropFolder(place / "crops", place / STATE / "crops")


def clear_litter(journal: Journal, crops: CropFolder) -> int:
    """Remove the crops of replaced records; return how many."""
    count = sum(crops.remove(old, now) for old, now in journal.litter())
    journal.mark_litter_removed()
    return count
