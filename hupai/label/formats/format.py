"""What a label format is: a record of its name, its files, its writer and reader, and how its files are recognised."""

from __future__ import annotations

import importlib.util
import itertools
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias
from urllib.parse import unquote

from hupai.basics.counts import count_of
from hupai.label.classes import ALL, Classes
from hupai.label.formats.base import (
    LabelError,
    Stems,
    comparable_name,
    invalid_file_error,
    open_text,
    picture_name,
    read_json,
    strip_upload_mark,
    without_suffix,
    xml_parts,
)
from hupai.label.formats.json_list import entries, is_list, members
from hupai.label.photo_names import PARTS, in_validation
from hupai.label.provenance import Provenance
from hupai.label.records import Box, Record
from scoring.errors import Fault, HupaiError
from scoring.tiles import Tile, tile

Renaming: TypeAlias = Callable[[str], str]
"""A tool's name for a label -> a tile's code; empty to leave the label out."""
_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")


class MissingPackage(HupaiError):
    """A requested feature needs a package that is not installed."""

    code = "not_installed"


class Sizes(Protocol):
    """The sizes of pictures, such as a dictionary of them."""

    def get(self, stem: str, /) -> tuple[str, int, int] | None:
        """Return name, width and height, pixels, of the picture with a stem, if it is known."""


class Writer(Protocol):
    """Writes one format, record by record, in the order of names; memory does not grow with their number."""

    def add(self, record: Record) -> None:
        """Write the labels of a picture that could be read."""

    def close(self) -> None:
        """Finish the files."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where and how a format is written.

    Attributes:
        folder: takes the files.
        image_url: prefix of a picture's name for formats that want an address (Label Studio).
        place_picture: puts the picture of a name where a format wants it; None to leave pictures where they are.
        made: what made the labels.
        classes: names of tiles for tools that want classes; the notation's own files keep the notation.
        boxes: upright boxes in place of polygons, for tools that leave polygons out of what they export.
    """

    folder: Path
    image_url: str = ""
    place_picture: Callable[[str, Path], None] | None = None
    made: Provenance = field(default_factory=Provenance)
    classes: Classes = ALL
    boxes: bool = False

    def boxes_by_class(self, record: Record) -> list[tuple[str, Box]]:
        """Return the boxes of a record with the names of their classes; those in no class are left out."""
        numbers, names = self.classes.numbers, self.classes.names
        return [(names[numbers[b.tile.code]], b) for b in record.boxes if b.tile.code in numbers]


class PictureFileWriter:
    """Writes a file for each picture into a folder, named after the picture."""

    def __init__(
        self, target: Target, folder: str, suffix: str, content: Callable[[Target, Record, str], bytes]
    ) -> None:
        """Make the folder; ``content`` returns what stands in a picture's file, which has this name without suffix."""
        self._target, self._folder, self._suffix, self._content = target, target.folder / folder, suffix, content
        self._stems = Stems()
        self._folder.mkdir(parents=True)

    def add(self, record: Record) -> None:
        """Write the file of a picture."""
        stem = self._stems.of(record.image)
        path = self._folder / f"{stem}{self._suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self._content(self._target, record, stem))

    def close(self) -> None:
        """Do nothing."""


class PartLists:
    """Writes ``train.txt`` and ``val.txt``, a line for each picture; they share no photo, but do share tile sets."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = {part: (folder / f"{part}.txt").open("w", encoding="utf-8") for part in PARTS}
        self._counts = dict.fromkeys(PARTS, 0)

    def add(self, image: str, line: str) -> None:
        """Write the line of a picture."""
        part = PARTS[in_validation(image)]
        self._files[part].write(f"{line}\n")
        self._counts[part] += 1

    def close(self) -> None:
        """End the lists; if chance has put all of a few pictures in one part, the last is moved to the other."""
        for file in self._files.values():
            file.close()
        full, empty = sorted(PARTS, key=lambda part: -self._counts[part])
        if self._counts[empty] == 0 and self._counts[full] > 0:
            lines = (self._folder / f"{full}.txt").read_text(encoding="utf-8").splitlines(keepends=True)
            (self._folder / f"{empty}.txt").write_text(lines[-1], encoding="utf-8")
            (self._folder / f"{full}.txt").write_text("".join(lines[:-1] or lines), encoding="utf-8")


def keep_name(label: str) -> str:
    """Return the label unchanged."""
    return label


class ImportContext:
    """What is known beyond the file that is read: the tiles that labels mean, and the sizes of pictures.

    Labels that are not tiles are collected, so that all of them are reported at once.
    """

    def __init__(
        self, rename: Renaming = keep_name, sizes: Sizes | None = None, listed: set[str] | None = None
    ) -> None:
        self._rename, self._sizes = rename, {} if sizes is None else sizes
        self.unknown: dict[str, int] = {}
        self.listed = set[str]() if listed is None else listed
        """Names of all classes, used or not, in formats that list them."""

    def tile(self, label: str) -> Tile | None:
        """Return the tile of a label; None if it is to be left out, or (collected) if it is not a tile."""
        label = label.strip()
        name = self._rename(label)
        if not name:
            return None
        try:
            return tile(name)
        except HupaiError:
            self.unknown[label] = self.unknown.get(label, 0) + 1
            return None

    def size(self, stem: str) -> tuple[str, int, int] | None:
        """Return name, width and height of a stem's picture, with or without folders and Label Studio's marks.

        Label Studio also quotes names, as in addresses.
        """
        for plain in dict.fromkeys((stem, unquote(stem))):
            name = picture_name(plain)
            for one in (plain, name, name.rpartition("/")[2], strip_upload_mark(name)):
                known = self._sizes.get(comparable_name(one))
                if known is not None:
                    return known
        return None

    def measure(self, name: str, width: Any, height: Any) -> tuple[int, int]:
        """Return a picture's width and height as a file gives them; some tools give none for a picture without boxes.

        Raises:
            ValueError: they are not numbers, or neither the file nor anything else gives them.
        """
        if width and height and int(width) and int(height):
            return int(width), int(height)
        known = self.size(without_suffix(name))
        if known is None:
            raise ValueError(f"{name} has no size: give --base or --images")
        return known[1:]

    def check(self, where: Path) -> None:
        """Refuse the file if labels were not tiles.

        Raises:
            LabelError: naming them all.
        """
        if self.unknown:
            faults = [
                Fault("unknown_label", f"{label!r:.40} ({count_of(count, 'box', 'boxes')}) is not a tile", label)
                for label, count in sorted(self.unknown.items())
            ]
            name = shlex.quote(str(faults[0].field))
            raise LabelError(
                f"{where}: {'; '.join(f.message for f in faults)}. Say what they are with --rename {name}=5m, or leave "
                f"them out with --rename {name}=.",
                code="unknown_label",
                faults=tuple(faults),
            )


def read_picture_files(
    path: Path,
    context: ImportContext,
    *,
    what: str,
    fits: Callable[[Any], bool],
    record: Callable[[Any, Path, ImportContext], Record],
) -> Iterator[Record]:
    """Yield the records of a folder with one JSON file for each picture, or of one such file.

    Args:
        what: a file of this format in messages, such as ``this labelme file``.
        fits: whether a JSON value is in this format; other files are skipped.
        record: returns the record of a value, whose file is in this folder below ``path``.

    Raises:
        LabelError: a file that is not JSON or is faulty.
    """
    for file in [path] if path.is_file() else sorted(path.rglob("*.json")):
        given = read_json(file)
        if fits(given):
            inner = Path() if path.is_file() else file.parent.relative_to(path)
            try:
                yield record(given, inner, context)
            except (KeyError, TypeError, ValueError) as error:
                raise invalid_file_error(file, what, error) from None


class LabelPath:
    """A file or folder of labels whose format is sought; its content is read once, whichever formats look at it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def suffix(self) -> str:
        """Suffix of a file in lower case, such as ``.json``; empty for a folder."""
        return "" if self.path.is_dir() else self.path.suffix.lower()

    @cached_property
    def json(self) -> Any:
        """The value in a ``.json`` file; of a list only the first entry, in a list; None for anything else.

        Raises:
            LabelError: it cannot be read, or is not JSON (of a list only the beginning is looked at).
        """
        if self.suffix != ".json":
            return None
        with open_text(self.path) as file:
            if not is_list(file):
                return read_json(self.path)
            file.seek(0)
            try:
                return list(itertools.islice(entries(file), 1))
            except (ValueError, RecursionError):
                return []  # its reader will report what is wrong

    def has(self, *names: str) -> bool:
        """Whether it is a ``.json`` file of an object with these names; it is read as far as the last of them."""
        if self.suffix != ".json":
            return False
        missing = set(names)
        with open_text(self.path) as file, suppress(ValueError, RecursionError):  # :attr:`json` reports what is wrong
            for name, _ in members(file):
                missing.discard(name)
                if not missing:
                    return True
        return False

    @cached_property
    def xml_tag(self) -> str:
        """The name of the root of a ``.xml`` file; empty for anything else.

        Raises:
            LabelError: it cannot be read, or is not XML (only the beginning is looked at).
        """
        return next(xml_parts(self.path)).tag if self.suffix == ".xml" else ""


@dataclass(frozen=True, slots=True)
class Format:
    """A label format.

    Attributes:
        name: after ``--format`` and ``--from``; lower-case letters, digits and hyphens.
        description: one line without a full stop.
        files: every file and folder that it writes, the labels first.
        write: returns the writer for a target.
        read: yields the records of a file or folder; raises :class:`LabelError` if it cannot be read.
        sniff: whether a file or folder is in this format; None if another format recognises what this one writes.
        picture_suffix: of the files if there is one for each picture, such as ``.xml``: a folder is in this format if
            one of these files is. Empty for other formats.
        takes_pictures: whether the pictures may be put beside the labels (:attr:`Target.place_picture`).
        package: what has to be installed besides hupai; empty for nothing.
        holds_ignored: whether it has room for the places where nobody can tell (:attr:`Record.ignored`).
        keeps_notation: whether tiles are named as in the notation, whatever :attr:`Target.classes` are.
        tells_checked: whether the origin ``read`` says that nobody has saved a tile. Of a file that comes back from a
            labelling tool it does not: tools keep or drop it, whatever was looked at.
    """

    name: str
    description: str
    files: tuple[str, ...]
    write: Callable[[Target], Writer]
    read: Callable[[Path, ImportContext], Iterable[Record]]
    sniff: Callable[[LabelPath], bool] | None
    picture_suffix: str = ""
    takes_pictures: bool = False
    package: str = ""
    holds_ignored: bool = False
    keeps_notation: bool = False
    tells_checked: bool = False

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is not the name of a format: use lower-case letters, digits and hyphens")
        if not self.files or any("/" in file for file in self.files):
            raise ValueError(f"{self.name} must name the files and folders that it writes, all at the top")
        if not self.description or self.description.endswith("."):
            raise ValueError(f"{self.name} needs a description of one line, without a full stop")

    def check_package(self) -> None:
        """Check that the package that it needs is installed.

        Raises:
            MissingPackage: it is not.
        """
        if self.package and importlib.util.find_spec(self.package) is None:
            raise MissingPackage(f"--format {self.name} needs {self.package}; run: pip install {self.package}.")
