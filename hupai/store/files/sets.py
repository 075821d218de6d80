"""Learned tile sets of this installation: one file per set in a folder."""

from __future__ import annotations

import errno
from pathlib import Path
from threading import Lock

from hupai.basics.atomic_write import atomic_write
from hupai.store.errors import StoreError
from hupai.tilesets import TileSets
from vision.errors import TileSetError
from vision.learn.setfiles import MOST_BYTES, SUFFIX

_writing = Lock()


class FolderSets(TileSets):
    """The sets in a folder; what cannot be written or removed is a StoreError, what cannot be read a TileSetError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, name: str) -> Path:
        """Return the file of a set, if it is there."""
        return self._folder / f"{name}{SUFFIX}"

    def names(self) -> list[str]:
        """See :meth:`TileSets.names`."""
        try:
            return sorted(path.stem for path in self._folder.iterdir() if path.suffix == SUFFIX)
        except FileNotFoundError:
            return []
        except OSError as error:
            what = f"The folder of tile sets {self._folder} cannot be read"
            raise TileSetError(describe_failure(what, error, "give it to the user that runs hupai")) from error

    def read(self, name: str) -> bytes:
        """See :meth:`TileSets.read`."""
        path = self.path(name)
        try:
            with path.open("rb") as file:
                return file.read(MOST_BYTES + 1)
        except (FileNotFoundError, NotADirectoryError):
            raise LookupError(name) from None
        except OSError as error:
            what = f"The tile set {path} cannot be read"
            raise TileSetError(describe_failure(what, error, "see that it is a file of this user's")) from error

    def write(self, name: str, data: bytes) -> None:
        """See :meth:`TileSets.write`."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            atomic_write(self.path(name), data)
        except OSError as error:
            what, remedy = (
                f"The set cannot be kept in {self._folder}",
                "see that the folder can be written and has room",
            )
            code = "store_full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "store_unavailable"
            raise StoreError(describe_failure(what, error, remedy), code=code) from error

    def remove(self, name: str) -> None:
        """See :meth:`TileSets.remove`."""
        try:
            self.path(name).unlink()
        except OSError as error:
            raise StoreError(f"The set {name} cannot be removed ({error.strerror}).") from error

    def writing(self) -> Lock:
        """See :meth:`TileSets.writing`."""
        return _writing


def describe_failure(what: str, error: OSError, remedy: str) -> str:
    """Return the sentence for who runs hupai."""
    return f"{what} ({error.strerror}); {remedy}."
