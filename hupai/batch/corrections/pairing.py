"""Which pictures of two sets of labels are the same, by names and bytes; memory does not grow with their number.

Tools drop folders from names, or put others in front. So a picture is another's partner when it has the same name, else
the same bytes, else the same last part of the name; that decides only where it is no other picture's, and at last
without the mark that Label Studio puts before it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

from hupai.batch.formats.base import without_upload_mark

A: Final = 0
B: Final = 1
_TABLES: Final = """
create table names (side integer, image text, sha256 text, ending text, bare text);
create table pairs (a text primary key, b text unique) without rowid;
"""
_INDEXES: Final = """
create index if not exists names_by_image on names (side, image);
create index if not exists names_by_sha256 on names (side, sha256);
create index if not exists names_by_ending on names (side, ending);
create index if not exists names_by_bare on names (side, bare);
"""
_LAST: Final = "select max(rowid) from names indexed by names_by_{column} where side = {side} and {column} = a.{of}"
_FIRST: Final = _LAST.replace("max", "min")
_ONLY: Final = f"({_FIRST}) = ({_LAST})"
"""Not counted: of many pictures with the same last part that would take long for each of them."""
_LOOKS: Final = (
    (_LAST.format(side=B, column="image", of="image"), "1"),
    (_LAST.format(side=B, column="sha256", of="sha256"), "a.sha256 != ''"),
    *(
        (
            _LAST.format(side=B, column="ending", of=of),
            f"{_ONLY.format(side=B, column='ending', of=of)} and {_ONLY.format(side=A, column=of, of=of)}",
        )
        for of in ("ending", "bare")
    ),
)
"""Which picture of B may be the partner of one of A, and what has to hold for that."""


class Pairing:
    """The names of two sets, A and B, in a database."""

    def __init__(self, db: sqlite3.Connection) -> None:
        """Begin, in a database that has none of our tables."""
        self._db = db
        db.executescript(_TABLES)

    def add(self, side: int, image: str, sha256: str) -> None:
        """A picture of :data:`A` or :data:`B`; ``sha256`` empty where it is not known."""
        row = (side, image, sha256, image.rpartition("/")[2], without_upload_mark(image))
        self._db.execute("insert into names values (?, ?, ?, ?, ?)", row)

    def clear(self, side: int) -> None:
        """Forget the pictures of a side."""
        self._db.execute("delete from names where side = ?", (side,))

    def pair(self) -> None:
        """Find the partners, of the pictures of A in the order in which they came; none is taken twice."""
        self._db.executescript(_INDEXES)
        for look, holds in _LOOKS:
            self._db.execute(
                f"insert or ignore into pairs select a.image, b.image from names a join names b on b.rowid = ({look}) "
                f"where a.side = {A} and {holds} and a.image not in (select a from pairs) order by a.rowid"
            )

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Pictures of A with their partners in B, by name."""
        yield from self._db.execute("select a, b from pairs order by a")
