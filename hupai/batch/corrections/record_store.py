"""Labels of more pictures than memory holds: during an import, records are in a file that deletes itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from hupai.batch.corrections.pairing import A, B, Pairing
from hupai.batch.corrections.pictures import Sizes
from hupai.batch.duplicates import same_photo
from hupai.batch.formats.base import LabelError, comparable_name, without_suffix
from hupai.batch.records import Record, record_of_line

GIVEN: Final = A
READ: Final = B
MERGED: Final = 2
"""Kinds of records: those from a tool, those read before, and the former laid over the latter."""
_TABLES: Final = """
pragma journal_mode = off;
create table records (
    side integer, image text, stem text, ending text, width integer, height integer, line text,
    primary key (side, image)
) without rowid;
create index by_stem on records (side, stem);
create index by_ending on records (side, ending);
"""


class RecordStore:
    """Records of three kinds, for as long as a ``with`` block."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("")  # a database on disk that nobody else sees
        self._db.executescript(_TABLES)
        self._pairing = Pairing(self._db)

    def __enter__(self) -> RecordStore:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def add(self, side: int, records: Iterable[Record], where: str) -> None:
        """Store records.

        Args:
            side: their kind.
            records: in any order.
            where: the name of their source in messages.

        Raises:
            LabelError: there are no records, two of the same picture, or one whose name is not text.
        """
        count = 0
        for count, record in enumerate(records, 1):  # noqa: B007 - used below
            stem = comparable_name(without_suffix(record.image))
            size = record.width, record.height
            row = (side, record.image, stem, stem.rpartition("/")[2], *size, record.to_line())
            try:
                self._db.execute("insert into records values (?, ?, ?, ?, ?, ?, ?)", row)
            except sqlite3.IntegrityError:
                raise LabelError(f"{where} has labels of the same picture twice.", code="image_twice") from None
            except UnicodeEncodeError:
                raise LabelError(f"{where}: the name {record.image!a:.80} is not valid text.") from None
            if side != MERGED:
                self._pairing.add(side, record.image, record.sha256)
        if not count:
            raise LabelError(f"{where} holds no labels.")

    def clear(self, side: int) -> None:
        """Remove the records of a kind."""
        self._db.execute("delete from records where side = ?", (side,))
        self._pairing.clear(side)

    def pairs(self) -> Iterator[tuple[Record, Record | None]]:
        """Iterate over the records from a tool, each with the one read before of the same picture, by name.

        Another photo that has taken the picture's name since is not the same picture.
        """
        self._pairing.pair()
        query = (
            "select g.line, r.line from records g left join pairs p on p.a = g.image "
            "left join records r on r.side = ? and r.image = p.b where g.side = ? order by g.image"
        )
        for given, read in self._db.execute(query, (READ, GIVEN)):
            one, other = record_of_line(given), None if read is None else record_of_line(read)
            yield one, other if other is not None and same_photo(one, other.sha256, other.phash) else None

    def records(self, side: int) -> SqliteRecords:
        """The records of a kind, by name; can be iterated any number of times."""
        return SqliteRecords(self._db, side)

    def sizes(self, others: Sizes) -> Mapping[str, tuple[str, int, int]]:
        """The sizes of the pictures read before, by their stems, and those of others."""
        return _Sizes(self._db, others)


class SqliteRecords:
    """The records of a kind; can be iterated any number of times."""

    def __init__(self, db: sqlite3.Connection, side: int) -> None:
        self._db, self._side = db, side

    def __iter__(self) -> Iterator[Record]:
        for (line,) in self._db.execute("select line from records where side = ? order by image", (self._side,)):
            yield record_of_line(line)


class _Sizes(Mapping[str, tuple[str, int, int]]):
    """Sizes by stem with its folders, or without them if no other picture has the same stem."""

    def __init__(self, db: sqlite3.Connection, others: Sizes) -> None:
        self._db, self._others = db, others

    def __getitem__(self, stem: str) -> tuple[str, int, int]:
        return self._twin(stem) or self._find("stem", stem) or self._find("ending", stem) or self._others[stem]

    def _twin(self, stem: str) -> tuple[str, int, int] | None:
        """The picture whose suffix is in its stem, since one before it has the stem without (``base.Stems``)."""
        plain, _, suffix = stem.rpartition("_")
        twin, first = self._find("image", f"{plain}.{suffix}"), self._find("stem", plain)
        return twin if twin is not None and first is not None and first[0] != twin[0] else None

    def _find(self, column: str, text: str) -> tuple[str, int, int] | None:
        """The first picture of this name or stem; by the end of its stem only if no other picture has it."""
        # Index named, otherwise SQLite scans all records in the order of their names.
        index = "" if column == "image" else f"indexed by by_{column}"
        query = (
            f"select image, width, height from records {index} where side = ? and {column} = ? order by image limit 2"
        )
        rows = self._db.execute(query, (READ, text)).fetchall()
        unsure = column == "ending" and len(rows) > 1
        return rows[0] if rows and not unsure else None

    def __iter__(self) -> Iterator[str]:
        yield from self._others
        for (stem,) in self._db.execute("select distinct stem from records where side = ?", (READ,)):
            if stem not in self._others:
                yield stem

    def __len__(self) -> int:
        return sum(1 for _ in self)
