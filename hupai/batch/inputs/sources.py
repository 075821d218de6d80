"""Sources to label: folders, wildcards, lists of files and archives -> items, each with a unique name.

- A folder: every picture in it and below, by its suffix; hidden files and folders of labels are skipped.
- A wildcard (``'photos/**/IMG_*.jpg'``): the files it matches.
- A list (``.txt``: one path per line, ``#`` begins a comment; ``.csv`` or ``.jsonl``: a column or key ``image``): the
  files it names, relative to the list.
- An archive (``.zip``, ``.tar``, ``.tar.gz`` ...): the pictures in it; nothing is unpacked to disk.
- Any other file: that picture.
- An address (``s3://``, ``https://`` ...): the pictures below it, as listed by its store or its web server's page;
  one picture; or a list. Lists anywhere may name addresses.

With one source, a picture's name is its path within the source; with several, the source's name comes first.
"""

from __future__ import annotations

import csv
import glob
import io
import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO, TypeAlias
from urllib.parse import urljoin, urlsplit

from hupai.batch.inputs import archives
from hupai.batch.inputs.filesystems import InStore, below, files_below, is_remote
from hupai.batch.inputs.filesystems import shown as shown_address
from hupai.batch.inputs.web import is_web
from scoring.errors import Fault, HupaiError, InvalidRequest

SUFFIXES: Final = frozenset(
    ".jpg .jpeg .jpe .jfif .mpo .png .webp .avif .heic .heif .bmp .gif .tif .tiff".split()  # noqa: SIM905
)
"""Suffixes of pictures in a folder or an archive; a file that is named explicitly is tried whatever its suffix."""
_LISTS: Final = (".txt", ".csv", ".jsonl")
_WILD: Final = frozenset("*?[")
LONGEST_NAME: Final = 200
"""Bytes that a part of a name may have: label files add a few, and file systems allow 255."""
STATE: Final = ".hupai"
"""Folder within a folder of labels that holds their journal."""
NAMELESS: Final = "The name of a file or folder is empty; check the command."


@dataclass(frozen=True, slots=True)
class Item:
    """One picture to label.

    Attributes:
        name: in the labels; parts joined by ``/``, no ``..``, no leading ``/``.
        place: the file, or the archive it is in.
        member: name within the archive; empty for a file.
        stamp: changes when the picture does: size and time of change (see :func:`size_in`); empty if they cannot be
            known without reading it.
    """

    name: str
    place: Path | InStore
    member: str
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
        given: as written, made absolute; an address without its secrets.
        kind: ``folder``, ``wildcard``, ``list``, ``archive``, ``file`` or ``store``.
        prefix: precedes the name of every item; empty or ends in ``/``.
        address: the whole address; empty for a local source.
    """

    given: str
    kind: str
    prefix: str
    address: str = ""

    @property
    def roots(self) -> tuple[Path, ...]:
        """The folders in which new pictures may appear."""
        if self.kind == "folder":
            return (Path(self.given),)
        return (_fixed_part(self.given),) if self.kind == "wildcard" else (Path(self.given).parent,)

    def name_of(self, inner: str) -> str:
        """Return the name in the labels of a picture of this source, from its path within the source."""
        return self.prefix + shown(inner)

    def items(self, skip: Sequence[Path | str] = ()) -> Iterator[Listed]:
        """Yield everything in it; ``skip`` are folders and addresses to skip.

        Raises:
            HupaiError: a store cannot be listed, or a list cannot be read.
        """
        if self.kind == "store":
            return _store(self, tuple(f"{shown_address(p).rstrip('/')}/" for p in skip if isinstance(p, str)))
        listers = {"folder": _folder, "wildcard": _wildcard, "list": _list, "archive": _archive, "file": _file}
        return listers[self.kind](self, frozenset(os.path.realpath(p) for p in skip if isinstance(p, Path)))


def sources_of(given: Sequence[str]) -> tuple[InputSource, ...]:
    """Return the sources of a command line.

    Raises:
        InvalidRequest: naming all that do not exist.
    """
    found: list[InputSource] = []
    faults: list[Fault] = []
    taken: dict[str, int] = {}
    for text in (text.removeprefix("file://") for text in given):
        if not text:  # as a path it would be the current folder
            faults.append(Fault("no_source", NAMELESS))
            continue
        if is_remote(text):
            fault = _address_fault(text)
            if fault is not None:
                faults.append(fault)
                continue
            place = shown_address(text).rstrip("/")
            prefix = _prefix(place.rpartition("/")[2], taken, len(given))
            found.append(InputSource(place, "list" if place.lower().endswith(_LISTS) else "store", prefix, text))
            continue
        path = Path(text).expanduser()
        kind = _kind(text, path)
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
    return "" if count == 1 else f"{shown(name)}{f'~{taken[name]}' if taken[name] > 1 else ''}/"


def _address_fault(address: str) -> Fault | None:
    place = Path(urlsplit(address).path)
    if archives.is_archive(place):
        return Fault("usage", f"{shown_address(address)} is an archive: copy it to this machine, or unpack it there.")
    if _WILD & set(str(place)):
        return Fault("usage", f"{shown_address(address)}: wildcards are for this machine; name the folder, or a list.")
    return None


def shown(name: str) -> str:
    r"""A file name as text: bytes that are not UTF-8 become ``\xNN``."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def read_items(items: Mapping[str, Item]) -> Iterator[tuple[Item, bytes]]:
    """Yield the bytes of these items (by name), each archive read once; what can no longer be read is left out."""
    by_archive: dict[Path, dict[str, Item]] = {}
    for item in items.values():
        if item.member and isinstance(item.place, Path):
            by_archive.setdefault(item.place, {})[item.member] = item
            continue
        data = bytes_of(item)
        if data is not None:
            yield item, data
    for place, members in by_archive.items():
        for member in archives.members(place, lambda name, wanted=members: name in wanted):  # type: ignore[misc]
            if member.data is not None:
                yield members[member.name], member.data


def bytes_of(item: Item) -> bytes | None:
    """Return the bytes of a picture that is a file of its own; None if it can no longer be read."""
    try:
        return item.place.read() if isinstance(item.place, InStore) else item.place.read_bytes()
    except (OSError, HupaiError):
        return None


def _absolute(path: Path) -> str:
    """Return the path from the root, without ``..``; links are not resolved, unlike by ``Path.resolve``."""
    return os.path.abspath(path)  # noqa: PTH100


def _kind(text: str, path: Path) -> str | None:
    if path.is_dir():
        return "folder"
    if path.is_file():
        if archives.is_archive(path):
            return "archive"
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


def _named(source: InputSource, inner: str, place: Path | InStore, member: str, stamp: str) -> Listed:
    """Return the item of this name within its source, if the name is acceptable."""
    name = source.name_of(inner)
    if any(len(os.fsencode(part)) > LONGEST_NAME for part in name.split("/")):
        return UnreadableItem(
            name, "name_too_long", f"A part of the name has more than {LONGEST_NAME} bytes; rename the file."
        )
    return Item(name, place, member, stamp)


def _on_disk(source: InputSource, inner: str, place: Path) -> Listed:
    """Return the item of a path on this machine; a pipe or a device is refused: reading it might never end."""
    known = _looked_up(place)
    if known is not None and not (stat.S_ISREG(known.st_mode) or stat.S_ISDIR(known.st_mode)):
        message = "It is a pipe, a socket or a device, not a file; give the picture as a file."
        return UnreadableItem(source.name_of(inner), "not_a_file", message)
    return _named(source, inner, place, "", _stamp(known))


def _looked_up(place: Path) -> os.stat_result | None:
    try:
        return place.stat()
    except OSError:
        return None


def _stamp(known: os.stat_result | None) -> str:
    return "missing" if known is None else f"{known.st_size}-{known.st_mtime_ns}"


def size_in(stamp: str) -> int | None:
    """Return the size in bytes in a picture's stamp; None if there was no file."""
    parts = stamp.split("-")
    size = parts[-1] if len(parts) == 3 else parts[0]  # for an archive's member its own size comes last
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
                source.prefix + shown(name),
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
                yield _on_disk(source, place.relative_to(root).as_posix(), place)


def _wildcard(source: InputSource, skip: frozenset[str]) -> Iterator[Listed]:
    root = _fixed_part(source.given)
    for text in sorted(glob.glob(source.given, recursive=True)):  # noqa: PTH207 - Path.glob takes no absolute pattern
        place = Path(text)
        if place.is_file() and not any(os.path.realpath(p) in skip for p in place.parents):
            yield _on_disk(source, place.relative_to(root).as_posix(), place)


def _file(source: InputSource, _: frozenset[str]) -> Iterator[Listed]:
    place = Path(source.given)
    yield _on_disk(source, place.name, place)


def _archive(source: InputSource, _: frozenset[str]) -> Iterator[Listed]:
    place = Path(source.given)
    stamp = _stamp(_looked_up(place))
    seen: set[str] = set()
    for member in archives.listing(place):
        name = member.name or place.name
        if member.error is not None:
            yield UnreadableItem(source.prefix + shown(name), *member.error)
        elif Path(name).suffix.lower() in SUFFIXES and not Path(name).name.startswith("."):
            if name in seen:
                yield UnreadableItem(
                    f"{source.prefix}{shown(name)}#2", "name_twice", "The archive has two members of this name."
                )
                continue
            seen.add(name)
            yield _named(source, name, place, name, f"{stamp}-{member.size}")


def _store(source: InputSource, skip: tuple[str, ...]) -> Iterator[Listed]:
    for found in files_below(source.address):
        inner = found.inner or found.path.partition("?")[0].rpartition("/")[2]
        if found.inner:
            hidden = any(part.startswith(".") or part == "__MACOSX" for part in inner.split("/"))
            ours = f"{source.given}/{inner}".startswith(skip) if skip else False
            if hidden or ours or os.path.splitext(inner)[1].lower() not in SUFFIXES:  # noqa: PTH122 - no file of ours
                continue
        yield _remote(source, inner, InStore("", source.address, found.path), found.stamp)


def _remote(source: InputSource, inner: str, place: InStore, stamp: str) -> Listed:
    name = source.name_of(inner)
    if archives.unsafe(inner):
        return UnreadableItem(name, "name_unsafe", "The name leads out of its folder; give the file a plain name.")
    return _named(source, inner, InStore(name, place.root, place.path), "", stamp)


def _list(source: InputSource, _: frozenset[str]) -> Iterator[Listed]:
    file = source.given.rpartition("/")[2] if source.address else Path(source.given).name
    seen: set[str] = set()
    addresses: dict[str, str] = {}
    for number, text in _lines(source):
        place = _place(source, text)
        if place is None:
            name = f"{file}, line {number}"
            yield UnreadableItem(source.prefix + shown(name), "bad_line", 'The line names no picture in a key "image".')
            continue
        inner, where = place
        if inner in seen if isinstance(where, Path) else addresses.get(inner) == where:
            continue
        if inner in seen or inner in addresses:
            message = f"Line {number} names another picture that would be called the same; put it into another list."
            yield UnreadableItem(f"{source.prefix}{shown(inner)}#{number}", "name_twice", message)
        elif isinstance(where, Path):
            seen.add(inner)
            yield _on_disk(source, inner, where)
        else:
            addresses[inner] = where
            yield _remote(source, inner, InStore.at("", where), "")


def _place(source: InputSource, text: str | None) -> tuple[str, Path | str] | None:
    """Return the name of a picture named in a list, and its path or address; None if no file can have that name."""
    if text is None or "\0" in text:
        return None
    if is_remote(text) or source.address:
        address = text if is_remote(text) else _beside(source.address, text)
        place, root = shown_address(address), f"{source.given.rpartition('/')[0]}/"
        return place.removeprefix(root) if place.startswith(root) else place.partition("://")[2].lstrip("/"), address
    folder = Path(source.given).parent
    try:
        os.fsencode(text)
        path = Path(_absolute(folder / Path(text).expanduser()))
    except (UnicodeEncodeError, RuntimeError):  # half a surrogate pair; the home of a user that does not exist
        return None
    inside = path.is_relative_to(folder)
    return path.relative_to(folder if inside else path.anchor).as_posix(), path


def _beside(address: str, name: str) -> str:
    """Return the address of a file in the same folder as another one."""
    if is_web(address):
        return urljoin(address, name)
    place, mark, how = address.partition("?")
    return below(f"{place.rpartition('/')[0]}{mark}{how}", name)


def _lines(source: InputSource) -> Iterator[tuple[int, str | None]]:
    """Yield the lines of a list with their numbers; None for a line that names nothing.

    Raises:
        InvalidRequest: the list is not text, or is a CSV file without a column ``image``.
    """
    suffix = Path(source.given).suffix.lower()
    try:
        with _opened(source) as file:
            if suffix == ".csv":
                table = csv.DictReader(file)
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
        raise InvalidRequest.of([Fault("bad_list", f"{source.given} is no list of files: {error}.")]) from None


def _opened(source: InputSource) -> TextIO:
    if not source.address:
        return Path(source.given).open(encoding="utf-8-sig", newline="")
    data = InStore.at(source.given, source.address).read()
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline="")


def _image_of(line: str) -> str | None:
    try:
        given = json.loads(line)
    except ValueError:
        return None
    image = given.get("image") if isinstance(given, dict) else None
    return image if isinstance(image, str) and image else None
