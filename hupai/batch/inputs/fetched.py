"""Label files at an address (``s3://``, ``https://`` ...) as files of this machine, for as long as they are needed."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import unquote, urlsplit

from hupai.batch.formats.base import MAX_LABEL_BYTES
from hupai.batch.inputs.filesystems import StoreError, files_below, filesystem, is_remote, shown
from hupai.batch.inputs.sources import SUFFIXES
from scoring.errors import HupaiError

_PIECE: Final = 1 << 20
_SECONDS: Final = 60.0


@contextmanager
def at_hand(given: str) -> Iterator[Path]:
    """Labels as a path: a path itself, or a copy of what lies at an address, gone when the block ends.

    Of a folder the label files are copied, no pictures and no crops. Errors within the block speak of the address.

    Raises:
        StoreError: nothing is there, or it cannot be read.
    """
    if not is_remote(given):
        yield Path(given.removeprefix("file://"))
        return
    with TemporaryDirectory(prefix="hupai-labels-") as folder:
        web = urlsplit(given).scheme in ("http", "https")
        place = _from_web(given, Path(folder)) if web else _from_store(given, Path(folder))
        try:
            yield place
        except HupaiError as error:
            if str(place) not in error.message:
                raise
            message = error.message.replace(str(place), shown(given))
            raise type(error)(message, code=error.code, field=error.field, faults=error.faults) from None


def _from_web(address: str, folder: Path) -> Path:
    place = folder / (Path(unquote(urlsplit(address).path)).name or "labels.json")
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as reply, place.open("wb") as file:
            while piece := reply.read(_PIECE):
                file.write(piece)
                if file.tell() > MAX_LABEL_BYTES:
                    raise StoreError(f"{shown(address)} has more than {MAX_LABEL_BYTES // 1_000_000} MB.")
    except urllib.error.HTTPError as error:
        raise StoreError(f"{shown(address)} cannot be read (it answers {error.code}); check the address.") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise StoreError(f"{shown(address)} cannot be read ({getattr(error, 'reason', error)}).") from None
    return place


def _from_store(address: str, folder: Path) -> Path:
    store, root = filesystem(address)
    place = folder / (root.rpartition("/")[2] or "labels")
    found = False
    for stored in files_below(address):
        inner = stored.path.removeprefix(root).lstrip("/")
        if Path(inner).suffix.lower() in SUFFIXES or inner.startswith(("crops/", ".")):
            continue
        target = place / inner if inner else place
        if not target.resolve().is_relative_to(folder.resolve()):
            raise StoreError(f"{shown(address)} holds a file of the name {inner!r:.80}, which no folder has.")
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with store.open_input_stream(stored.path) as stream, target.open("wb") as file:
                while piece := stream.read(_PIECE):
                    file.write(piece)
        except OSError as error:
            raise StoreError(f"{shown(address)} cannot be read ({error}).") from None
        found = True
    if not found:
        raise StoreError(f"There are no label files at {shown(address)}; check the address.")
    return place
