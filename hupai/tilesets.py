"""Learned tile sets by name, wherever they are kept: listed, taught, handed on, deleted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

from hupai.basics.errors import Conflict, NotFound
from scoring.errors import Fault, InvalidRequest
from scoring.words.sentence import say
from vision.errors import TileSetError
from vision.learn.lessons import lessons_of_corrections
from vision.learn.setfiles import SUFFIX, from_bytes, to_bytes
from vision.learn.tileset import Lesson, TileSet
from vision.reading import Reading

MAX_SETS: Final = 500
"""Maximum number of sets."""
_OTHER_MODEL: Final = "It was learned with another classifier ({a}); learn it again."
_NAME_TAKEN: Final = "There is a set called {name}; delete it first, or take its place with {a}."


class TileSets(ABC):
    """The sets that are kept; where, its subclasses know."""

    @abstractmethod
    def names(self) -> list[str]:
        """Return the names of all sets."""

    @abstractmethod
    def read(self, name: str) -> bytes:
        """Return the file of a set; a LookupError if there is none."""

    @abstractmethod
    def write(self, name: str, data: bytes) -> None:
        """Keep the file of a set, in place of one of its name."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Delete the file of a set that is there."""

    def writing(self) -> AbstractContextManager[object]:
        """Hold off others who write."""
        return nullcontext()

    def load(self, name: str, model: str | None = None) -> TileSet:
        """Return the set of this name, learned with the classifier ``model`` (None: with any).

        Raises:
            TileSetError: no such set, damaged, of another model, or not a valid name.
        """
        TileSet.empty(name, "")  # refuses what is not a name, such as a path
        try:
            return from_bytes(self.read(name), name + SUFFIX).for_model(model)
        except LookupError:
            there = ", ".join(self.names()) or "none yet"
            message = f"There is no tile set {name}; there are: {there}."
            raise TileSetError(message, code="set_missing", field="set") from None

    def save(self, known: TileSet) -> None:
        """Keep a set, in place of one of its name."""
        self.write(known.name, to_bytes(known))

    def list_sets(self, model: str | None) -> list[dict[str, Any]]:
        """Return every set: which faces it knows, whether the present classifier can use it, any fault of its file."""
        found = []
        for name in self.names():
            try:
                found.append(set_json(self.load(name), model))
            except TileSetError as error:
                found.append(
                    {"name": name, "tiles": [], "lessons": 0, "model": "", "usable": False, "trouble": error.message}
                )
        return found

    def find(self, name: str, model: str | None = None) -> TileSet:
        """Return the set with this name.

        Raises:
            NotFound: there is none. TileSetError: its file is damaged, or it was learned with another model.
        """
        try:
            return self.load(name, model)
        except TileSetError as error:
            if error.code in ("set_missing", "set_bad_name"):
                raise NotFound(error.message, field="set") from None
            raise

    def teach(self, name: str, model: str, lessons: Sequence[Lesson]) -> TileSet:
        """Add lessons to a set, which is created if there is none with this name.

        Raises:
            InvalidRequest: nothing to learn. TileSetError: an invalid name, a damaged set, or a set of another model.
            Conflict: there is no room for another set. StoreError: it cannot be written.
        """
        if not lessons:
            raise InvalidRequest.of([Fault("nothing_learned", "There is no tile to learn in these photos.", "photo")])
        with self.writing():
            known = self.load(name, model) if name in self.names() else TileSet.empty(name, model)
            return self._keep(known.with_lessons(lessons))

    def teach_kept(self, name: str, model: str, reading: Reading, count: int) -> int:
        """Teach a set the last ``count`` tiles of a reading, kept though they were set aside, and return how many.

        Those that are asked about are left out: nobody has said which tiles they are.

        Raises:
            As :meth:`teach`.
        """
        asked, used = {doubt.tile for doubt in reading.doubts}, {r.tile: r.used for r in reading.repairs}
        kept = range(len(reading.tiles) - count, len(reading.tiles))
        named = {i: used.get(i, reading.tiles[i].tile) for i in kept if i not in asked}
        if named:
            self.teach(name, model, lessons_of_corrections(reading.tiles, named))
        return len(named)

    def import_set(self, data: bytes, source: str, *, replace: bool, how_to_replace: str = "replace=true") -> TileSet:
        """Keep a set from an exported file.

        Args:
            data: the file's bytes. source: what to call it in an error.
            replace: whether it may replace a set of the same name. how_to_replace: how to allow that, for the message.

        Raises:
            TileSetError: not a set's file. Conflict: ``name_taken``: there is a set of its name, and ``replace`` is
                off; or no room for another one. StoreError: it cannot be written.
        """
        known = from_bytes(data, source)
        with self.writing():
            if not replace and known.name in self.names():
                message = say(_NAME_TAKEN, name=known.name, a=how_to_replace)
                raise Conflict(message, code="name_taken")
            return self._keep(known)

    def export_set(self, name: str) -> bytes:
        """Return the file of a set.

        Raises:
            NotFound: there is none of this name. TileSetError: it is damaged.
        """
        return to_bytes(self.find(name))

    def delete_set(self, name: str) -> None:
        """Delete a set, even a damaged one.

        Raises:
            NotFound: there is none of this name. StoreError: the file cannot be removed.
        """
        with self.writing():
            if name not in self.names():
                raise NotFound(say("There is no tile set {a}.", a=f"{name!r:.60}"), field="name")
            self.remove(name)

    def _keep(self, known: TileSet) -> TileSet:
        if known.name not in self.names() and len(self.names()) >= MAX_SETS:
            raise Conflict(say("There are {n} sets; delete one first.", n=MAX_SETS), code="too_many")
        self.save(known)
        return known


def set_json(known: TileSet, model: str | None) -> dict[str, Any]:
    """Return a set as in the API."""
    usable = known.fits(model)
    return {
        "name": known.name,
        "tiles": [t.code for t in sorted(known.labels, key=lambda t: (t.kind, t.red))],
        "lessons": known.lessons,
        "model": known.model,
        "usable": usable,
        "trouble": None if usable else say(_OTHER_MODEL, a=known.model),
    }
