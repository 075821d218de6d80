"""Which pictures there are and what was read in them, in one SQLite file that survives being killed at any moment.

A record is in the journal whole or not at all, and once it is there its picture is not read again unless it changes.
Everything a user sees is derived from the journal, so it does not matter in how many goes it was filled.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hupai.batch.plan import Plan
from hupai.batch.records import Record, record_of_line
from hupai.batch.sources import Item, Listed, Refused
from scoring.errors import HupaiError

NAME: Final = "journal.sqlite"
COMMIT_SECONDS: Final = 0.2
"""At most so much work is lost to a kill."""
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
"""


class JournalError(HupaiError):
    """The journal cannot be used. Codes: ``journal_busy``, ``journal_damaged``, ``cannot_write``, ``no_journal``."""

    code = "journal_damaged"


@dataclass(frozen=True, slots=True)
class Counts:
    """How far a run is: pictures listed, labelled, failed."""

    listed: int
    labelled: int
    failed: int

    @property
    def open(self) -> int:
        """Pictures still to do."""
        return self.listed - self.labelled - self.failed


class Journal:
    """The journal of one folder of labels. For one process and one thread at a time."""

    def __init__(self, folder: Path, plan: Plan, *, fresh: bool = False) -> None:
        """Open the journal in a folder, or begin one.

        Args:
            folder: where it lies; made if need be.
            plan: what shapes the labels.
            fresh: forget what there is.

        Raises:
            PlanError: it was begun under another plan. JournalError: in use, damaged, or the folder is not writable.
        """
        self.path = folder / NAME
        self._since = time.monotonic()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(f"{folder} cannot be made ({error.strerror}).", code="cannot_write") from None
        with self._told():
            # Exclusive locking needs no shared memory, so the journal may lie on a network drive.
            self._db = sqlite3.connect(self.path, timeout=2.0, isolation_level=None)
            self._db.execute("pragma locking_mode=exclusive")
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=full")
            self._db.execute("begin exclusive")
            if fresh:
                for table in ("about", "items", "records"):
                    self._db.execute(f"drop table if exists {table}")
            for statement in _TABLES.split(";"):
                self._db.execute(statement)
            begun = self._about("plan")
        if begun is not None:
            try:
                plan.check(json.loads(begun), str(folder.parent))
            except HupaiError:
                self._db.close()
                raise
        with self._told():
            self._tell("plan", json.dumps(plan.to_json(), ensure_ascii=False))
            self._db.execute("commit")
            self._db.execute("begin")

    def close(self) -> None:
        """Save and close."""
        with self._told():
            self._db.execute("commit")
            self._db.close()

    def list_items(self, listed: Iterable[tuple[int, Listed]]) -> Iterator[int]:
        """Take a new listing (source number, item), in place of the former one; yields how many there are so far.

        What is refused gets its failure at once. Records of pictures that are gone are dropped at the end; those of
        pictures that changed stay until they are labelled again, but no longer count.
        """
        with self._told():
            run = int(self._about("listings") or 0) + 1
            self._tell("listings", str(run))
            for count, (source, entry) in enumerate(listed, 1):
                self._list(source, entry, run)
                if count % _PAGE == 0:
                    yield count
            self._db.execute("delete from items where seen != ?", (run,))
            self.save()

    def gone(self) -> Iterator[Record]:
        """Records whose picture is gone or has changed."""
        query = (
            "select r.line from records r left join items i using (name) where i.stamp is null or i.stamp != r.stamp"
        )
        with self._told():
            for (line,) in self._db.execute(query):
                yield record_of_line(line)

    def drop_gone(self) -> None:
        """Forget the records whose picture is gone or has changed."""
        with self._told():
            self._db.execute(
                "delete from records where not exists "
                "(select 1 from items i where i.name = records.name and i.stamp = records.stamp)"
            )
            self.save()

    def forget_failures(self) -> int:
        """Forget the pictures that failed, so that they are tried again; returns how many."""
        with self._told():
            done = self._db.execute("delete from records where failed").rowcount
            self.save()
            return done

    def open_items(self, source: int) -> Iterator[Item]:
        """The pictures of a source that are still to do, by name. Records may be saved meanwhile."""
        query = (
            "select i.name, i.place, i.member, i.stamp from items i left join records r using (name) "
            "where i.source = ? and i.name > ? and r.name is null order by i.name limit ?"
        )
        last = ""
        while True:
            with self._told():
                page = self._db.execute(query, (source, last, _PAGE)).fetchall()
            for name, place, member, stamp in page:
                yield Item(name, Path(os.fsdecode(place)), member, stamp)
            if len(page) < _PAGE:
                return
            last = page[-1][0]

    def add(self, item: Item, record: Record) -> None:
        """Keep what was read in a picture; on disk within :data:`COMMIT_SECONDS`, or at :meth:`save`."""
        self.add_line(item.name, item.stamp, record.error is not None, record.to_line())

    def add_line(self, name: str, stamp: str, failed: bool, line: str) -> None:
        """The same for a record that already is a line."""
        with self._told():
            self._db.execute("insert or replace into records values (?, ?, ?, ?)", (name, stamp, failed, line))
            if time.monotonic() - self._since > COMMIT_SECONDS:
                self.save()

    def save(self) -> None:
        """Bring everything to the disk."""
        with self._told():
            self._db.execute("commit")
            self._db.execute("begin")
            self._since = time.monotonic()

    def counts(self) -> Counts:
        """How far it is."""
        with self._told():
            (listed,) = self._db.execute("select count(*) from items").fetchone()
            done = dict(self._db.execute("select failed, count(*) from records group by failed").fetchall())
            return Counts(listed, done.get(0, 0), done.get(1, 0))

    def records(self) -> Iterator[Record]:
        """Every record, by name."""
        last = ""
        while True:
            with self._told():
                query = "select name, line from records where name > ? order by name limit ?"
                page = self._db.execute(query, (last, _PAGE)).fetchall()
            for _, line in page:
                yield record_of_line(line)
            if len(page) < _PAGE:
                return
            last = page[-1][0]

    def is_open(self, name: str) -> bool:
        """Whether a picture of this name is listed and still to do."""
        query = "select 1 from items i left join records r using (name) where i.name = ? and r.name is null"
        with self._told():
            return self._db.execute(query, (name,)).fetchone() is not None

    def names(self) -> Iterator[str]:
        """The pictures of every record, in order."""
        last = ""
        while True:
            with self._told():
                query = "select name from records where name > ? order by name limit ?"
                page = self._db.execute(query, (last, 20 * _PAGE)).fetchall()
            yield from (name for (name,) in page)
            if len(page) < 20 * _PAGE:
                return
            last = page[-1][0]

    def items(self, names: Sequence[str]) -> dict[str, Item]:
        """The items of these names; those that only were refused have no place and are left out."""
        found = {}
        with self._told():
            for name in names:
                row = self._db.execute("select place, member, stamp from items where name = ?", (name,)).fetchone()
                if row is not None and row[0]:
                    found[name] = Item(name, Path(os.fsdecode(row[0])), row[1], row[2])
        return found

    def _list(self, source: int, entry: Listed, run: int) -> None:
        if isinstance(entry, Refused):
            stamp = f"refused: {entry.code}"
            self._db.execute(
                "insert or replace into items values (?, ?, ?, ?, ?, ?)", (entry.name, source, b"", "", stamp, run)
            )
            record = Record(entry.name, error=(entry.code, entry.message))
            self._db.execute(
                "insert or replace into records values (?, ?, 1, ?)", (entry.name, stamp, record.to_line())
            )
            return
        row = (entry.name, source, os.fsencode(entry.place), entry.member, entry.stamp, run)
        self._db.execute("insert or replace into items values (?, ?, ?, ?, ?, ?)", row)

    def _about(self, key: str) -> str | None:
        row = self._db.execute("select value from about where key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def _tell(self, key: str, value: str) -> None:
        self._db.execute("insert or replace into about values (?, ?)", (key, value))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say what is wrong in words."""
        try:
            yield
        except sqlite3.Error as error:
            with suppress(sqlite3.Error, AttributeError):
                self._db.close()
            folder = self.path.parent.parent
            if "locked" in str(error):
                raise JournalError(
                    f"Another run is writing to {folder}; wait for it, or give another --out.", code="journal_busy"
                ) from None
            if "full" in str(error) or "readonly" in str(error) or "unable to open" in str(error):
                raise JournalError(
                    f"{self.path} cannot be written ({error}); what was done so far is kept.", code="cannot_write"
                ) from None
            raise JournalError(
                f"{self.path} is damaged ({error}); begin again with --fresh, or give another --out."
            ) from error
