"""Learned tile sets of this installation: one file per set in a folder."""

from __future__ import annotations

import errno
from pathlib import Path
from threading import Lock

from hupai.store.errors import StoreError
from hupai.store.files.learned_sets import explain_save_failure
from hupai.tilesets import TileSets
from vision.learn.setfiles import SUFFIX, named_set, save_set, set_names
from vision.learn.tileset import TileSet

_writing = Lock()


class FolderSets(TileSets):
    """The sets in a folder; what cannot be written or removed is a StoreError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> list[str]:
        """See :meth:`TileSets.names`."""
        return set_names(self._folder)

    def load(self, name: str, model: str | None = None) -> TileSet:
        """See :meth:`TileSets.load`."""
        return named_set(name, self._folder, model)

    def save(self, known: TileSet) -> None:
        """See :meth:`TileSets.save`."""
        try:
            save_set(known, self._folder)
        except OSError as error:
            code = "store_full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "store_unavailable"
            raise StoreError(explain_save_failure(self._folder, error), code=code) from error

    def remove(self, name: str) -> None:
        """See :meth:`TileSets.remove`."""
        try:
            (self._folder / f"{name}{SUFFIX}").unlink()
        except OSError as error:
            raise StoreError(f"The set {name} cannot be removed ({error.strerror}).") from error

    def writing(self) -> Lock:
        """See :meth:`TileSets.writing`."""
        return _writing
