"""Labels under review: the order of the pictures, their corrections, and every earlier version.

A correction is appended to the earlier ones, one line of JSON each (``corrections.jsonl`` in the folder of
the labels); deriving label files never changes it. The last line of a picture counts.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from hupai.basics.timestamps import format_time
from hupai.label.corrections.forget import open_existing_journal
from hupai.label.corrections.merge import KINDS, Merging
from hupai.label.corrections.record_store import items_in
from hupai.label.duplicates import same_photo
from hupai.label.formats.base import LabelError
from hupai.label.inputs.sources import STATE, Item, bytes_of, sources_of
from hupai.label.journal import JournalError
from hupai.label.outputs.ranking import reasons
from hupai.label.records import Box, Record, record_of, record_of_line
from hupai.label.review.claims import Claims
from hupai.label.review.missed import hints
from hupai.label.review.picture_index import ALL_PICTURES, PictureFilter, PictureIndex, ReviewItem
from scoring.errors import Fault, HupaiError, InvalidRequest
from vision.geometry import Bounds

CORRECTIONS: Final = "corrections.jsonl"
"""The corrections of a review, in the folder of labels."""
MISSED_WEIGHT: Final = 1.0
"""Weight of a possibly overlooked tile, compared with a label that is probably wrong."""

KEPT_MEANWHILE: Final = (
    "Other labels of this picture were kept meanwhile, in another window. Enter again replaces them; to see them, load "
    "the page again."
)


_BATCH: Final = 200
"""Pictures that are added to the list at once."""


class LabelReview:
    """The labels of one folder, for one process; thread-safe."""

    def __init__(self, labels: Path, images: str | None = None, patience: float | None = None) -> None:
        """Begin to read through the labels, in a thread of its own.

        Args:
            labels: a folder with ``labels.jsonl``.
            images: folder of the pictures; if None, where they were when they were labelled.
            patience: seconds after which the review begins with the pictures found until then; None to wait until all
                are read.

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
        self.index = PictureIndex()
        """The pictures and their tiles, as far as they have been read."""
        self._saved: dict[str, tuple[int, int]] = {}
        """Name of a picture -> how often labels of it were kept, and where the last of them are in the history."""
        self._located: dict[str, Item] = {}
        """Where pictures are, as far as the journal was asked."""
        self._bytes_read = 0
        self._read_new_lines()
        if self._size() > self._bytes_read:  # the end of a line that a crash cut off was never acknowledged
            os.truncate(self._history, self._bytes_read)
        self._claims = Claims(labels)
        self._version = _version(self._path.stat())
        self._fault: HupaiError | None = None
        self.share_read = 0.0
        """Share of the labels that has been read."""
        ranking = threading.Thread(target=self._rank, daemon=True)
        ranking.start()
        ranking.join(patience)
        while ranking.is_alive() and not self.index.picture_count():
            ranking.join(patience)
        self.check_labels()
        if not ranking.is_alive() and not self.index.picture_count():
            raise LabelError(f"{self._path} holds no labelled picture.")

    @cached_property
    def _files(self) -> Mapping[str, Item]:
        return {} if self._images is None else items_in(self._images)

    def check_labels(self) -> None:
        """Check that all labels that have been read until now, and the history, could be read.

        Raises:
            LabelError: a line of the labels or of the history is not a record.
        """
        if self._fault is not None:
            raise self._fault
        with self._lock:
            self._read_new_lines()

    def record(self, at: int) -> Record:
        """Return the present labels of a picture."""
        read = self.as_read_record(at)
        with self._lock:
            self._read_new_lines()
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

    def save_count(self, at: int) -> int:
        """How often labels of a picture have been kept, here or in another review."""
        image = self.as_read_record(at).image
        with self._lock:
            self._read_new_lines()
            return self._save_count(image)

    def open_next(self, after: int | None, window: str, wanted: PictureFilter = ALL_PICTURES) -> ReviewItem | None:
        """Return the worst picture that nobody has looked at and no other window, of any review, has open.

        It then counts as open in this window, until that opens another one.

        ``after`` is the picture after which to look first, if it is in the list; ``window`` a name for who asks.
        """
        self.check_labels()
        waiting = self.index.waiting(wanted, after)
        return next((item for item in waiting if self._claims.take(item.image, window)), None)

    def claim(self, at: int, window: str) -> None:
        """Have :meth:`open_next` pass over a picture for other windows until this one opens another picture."""
        image = self.as_read_record(at).image
        self._claims.release(window)
        self._claims.take(image, window)

    def leave(self, window: str) -> None:
        """Release the picture that is open in a window."""
        self._claims.release(window)

    def close(self) -> None:
        """Release the pictures that are open."""
        self._claims.close()

    def photo(self, at: int) -> bytes:
        """Return the bytes of a picture.

        Raises:
            HupaiError: it is gone or cannot be read, or it is not known where it is while the labels are written.
        """
        name = self.as_read_record(at).image
        item = self._find_in_journal(name) if self._images is None else self._files.get(name)
        data = None if item is None else bytes_of(item)
        if data is None:
            raise HupaiError(f"{name} is no longer where it was labelled.", code="image_missing")
        return data

    def save(
        self, at: int, tiles: Sequence[Mapping[str, Any]], seen: int, ignored: Sequence[Bounds] = ()
    ) -> dict[str, int]:
        """Store a person's labels of a picture; they are on disk when this returns.

        Args:
            at: the picture.
            tiles: entries with ``tile`` and ``corners``, as in a record.
            seen: :meth:`save_count` when the person began, so that nobody's labels are replaced unseen.
            ignored: x0, y0, x1, y1 of places where nobody can tell which tile there is.

        Returns:
            How many labels were confirmed, renamed, moved, added and removed since they were read, and of how many
            places nobody can tell.

        Raises:
            HupaiError: invalid tiles or places, labels that were kept meanwhile, or the history cannot be written.
        """
        read = self.as_read_record(at)
        boxes = _boxes(tiles, ignored)
        merging = Merging(turns=True)
        given = replace(read, boxes=boxes, ignored=tuple(ignored))
        merged = replace(merging.merge_record(given, read), ignored=given.ignored)
        counts = {kind: getattr(merging.changes, kind) for kind in KINDS} | {"unsure": len(ignored)}
        line = json.dumps(
            {**merged.to_json(), "corrected": {"at": format_time(datetime.now(UTC)), **counts}}, ensure_ascii=False
        )
        with self._lock:
            self._read_new_lines()
            if self._save_count(read.image) != seen:
                raise HupaiError(KEPT_MEANWHILE, code="kept_meanwhile")
            self._append(line.encode() + b"\n")
            self._read_new_lines()
        return counts

    def _save_count(self, image: str) -> int:
        return self._saved.get(image, (0, 0))[0]

    def _find_reviewed(self, read: Record) -> Record | None:
        """Return a person's labels of a picture; None also where another picture has taken its name since."""
        saved = self._saved.get(read.image)
        if saved is None:
            return None
        with self._history.open("rb") as file:
            file.seek(saved[1])
            record = record_of_line(file.readline().decode())
        return record if same_photo(record, read.sha256, read.phash) else None

    def _find_in_journal(self, name: str) -> Item | None:
        try:
            with self._lock:
                if name not in self._located:
                    with open_existing_journal(self._folder) as journal:
                        self._located |= journal.items([name])
                return self._located.get(name)
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
            self._saved, self._bytes_read = {}, 0
            for at in self.index.list_reviewed():
                self.index.set_unreviewed(at, self.as_read_record(at))
        if size == self._bytes_read:
            return
        with self._history.open("rb") as file:
            file.seek(self._bytes_read)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                try:
                    record = record_of_line(line.decode())
                except (HupaiError, UnicodeDecodeError) as error:
                    number = 1 + sum(count for count, _ in self._saved.values())
                    raise LabelError(f"{self._history}, line {number}: {error} Mend or remove this line.") from None
                self._saved[record.image] = self._save_count(record.image) + 1, self._bytes_read
                self._bytes_read += len(line)
                self.index.set_reviewed(record)

    def _rank(self) -> None:
        """Read all labels into the list."""
        size, at = self._path.stat().st_size, 0
        batch: list[tuple[int, Record]] = []
        try:
            with self._path.open("rb") as file:
                for line in file:
                    batch.append((at, record_of_line(line.decode())))
                    at += len(line)
                    if len(batch) == _BATCH or self.share_read == 0:
                        self._add(batch)
                        self.share_read = at / size
                        batch = []
                self._add(batch)
                self.share_read = 1.0
        except (HupaiError, UnicodeDecodeError, OSError, sqlite3.Error) as error:  # SQLite's: no room for the list
            self._fault = LabelError(f"{self._path}, after byte {at}: {error}")

    def _add(self, batch: Sequence[tuple[int, Record]]) -> None:
        rated = [(at, record, *_rate(record)) for at, record in batch if record.error is None]
        with self._lock:
            self.index.add([(*row, self._find_reviewed(row[1])) for row in rated])


def _version(known: os.stat_result) -> tuple[int, int, int]:
    return known.st_ino, known.st_size, known.st_mtime_ns


def _rate(record: Record) -> tuple[float, str]:
    """Return how many labels of a picture are probably wrong or missing, and the reasons in words."""
    missed = hints(record)
    doubt = record.doubt + MISSED_WEIGHT * len(missed.reasons)
    return round(doubt, 4), "; ".join([*reasons(record), *missed.reasons])


def _boxes(tiles: Sequence[Mapping[str, Any]], ignored: Sequence[Bounds]) -> tuple[Box, ...]:
    """Return a person's labels; places that are to be ignored are checked with them."""
    said = {"image": "?", "width": 1, "height": 1, "tiles": [{**each, "origin": "corrected"} for each in tiles]}
    record = record_of({**said, "ignored": ignored})
    return tuple(Box(box.tile, box.corners, origin="corrected") for box in record.boxes)
