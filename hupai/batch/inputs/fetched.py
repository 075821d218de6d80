"""Label files at an address (``s3://``, ``https://`` ...) as local files, for as long as they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import unquote, urlsplit

from hupai.batch.formats.base import MAX_LABEL_BYTES
from hupai.batch.inputs.filesystems import FilesystemError, files_below, filesystem, is_remote, shown
from hupai.batch.inputs.sources import NAMELESS, SUFFIXES
from hupai.batch.inputs.web import DownloadError, is_web, pieces
from scoring.errors import Fault, HupaiError, InvalidRequest

_PIECE: Final = 1 << 20


@contextmanager
def at_hand(given: str) -> Iterator[Path]:
    """Yield labels as a path: the given path, or a temporary copy of what is at an address.

    From a folder only label files are copied, no pictures and no crops. Errors within the block name the address.

    Raises:
        InvalidRequest: the name is empty, which as a path would be the current folder.
        FilesystemError: nothing is there, or it cannot be read.
    """
    if not given.removeprefix("file://"):
        raise InvalidRequest.of([Fault("no_source", NAMELESS)])
    if not is_remote(given):
        yield Path(given.removeprefix("file://"))
        return
    with TemporaryDirectory(prefix="hupai-labels-") as folder:
        place = _from_web(given, Path(folder)) if is_web(given) else _from_store(given, Path(folder))
        with speaking_of(place, given):
            yield place


@contextmanager
def speaking_of(place: Path, address: str) -> Iterator[None]:
    """Make errors within the block name an address instead of its local copy."""
    try:
        yield
    except HupaiError as error:
        if str(place) not in error.message:
            raise
        local, name = str(place), shown(address).rstrip("/")
        faults = tuple(replace(fault, message=fault.message.replace(local, name)) for fault in error.faults)
        message = error.message.replace(local, name)
        raise type(error)(message, code=error.code, field=error.field, faults=faults) from None


def _from_web(address: str, folder: Path) -> Path:
    place = folder / (Path(unquote(urlsplit(address).path)).name or "labels.json")
    try:
        with place.open("wb") as file:
            for piece in pieces(address):
                file.write(piece)
                if file.tell() > MAX_LABEL_BYTES:
                    raise FilesystemError(f"{shown(address)} has more than {MAX_LABEL_BYTES // 1_000_000} MB.")
    except DownloadError as error:
        raise FilesystemError(f"{shown(address)} cannot be read ({error.message}); check the address.") from None
    return place


def _from_store(address: str, folder: Path) -> Path:
    store, root = filesystem(address)
    place = folder / (root.rpartition("/")[2] or "labels")
    found = False
    for stored in files_below(address):
        inner = stored.inner
        if Path(inner).suffix.lower() in SUFFIXES or inner.startswith(("crops/", ".")):
            continue
        target = place / inner if inner else place
        if not target.resolve().is_relative_to(folder.resolve()):
            raise FilesystemError(f"{shown(address)} holds a file of the name {inner!r:.80}, which no folder has.")
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with store.open_input_stream(stored.path) as stream, target.open("wb") as file:
                while piece := stream.read(_PIECE):
                    file.write(piece)
        except OSError as error:
            raise FilesystemError(f"{shown(address)} cannot be read ({error}).") from None
        found = True
    if not found:
        raise FilesystemError(f"There are no label files at {shown(address)}; check the address.")
    return place
