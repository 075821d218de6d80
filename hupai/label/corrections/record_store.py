"""Labels of more pictures than memory holds: records in a file that deletes itself, and their pictures matched.

Tools drop folders from names, or add others in front. So pictures are partners if they have the same name, else
the same bytes, else the same last part of the name; that counts only if no other picture has it too, and at last also
without what Label Studio and Roboflow add, and quoting.
"""

from __future__ import annotations

import hashlib
import marshal
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

from hupai.label.formats.base import LabelError, comparable_name, file_stem, picture_twice_error, strip_upload_mark
from hupai.label.inputs.sources import Item, sources_of
from hupai.label.records import Record, record_of
from scoring.errors import HupaiError
from vision.io.photo import Photo

A: Final = 0
B: Final = 1
MERGED: Final = 2
FILES: Final = 3
"""Sets of records: those from a tool, or to be tested; those read before, or trusted; the former laid over the latter;
the pictures of a folder, which have a size and no labels."""
_TABLES: Final = """
pragma journal_mode = off;
create table records (
    side integer, image text, name text, ending text, bare text, sha256 text, stem text, stem_ending text,
    width integer, height integer, record blob
);
create unique index by_image on records (side, image);
create table pairs (a text primary key, b text unique) without rowid;
"""
_PAIR_INDEXES: Final = ("name", "sha256", "ending", "bare")
_SIZE_INDEXES: Final = ("stem", "stem_ending")
_LAST: Final = "select max(rowid) from records indexed by by_{column} where side = {side} and {column} = a.{of}"
_FIRST: Final = _LAST.replace("max", "min")
_ONLY: Final = f"({_FIRST}) = ({_LAST})"
"""Not counted: if many pictures have the same last part, that would take long for each of them."""
_LOOKS: Final = (
    (_LAST.format(side=B, column="image", of="image"), "1"),  # two names may differ in how accents are spelt alone
    (_LAST.format(side=B, column="name", of="name"), "1"),
    (_LAST.format(side=B, column="sha256", of="sha256"), "a.sha256 != ''"),
    *(
        (
            _LAST.format(side=B, column="ending", of=of),
            f"{_ONLY.format(side=B, column='ending', of=of)} and {_ONLY.format(side=A, column=of, of=of)}",
        )
        for of in ("ending", "bare")
    ),
)
"""Queries for possible partners in B of a picture of A, and the condition for each."""


class RecordStore:
    """Sets of records, for as long as a ``with`` block."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("")  # a database on disk that nobody else sees
        self._db.executescript(_TABLES)

    def __enter__(self) -> RecordStore:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def add(self, side: int, records: Iterable[Record], where: str) -> None:
        """Store records of a set, in any order; ``where`` names their source in messages.

        Raises:
            LabelError: there are no records, two of the same picture, or one whose name is not text.
        """
        count = 0
        for count, record in enumerate(records, 1):  # noqa: B007 - used below
            try:
                self._add(side, record.image, record.sha256, record.width, record.height, record)
            except sqlite3.IntegrityError:
                raise picture_twice_error(where, record.image) from None
            except UnicodeEncodeError:
                raise LabelError(f"{where}: the name {record.image!a:.80} is not valid text.") from None
        if not count:
            raise LabelError(f"{where} holds no labels.")

    def add_pictures(self, folder: str) -> None:
        """Store the sizes of the pictures in a folder, as :data:`FILES`.

        Raises:
            HupaiError: there is no such folder.
        """
        for item in items_in(folder).values():
            try:
                photo = Photo(item.place, name=item.name)
            except HupaiError:
                continue  # a label for it will get the error that there is no such picture
            self._add(FILES, item.name, "", photo.width, photo.height)

    def clear(self, side: int) -> None:
        """Remove the records of a set."""
        self._db.execute("delete from records where side = ?", (side,))

    def pairs(self) -> Iterator[tuple[Record, Record | None]]:
        """Iterate over the records of A, each with its partner in B if there is one, by name."""
        self._pair()
        query = (
            "select a.record, b.record from records a left join pairs p on p.a = a.image "
            f"left join records b on b.side = {B} and b.image = p.b where a.side = {A} order by a.image"
        )
        for one, other in self._db.execute(query):
            yield record_of(marshal.loads(one)), None if other is None else record_of(marshal.loads(other))

    def list_unpaired(self) -> Iterator[str]:
        """Iterate over the pictures of B without a partner, by name."""
        query = f"select image from records where side = {B} and image not in (select b from pairs) order by image"
        return (image for (image,) in self._db.execute(query))

    def size(self, side: int) -> int:
        """Return how many records a set has."""
        (count,) = self._db.execute("select count(*) from records where side = ?", (side,)).fetchone()
        return int(count)

    def records(self, side: int) -> Iterator[Record]:
        """Iterate over the records of a set, by name."""
        for (one,) in self._db.execute("select record from records where side = ? order by image", (side,)):
            yield record_of(marshal.loads(one))

    def sizes(self, *sides: int) -> StoredSizes:
        """Return the sizes of the pictures that some sets hold by now; of a picture in two sets, that of the first."""
        filled = tuple(side for side in sides if self.size(side))
        if filled:
            self._index(_SIZE_INDEXES)
        return StoredSizes(self._db, filled)

    def _add(self, side: int, image: str, sha256: str, width: int, height: int, record: Record | None = None) -> None:
        name, stem = comparable_name(image), comparable_name(file_stem(image))
        bare = unquote(strip_upload_mark(name))
        names = name, name.rpartition("/")[2], bare, sha256, stem, stem.rpartition("/")[2]
        # Not JSON, which takes five times as long to read back.
        row = side, image, *names, width, height, None if record is None else marshal.dumps(record.to_json())
        self._db.execute(f"insert into records values ({', '.join('?' * len(row))})", row)

    def _pair(self) -> None:
        """Find the partners of the pictures of A, in the order in which they were added; no picture is used twice."""
        self._index(_PAIR_INDEXES)
        self._db.execute("delete from pairs")
        for look, holds in _LOOKS:
            self._db.execute(
                f"insert or ignore into pairs select a.image, b.image from records a join records b on b.rowid = "
                f"({look}) where a.side = {A} and {holds} and a.image not in (select a from pairs) order by a.rowid"
            )

    def _index(self, columns: Iterable[str]) -> None:
        for column in columns:
            self._db.execute(f"create index if not exists by_{column} on records (side, {column})")


class StoredSizes:
    """Sizes by stem with its folders, or without them if no other picture of the set has the same stem."""

    def __init__(self, db: sqlite3.Connection, sides: tuple[int, ...]) -> None:
        self._db, self._sides = db, sides

    def get(self, stem: str) -> tuple[str, int, int] | None:
        """Return name, width and height of a stem's picture; None if it is not known or could be several."""
        for side in self._sides:
            found = self._twin(side, stem) or self._find(side, "stem", stem) or self._find(side, "stem_ending", stem)
            if found is not None:
                return found
        return None

    def _twin(self, side: int, stem: str) -> tuple[str, int, int] | None:
        """The picture whose suffix is in its stem, since one before it has the stem without (``base.Stems``)."""
        plain, _, suffix = stem.rpartition("_")
        twin = self._find(side, "image", f"{plain}.{suffix}")
        first = None if twin is None else self._find(side, "stem", plain)
        return twin if twin is not None and first is not None and first[0] != twin[0] else None

    def _find(self, side: int, column: str, text: str) -> tuple[str, int, int] | None:
        """The first picture of this name or stem; by the end of its stem only if no other picture has it."""
        # Index named, otherwise SQLite scans all records in the order of their names.
        query = (
            f"select image, width, height from records indexed by by_{column} "
            f"where side = ? and {column} = ? order by image limit 2"
        )
        rows = self._db.execute(query, (side, text)).fetchall()
        unsure = column == "stem_ending" and len(rows) > 1
        return rows[0] if rows and not unsure else None


def items_in(folder: str) -> dict[str, Item]:
    """Return the pictures in a folder by name.

    Raises:
        HupaiError: there is no such folder.
    """
    (source,) = sources_of([folder])
    return {entry.name: entry for entry in source.items() if isinstance(entry, Item)}


def add_hashes(records: Iterable[Record], folder: str) -> Iterator[Record]:
    """Yield the records with the hashes of their pictures added, if the pictures are in the folder.

    Raises:
        HupaiError: there is no such folder, or a picture cannot be read.
    """
    from hupai.label.engines.labeller import perceptual_hash  # loads the networks' runtime

    items = items_in(folder)
    for record in records:
        item = items.get(record.image)
        if record.phash or item is None:
            yield record
            continue
        data = item.place.read_bytes()
        photo = Photo(data, name=item.name)
        yield replace(record, sha256=hashlib.sha256(data).hexdigest(), phash=perceptual_hash(photo))
