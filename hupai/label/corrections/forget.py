"""The only way to remove finished labels: those of pictures that are gone are counted first, and removed on request."""

from __future__ import annotations

import fnmatch
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from hupai.label.inputs.sources import STATE
from hupai.label.journal import GONE, NAME, Journal, JournalError, explain_error
from hupai.label.outputs.crops import crop_path
from hupai.label.outputs.finish import FileOptions, RunResult, clear_litter, crops_in, finish
from hupai.label.plan import LabellingPlan
from hupai.label.progress import Progress


@dataclass(frozen=True, slots=True)
class GonePictures:
    """What would be removed.

    Attributes:
        pictures: names of the labelled pictures that are no longer in the sources.
        tiles, crops: numbers, of those pictures.
        folders: first part of the names -> how many of its labelled pictures are gone, and how many there are.
    """

    pictures: tuple[str, ...]
    tiles: int
    crops: int
    folders: dict[str, tuple[int, int]]


@contextmanager
def open_existing_journal(out: Path) -> Iterator[Journal]:
    """The journal of a folder of labels, opened under the plan it was begun with.

    Raises:
        JournalError: there is none, it is in use, or damaged.
    """
    place = out / STATE / NAME
    if not place.is_file():
        raise JournalError(f"{out} holds no labels of hupai label; check the name.", code="no_journal")
    with closing(Journal(place.parent, read_journal_plan(place))) as journal:
        yield journal


def read_journal_plan(place: Path) -> LabellingPlan:
    """Return the plan that a journal was begun with.

    Raises:
        JournalError: in use or damaged.
    """
    try:
        with closing(sqlite3.connect(place, timeout=2.0)) as db:
            (text,) = db.execute("select value from about where key = 'plan'").fetchone()
        return LabellingPlan.of_json(json.loads(text))
    except sqlite3.Error as error:
        raise explain_error(error, place) from error
    except (TypeError, ValueError, KeyError) as error:
        raise JournalError(f"{place} is damaged ({error}).") from None


def find_gone_pictures(journal: Journal, out: Path, patterns: Sequence[str] = ()) -> GonePictures:
    """Return what is stored about pictures, by name or wildcard, that were gone when the sources were last listed."""
    names = [
        one.image
        for one in journal.stale_records()
        if one.why == GONE and (not patterns or any(fnmatch.fnmatchcase(one.image, p) for p in patterns))
    ]
    chosen = set(names)
    tiles = crops = 0
    every, lost = Counter[str](), Counter[str]()
    for record in journal.records():
        folder = record.image.partition("/")[0] if "/" in record.image else ""
        every[folder] += record.error is None
        if record.image in chosen:
            lost[folder] += 1
            tiles += len(record.boxes)
            crops += sum((out / "crops" / crop_path(record, i)).is_file() for i in range(len(record.boxes)))
    return GonePictures(tuple(names), tiles, crops, {f: (lost[f], every[f]) for f in sorted(lost)})


def forget(journal: Journal, out: Path, names: Sequence[str], progress: Progress) -> RunResult | None:
    """Remove the labels of these pictures for good, and rewrite the label files if they had been written."""
    journal.forget(names)
    clear_litter(journal, crops_in(out))
    options = journal.read_note("order")
    return None if options is None else finish(journal, out, FileOptions.of_json(options), progress)
