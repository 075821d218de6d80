"""Which pictures there are and what was read in them, in one SQLite file that survives being killed at any moment.

A record is in the journal completely or not at all, and once it is there its picture is not read again unless its
content changes. A further run removes nothing: the record of a picture that is gone stays, and a changed picture keeps
its record until the new version has been read. A replaced record can still be found by content (``former``).
Everything a user sees is derived from the journal, so the number of runs that filled it makes no difference.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from hupai.label.inputs.sources import Item, Listed, UnreadableItem, size_in
from hupai.label.plan import LabellingPlan
from hupai.label.records import Record, record_of_line
from scoring.errors import HupaiError

NAME: Final = "journal.sqlite"
GONE: Final = "gone"
CHANGED: Final = "changed"
COMMIT_SECONDS: Final = 0.2
"""Seconds of work that a kill can lose at most."""
_NOT_WRITABLE: Final = (
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
)
_AWAY: Final = '%"code":"image_missing"%'
"""Occurs in the line of a record whose file did not exist."""
_PAGE: Final = 500
_TABLES: Final = """
create table if not exists about (key text primary key, value text not null) without rowid;
create table if not exists items (
    name text primary key, source integer not null, place blob not null, member text not null, stamp text not null,
    seen integer not null
) without rowid;
create table if not exists records (
    name text primary key, stamp text not null, failed integer not null, line text not null
) without rowid;
create table if not exists faults (
    name text primary key, stamp text not null, code text not null, message text not null
) without rowid;
create table if not exists former (sha256 text primary key, size integer, line text not null) without rowid;
create table if not exists litter (name text primary key, line text not null) without rowid;
create temp table if not exists idle (sha256 text primary key, size integer, name text not null) without rowid;
create index if not exists temp.idle_size on idle (size);
"""
_OPEN: Final = (
    "from items i left join records r using (name) left join faults f using (name) "
    "where (r.name is null or r.stamp != i.stamp) and (f.name is null or f.stamp != i.stamp)"
)
"""Pictures that in their present version have neither a record nor a failure."""
_IDLE: Final = (
    "from records r left join items i using (name) where r.failed = 0 and (i.name is null or i.stamp != r.stamp)"
)
"""Records of pictures that no longer exist as they were read."""


class JournalError(HupaiError):
    """The journal cannot be used. Codes: ``journal_busy``, ``journal_damaged``, ``cannot_write``, ``no_journal``."""

    code = "journal_damaged"


def explain_error(error: sqlite3.Error, path: Path) -> JournalError:
    """Return what is wrong with a journal in words; only one whose content is wrong is damaged."""
    primary = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest says more of the same
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        message = f"Another run is writing to {path.parent.parent}; wait for it, or give another --out."
        return JournalError(message, code="journal_busy")
    if primary in _NOT_WRITABLE:
        message = f"{path} cannot be written ({error}): check the disk and the permissions. Nothing in it is lost."
        return JournalError(message, code="cannot_write")
    return JournalError(f"{path} is damaged ({error}); begin again with --fresh, or give another --out.")


@dataclass(frozen=True, slots=True)
class Counts:
    """The progress of a run.

    Attributes:
        listed: pictures in the sources. labelled: records, including those of pictures that are gone. failed: pictures.
        open: pictures still to do.
        kept: records of pictures that are gone, or whose new version cannot be read.
    """

    listed: int
    labelled: int
    failed: int
    open: int = 0
    kept: int = 0


@dataclass(frozen=True, slots=True)
class StaleRecord:
    """A record of a picture that no longer exists as it was read: ``gone``, or why its new version has no record."""

    image: str
    why: str
    message: str


class Journal:
    """The journal of one folder of labels. For one process and one thread at a time."""

    def __init__(self, folder: Path, plan: LabellingPlan, *, fresh: bool = False) -> None:
        """Open the journal in a folder, which is created if necessary; ``fresh`` discards its content.

        Raises:
            PlanError: it was begun under another plan. JournalError: in use, damaged, or the folder is not writable.
        """
        self.path = folder / NAME
        self._crops = plan.crops
        self._since = time.monotonic()
        self._failed = False
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(f"{folder} cannot be made ({error.strerror}).", code="cannot_write") from None
        with self._explain_errors():
            # Exclusive locking needs no shared memory, so the journal may be on a network drive.
            self._db = sqlite3.connect(self.path, timeout=2.0, isolation_level=None)
            self._db.execute("pragma locking_mode=exclusive")
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=full")
            self._db.execute("begin exclusive")
            if fresh:
                for table in ("about", "items", "records", "faults", "former", "litter"):
                    self._db.execute(f"drop table if exists {table}")
            for statement in _TABLES.split(";"):
                self._db.execute(statement)
            begun = self._read_about("plan")
        if begun is not None:
            try:
                plan.check(json.loads(begun), str(folder.parent))
            except HupaiError:
                self._db.close()
                raise
        with self._explain_errors():
            self._write_about("plan", json.dumps(plan.to_json(), ensure_ascii=False))
            self._db.execute("commit")
            self._db.execute("begin")

    def close(self) -> None:
        """Save and close; nothing where an error has closed it, which is on its way to whoever asked."""
        if self._failed:
            return
        with self._explain_errors():
            self._db.commit()  # if anything is begun: Ctrl-C may come right after a save
            self._db.close()

    def list_items(self, listed: Iterable[tuple[int, Listed]]) -> Iterator[int]:
        """Replace the listing by a new one (source number, item); yield how many items there are so far.

        Unreadable items get their failure at once. Records stay whatever is listed; failures are dropped for pictures
        that are gone or have changed, and for pictures that were missing when they were to be read and now are back.
        """
        with self._explain_errors():
            run = int(self._read_about("listings") or 0) + 1
            self._write_about("listings", str(run))
            for count, (source, entry) in enumerate(listed, 1):
                self._list(source, entry, run)
                if count % _PAGE == 0:
                    yield count
            self._db.execute("delete from items where seen != ?", (run,))
            as_listed = "(select 1 from items i where i.name = {0}.name and i.stamp = {0}.stamp)"
            self._db.execute(f"delete from records where failed and not exists {as_listed.format('records')}")
            self._db.execute(f"delete from faults where not exists {as_listed.format('faults')}")
            there = "(select i.name from items i where i.stamp != 'missing')"
            self._db.execute(f"delete from records where failed and line like ? and name in {there}", (_AWAY,))
            self._db.execute(f"delete from faults where code = 'image_missing' and name in {there}")
            self.save()

    def forget_failures(self) -> int:
        """Drop the failures, so that these pictures are tried again; return how many there were."""
        with self._explain_errors():
            done = self._db.execute("delete from records where failed").rowcount
            done += self._db.execute("delete from faults").rowcount
            self.save()
            return done

    def open_items(self, source: int) -> Iterator[Item]:
        """Yield the pictures of a source that are still to do, by name. Records may be saved meanwhile."""
        query = f"select i.name, i.place, i.stamp {_OPEN} and i.source = ? and i.name > ? order by i.name limit ?"
        for name, place, stamp in self._rows(query, source):
            yield Item(name, Path(os.fsdecode(place)), stamp)

    def add_line(self, name: str, stamp: str, failed: bool, line: str) -> None:
        """Store the line of a record; it is on disk within :data:`COMMIT_SECONDS`, or after :meth:`save`.

        A failure never replaces what was read before.
        """
        with self._explain_errors():
            self._put(name, stamp, failed, line)
            self._save_soon()

    def prepare_recall(self) -> bool:
        """Prepare :meth:`find_known`; return whether there is anything that might be recognised."""
        with self._explain_errors():
            self._db.execute("delete from idle")
            rows = self._db.execute(f"select r.name, r.stamp, r.line {_IDLE}")
            idle = ((record_of_line(line).sha256, size_in(stamp), name) for name, stamp, line in rows)
            self._db.executemany("insert or ignore into idle values (?, ?, ?)", (row for row in idle if row[0]))
            query = "select exists (select 1 from idle) or (? and exists (select 1 from former))"
            return bool(self._db.execute(query, (not self._crops,)).fetchone()[0])

    def maybe_known(self, stamp: str) -> bool:
        """Whether a picture of this size may have been read before under another name or date."""
        query = "select exists (select 1 from idle where size = :n) or exists (select 1 from former where size = :n)"
        with self._explain_errors():
            return bool(self._db.execute(query, {"n": size_in(stamp)}).fetchone()[0])

    def find_known(self, sha256: str) -> Record | None:
        """Return the record of a picture of this content that no longer exists as it was: :meth:`prepare_recall`."""
        with self._explain_errors():
            query = "select r.line from idle d join records r using (name) where d.sha256 = ? and not r.failed"
            row = self._db.execute(query, (sha256,)).fetchone()
            found = None if row is None else record_of_line(row[0])
            if found is not None and found.sha256 == sha256:
                return found
            # Its crops have been removed, so if crops are made it has to be read again.
            row = self._db.execute("select line from former where sha256 = ?", (sha256,)).fetchone()
            return None if row is None or self._crops else record_of_line(row[0])

    def adopt(self, item: Item, known: Record) -> None:
        """Store a known record as that of an item; if its own picture is gone, the record moves to the new name."""
        with self._explain_errors():
            self._put(item.name, item.stamp, False, replace(known, image=item.name).to_line())
            there = self._db.execute("select 1 from items where name = ?", (known.image,)).fetchone()
            if there is None:
                self._forget(known.image)
                query = "update idle set name = ? where sha256 = ?"
                self._db.execute(query, (item.name, known.sha256))
            self._db.execute("delete from former where sha256 = ?", (known.sha256,))
            self._save_soon()

    def forget(self, names: Iterable[str]) -> None:
        """Drop the records of these pictures for good."""
        with self._explain_errors():
            for name in names:
                self._forget(name)
                self._db.execute("delete from faults where name = ?", (name,))
            self.save()

    def litter(self) -> list[tuple[Record, Record | None]]:
        """Return replaced records that may have left crops behind, each with the record that now has its name."""
        query = "select l.line, r.line from litter l left join records r on r.name = l.name and not r.failed"
        with self._explain_errors():
            rows = self._db.execute(query).fetchall()
        return [(record_of_line(old), None if now is None else record_of_line(now)) for old, now in rows]

    def mark_litter_removed(self) -> None:
        """Note that the litter has been removed."""
        with self._explain_errors():
            self._db.execute("delete from litter")
            self.save()

    def stale_records(self) -> Iterator[StaleRecord]:
        """Yield the records of pictures that no longer exist as they were read, by name."""
        query = (
            "select r.name, f.code, f.message, i.name is null from records r left join items i using (name) "
            "left join faults f using (name) where r.failed = 0 and (i.name is null or i.stamp != r.stamp) "
            "and r.name > ? order by r.name limit ?"
        )
        for name, code, message, gone in self._rows(query):
            why = (code or CHANGED, message or "It has changed and is not read yet.")
            yield StaleRecord(name, *((GONE, "It is no longer in the sources.") if gone else why))

    def save(self) -> None:
        """Write everything to disk."""
        with self._explain_errors():
            self._db.execute("commit")
            self._db.execute("begin")
            self._since = time.monotonic()

    def counts(self) -> Counts:
        """Return the progress."""
        with self._explain_errors():
            (listed,) = self._db.execute("select count(*) from items").fetchone()
            done = dict(self._db.execute("select failed, count(*) from records group by failed").fetchall())
            (still,) = self._db.execute(f"select count(*) {_OPEN}").fetchone()
            (idle,) = self._db.execute(f"select count(*) {_IDLE}").fetchone()
            (spoilt,) = self._db.execute("select count(*) from faults").fetchone()
            return Counts(listed, done.get(0, 0), done.get(1, 0) + spoilt, still, idle)

    def records(self) -> Iterator[Record]:
        """Every record, by name."""
        for _, line in self._rows("select name, line from records where name > ? order by name limit ?"):
            yield record_of_line(line)

    def write_note(self, key: str, text: str) -> None:
        """Store a text beside the records."""
        with self._explain_errors():
            self._write_about(key, text)

    def read_note(self, key: str) -> str | None:
        """Return the text stored under a key, if any."""
        with self._explain_errors():
            return self._read_about(key)

    def names(self) -> Iterator[str]:
        """Yield the name of every record's picture, in order."""
        for (name,) in self._rows("select name from records where name > ? order by name limit ?"):
            yield name

    def items(self, names: Sequence[str]) -> dict[str, Item]:
        """Return the items of these names; refused ones have no place and are left out."""
        query = "select place, stamp from items where name = ?"
        found = {}
        with self._explain_errors():
            for name in names:
                row = self._db.execute(query, (name,)).fetchone()
                if row is not None and row[0]:
                    found[name] = Item(name, Path(os.fsdecode(row[0])), row[1])
        return found

    def unchanged_items(self, names: Sequence[str]) -> dict[str, Item]:
        """Return those of the items of these names that are still as they were read."""
        query = "select 1 from records where name = ? and stamp = ?"
        found = self.items(names)
        with self._explain_errors():
            return {n: item for n, item in found.items() if self._db.execute(query, (n, item.stamp)).fetchone()}

    def _rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield what a query selects, in pages, so that the journal can be written meanwhile.

        The query has two last parameters, the name after which a page begins and the number of rows, and selects the
        name first.
        """
        last = ""
        while True:
            with self._explain_errors():
                page = self._db.execute(query, (*values, last, _PAGE)).fetchall()
            yield from page
            if len(page) < _PAGE:
                return
            last = page[-1][0]

    def _list(self, source: int, entry: Listed, run: int) -> None:
        if isinstance(entry, UnreadableItem):
            place, stamp = b"", f"refused: {entry.code}"
            record = Record(entry.name, error=(entry.code, entry.message))
            self._put(entry.name, stamp, True, record.to_line())
        else:
            place, stamp = os.fsencode(entry.place), entry.stamp
        row = (entry.name, source, place, "", stamp, run)
        self._db.execute("insert or replace into items values (?, ?, ?, ?, ?, ?)", row)

    def _put(self, name: str, stamp: str, failed: bool, line: str) -> None:
        query = "select stamp, line from records where name = ? and failed = 0"
        row = self._db.execute(query, (name,)).fetchone()
        if row is not None and failed:
            error = record_of_line(line).error or ("", "")
            self._db.execute("insert or replace into faults values (?, ?, ?, ?)", (name, stamp, *error))
            return
        if row is not None:
            old, new = record_of_line(row[1]), record_of_line(line)
            if old.sha256 and old.sha256 != new.sha256:
                former = (old.sha256, size_in(row[0]), row[1])
                self._db.execute("insert or replace into former values (?, ?, ?)", former)
            self._add_litter(name, row[1])
        self._db.execute("delete from faults where name = ?", (name,))
        self._db.execute("insert or replace into records values (?, ?, ?, ?)", (name, stamp, failed, line))

    def _forget(self, name: str) -> None:
        row = self._db.execute("select line from records where name = ?", (name,)).fetchone()
        if row is not None:
            self._add_litter(name, row[0])
            self._db.execute("delete from records where name = ?", (name,))

    def _add_litter(self, name: str, line: str) -> None:
        """Note that a record's crops are no longer wanted."""
        if self._crops:
            self._db.execute("insert or replace into litter values (?, ?)", (name, line))

    def _save_soon(self) -> None:
        if time.monotonic() - self._since > COMMIT_SECONDS:
            self.save()

    def _read_about(self, key: str) -> str | None:
        row = self._db.execute("select value from about where key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def _write_about(self, key: str, value: str) -> None:
        self._db.execute("insert or replace into about values (?, ?)", (key, value))

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        """Turn database errors into messages."""
        try:
            yield
        except sqlite3.Error as error:
            self._failed = True
            with suppress(sqlite3.Error, AttributeError):
                self._db.close()
            raise explain_error(error, self.path) from error
