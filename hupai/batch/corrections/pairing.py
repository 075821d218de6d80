"""Matches the pictures of two sets of labels by names and bytes; memory does not grow with their number.

Tools drop folders from names, or add others in front. So pictures are partners if they have the same name, else
the same bytes, else the same last part of the name; that counts only if no other picture has it too, and at last also
without the prefix that Label Studio adds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

from hupai.batch.formats.base import comparable_name, strip_upload_mark

A: Final = 0
B: Final = 1
_TABLES: Final = """
create table names (side integer, image text, name text, sha256 text, ending text, bare text);
create table pairs (a text primary key, b text unique) without rowid;
"""
_INDEXES: Final = """
create index if not exists names_by_name on names (side, name);
create index if not exists names_by_sha256 on names (side, sha256);
create index if not exists names_by_ending on names (side, ending);
create index if not exists names_by_bare on names (side, bare);
"""
_LAST: Final = "select max(rowid) from names indexed by names_by_{column} where side = {side} and {column} = a.{of}"
_FIRST: Final = _LAST.replace("max", "min")
_ONLY: Final = f"({_FIRST}) = ({_LAST})"
"""Not counted: if many pictures have the same last part, that would take long for each of them."""
_LOOKS: Final = (
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


class Pairing:
    """The names of two sets, A and B, in a database."""

    def __init__(self, db: sqlite3.Connection) -> None:
        """Begin in a database that has none of these tables."""
        self._db = db
        db.executescript(_TABLES)

    def add(self, side: int, image: str, sha256: str) -> None:
        """Add a picture of :data:`A` or :data:`B`; ``sha256`` is empty if unknown."""
        name = comparable_name(image)
        row = (side, image, name, sha256, name.rpartition("/")[2], strip_upload_mark(name))
        self._db.execute("insert into names values (?, ?, ?, ?, ?, ?)", row)

    def clear(self, side: int) -> None:
        """Remove the pictures of a side."""
        self._db.execute("delete from names where side = ?", (side,))

    def pair(self) -> None:
        """Find the partners of the pictures of A, in the order in which they were added; no picture is used twice."""
        self._db.executescript(_INDEXES)
        for look, holds in _LOOKS:
            self._db.execute(
                f"insert or ignore into pairs select a.image, b.image from names a join names b on b.rowid = ({look}) "
                f"where a.side = {A} and {holds} and a.image not in (select a from pairs) order by a.rowid"
            )

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Iterate over pictures of A with their partners in B, by name."""
        yield from self._db.execute("select a, b from pairs order by a")
