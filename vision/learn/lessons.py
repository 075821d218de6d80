"""What a photo teaches about a tile set: which sighting shows which tile, when that is known from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Final

import numpy as np

from scoring.tiles import BACK_KIND, PLAIN, Tile, format_tiles
from vision.errors import TileSetError
from vision.layout.frames import frames_of
from vision.layout.melds import FLOOR
from vision.layout.rows import Row, in_row, rows_of
from vision.learn.tileset import Lesson
from vision.reading import Sighting

LEAST_AGREED: Final = 0.8
"""Least share of tiles that the classifier must read as the kind given; below it the photo shows something else."""
LEAST_SHARE: Final = 0.9
"""Least share of a whole set that must be in sight to learn it by elimination."""
WHOLE_SETS: Final = tuple(product((1, 4), ("", "fg", "fga")))
"""What people lay out to show a whole set: copies of each of the 34 kinds, suits of bonus tiles."""


def reading_order(sightings: Sequence[Sighting]) -> list[int]:
    """Indices of the face-up tiles, line by line as the faces are read, left to right and from top to bottom."""
    faces = [i for i, s in enumerate(sightings) if s.tile.kind != BACK_KIND]
    if not faces:
        return []
    shown = [sightings[i] for i in faces]
    frames = frames_of(shown)
    rows = rows_of(shown, frames)
    main = max(rows, key=lambda row: (row.upright, len(row.tiles)))
    rows = [row if _faces_like(main, row, frames.quarter) else row.turned() for row in rows]
    anchor = main.tiles[0]
    places = [in_row(frames.offset[anchor, row.tiles[0]], main.quarters[anchor]) for row in rows]
    lines: list[tuple[float, list[int]]] = []
    for at in sorted(range(len(rows)), key=lambda r: places[r][1]):
        height = _height(rows[at], main, frames.offset)
        line = next((found for level, found in lines if abs(level - height) < 0.6), None)
        if line is None:
            lines.append((height, [at]))
        else:
            line.append(at)
    order: list[int] = []
    for _, members in sorted(lines, key=lambda item: item[0]):
        for r in sorted(members, key=lambda r: places[r][0]):
            order += [faces[i] for i in rows[r].tiles]
    return order


def _faces_like(main: Row, row: Row, quarter: np.ndarray) -> bool:
    i, j = main.tiles[0], row.tiles[0]
    turn = int(quarter[i, j])
    return turn < 0 or (main.quarters[i] + turn - row.quarters[j]) % 4 != 2


def _height(row: Row, main: Row, offset: np.ndarray) -> float:
    """How far a row lies below the main one, tile widths, at the tiles nearest to each other."""
    between = offset[np.ix_(main.tiles, row.tiles)]
    a, b = np.unravel_index(int(np.hypot(between[..., 0], between[..., 1]).argmin()), between.shape[:2])
    return in_row(between[a, b], main.quarters[main.tiles[int(a)]])[1]


def lessons_in_order(sightings: Sequence[Sighting], tiles: Sequence[Tile]) -> list[Lesson]:
    """Lessons of a photo whose face-up tiles are these, line by line, left to right and from top to bottom.

    Raises:
        TileSetError: another number of tiles is in sight, or they do not look like these at all.
    """
    order = reading_order(sightings)
    face_up = [t for t in tiles if t.kind != BACK_KIND]
    if len(order) != len(face_up):
        raise TileSetError(
            f"I see {len(order)} tiles face-up, you name {len(face_up)}: lay them flat with a little air between the "
            f"lines, all in the picture. I read {format_tiles(sightings[i].tile for i in order)}.",
            code="set_order_unclear",
        )
    for way in (order, order[::-1]):  # a photo of look-alike faces may be read upside-down
        agreed = sum(sightings[i].tile.kind == t.kind for i, t in zip(way, face_up, strict=True))
        if agreed >= LEAST_AGREED * len(face_up):
            return _lessons((sightings[i], t) for i, t in zip(way, face_up, strict=True))
    raise TileSetError(
        "The tiles in the photo are not the ones you name, or not in this order: "
        f"I read {format_tiles(sightings[i].tile for i in order)}.",
        code="set_order_unclear",
    )


def lessons_by_elimination(sightings: Sequence[Sighting]) -> list[Lesson]:
    """Lessons of a photo that shows a whole set in any order: one or four of each kind, with or without bonus tiles.

    Each tile is assigned a place in the set so that the whole assignment is likeliest; a face the classifier mistakes
    still gets its own place, because the others are taken.

    Raises:
        TileSetError: the photo shows no whole set.
    """
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - slow to import, and only learning needs it

    faces = [s for s in sightings if s.tile.kind != BACK_KIND]
    best: tuple[float, list[tuple[Sighting, Tile]]] | None = None
    for copies, letters in WHOLE_SETS:
        places = [t for t in PLAIN[:34] for _ in range(copies)] + [t for t in PLAIN if t.is_bonus and t.suit in letters]
        if not LEAST_SHARE * len(places) <= len(faces) <= len(places):
            continue
        chance = np.array([[_chance(s, t) for t in places] for s in faces])
        rows, columns = linear_sum_assignment(-np.log(chance))
        pairs = [(faces[int(r)], places[int(c)]) for r, c in zip(rows, columns, strict=True)]
        score = float(np.log(chance[rows, columns]).mean())
        if best is None or score > best[0]:
            best = score, pairs
    if best is None:
        raise TileSetError(
            f"I see {len(faces)} tiles face-up, which is no whole set. Lay out one of each kind (34, or 42 with "
            "flowers and seasons), or name the tiles in the order they lie.",
            code="set_order_unclear",
        )
    pairs = best[1]
    if sum(s.tile.kind == t.kind for s, t in pairs) < LEAST_AGREED * len(pairs):
        read = format_tiles(sorted((s.tile for s in faces), key=lambda t: (t.kind, t.red)))
        raise TileSetError(f"The photo does not look like a whole set: I read {read}.", code="set_order_unclear")
    # The set's own red fives stay as read: elimination cannot tell a five from a red five.
    return _lessons((s, s.tile if s.tile.kind == t.kind else t) for s, t in pairs)


def _chance(sighting: Sighting, t: Tile) -> float:
    """Probability of a face of this kind, red or not."""
    return FLOOR + sum(p for u, p in sighting.posterior.items() if u.kind == t.kind)


def lessons_of_corrections(sightings: Sequence[Sighting], right: Mapping[int, Tile]) -> list[Lesson]:
    """Lessons of a reading that a person looked through: the tiles they confirmed or changed, by index."""
    return _lessons((sightings[i], t) for i, t in sorted(right.items()))


def _lessons(pairs: Iterable[tuple[Sighting, Tile]]) -> list[Lesson]:
    """Lessons of the sightings that carry an embedding."""
    return [Lesson(t, s.embedding) for s, t in pairs if s.embedding is not None]
