"""Labels at an address (``s3://`` ...): made in a local folder, and put at the address when they are finished.

``hupai label`` keeps that folder (journal, crops and files, below the data folder): after a crash the same command
continues it. A mark in both places, new with every upload, shows whether somebody else has written there meanwhile.
"""

from __future__ import annotations

import hashlib
import shutil
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import parse_qs, urlsplit

from hupai.batch.formats import LABEL_FILES
from hupai.batch.inputs.fetched import speaking_of
from hupai.batch.inputs.filesystems import FilesystemError, Folder, is_remote, shown
from hupai.batch.inputs.sources import STATE
from hupai.batch.inputs.web import is_web
from hupai.batch.journal import NAME
from hupai.batch.outputs.derive import REPORTS
from hupai.settings import load
from scoring.errors import Fault, InvalidRequest

CORRECTIONS: Final = "corrections.jsonl"
"""The corrections of a review."""
_MARK: Final = f"{STATE}/put"
_THREADS: Final = 8
"""Files uploaded or downloaded at once: a store answers slowly, but can answer many requests."""


@contextmanager
def labels_folder(given: str) -> Iterator[Path]:
    """The folder of labels to begin or continue.

    For an address it is a local copy, fetched if there is none yet; its content is uploaded when the
    block ends without an error. Errors within the block name the address.

    Raises:
        HupaiError: the address cannot be written, holds something else, or was written by somebody else meanwhile.
    """
    if not is_remote(given):
        yield Path(given.removeprefix("file://"))
        return
    folder, local = _folder(given), _copy_of(given)
    mark = folder.read(_MARK)
    _begin(folder, local, mark)
    with speaking_of(local, given):
        yield local
    if folder.read(_MARK) != mark:
        raise _written_meanwhile(given, local)
    _put(folder, local)


@contextmanager
def new_folder(given: str) -> Iterator[Path]:
    """A folder for labels that are made in one go; for an address a temporary one, uploaded when the block ends.

    Raises:
        HupaiError: the address cannot be written, or is not empty.
    """
    if not is_remote(given):
        yield Path(given.removeprefix("file://"))
        return
    folder = _folder(given)
    if folder.files():
        raise InvalidRequest.of(
            [Fault("usage", f"{shown(given)} is there already and not empty; give a new folder.", "out")]
        )
    with TemporaryDirectory(prefix="hupai-labels-") as place, speaking_of(Path(place), given):
        yield Path(place)
        _put_files(folder, Path(place), _files(Path(place)))


@contextmanager
def derived_in(folder: Folder) -> Iterator[Path]:
    """A folder to derive label files in; for a store they replace the former ones when the block ends."""
    if folder.local is not None:
        yield folder.local
        return
    with TemporaryDirectory(prefix="hupai-labels-") as place:
        yield Path(place)
        made = _files(Path(place))
        _put_files(folder, Path(place), made)
        _remove_others(folder, set(made), (*LABEL_FILES, *REPORTS))


@contextmanager
def folder_to_review(given: str) -> Iterator[Path]:
    """The folder of labels for a review.

    For an address it is a local copy of what the review needs. Corrections are in both places when the block ends,
    even after an error; those that could not be uploaded are uploaded by the next review.

    Raises:
        HupaiError: the address cannot be read.
    """
    if not is_remote(given):
        yield Path(given.removeprefix("file://"))
        return
    folder, local = _folder(given), _copy_of(given, "reviews")
    local.mkdir(parents=True, exist_ok=True)
    for name in ("labels.jsonl", f"{STATE}/{NAME}"):
        if folder.read(name) is not None:
            folder.fetch(name, local / name)
    _merge_corrections(folder, local)
    try:
        with speaking_of(local, given):
            yield local
    finally:
        _merge_corrections(folder, local)


def _merge_corrections(folder: Folder, local: Path) -> None:
    """Put the lines of both sides in both places, the local ones last."""
    own = local / CORRECTIONS
    here = own.read_bytes().splitlines() if own.is_file() else []
    there = (folder.read(CORRECTIONS) or b"").splitlines()
    known = set(there)
    new = [line for line in here if line not in known]
    text = b"".join(line + b"\n" for line in [*there, *new])
    if new:
        folder.write(CORRECTIONS, text)
    if there or here:
        own.write_bytes(text)


def _folder(given: str) -> Folder:
    if is_web(given):
        raise InvalidRequest.of([Fault("usage", f"Nothing can be written to {shown(given)}; give a store.", "out")])
    return Folder(given)


def _copy_of(given: str, kind: str = "labels") -> Path:
    where = (shown(given).rstrip("/"), *parse_qs(urlsplit(given).query).get("endpoint_override", ()))
    last = where[0].rpartition("/")[2]
    return load().data_folder / kind / f"{last}-{hashlib.sha256(' '.join(where).encode()).hexdigest()[:12]}"


def _begin(folder: Folder, local: Path, mark: bytes | None) -> None:
    """Bring the local copy up to date."""
    own = local / _MARK
    known = own.read_bytes().split() if own.is_file() else []
    if mark is None:
        if not (local / STATE).is_dir() and folder.files():
            message = f"{shown(folder.address)} is not empty and holds no labels of hupai; give a new folder."
            raise InvalidRequest.of([Fault("usage", message, "out")])
        return
    if mark in known:
        return
    journal = local / STATE / NAME
    if journal.is_file() and not (own.is_file() and journal.stat().st_mtime_ns <= own.stat().st_mtime_ns):
        raise _written_meanwhile(folder.address, local)
    shutil.rmtree(local, ignore_errors=True)
    names = [name for name in folder.files() if name != _MARK]
    with ThreadPoolExecutor(_THREADS) as threads:
        for _ in threads.map(lambda name: folder.fetch(name, _within(local, name)), names):
            pass
    _write(own, mark)


def _within(local: Path, name: str) -> Path:
    place = local / name
    if not place.resolve().is_relative_to(local.resolve()):
        raise FilesystemError(f"There is a file of the name {name!r:.80}, which no folder has.")
    return place


def _written_meanwhile(given: str, local: Path) -> FilesystemError:
    return FilesystemError(
        f"{shown(given)} was written by another run meanwhile; what this machine read is kept in {local}. Give another "
        "--out, or remove that folder to go on with what lies there.",
        code="store_changed",
    )


def _put(folder: Folder, local: Path) -> None:
    """Upload what has changed, remove what no longer exists locally, and mark both."""
    own, there = local / _MARK, folder.files()
    since = own.stat().st_mtime_ns if own.is_file() else 0
    ours = (*LABEL_FILES, *REPORTS, "crops")
    here = [n for n in _files(local) if n == f"{STATE}/{NAME}" or n.partition("/")[0] in ours]

    def changed(name: str) -> bool:
        known = (local / name).stat()
        return there.get(name) != known.st_size or known.st_mtime_ns >= since

    _put_files(folder, local, [n for n in here if changed(n)])
    _remove_others(folder, set(here), ours)
    mark = uuid.uuid4().hex.encode()
    before = own.read_bytes().split()[-1:] if own.is_file() else []
    _write(own, b"\n".join([*before, mark]))  # whichever of the two is there: this copy is the newer one
    folder.write(_MARK, mark)
    _write(own, mark)


def _write(own: Path, mark: bytes) -> None:
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_bytes(mark)


def _files(local: Path) -> list[str]:
    """Return the files in a folder as names; the journal last, since a later run relies on it."""
    names = [p.relative_to(local).as_posix() for p in local.rglob("*") if p.is_file()]
    return sorted(names, key=lambda name: (name.startswith(STATE), name))


def _put_files(folder: Folder, local: Path, names: list[str]) -> None:
    files = [n for n in names if not n.startswith(STATE)]
    with ThreadPoolExecutor(_THREADS) as threads:
        for _ in threads.map(lambda name: folder.put(name, local / name), files):
            pass
    for name in names[len(files) :]:
        folder.put(name, local / name)


def _remove_others(folder: Folder, kept: set[str], ours: tuple[str, ...]) -> None:
    """Remove our files that are no longer made."""
    for name in folder.files():
        if name not in kept and name.partition("/")[0] in ours:
            folder.remove(name)
