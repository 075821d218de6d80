"""Paths on this machine, in a store (``s3://``, ``gs://``, anything fsspec knows) or on the web: one interface."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from hupai.batch.formats.parquet import arrow
from hupai.batch.inputs.web import DownloadError, files_listed, is_web, pieces
from hupai.whole import write_whole
from scoring.errors import HupaiError
from vision.errors import PhotoError
from vision.io.photo import MAX_BYTES


class FilesystemError(HupaiError):
    """A store that cannot be reached, read or written."""

    code = "store_unreachable"


_ARROWS: Final = ("file", "s3", "gs", "gcs", "hdfs", "viewfs", "abfs", "abfss")
"""Stores that pyarrow can access itself; for any other, fsspec is used."""
_PIECE: Final = 1 << 20


def below(address: str, name: str) -> str:
    """Return the address of something in a folder; what follows a question mark stays at the end."""
    place, mark, how = address.partition("?") if is_remote(address) else (address, "", "")
    return f"{place.rstrip('/')}/{name}{mark}{how}"


def is_remote(path: str) -> bool:
    """Whether a path is an address instead of a local file."""
    return "://" in path and not path.startswith("file://")


@lru_cache(maxsize=64)
def filesystem(address: str) -> tuple[Any, str]:
    """Return the file system of an address (pyarrow's) and the path within it.

    Raises:
        FilesystemError: no installed package supports such addresses.
    """
    pa = arrow()
    from pyarrow import fs

    if "://" not in address:
        return fs.LocalFileSystem(), os.path.abspath(os.path.expanduser(address))  # noqa: PTH100, PTH111 - see sources
    try:
        found, path = fs.FileSystem.from_uri(address)
    except pa.ArrowInvalid as error:
        if urlsplit(address).scheme not in _ARROWS:
            return _by_fsspec(address)
        raise FilesystemError(f"{shown(address)} is no address of a store ({error}).") from None
    except (pa.ArrowException, OSError) as error:
        raise FilesystemError(f"{shown(address)} cannot be reached ({error}).") from None
    return found, path.rstrip("/")


def _by_fsspec(address: str) -> tuple[Any, str]:
    import fsspec
    from pyarrow.fs import FSSpecHandler, PyFileSystem

    try:
        found, path = fsspec.core.url_to_fs(address)
    except (ValueError, ImportError) as error:
        raise FilesystemError(f"{shown(address)}: {error}.") from None
    return PyFileSystem(FSSpecHandler(found)), str(path).rstrip("/")


def shown(address: str) -> str:
    """Return an address without what follows a question mark or precedes an @: both may hold secrets."""
    if not is_remote(address):
        return address
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


@dataclass(frozen=True, slots=True)
class Stored:
    """A file in a store.

    Attributes:
        path: within the store; on the web its address.
        inner: the path below the listed address; empty if that is the file itself.
        size: bytes; 0 if a list on the web does not include it.
        stamp: changes when the file does; empty if unknown.
    """

    path: str
    inner: str
    size: int
    stamp: str


def files_below(address: str) -> Iterator[Stored]:
    """Yield every file below an address, or the file itself.

    Raises:
        FilesystemError: there is none, or it cannot be listed.
    """
    if is_web(address):
        yield from _files_on_the_web(address)
        return
    from pyarrow.fs import FileSelector, FileType

    store, path = filesystem(address)
    try:
        root = store.get_file_info(path)
        found = [root] if root.type == FileType.File else store.get_file_info(FileSelector(path, recursive=True))
    except OSError as error:
        raise FilesystemError(f"{shown(address)} cannot be listed ({error}).") from None
    for info in found:
        if info.type == FileType.File:
            inner = info.path.removeprefix(path).lstrip("/")
            yield Stored(info.path, inner, info.size, f"{info.size}-{info.mtime_ns}")


def _files_on_the_web(address: str) -> Iterator[Stored]:
    if "." in urlsplit(address).path.rpartition("/")[2]:
        yield Stored(address, "", 0, "")
        return
    root = unquote(urlsplit(address).path).rstrip("/") + "/"
    try:
        for found in files_listed(address):
            yield Stored(found, unquote(urlsplit(found).path).removeprefix(root), 0, "")
    except DownloadError as error:
        raise FilesystemError(f"{shown(address)} cannot be listed ({error.message}).") from None


@dataclass(frozen=True, slots=True)
class InStore:
    """A picture in a store or on the web.

    Attributes:
        name: its name in the labels.
        root: address that identifies the store and how to reach it.
        path: within the store; on the web its address.
    """

    name: str
    root: str
    path: str

    @classmethod
    def at(cls, name: str, address: str) -> InStore:
        """Return the picture at an address of its own."""
        parts = urlsplit(address)
        if is_web(address):
            return cls(name, address, address)
        if parts.scheme not in _ARROWS:
            return cls(name, address, filesystem(address)[1])
        # Opened by the store's root, so that a long list opens the store once.
        root = f"{parts.scheme}://{parts.netloc}" + (f"?{parts.query}" if parts.query else "")
        return cls(name, root, f"{filesystem(root)[1]}{parts.path}")

    def read(self) -> bytes:
        """Return the picture's bytes."""
        short = self.name.rpartition("/")[2]
        data = bytearray()
        try:
            for piece in self._pieces():
                data += piece
                if len(data) > MAX_BYTES:
                    message = f"{short} has more than the {MAX_BYTES / 1e6:.0f} MB taken; make it smaller."
                    raise PhotoError(message, code="image_too_large")
        except DownloadError as error:
            code = error.code if error.code == "image_missing" else None
            raise PhotoError(f"{short} cannot be read ({error.message}).", code=code) from None
        except FileNotFoundError:
            raise PhotoError(f"There is no file {short}; check the name.", code="image_missing") from None
        except OSError as error:
            raise PhotoError(f"{short} cannot be read ({error}).") from error
        return bytes(data)

    def _pieces(self) -> Iterator[bytes]:
        if is_web(self.root):
            yield from pieces(self.path)
            return
        with filesystem(self.root)[0].open_input_stream(self.path) as stream:
            yield stream.read(MAX_BYTES + 1)


class Folder:
    """A folder of results, on this machine or in a store; every file in it is complete or absent."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._store, self.path = filesystem(address)

    @property
    def local(self) -> Path | None:
        """The folder as a path; None in a store."""
        return None if is_remote(self.address) else Path(self.path)

    def write(self, name: str, data: bytes) -> None:
        """Write a file.

        Raises:
            FilesystemError: it cannot be written.
        """
        target = f"{self.path}/{name}"
        try:
            if self.local is None:
                # A store shows an object only when it is complete.
                with self._opened(target) as stream:
                    stream.write(data)
                return
            place = Path(target)
            place.parent.mkdir(parents=True, exist_ok=True)
            write_whole(place, data, draft=place.with_name(f".{place.name}.{uuid.uuid4().hex}"))
        except OSError as error:
            raise FilesystemError(
                f"{shown(self.address)}/{name} cannot be written ({error}).", code="cannot_write"
            ) from None

    def put(self, name: str, file: Path) -> None:
        """Copy a local file into the folder, if that is in a store.

        Raises:
            FilesystemError: it cannot be written.
        """
        try:
            with file.open("rb") as source, self._opened(f"{self.path}/{name}") as stream:
                while piece := source.read(_PIECE):
                    stream.write(piece)
        except OSError as error:
            message = f"{shown(self.address)}/{name} cannot be written ({error})."
            raise FilesystemError(message, code="cannot_write") from None

    def fetch(self, name: str, file: Path) -> None:
        """Copy a file to this machine.

        Raises:
            FilesystemError: it cannot be read.
        """
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with self._store.open_input_stream(f"{self.path}/{name}") as stream, file.open("wb") as target:
                while piece := stream.read(_PIECE):
                    target.write(piece)
        except OSError as error:
            raise FilesystemError(f"{shown(self.address)}/{name} cannot be read ({error}).") from None

    def _opened(self, target: str) -> Any:
        try:
            return self._store.open_output_stream(target)
        except FileNotFoundError:  # in some stores with folders, folders must be created first
            self._store.create_dir(target.rpartition("/")[0], recursive=True)
            return self._store.open_output_stream(target)

    def read(self, name: str) -> bytes | None:
        """Return a file's bytes; None if it does not exist.

        Raises:
            FilesystemError: it cannot be read.
        """
        try:
            with self._store.open_input_stream(f"{self.path}/{name}") as stream:
                data: bytes = stream.read()
                return data
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FilesystemError(f"{shown(self.address)}/{name} cannot be read ({error}).") from None

    def read_json(self, name: str) -> Any:
        """Return a JSON file; None if it does not exist."""
        data = self.read(name)
        return None if data is None else json.loads(data)

    def files(self) -> dict[str, int]:
        """Return every file below, with its size in bytes.

        Raises:
            FilesystemError: the folder cannot be listed.
        """
        from pyarrow.fs import FileSelector, FileType

        selector = FileSelector(self.path, allow_not_found=True, recursive=True)
        try:
            found = self._store.get_file_info(selector)
        except OSError as error:
            raise FilesystemError(f"{shown(self.address)} cannot be listed ({error}).") from None
        return {f.path.removeprefix(self.path).lstrip("/"): f.size for f in found if f.type == FileType.File}

    def names(self, folder: str) -> set[str]:
        """Return the names of the files directly in a subfolder."""
        from pyarrow.fs import FileSelector, FileType

        selector = FileSelector(f"{self.path}/{folder}", allow_not_found=True)
        try:
            return {f.base_name for f in self._store.get_file_info(selector) if f.type == FileType.File}
        except OSError as error:
            raise FilesystemError(f"{shown(self.address)} cannot be listed ({error}).") from None

    def remove(self, name: str) -> None:
        """Remove a subfolder, if it exists."""
        from pyarrow.fs import FileType

        path = f"{self.path}/{name}"
        kind = self._store.get_file_info(path).type
        if kind == FileType.Directory:
            self._store.delete_dir(path)
        elif kind == FileType.File:
            self._store.delete_file(path)


@dataclass(frozen=True, slots=True)
class CropStore:
    """Writes crops below an address."""

    address: str

    def __call__(self, path: str, png: bytes) -> None:
        """Write one crop."""
        Folder(self.address).write(path, png)
