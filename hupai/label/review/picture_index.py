"""The pictures of a review and their tiles, however many: in a database on disk that deletes itself."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hupai.label.duplicates import same_photo
from hupai.label.formats.base import comparable_name
from hupai.label.records import Box, Record

_PAGE: Final = 100
_TABLES: Final = """
pragma journal_mode = off;
create table pictures (
    at integer primary key, image text not null, folded text not null, trust real not null, why text not null,
    sha256 text not null, phash text not null, reviewed integer not null
);
create index by_image on pictures (image);
create index by_trust on pictures (trust, at);
create index by_reviewed on pictures (at) where reviewed;
create table tiles (
    at integer, number integer, code text not null, trust real not null, primary key (at, number)
) without rowid;
create index by_code on tiles (code, trust);
"""
"""``trust`` is what is doubtful, negative: the worst come first."""


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A picture under review.

    Attributes:
        at: offset of its record in ``labels.jsonl``, bytes; pictures are named by it here.
        image: its name.
        why: what is doubtful in it, in words.
        reviewed: whether a person has looked at it.
    """

    at: int
    image: str
    why: str
    reviewed: bool


@dataclass(frozen=True, slots=True)
class ReviewTile:
    """A label of a picture under review: the picture's place, the number of the box, its tile, and how doubtful."""

    at: int
    number: int
    code: str
    doubt: float


@dataclass(frozen=True, slots=True)
class PictureFilter:
    """Which pictures are wanted; without an attribute, all.

    Attributes:
        text: part of the name, with its folders; upper and lower case are the same.
        code: of a tile that the picture has.
    """

    text: str = ""
    code: str = ""


ALL_PICTURES: Final = PictureFilter()


class PictureIndex:
    """Pictures in the order in which to look at them, the most doubtful first. Thread-safe."""

    def __init__(self) -> None:
        # A database on disk that nobody else sees.
        self._db = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._lock = threading.Lock()
        with self._lock:
            self._db.executescript(_TABLES)

    def add(self, rows: Iterable[tuple[int, Record, float, str, Record | None]]) -> None:
        """Add pictures.

        Args:
            rows: of each its place, its record as read, how many labels are doubtful, why, and a person's labels of it.
        """
        with self._lock:
            self._db.execute("begin")
            for at, record, doubt, why, reviewed in rows:
                folded = comparable_name(record.image).casefold()
                row = (at, record.image, folded, -doubt, why, record.sha256, record.phash, reviewed is not None)
                self._db.execute("insert into pictures values (?, ?, ?, ?, ?, ?, ?, ?)", row)
                self._set_tiles(at, (reviewed or record).boxes)
            self._db.execute("commit")

    def set_reviewed(self, record: Record) -> None:
        """Note a person's labels of the picture of this name; another photo that has taken the name has none."""
        with self._lock:
            rows = self._db.execute(
                "select at, sha256, phash from pictures where image = ?", (record.image,)
            ).fetchall()
            for at, sha256, phash in rows:
                if same_photo(record, sha256, phash):
                    self._db.execute("update pictures set reviewed = 1 where at = ?", (at,))
                    self._set_tiles(at, record.boxes)

    def set_unreviewed(self, at: int, record: Record) -> None:
        """Note that a picture has its labels as they were read."""
        with self._lock:
            self._db.execute("update pictures set reviewed = 0 where at = ?", (at,))
            self._set_tiles(at, record.boxes)

    def list_reviewed(self) -> list[int]:
        """Return the places of the pictures that a person has looked at."""
        return [at for (at,) in self._rows("select at from pictures where reviewed")]

    def picture_count(self, wanted: PictureFilter = ALL_PICTURES) -> int:
        """Return how many pictures there are."""
        where, values = _condition(wanted)
        return self._count(f"from pictures where {where}", values)

    def count_reviewed(self, wanted: PictureFilter = ALL_PICTURES) -> int:
        """Return how many pictures a person has looked at."""
        where, values = _condition(wanted)
        return self._count(f"from pictures where reviewed and {where}", values)

    def position(self, wanted: PictureFilter, at: int) -> int:
        """Return how many of the pictures come before one."""
        where, values = _condition(wanted)
        before = "(trust, at) < (select trust, at from pictures where at = :at)"
        return self._count(f"from pictures where {where} and {before}", values | {"at": at})

    def pictures(self, wanted: PictureFilter, start: int, count: int) -> list[ReviewItem]:
        """Return some of the pictures, from a position in their order on."""
        where, values = _condition(wanted)
        query = (
            f"select at, image, why, reviewed from pictures where {where} order by trust, at limit :count offset :start"
        )
        rows = self._rows(query, values | {"count": count, "start": start})
        return [ReviewItem(at, image, why, bool(reviewed)) for at, image, why, reviewed in rows]

    def why(self, at: int) -> str:
        """Return what is doubtful in a picture, in words; empty also while it is not in the list yet."""
        rows = self._rows("select why from pictures where at = ?", (at,))
        return rows[0][0] if rows else ""

    def waiting(self, wanted: PictureFilter, after: int | None) -> Iterator[ReviewItem]:
        """Yield the pictures that nobody has looked at: those that come after one, then those before it, and itself."""
        where, values = _condition(wanted)
        known = None if after is None else self._rows("select trust, at from pictures where at = ?", (after,))
        start = known[0] if known else (float("-inf"), -1)
        query = (
            f"select at, image, why, trust from pictures where not reviewed and {where} "
            "and (trust, at) > (:trust, :at) {until} order by trust, at limit :count"
        )
        yield from self._pages(query.format(until=""), values, start)
        if known:
            until = "and (trust, at) <= (:last_trust, :last_at)"
            last = {"last_trust": start[0], "last_at": start[1]}
            yield from self._pages(query.format(until=until), values | last, (float("-inf"), -1))

    def tiles(self, wanted: PictureFilter, start: int, count: int) -> list[ReviewTile]:
        """Return some of the tiles, the most doubtful first: those of the wanted code in the pictures of the text."""
        source, values = _tiles(wanted)
        order = "order by t.trust, t.at, t.number limit :count offset :start"
        query = f"select t.at, t.number, t.code, t.trust {source} {order}"
        rows = self._rows(query, values | {"count": count, "start": start})
        return [ReviewTile(at, number, code, 0.0 - trust) for at, number, code, trust in rows]

    def tile_count(self, wanted: PictureFilter) -> int:
        """Return how many such tiles there are."""
        source, values = _tiles(wanted)
        return self._count(source, values)

    def code_counts(self) -> dict[str, int]:
        """Return how many tiles of each code there are in all pictures."""
        return dict(self._rows("select code, count(*) from tiles group by code"))

    def _pages(self, query: str, values: dict[str, Any], start: Sequence[Any]) -> Iterator[ReviewItem]:
        while rows := self._rows(query, values | {"trust": start[0], "at": start[1], "count": _PAGE}):
            for at, image, why, trust in rows:
                start = trust, at
                yield ReviewItem(at, image, why, reviewed=False)

    def _set_tiles(self, at: int, boxes: Sequence[Box]) -> None:
        self._db.execute("delete from tiles where at = ?", (at,))
        rows = ((at, number, box.tile.code, -box.doubt) for number, box in enumerate(boxes))
        self._db.executemany("insert into tiles values (?, ?, ?, ?)", rows)

    def _count(self, source: str, values: dict[str, Any]) -> int:
        return int(self._rows(f"select count(*) {source}", values)[0][0])

    def _rows(self, query: str, values: Any = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._db.execute(query, values).fetchall()


def _condition(wanted: PictureFilter) -> tuple[str, dict[str, Any]]:
    """Return what a query says of the pictures that are wanted, and its values."""
    parts, values = ["true"], {}
    if wanted.text:
        parts.append("instr(folded, :text)")
        values["text"] = comparable_name(wanted.text).casefold()
    if wanted.code:
        parts.append("at in (select at from tiles where code = :code)")
        values["code"] = wanted.code
    return " and ".join(parts), values


def _tiles(wanted: PictureFilter) -> tuple[str, dict[str, Any]]:
    """Return the part of a query from its ``from`` on, and its values."""
    where, values = _condition(PictureFilter(wanted.text))
    source = "from tiles t" + (f" join pictures using (at) where {where}" if wanted.text else " where true")
    return (f"{source} and t.code = :code", values | {"code": wanted.code}) if wanted.code else (source, values)
