"""Learned tile sets of this installation: one file per set in a folder."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np

from hupai.basics.errors import Conflict, NotFound
from hupai.store.errors import StoreError
from hupai.store.files.learned_sets import explain_save_failure
from scoring.errors import Fault, InvalidRequest
from scoring.tiles import Tile
from scoring.words.sentence import say
from vision.arrays import FloatArray
from vision.errors import TileSetError
from vision.learn.lessons import lessons_of_corrections
from vision.learn.setfiles import SUFFIX, from_bytes, named_set, save_set, set_names, to_bytes
from vision.learn.tileset import Lesson, TileSet
from vision.reading import Reading, Sighting

MAX_SETS: Final = 500
"""Maximum number of sets."""
_OTHER_MODEL: Final = "It was learned with another classifier ({a}); learn it again."
_NAME_TAKEN: Final = "There is a set called {name}; delete it first, or take its place with {a}."
_writing = Lock()


def list_sets(folder: Path, model: str | None) -> list[dict[str, Any]]:
    """Return every set: which faces it knows, whether the present classifier can use it, any fault of its file."""
    found = []
    for name in set_names(folder):
        try:
            found.append(set_json(named_set(name, folder), model))
        except TileSetError as error:
            found.append(
                {"name": name, "tiles": [], "lessons": 0, "model": "", "usable": False, "trouble": error.message}
            )
    return found


def set_json(known: TileSet, model: str | None) -> dict[str, Any]:
    """Return a set as in the API."""
    usable = model is None or not known.tiles or known.model == model
    return {
        "name": known.name,
        "tiles": [t.code for t in sorted(known.labels, key=lambda t: (t.kind, t.red))],
        "lessons": int(known.weights.sum()),
        "model": known.model,
        "usable": usable,
        "trouble": None if usable else say(_OTHER_MODEL, a=known.model),
    }


def find_set(folder: Path, name: str, model: str | None = None) -> TileSet:
    """Return the set with this name.

    Raises:
        NotFound: there is none. TileSetError: its file is damaged, or it was learned with another model.
    """
    try:
        return named_set(name, folder, model)
    except TileSetError as error:
        if error.code in ("set_missing", "set_bad_name"):
            raise NotFound(error.message, field="set") from None
        raise


def teach_set(folder: Path, name: str, model: str, lessons: Sequence[Lesson]) -> TileSet:
    """Add lessons to a set, which is created if there is none with this name.

    Raises:
        InvalidRequest: nothing to learn. TileSetError: an invalid name, a damaged set, or a set of another model.
        StoreError: the folder cannot be written. Conflict: there is no room for another set.
    """
    if not lessons:
        raise InvalidRequest.of([Fault("nothing_learned", "There is no tile to learn in these photos.", "photo")])
    with _writing:
        known = named_set(name, folder, model) if name in set_names(folder) else TileSet.empty(name, model)
        return _save(known.with_lessons(lessons), folder)


def teach_kept(folder: Path, name: str, model: str, reading: Reading, count: int) -> int:
    """Teach a set the last ``count`` tiles of a reading, kept though they were set aside, and return how many.

    Those that are asked about are left out: nobody has said which tiles they are.

    Raises:
        As :func:`teach_set`.
    """
    asked, used = {doubt.tile for doubt in reading.doubts}, {r.tile: r.used for r in reading.repairs}
    kept = range(len(reading.tiles) - count, len(reading.tiles))
    named = {i: used.get(i, reading.tiles[i].tile) for i in kept if i not in asked}
    if named:
        teach_set(folder, name, model, lessons_of_corrections(reading.tiles, named))
    return len(named)


def import_set(
    folder: Path, data: bytes, source: str, *, replace: bool, how_to_replace: str = "replace=true"
) -> TileSet:
    """Store a set from an exported file.

    Args:
        folder: of the sets. data: the file's bytes. source: what to call it in an error.
        replace: whether it may replace a set of the same name. how_to_replace: how to allow that, for the message.

    Raises:
        TileSetError: not a set's file. Conflict: ``name_taken``: there is a set of its name, and ``replace`` is off.
        StoreError: the folder cannot be written.
    """
    known = from_bytes(data, source)
    with _writing:
        if not replace and known.name in set_names(folder):
            message = say(_NAME_TAKEN, name=known.name, a=how_to_replace)
            raise Conflict(message, code="name_taken")
        return _save(known, folder)


def export_set(folder: Path, name: str) -> bytes:
    """Return the file of a set.

    Raises:
        NotFound: there is none of this name. TileSetError: it is damaged.
    """
    return to_bytes(find_set(folder, name))


def delete_set(folder: Path, name: str) -> None:
    """Delete a set, even a damaged one.

    Raises:
        NotFound: there is none of this name. StoreError: the file cannot be removed.
    """
    with _writing:
        if name not in set_names(folder):
            raise NotFound(say("There is no tile set {a}.", a=f"{name!r:.60}"), field="name")
        try:
            (folder / f"{name}{SUFFIX}").unlink()
        except OSError as error:
            raise StoreError(f"The set {name} cannot be removed ({error.strerror}).") from error


def lessons_at(sightings: Sequence[Sighting], labels: Sequence[tuple[Tile, FloatArray]]) -> list[Lesson]:
    """Return lessons for labelled places in a photo.

    Args:
        sightings: those in the photo.
        labels: tile and (4, 2) corners in pixels of each.

    Raises:
        InvalidRequest: labels where no tile is in sight, all named.
    """
    right: dict[int, Tile] = {}
    faults = []
    centres = np.array([s.centre for s in sightings], np.float32).reshape(-1, 2)
    for i, (tile, corners) in enumerate(labels):
        place = np.asarray(corners, np.float32).reshape(4, 2)
        size = float(np.linalg.norm(place - np.roll(place, 1, axis=0), axis=1).min())
        away = np.linalg.norm(centres - place.mean(axis=0), axis=1)
        nearest = int(away.argmin()) if len(away) else -1
        if nearest < 0 or away[nearest] > size / 2 or nearest in right:
            faults.append(
                Fault("no_tile_there", say("There is no tile where label {n} ({t}) is.", n=i, t=tile), f"labels[{i}]")
            )
        else:
            right[nearest] = tile
    if faults:
        raise InvalidRequest.of(faults)
    return lessons_of_corrections(sightings, right)


def _save(known: TileSet, folder: Path) -> TileSet:
    if known.name not in set_names(folder) and len(set_names(folder)) >= MAX_SETS:
        raise Conflict(say("There are {n} sets; delete one first.", n=MAX_SETS), code="too_many")
    try:
        save_set(known, folder)
    except OSError as error:
        code = "store_full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "store_unavailable"
        raise StoreError(explain_save_failure(folder, error), code=code) from error
    return known
