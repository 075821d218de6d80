"""What a photo teaches about a tile set: which sighting shows which tile, when that is known from elsewhere."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from scoring.tiles import BACK_KIND, PLAIN, Tile, format_tiles
from vision.errors import TileSetError
from vision.layout.frames import Frames, measure_frames
from vision.layout.melds import MIN_PROBABILITY
from vision.layout.rows import Row, find_rows, to_row_frame
from vision.layout.table import step_to
from vision.learn.tileset import Lesson
from vision.reading import Sighting

LEAST_AGREED: Final = 0.8
"""Least share of tiles that the classifier must read as the kind given; below it the photo shows something else."""


def reading_order(sightings: Sequence[Sighting]) -> list[int]:
    """Indices of the face-up tiles, line by line as the faces are read, left to right and from top to bottom."""
    faces = [i for i, s in enumerate(sightings) if s.tile.kind != BACK_KIND]
    if not faces:
        return []
    shown = [sightings[i] for i in faces]
    frames = measure_frames(shown)
    rows = find_rows(shown, frames)
    main = max(rows, key=lambda row: (row.upright, len(row.tiles)))
    anchor = main.tiles[0]

    def place(row: Row) -> complex:
        return to_row_frame(frames.offset[anchor][row.tiles[0]], main.quarters[anchor])

    rows = [row if _faces_like(main, row, frames) else row.reversed() for row in rows]
    lines: dict[float, list[Row]] = {}
    for row in sorted(rows, key=lambda row: place(row).imag):
        height = step_to(main, row, frames).imag
        line = next((level for level in lines if abs(level - height) < 0.6), height)
        lines.setdefault(line, []).append(row)
    ordered = [row for level in sorted(lines) for row in sorted(lines[level], key=lambda row: place(row).real)]
    return [faces[i] for row in ordered for i in row.tiles]


def _faces_like(main: Row, row: Row, frames: Frames) -> bool:
    i, j = main.tiles[0], row.tiles[0]
    turn = frames.quarter[i][j]
    return turn < 0 or (main.quarters[i] + turn - row.quarters[j]) % 4 != 2


def lessons_in_order(sightings: Sequence[Sighting], tiles: Sequence[Tile]) -> list[Lesson]:
    """Lessons of a photo whose face-up tiles are these, line by line, left to right and from top to bottom.

    Raises:
        TileSetError: another number of tiles is in sight, or they do not look like these at all.
    """
    seen = [sightings[i] for i in reading_order(sightings)]
    read = format_tiles(s.tile for s in seen)
    face_up = [t for t in tiles if t.kind != BACK_KIND]
    if len(seen) != len(face_up):
        raise _unclear(
            f"{len(seen)} tiles face-up are seen, {len(face_up)} named: lay them flat with a little air between the "
            f"lines, all in the picture. They read as {read}."
        )
    for way in (seen, seen[::-1]):  # a photo of look-alike faces may be read upside-down
        if _agree(pairs := list(zip(way, face_up, strict=True))):
            return _lessons(pairs)
    raise _unclear(f"The tiles in the photo are not the ones you name, or not in this order: they read as {read}.")


def lessons_by_elimination(sightings: Sequence[Sighting]) -> list[Lesson]:
    """Lessons of a photo that shows a whole set in any order: one or four of each kind, with or without bonus tiles.

    Each tile is assigned a place in the set so that the whole assignment is likeliest; a face the classifier mistakes
    still gets its own place, because the others are taken.

    Raises:
        TileSetError: the photo shows no whole set.
    """
    faces = [s for s in sightings if s.tile.kind != BACK_KIND]
    assigned = [
        _assign_faces(faces, places) for places in _whole_sets() if 0.9 * len(places) <= len(faces) <= len(places)
    ]
    if not assigned:
        raise _unclear(
            f"{len(faces)} tiles face-up are seen, which is not a whole set. Lay out one of each kind (34, or 42 with "
            "flowers and seasons), or name the tiles in the order they lie."
        )
    _, pairs = max(assigned, key=lambda found: found[0])
    if not _agree(pairs):
        read = format_tiles(sorted((s.tile for s in faces), key=lambda t: (t.kind, t.red)))
        raise _unclear(f"The photo does not look like a whole set: it reads as {read}.")
    # The set's own red fives stay as read: elimination cannot tell a five from a red five.
    return _lessons((s, s.tile if s.tile.kind == t.kind else t) for s, t in pairs)


def _whole_sets() -> Iterator[list[Tile]]:
    """What people lay out to show a whole set: one or four of each of the 34 kinds, none or some bonus tiles."""
    for copies, letters in product((1, 4), ("", "fg", "fga")):
        bonus = [t for t in PLAIN if t.is_bonus and t.suit in letters]
        yield [t for t in PLAIN[:34] for _ in range(copies)] + bonus


def _assign_faces(faces: Sequence[Sighting], places: Sequence[Tile]) -> tuple[float, list[tuple[Sighting, Tile]]]:
    """The likeliest assignment of faces to places, after the mean logarithm of its chances."""
    nats = []
    for face in faces:
        chances = [MIN_PROBABILITY] * BACK_KIND
        for t, p in face.posterior.items():
            if t.kind < BACK_KIND:
                chances[t.kind] += p
        of_kind = [math.log(chance) for chance in chances]
        nats.append([of_kind[t.kind] for t in places])
    columns = assign([[-n for n in row] for row in nats])
    mean = math.fsum(row[column] for row, column in zip(nats, columns, strict=True)) / len(faces)
    return mean, [(face, places[column]) for face, column in zip(faces, columns, strict=True)]


def lessons_of_corrections(sightings: Sequence[Sighting], right: Mapping[int, Tile]) -> list[Lesson]:
    """Lessons of a reading that a person looked through: the tiles they confirmed or changed, by index."""
    return _lessons((sightings[i], t) for i, t in sorted(right.items()))


def _agree(pairs: Sequence[tuple[Sighting, Tile]]) -> bool:
    """Whether enough of the sightings were read as the kind they are said to be."""
    return sum(s.tile.kind == t.kind for s, t in pairs) >= LEAST_AGREED * len(pairs)


def _unclear(message: str) -> TileSetError:
    return TileSetError(message, code="set_order_unclear")


def _lessons(pairs: Iterable[tuple[Sighting, Tile]]) -> list[Lesson]:
    """Lessons of the sightings that carry an embedding."""
    return [Lesson(t, s.embedding) for s, t in pairs if s.embedding is not None]


def assign(costs: Sequence[Sequence[float]]) -> list[int]:
    """The column of each row, no column twice, so that the sum of the costs is least.

    The Hungarian method with prices (Kuhn 1955, Munkres 1957).

    Args:
        costs: finite, a row of numbers each; no more rows than columns.
    """
    width = len(costs[0]) if costs else 0
    row_price, column_price = [0.0] * len(costs), [0.0] * width
    owner = [-1] * width  # the row that a column is assigned to
    for start in range(len(costs)):
        slack, before = [math.inf] * width, [-1] * width
        tree, left = [(start, -1)], list(range(width))  # rows that may change, and the column of each
        while (row := tree[-1][0]) >= 0:
            column = tree[-1][1]
            for j in left:
                dear = costs[row][j] - row_price[row] - column_price[j]
                if dear < slack[j]:
                    slack[j], before[j] = dear, column
            nearest = min(left, key=slack.__getitem__)
            least = slack[nearest]
            for row, column in tree:
                row_price[row] += least
                if column >= 0:
                    column_price[column] -= least
            for j in left:
                slack[j] -= least
            left.remove(nearest)
            tree.append((owner[nearest], nearest))
        column = tree[-1][1]
        while column >= 0:
            owner[column] = start if before[column] < 0 else owner[before[column]]
            column = before[column]
    columns = {row: column for column, row in enumerate(owner)}
    return [columns[row] for row in range(len(costs))]
