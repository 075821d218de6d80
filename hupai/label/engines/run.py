"""The procedure on one machine: list the pictures, label those that are open, derive the files."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path

from hupai.basics.counts import count_of
from hupai.label.engines.cluster import RayPool
from hupai.label.engines.cores import sensible_workers
from hupai.label.engines.pictures import FileImage, LabelOptions, Readable
from hupai.label.engines.pool import Pool
from hupai.label.engines.recall import recall
from hupai.label.formats import LABEL_FILES
from hupai.label.formats.jsonl import JSONL
from hupai.label.inputs.sources import STATE, InputSource, Listed, sources_of
from hupai.label.journal import NAME, Journal, JournalError
from hupai.label.outputs.crops import CropFolder
from hupai.label.outputs.derive import REPORTS, OutputOptions
from hupai.label.outputs.finish import FileOptions, Pace, RunResult, clear_litter, crops_in, finish
from hupai.label.plan import LabellingPlan
from hupai.label.progress import Progress
from hupai.label.provenance import Provenance
from hupai.label.records import model_signature
from scoring.errors import Fault, HupaiError, InvalidRequest
from scoring.version import version
from vision.models import zoo


@dataclass(frozen=True, slots=True)
class Job:
    """Everything the user asked for.

    Attributes:
        sources: folders, wildcards, lists, files.
        out: folder of the labels.
        wanted: which files to derive.
        options: how to label pictures.
        tileset: name and sha256 of the learned set in ``options``, if any.
        crops: whether every tile is written as a picture.
        images: ``link`` or ``copy`` to put the pictures beside labels whose format wants them; None for neither.
        workers: number of worker processes; if None, as many as the machine can run.
        fresh: start over. retry: try failed pictures again.
    """

    sources: tuple[str, ...]
    out: Path
    wanted: OutputOptions
    options: LabelOptions = field(default_factory=LabelOptions)
    tileset: tuple[str, str] | None = None
    crops: bool = False
    images: str | None = None
    workers: int | None = None
    fresh: bool = False
    retry: bool = False

    def plan(self, sources: Sequence[str]) -> LabellingPlan:
        """Return the plan: everything that shapes the labels."""
        models = {role: entry.sha256 for role, entry in zoo.list_models(self.options.models).items()}
        return LabellingPlan(tuple(sources), models, self.options.hands, self.options.rules, self.tileset, self.crops)

    def provenance(self) -> Provenance:
        """Return what the labels are made with, for the label files."""
        models = {role: entry.short for role, entry in zoo.list_models(self.options.models).items()}
        options = {
            "hands": self.options.hands,
            "rules": self.options.rules,
            "set": self.tileset[0] if self.tileset else None,
            "min_confidence": self.wanted.least,
            "drop_duplicates": self.wanted.drop_duplicates,
            "classes": self.wanted.classes.option,
            "boxes": self.wanted.boxes,
        }
        return Provenance.of(options, [model_signature(models)])

    def facts(self) -> dict[str, str]:
        """Return what the labels were made with, for the summary."""
        listed = zoo.list_models(self.options.models)
        facts = {"Made with": f"hupai {version()}"}
        facts |= {f"Model {role}": f"sha256 {entry.sha256}" for role, entry in listed.items()}
        if self.tileset is not None:
            facts["Learned set"] = f"{self.tileset[0]}, sha256 {self.tileset[1]}"
        if self.options.hands:
            facts["Hands"] = f"read by the rules of {self.options.rules}" if self.options.rules else "read by any rules"
        if self.wanted.least > 0:
            facts["Left out of label files"] = f"tiles below {self.wanted.least:.0%}"
        return facts

    def file_options(self) -> FileOptions:
        """Return which files to derive."""
        return FileOptions(self.wanted, self.facts(), self.provenance(), self.crops, self.images)


def run(job: Job, progress: Progress, start_pool: type[Pool | RayPool] | None = None) -> RunResult:
    """Label everything that is not labelled yet, by processes on this machine or another pool, and derive the files.

    Raises:
        HupaiError: wrong usage, labels that were begun under another plan, a folder that cannot be written; what was
            done until then is kept.
    """
    sources = sources_of(job.sources)
    with open_journal(job, sources) as journal:
        recalled = list_pictures(journal, job, sources, progress)
        counts = journal.counts()
        if not counts.listed:
            kept = count_of(counts.kept, "picture")
            stay = f" The labels of {kept} that had been read stay in {job.out}." if counts.kept else ""
            raise HupaiError(f"There are no pictures in {', '.join(job.sources)}.{stay}", code="no_pictures")
        pace = None
        if counts.open:
            workers = min(job.workers or sensible_workers(), counts.open)
            start = time.monotonic()
            with (start_pool or Pool)(job.options, workers, crop_folder(job)) as pool:
                import_module("hupai.label.duplicates")  # numpy, which writing the files needs: while the workers load
                label_open(journal, sources, pool, progress)
            pace = Pace(counts.open, time.monotonic() - start, workers)
        return replace(finish(journal, job.out, job.file_options(), progress), pace=pace, recalled=recalled)


def open_journal(job: Job, sources: Sequence[InputSource]) -> closing[Journal]:
    """Open the journal of the labels' folder, which must be new, empty or made by hupai.

    Raises:
        HupaiError: it is none of these, was begun under another plan, or is in use by another run; or it is to be begun
            again from sources without a picture. JournalError: the journal of the labels there is lost.
    """
    state = job.out / STATE
    if job.out.is_dir() and not state.is_dir() and any(job.out.iterdir()):
        raise InvalidRequest.of(
            [Fault("usage", f"{job.out} is not empty and holds no labels of hupai; give a new folder.", "out")]
        )
    _refuse_lost_journal(job)
    if job.fresh and state.is_dir() and not any(True for source in sources for _ in source.items([job.out])):
        message = f"There are no pictures in {', '.join(job.sources)}: nothing in {job.out} was removed."
        raise HupaiError(message, code="no_pictures")
    journal = Journal(state, job.plan([s.given for s in sources]), fresh=job.fresh)
    crops = crop_folder(job)
    if crops is not None:
        crops.sweep()
        clear_litter(journal, crops)
    if job.fresh:
        for name in (*LABEL_FILES, *REPORTS, "crops"):
            path = job.out / name
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
    return closing(journal)


Sieve = Callable[[Iterator[tuple[int, Listed]]], Iterator[tuple[int, Listed]]]


def _refuse_lost_journal(job: Job) -> None:
    """Refuse to begin in silence what was labelled before: a journal can be lost to a full disk, or by a bad copy."""
    labels, journal = job.out / JSONL.files[0], job.out / STATE / NAME
    lost = not journal.is_file() or not journal.stat().st_size
    if lost and not job.fresh and labels.is_file() and labels.stat().st_size:
        raise JournalError(
            f"{labels} holds labels, but {journal} is empty or gone: bring it back, or begin again with --fresh, which "
            "removes these labels, or give another --out."
        )


def list_pictures(
    journal: Journal,
    job: Job,
    sources: Sequence[InputSource],
    progress: Progress,
    sieve: Sieve = lambda entries: entries,
) -> int:
    """Bring the journal up to date with the sources; nothing that was read is removed.

    ``sieve`` passes on the entries to be labelled now. Returns how many had been read before under another name or
    date.
    """
    progress.stage("listing the pictures")
    entries = sieve((i, entry) for i, source in enumerate(sources) for entry in source.items([job.out]))
    for count in journal.list_items(entries):
        if count % 100_000 == 0:
            progress.stage(f"listing the pictures: {count}")
    if job.retry:
        journal.forget_failures()
    crops = crop_folder(job)
    recalled = recall(journal, sources, crops)
    if crops is not None:
        clear_litter(journal, crops)
    return recalled


def label_open(journal: Journal, sources: Sequence[InputSource], pool: Pool | RayPool, progress: Progress) -> None:
    """Label what has no record yet."""
    counts = journal.counts()
    progress.stage("labelling", counts.listed, counts.listed - counts.open)
    stamps: dict[str, str] = {}
    for name, failed, line in pool.label(_open_pictures(journal, sources, stamps)):
        journal.add_line(name, stamps.pop(name), failed, line)
        progress.step(failed=failed)
    journal.save()


def crop_folder(job: Job) -> CropFolder | None:
    """Return the folder of crops, if they are wanted."""
    return crops_in(job.out) if job.crops else None


def _open_pictures(journal: Journal, sources: Sequence[InputSource], stamps: dict[str, str]) -> Iterator[Readable]:
    """Yield every picture without a record; record their stamps."""
    for number in range(len(sources)):
        for item in journal.open_items(number):
            stamps[item.name] = item.stamp
            yield FileImage(item.name, item.place)
