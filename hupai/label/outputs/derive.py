"""Records -> everything a user sees: label files, failures, copies, the worst pictures first, the summary.

Everything is made anew from the records in the order of their names and put in place when it is finished: the same
records give the same bytes, and a run that is killed here leaves the previous files.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hupai.label.classes import ALL, Classes
from hupai.label.formats import BY_NAME, LABEL_FILES, Target
from hupai.label.formats.csv_rows import escape_formula, open_csv
from hupai.label.formats.jsonl import JSONL
from hupai.label.inputs.sources import STATE
from hupai.label.journal import CHANGED, GONE, Journal, StaleRecord
from hupai.label.outputs.images import DRAFT, Images
from hupai.label.outputs.ranking import WorstRanking
from hupai.label.outputs.statistics import Statistics
from hupai.label.provenance import Provenance
from hupai.label.records import Record
from scoring.errors import HupaiError

if TYPE_CHECKING:
    from hupai.label.duplicates import Duplicate

REPORTS: Final = ("failures.csv", "kept.csv", "pages.csv", "duplicates.csv", "worst.csv", "summary.json")


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """What to derive.

    Attributes:
        formats: names of label formats; the records themselves (``labels.jsonl``) are always written.
        least: tiles less certain than this are left out of the label files (not of ``labels.jsonl``).
        drop_duplicates: copies are left out of the label files.
        image_url, classes, boxes: see :class:`Target`.
    """

    formats: tuple[str, ...]
    least: float = 0.0
    drop_duplicates: bool = False
    image_url: str = ""
    classes: Classes = ALL
    boxes: bool = False


def derive(
    journal: Journal,
    out: Path,
    wanted: OutputOptions,
    facts: Mapping[str, str],
    made: Provenance,
    images: Images | None = None,
) -> dict[str, Any]:
    """Write everything into a folder; return the statistics as in ``summary.json``.

    ``facts`` says what the labels were made with in the summary, ``made`` in the label files.

    Raises:
        HupaiError: the folder cannot be written.
    """
    draft = out / DRAFT
    try:
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        copies = _copies(journal)
        statistics, worst = _write_labels(journal, draft, wanted, made, copies, images)
        statistics.duplicates = len(copies)
        _write_copies(journal, draft, copies)
        _write_worst(worst, draft)
        _write_kept(journal.stale_records(), statistics, draft)
        summary = {**statistics.to_json(), "made_with": dict(facts)}
        text = json.dumps(summary, ensure_ascii=False, indent=1) + "\n"
        (draft / "summary.json").write_text(text, encoding="utf-8")
        _put_in_place(draft, out)
    except OSError as error:
        raise HupaiError(f"{out} cannot be written ({error.strerror or error}).", code="cannot_write") from error
    return summary


def _copies(journal: Journal) -> list[Duplicate]:
    from hupai.label.duplicates import Hashes

    hashes = Hashes()
    for position, record in enumerate(journal.records()):
        hashes.add(position, record.phash, record.sha256)
    return list(hashes.duplicates())


def _write_labels(
    journal: Journal,
    draft: Path,
    wanted: OutputOptions,
    made: Provenance,
    copies: Sequence[Duplicate],
    images: Images | None,
) -> tuple[Statistics, WorstRanking]:
    """Write every label file and the failures in one pass through the records."""
    place = images.place if images is not None else None
    target = Target(draft, wanted.image_url, place, made, wanted.classes, wanted.boxes)
    lines = JSONL.write(target)
    writers = [BY_NAME[name].write(target) for name in wanted.formats if name != JSONL.name]
    left_out = {c.image for c in copies} if wanted.drop_duplicates else set()
    statistics, worst = Statistics(), WorstRanking()
    with (
        open_csv(draft / "failures.csv", ("image", "code", "message")) as failed,
        open_csv(draft / "pages.csv", ("image", "pages")) as paged,
    ):
        for position, record in enumerate(journal.records()):
            statistics.add(record)
            lines.add(record)
            if record.error is not None:
                failed.writerow((escape_formula(record.image), *record.error))
                continue
            if record.pages > 1:
                paged.writerow((escape_formula(record.image), record.pages))
            worst.add(record)
            if position in left_out:
                statistics.tiles_left_out += len(record.boxes)
                continue
            kept = _drop_uncertain(record, wanted.least)
            statistics.tiles_left_out += len(record.boxes) - len(kept.boxes)
            for writer in writers:
                writer.add(kept)
    for writer in (lines, *writers):
        writer.close()
    if images is not None:
        images.close()
    return statistics, worst


def _drop_uncertain(record: Record, least: float) -> Record:
    if least <= 0 or all(b.confidence is None or b.confidence >= least for b in record.boxes):
        return record
    return replace(record, boxes=tuple(b for b in record.boxes if b.confidence is None or b.confidence >= least))


def _write_copies(journal: Journal, draft: Path, copies: Sequence[Duplicate]) -> None:
    needed = {c.image for c in copies} | {c.of for c in copies}
    names = {i: name for i, name in enumerate(journal.names()) if i in needed} if needed else {}
    with open_csv(draft / "duplicates.csv", ("image", "same_as", "bits_of_256", "same_bytes")) as rows:
        for c in copies:
            rows.writerow(
                (escape_formula(names[c.image]), escape_formula(names[c.of]), c.bits, "yes" if c.same_bytes else "no")
            )


def _write_kept(kept: Iterable[StaleRecord], statistics: Statistics, draft: Path) -> None:
    """Write the list of records whose pictures are gone or spoilt, and count them."""
    with open_csv(draft / "kept.csv", ("image", "why", "message")) as rows:
        for one in kept:
            rows.writerow((escape_formula(one.image), one.why, one.message))
            statistics.kept += 1
            if one.why not in (GONE, CHANGED):
                statistics.failures[one.why] += 1


def _write_worst(worst: WorstRanking, draft: Path) -> None:
    columns = ("rank", "image", "probably_wrong", "tiles", "unsure", "least_confidence", "why")
    with open_csv(draft / "worst.csv", columns) as rows:
        for rank, row in enumerate(worst.pictures(), 1):
            least = "" if row["least"] is None else row["least"]
            cells = (escape_formula(row["image"]), row["doubt"], row["tiles"], row["unsure"], least, row["why"])
            rows.writerow((rank, *cells))


def _put_in_place(draft: Path, out: Path) -> None:
    """Swap every file and folder for its new version; remove what is no longer made."""
    old = out / STATE / "old"
    shutil.rmtree(old, ignore_errors=True)
    old.mkdir()
    for path in sorted(draft.rglob("*")):
        if path.is_file() and path.parent == draft:
            with path.open("rb") as file:
                os.fsync(file.fileno())
    for name in (*LABEL_FILES, *REPORTS):
        new, place = draft / name, out / name
        if new.is_dir() or (place.is_dir() and not place.is_symlink()):
            if place.exists():
                place.rename(old / name)
            if new.exists():
                new.rename(place)
        elif new.exists():
            new.replace(place)
        else:
            place.unlink(missing_ok=True)
    shutil.rmtree(old)
    shutil.rmtree(draft)
