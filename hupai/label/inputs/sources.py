"""Sources to label: folders, wildcards and lists of files -> items, each with a unique name.

- A folder: every picture in it and below, by its suffix; hidden files and folders of labels are skipped.
- A wildcard (``'photos/**/IMG_*.jpg'``): the files it matches.
- A list (``.txt``: one path per line, ``#`` begins a comment; ``.csv`` or ``.jsonl``: a column or key ``image``): the
  files it names, relative to the list.
- Any other file: that picture.

With one source, a picture's name is its path within the source; with several, the source's name comes first.
"""

from __future__ import annotations

import csv
import glob
import json
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from hupai.basics.csv_files import read_rows
from hupai.label.inputs.paths import is_address, path_fault
from scoring.errors import Fault, InvalidRequest

SUFFIXES: Final = frozenset(
    ".jpg .jpeg .jpe .jfif .mpo .png .webp .avif .heic .heif .bmp .gif .tif .tiff".split()  # noqa: SIM905
)
"""Suffixes of pictures in a folder; a file that is named explicitly is tried whatever its suffix."""
_LISTS: Final = (".txt", ".csv", ".jsonl")
_ARCHIVES: Final = (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz", ".7z", ".rar")
_WILD: Final = frozenset("*?[")
LONGEST_NAME: Final = 200
"""Bytes that a part of a name may have: label files add a few, and file systems allow 255."""
STATE: Final = ".hupai"
"""Folder within a folder of labels that holds their journal."""


@dataclass(frozen=True, slots=True)
class Item:
    """One picture to label.

    Attributes:
        name: in the labels; parts joined by ``/``, no ``..``, no leading ``/``.
        place: the file.
        stamp: changes when the picture does: size and time of change (see :func:`size_in`).
    """

    name: str
    place: Path
    stamp: str


@dataclass(frozen=True, slots=True)
class UnreadableItem:
    """Something that should hold a picture but cannot be tried."""

    name: str
    code: str
    message: str


Listed: TypeAlias = Item | UnreadableItem


@dataclass(frozen=True, slots=True)
class InputSource:
    """One thing named on the command line.

    Attributes:
        given: as written, made absolute.
        kind: ``folder``, ``wildcard``, ``list`` or ``file``.
        prefix: precedes the name of every item; empty or ends in ``/``.
    """

    given: str
    kind: str
    prefix: str

    @property
    def roots(self) -> tuple[Path, ...]:
        """The folders in which new pictures may appear."""
        if self.kind == "folder":
            return (Path(self.given),)
        return (_fixed_part(self.given),) if self.kind == "wildcard" else (Path(self.given).parent,)

    def name_of(self, inner: str) -> str:
        """Return the name in the labels of a picture of this source, from its path within the source."""
        return self.prefix + printable_name(inner)

    def items(self, skip: Sequence[Path] = ()) -> Iterator[Listed]:
        """Yield everything in it; ``skip`` are folders to skip.

        Raises:
            InvalidRequest: a list cannot be read.
        """
        listers = {"folder": _folder, "wildcard": _wildcard, "list": _list, "file": _file}
        return listers[self.kind](self, frozenset(map(os.path.realpath, skip)))


def sources_of(given: Sequence[str]) -> tuple[InputSource, ...]:
    """Return the sources of a command line.

    Raises:
        InvalidRequest: naming all that do not exist.
    """
    found: list[InputSource] = []
    faults: list[Fault] = []
    taken: dict[str, int] = {}
    for text in (text.removeprefix("file://") for text in given):
        fault = path_fault(text) or _archive_fault(text)
        if fault is not None:
            faults.append(fault)
            continue
        path = Path(text).expanduser()
        kind = _source_kind(text, path)
        if kind is None:
            faults.append(Fault("no_source", f"There is no file or folder {text}; check the name."))
            continue
        name = (_fixed_part(text) if kind == "wildcard" else path.absolute()).name or "root"
        found.append(InputSource(_absolute(path), kind, _prefix(name, taken, len(given))))
    if len({s.given for s in found}) < len(found):
        faults.append(Fault("no_source", "The same source is named twice; name it once."))
    if faults:
        raise InvalidRequest.of(faults)
    return tuple(found)


def _prefix(name: str, taken: dict[str, int], count: int) -> str:
    """Return the prefix for the names of one of ``count`` sources; ``taken`` counts the sources by name."""
    taken[name] = taken.get(name, 0) + 1
    return "" if count == 1 else f"{printable_name(name)}{f'~{taken[name]}' if taken[name] > 1 else ''}/"


def _archive_fault(text: str) -> Fault | None:
    if Path(text).suffix.lower() not in _ARCHIVES or not Path(text).expanduser().is_file():
        return None
    return Fault("usage", f"{text} is an archive: unpack it into a folder, and name that.")


def printable_name(name: str) -> str:
    r"""A file name as text: bytes that are not UTF-8 become ``\xNN``."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def bytes_of(item: Item) -> bytes | None:
    """Return the bytes of a picture; None if it can no longer be read."""
    try:
        return item.place.read_bytes()
    except OSError:
        return None


def _absolute(path: Path) -> str:
    """Return the path from the root, without ``..``; links are not resolved, unlike by ``Path.resolve``."""
    return os.path.abspath(path)  # noqa: PTH100


def _source_kind(text: str, path: Path) -> str | None:
    if path.is_dir():
        return "folder"
    if path.is_file():
        return "list" if path.suffix.lower() in _LISTS else "file"
    return "wildcard" if _WILD & set(text) else None


def _fixed_part(pattern: str) -> Path:
    """Return the folder of a wildcard: the parts before the first one with a special character."""
    path = Path(pattern).expanduser().absolute()
    fixed = Path(path.anchor)
    for part in path.parts[1:-1]:
        if _WILD & set(part):
            break
        fixed /= part
    return fixed


def _make_item(source: InputSource, inner: str, place: Path, stamp: str) -> Listed:
    """Return the item of this name within its source, if the name is acceptable."""
    name = source.name_of(inner)
    if any(len(os.fsencode(part)) > LONGEST_NAME for part in name.split("/")):
        return UnreadableItem(
            name, "name_too_long", f"A part of the name has more than {LONGEST_NAME} bytes; rename the file."
        )
    return Item(name, place, stamp)


def _item_on_disk(source: InputSource, inner: str, place: Path) -> Listed:
    """Return the item of a path on this machine; a pipe or a device is refused: reading it might never end."""
    known = _stat(place)
    if known is not None and not (stat.S_ISREG(known.st_mode) or stat.S_ISDIR(known.st_mode)):
        message = "It is a pipe, a socket or a device, not a file; give the picture as a file."
        return UnreadableItem(source.name_of(inner), "not_a_file", message)
    return _make_item(source, inner, place, _stamp(known))


def _stat(place: Path) -> os.stat_result | None:
    try:
        return place.stat()
    except OSError:
        return None


def _stamp(known: os.stat_result | None) -> str:
    return "missing" if known is None else f"{known.st_size}-{known.st_mtime_ns}"


def size_in(stamp: str) -> int | None:
    """Return the size in bytes in a picture's stamp; None if there was no file."""
    size = stamp.partition("-")[0]
    return int(size) if size.isdigit() else None


def _folder(source: InputSource, skip: frozenset[str]) -> Iterator[Listed]:
    root = Path(source.given)
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda e: e.name)
        except OSError as error:
            name = folder.relative_to(root).as_posix()
            yield UnreadableItem(
                source.prefix + printable_name(name),
                "folder_unreadable",
                f"The folder cannot be read ({error.strerror}); check its permissions.",
            )
            continue
        if folder != root and any(entry.name == STATE for entry in entries):
            continue  # labels of another run, with crops and copies of pictures
        for entry in entries:
            if entry.name.startswith(".") or entry.name == "__MACOSX":
                continue
            # A link to a folder may lead in a circle; a link to a file does no harm.
            if entry.is_dir(follow_symlinks=False):
                if os.path.realpath(entry.path) not in skip:
                    waiting.append(Path(entry.path))
            elif os.path.splitext(entry.name)[1].lower() in SUFFIXES:  # noqa: PTH122 - one of many millions
                place = Path(entry.path)
                yield _item_on_disk(source, place.relative_to(root).as_posix(), place)


def _wildcard(source: InputSource, skip: frozenset[str]) -> Iterator[Listed]:
    root = _fixed_part(source.given)
    for text in sorted(glob.glob(source.given, recursive=True)):  # noqa: PTH207 - Path.glob takes no absolute pattern
        place = Path(text)
        if place.is_file() and not any(os.path.realpath(p) in skip for p in place.parents):
            yield _item_on_disk(source, place.relative_to(root).as_posix(), place)


def _file(source: InputSource, _: frozenset[str]) -> Iterator[Listed]:
    place = Path(source.given)
    yield _item_on_disk(source, place.name, place)


def _list(source: InputSource, _: frozenset[str]) -> Iterator[Listed]:
    seen: set[str] = set()
    for number, text in _lines(source):
        place = _place(source, text)
        if place is None:
            name = f"{Path(source.given).name}, line {number}"
            message = 'The line names no file of this machine in a key "image".'
            yield UnreadableItem(source.prefix + printable_name(name), "bad_line", message)
            continue
        inner, path = place
        if inner not in seen:
            seen.add(inner)
            yield _item_on_disk(source, inner, path)


def _place(source: InputSource, text: str | None) -> tuple[str, Path] | None:
    """Return the name and the path of a picture named in a list; None if no file of this machine can have that name."""
    if text is None or "\0" in text or is_address(text):
        return None
    folder = Path(source.given).parent
    try:
        os.fsencode(text)
        path = Path(_absolute(folder / Path(text).expanduser()))
    except (UnicodeEncodeError, RuntimeError):  # half a surrogate pair; the home of a user that does not exist
        return None
    inside = path.is_relative_to(folder)
    return path.relative_to(folder if inside else path.anchor).as_posix(), path


def _lines(source: InputSource) -> Iterator[tuple[int, str | None]]:
    """Yield the lines of a list with their numbers; None for a line that names nothing.

    Raises:
        InvalidRequest: the list is not text, or is a CSV file without a column ``image``.
    """
    suffix = Path(source.given).suffix.lower()
    try:
        with Path(source.given).open(encoding="utf-8-sig", newline="") as file:
            if suffix == ".csv":
                table = read_rows(file)
                if "image" not in (table.fieldnames or ()):
                    raise InvalidRequest.of([Fault("bad_list", f'{source.given} has no column "image".')])
                for row in table:
                    yield table.line_num, row["image"] or None
                return
            for number, line in enumerate(file, 1):
                text = line.strip()
                if not text or (suffix == ".txt" and text.startswith("#")):
                    continue
                yield number, text if suffix == ".txt" else _image_of(text)
    except (UnicodeDecodeError, csv.Error) as error:
        raise InvalidRequest.of([Fault("bad_list", f"{source.given} is not a list of files: {error}.")]) from None


def _image_of(line: str) -> str | None:
    try:
        given = json.loads(line)
    except ValueError:
        return None
    image = given.get("image") if isinstance(given, dict) else None
    return image if isinstance(image, str) and image else None
