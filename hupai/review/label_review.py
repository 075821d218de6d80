"""Labels under review: the order of the pictures, their corrections, and every earlier version.

A correction is appended to the earlier ones, one line of JSON each (``corrections.jsonl`` in the folder of
the labels); deriving label files never changes it. The last line of a picture counts.
"""

from __future__ import annotations

import heapq
import json
import os
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from hupai.basics.timestamps import format_time
from hupai.batch.corrections.forget import open_existing_journal
from hupai.batch.corrections.merge import Merging
from hupai.batch.corrections.record_store import items_in
from hupai.batch.duplicates import same_photo
from hupai.batch.formats.base import LabelError
from hupai.batch.inputs.sources import STATE, Item, read_items, sources_of
from hupai.batch.journal import JournalError
from hupai.batch.outputs.ranking import reasons
from hupai.batch.records import Box, Record, record_of, record_of_line
from hupai.review.claims import Claims
from hupai.review.missed import hints
from scoring.errors import Fault, HupaiError, InvalidRequest

CORRECTIONS: Final = "corrections.jsonl"
"""The corrections of a review, in the folder of labels."""
MAX_PICTURES: Final = 10_000
"""Maximum number of pictures to review: the worst ones."""
MISSED_WEIGHT: Final = 1.0
"""Weight of a possibly overlooked tile, compared with a label that is probably wrong."""

KEPT_MEANWHILE: Final = (
    "Other labels of this picture were kept meanwhile, in another window. Enter again replaces them; to see them, load "
    "the page again."
)


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A picture under review.

    Attributes:
        image: its name.
        at: offset of its record in ``labels.jsonl``, bytes; pictures are named by it here.
        doubt: number of labels that are probably wrong or missing.
        why: the reasons in words.
        sha256, phash: of the picture, empty if unknown.
    """

    image: str
    at: int
    doubt: float
    why: str
    sha256: str = ""
    phash: str = ""


class LabelReview:
    """The labels of one folder, for one process; thread-safe."""

    def __init__(self, labels: Path, images: str | None = None, patience: float | None = None) -> None:
        """Begin to read through the labels, in a thread of its own.

        Args:
            labels: a folder with ``labels.jsonl``.
            images: folder of the pictures; if None, where they were when they were labelled.
            patience: seconds after which the review begins with the worst pictures found until then; None to wait
                until all are read.

        Raises:
            HupaiError: there are no labels, or no way to find their pictures.
        """
        self._path, self._history = labels / "labels.jsonl", labels / CORRECTIONS
        if not self._path.is_file():
            raise LabelError(f"{labels} holds no labels.jsonl; give a folder that hupai label or hupai labels wrote.")
        self._folder, self._images = labels, images
        if images is None and not (labels / STATE).is_dir():
            fault = Fault("usage", f"Where are the pictures of {labels}? Name their folder with --images.", "images")
            raise InvalidRequest.of([fault])
        if images is not None:
            sources_of([images])  # that it is there; it may take long to list
        self._lock = threading.Lock()
        self._reviewed: dict[str, Record] = {}
        self._save_counts: Counter[str] = Counter()
        self._bytes_read = 0
        self._read_new_lines()
        if self._size() > self._bytes_read:  # the end of a line that a crash cut off was never acknowledged
            os.truncate(self._history, self._bytes_read)
        self._claims = Claims(labels)
        self._version = _version(self._path.stat())
        self._worst: list[tuple[float, int, ReviewItem]] = []
        self._fault: HupaiError | None = None
        self.share_read = 0.0
        """Share of the labels that has been read."""
        ranking = threading.Thread(target=self._rank, daemon=True)
        ranking.start()
        while ranking.is_alive() and (patience is None or not self._worst):
            ranking.join(patience)
        if self._fault is None and not ranking.is_alive() and not self._worst:
            raise LabelError(f"{self._path} holds no labelled picture.")
        self._check_ranking()

    @cached_property
    def _files(self) -> Mapping[str, Item]:
        return {} if self._images is None else items_in(self._images)

    @property
    def entries(self) -> list[ReviewItem]:
        """The worst pictures that were read until now, the worst first; equally bad ones by name.

        Raises:
            LabelError: a line of the labels is not a record.
        """
        self._check_ranking()
        with self._lock:
            return [item for _, _, item in sorted(self._worst, reverse=True)]

    def record(self, at: int) -> Record:
        """Return the present labels of a picture."""
        read = self.as_read_record(at)
        return self._find_reviewed(read) or read

    def as_read_record(self, at: int) -> Record:
        """Return the labels of a picture as they were read.

        Raises:
            HupaiError: there is no such picture, or the labels have been written anew.
        """
        with self._path.open("rb") as file:
            if _version(os.fstat(file.fileno())) != self._version:
                raise LabelError(f"{self._path} has been written anew since the review began; begin it again.")
            file.seek(max(0, at - 1))
            if at and file.read(1) != b"\n":
                raise HupaiError("There is no such picture; load the page again.", code="image_missing")
            line = file.readline()
        if not line:
            raise HupaiError("There is no such picture; load the page again.", code="image_missing")
        return record_of_line(line.decode())

    def is_reviewed(self, item: ReviewItem | Record) -> bool:
        """Whether a person has looked at a picture."""
        return self._find_reviewed(item) is not None

    def save_count(self, at: int) -> int:
        """How often labels of a picture have been kept, here or in another review."""
        image = self.as_read_record(at).image
        with self._lock:
            self._read_new_lines()
            return self._save_counts[image]

    def open_next(self, after: int | None, window: str) -> ReviewItem | None:
        """Return the worst picture that nobody has looked at and no other window, of any review, has open.

        It then counts as open in this window, until that opens another one.

        Args:
            after: the picture after which to look first, if it is in the list.
            window: a name for who asks.
        """
        entries = self.entries
        place = next((i + 1 for i, entry in enumerate(entries) if entry.at == after), 0)
        waiting = (entry for entry in entries[place:] + entries[:place] if not self.is_reviewed(entry))
        return next((entry for entry in waiting if self._claims.take(entry.image, window)), None)

    def claim(self, at: int, window: str) -> None:
        """Have :meth:`open_next` pass over a picture for other windows until this one opens another picture."""
        image = self.as_read_record(at).image
        self._claims.release(window)
        self._claims.take(image, window)

    def close(self) -> None:
        """Release the pictures that are open."""
        self._claims.close()

    def photo(self, at: int) -> bytes:
        """Return the bytes of a picture.

        Raises:
            HupaiError: it is gone or cannot be read, or it is not known where it is while the labels are written.
        """
        name = self.as_read_record(at).image
        if self._images is not None:
            items: Mapping[str, Item] = {name: self._files[name]} if name in self._files else {}
        else:
            items = self._in_journal(name)
        for _, data in read_items(dict(items)):
            return data
        raise HupaiError(f"{name} is no longer where it was labelled.", code="image_missing")

    def save(self, at: int, tiles: Sequence[Mapping[str, Any]], seen: int) -> dict[str, int]:
        """Store a person's labels of a picture; they are on disk when this returns.

        Args:
            at: the picture.
            tiles: entries with ``tile`` and ``corners``, as in a record.
            seen: :meth:`save_count` when the person began, so that nobody's labels are replaced unseen.

        Returns:
            How many labels were confirmed, renamed, moved, added and removed since they were read.

        Raises:
            HupaiError: invalid tiles, labels that were kept meanwhile, or the history cannot be written.
        """
        read = self.as_read_record(at)
        reviewed = replace(read, boxes=tuple(_box(t) for t in tiles))
        merging = Merging()
        merged = merging.merge_record(reviewed, read)
        counts = {k: getattr(merging.changes, k) for k in ("confirmed", "renamed", "moved", "added", "removed")}
        line = json.dumps(
            {**merged.to_json(), "corrected": {"at": format_time(datetime.now(UTC)), **counts}}, ensure_ascii=False
        )
        with self._lock:
            self._read_new_lines()
            if self._save_counts[read.image] != seen:
                raise HupaiError(KEPT_MEANWHILE, code="kept_meanwhile")
            self._append(line.encode() + b"\n")
            self._read_new_lines()
        return counts

    def _find_reviewed(self, item: ReviewItem | Record) -> Record | None:
        """Return a person's labels of a picture; None also where another picture has taken its name since."""
        with self._lock:
            self._read_new_lines()
            record = self._reviewed.get(item.image)
        return record if record is not None and same_photo(record, item.sha256, item.phash) else None

    def _in_journal(self, name: str) -> Mapping[str, Item]:
        try:
            with self._lock, open_existing_journal(self._folder) as journal:
                return journal.items([name])
        except JournalError as error:
            if error.code != "journal_busy":
                raise
            message = f"{error.message} To review meanwhile, begin with --images and the pictures' folder."
            raise JournalError(message, code=error.code) from None

    def _append(self, line: bytes) -> None:
        size = self._size()
        try:
            with self._history.open("ab") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            if self._size() > size:  # a full disk took part of the line, to which the next one would be joined
                os.truncate(self._history, size)
            message = f"{self._history} cannot be written ({error.strerror}); nothing was kept."
            raise HupaiError(message, code="cannot_write") from error

    def _size(self) -> int:
        try:
            return self._history.stat().st_size
        except FileNotFoundError:
            return 0

    def _read_new_lines(self) -> None:
        """Read what has been appended to the history since, also by another review of the same labels."""
        size = self._size()
        if size < self._bytes_read:  # another file has taken its place
            self._reviewed, self._save_counts, self._bytes_read = {}, Counter(), 0
        if size == self._bytes_read:
            return
        with self._history.open("rb") as file:
            file.seek(self._bytes_read)
            data = file.read()
        for line in data[: data.rfind(b"\n") + 1].splitlines(keepends=True):
            try:
                record = record_of_line(line.decode())
            except (HupaiError, UnicodeDecodeError) as error:
                number = self._save_counts.total() + 1
                raise LabelError(f"{self._history}, line {number}: {error} Mend or remove this line.") from None
            self._reviewed[record.image] = record
            self._save_counts[record.image] += 1
            self._bytes_read += len(line)

    def _rank(self) -> None:
        """Read all labels; keep the worst pictures."""
        size, at = self._path.stat().st_size, 0
        try:
            with self._path.open("rb") as file:
                for line in file:
                    item = _rate(record_of_line(line.decode()), at)
                    at += len(line)
                    with self._lock:
                        self.share_read = at / size
                        if item is not None:
                            entry = (item.doubt, -item.at, item)
                            push = heapq.heappush if len(self._worst) < MAX_PICTURES else heapq.heappushpop
                            push(self._worst, entry)
        except (HupaiError, UnicodeDecodeError, OSError) as error:
            self._fault = LabelError(f"{self._path}, after byte {at}: {error}")

    def _check_ranking(self) -> None:
        if self._fault is not None:
            raise self._fault


def _version(known: os.stat_result) -> tuple[int, int, int]:
    return known.st_ino, known.st_size, known.st_mtime_ns


def _rate(record: Record, at: int) -> ReviewItem | None:
    """Return the picture of the record at an offset with what is doubtful in it; None if it could not be labelled."""
    if record.error is not None:
        return None
    missed = hints(record)
    doubt = record.doubt + MISSED_WEIGHT * len(missed.reasons)
    why = "; ".join([*reasons(record), *missed.reasons])
    return ReviewItem(record.image, at, round(doubt, 4), why, record.sha256, record.phash)


def _box(given: Mapping[str, Any]) -> Box:
    (box,) = record_of({"image": "?", "width": 1, "height": 1, "tiles": [{**given, "origin": "corrected"}]}).boxes
    return Box(box.tile, box.corners, origin="corrected")
