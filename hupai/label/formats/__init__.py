"""Label formats: the registry, what is asked for by name, and how the format of given labels is recognised.

A new format is a module with its :class:`Format` here and its name in :data:`FORMATS`; ``docs/contributing/format.md``
is the recipe.
"""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from hupai.label.formats.annotations import ANNOTATIONS
from hupai.label.formats.base import LabelError, picture_twice_error, with_safe_name
from hupai.label.formats.checks import check_records
from hupai.label.formats.coco import COCO
from hupai.label.formats.csv_rows import CSV
from hupai.label.formats.cvat import CVAT
from hupai.label.formats.format import Format, ImportContext, LabelPath, Renaming, Sizes, Target, Writer, keep_name
from hupai.label.formats.jsonl import JSONL
from hupai.label.formats.labelme import LABELME
from hupai.label.formats.labelstudio import LABELSTUDIO
from hupai.label.formats.parquet import PARQUET
from hupai.label.formats.voc import VOC
from hupai.label.formats.yolo import YOLO, YOLO_OBB
from hupai.label.records import Record
from scoring.errors import Fault, InvalidRequest

FORMATS: Final[tuple[Format, ...]] = (
    COCO,
    YOLO,
    YOLO_OBB,
    LABELSTUDIO,
    VOC,
    CVAT,
    LABELME,
    CSV,
    JSONL,
    PARQUET,
    ANNOTATIONS,
)
"""Every format, in the order of help texts; the first one that recognises given labels reads them."""
BY_NAME: Final[Mapping[str, Format]] = {each.name: each for each in FORMATS}
NAMES: Final = ", ".join(BY_NAME)
"""All names, for help and messages."""
LABEL_FILES: Final = tuple(file for each in FORMATS for file in each.files)
"""Everything that the writers make; what is no longer asked for is removed."""


def parse_formats(text: str) -> tuple[str, ...]:
    """Return the names of the formats of ``--format``, which are separated by commas.

    Raises:
        InvalidRequest: an unknown name.
        MissingPackage: a format needs a package that is not installed.
    """
    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",") if name.strip()))
    unknown = [name for name in names if name not in BY_NAME]
    if unknown or not names:
        message = f"There is no format {', '.join(unknown) or repr(text)}: give one or more of {NAMES}."
        raise InvalidRequest.of([Fault("usage", message, "format")])
    for name in names:
        BY_NAME[name].check_package()
    return names


def read_labels(
    path: Path,
    kind: str | None = None,
    *,
    rename: Renaming = keep_name,
    sizes: Sizes | None = None,
) -> list[Record]:
    """Return the labels in a file or folder, by name; see :func:`iter_labels`.

    Raises:
        LabelError: it cannot be read, has labels that are not tiles, or has none.
    """
    records = list(iter_labels(path, kind, rename=rename, sizes=sizes))
    if not records:
        raise LabelError(f"{path} holds no labels.")
    for name, count in Counter(r.image for r in records).items():
        if count > 1:
            raise picture_twice_error(path, name)
    return sorted(records, key=lambda r: r.image)


def iter_labels(
    path: Path,
    kind: str | None = None,
    *,
    rename: Renaming = keep_name,
    sizes: Sizes | None = None,
    listed: set[str] | None = None,
) -> Iterator[Record]:
    """Yield the labels in a file or folder of any format; pictures that could not be read are left out.

    A few of them are in memory at a time.

    Args:
        path: a file, or a folder that this program or a labelling tool wrote.
        kind: name of its format; recognised if not given.
        rename: foreign label -> tile; an empty tile leaves the label out.
        sizes: stem of a picture -> (name, width, height), for formats without sizes.
        listed: takes the names of all classes, used or not, where the format lists them.

    Raises:
        LabelError: it cannot be read, or (at the end) has labels that are not tiles or boxes that cannot be true.
    """
    path, format_ = find_format(path, kind)
    context = ImportContext(rename, sizes, listed)
    return check_records(map(with_safe_name, format_.read(path, context)), path, context)


def own_records(path: Path) -> Path:
    """Return the file of records in a folder that ``hupai label`` or ``hupai labels`` wrote, else the path itself."""
    inner = path / JSONL.files[0]
    return inner if inner.is_file() else path


def find_format(path: Path, kind: str | None) -> tuple[Path, Format]:
    """Return the file or folder to read labels from, and its format.

    Raises:
        LabelError: it is missing or an archive, or its format, which is not given, is not recognised.
    """
    if path.is_file() and zipfile.is_zipfile(path):
        raise LabelError(f"{path} is an archive: unpack it, and name the folder, or the file that holds all labels.")
    path = own_records(path) if kind in (None, JSONL.name) else path
    return path, detect_format(path) if kind is None else BY_NAME[kind]


def detect_format(path: Path) -> Format:
    """Return the format of a file or folder of labels.

    Raises:
        LabelError: it is missing, or its format is not recognised.
    """
    if not path.exists():
        raise LabelError(f"There is no file or folder {path}; check the name.")
    found = _sniff(path, FORMATS) or (_sniff_picture_files(path) if path.is_dir() else None)
    if found is None:
        raise LabelError(f"{path} is in no format that can be read; name it with --from: {NAMES}.")
    return found


def _sniff(path: Path, formats: tuple[Format, ...]) -> Format | None:
    given = LabelPath(path)
    return next((each for each in formats if each.sniff is not None and each.sniff(given)), None)


def _sniff_picture_files(folder: Path) -> Format:
    """Return the format of a folder with one file of labels for each picture: that of the first one recognised.

    Raises:
        LabelError: none of its files is recognised.
    """
    other = None
    for suffix in dict.fromkeys(each.picture_suffix for each in FORMATS if each.picture_suffix):
        formats = tuple(each for each in FORMATS if each.picture_suffix == suffix)
        for path in folder.rglob(f"*{suffix}"):
            found = _sniff(path, formats)
            if found is not None:
                return found
            other = other or path
    if other is not None:
        raise LabelError(f"{folder} has no label files of single pictures. If {other} holds them all, name that file.")
    raise LabelError(f"{folder} holds no labels that can be read.")


__all__ = [
    "BY_NAME",
    "FORMATS",
    "JSONL",
    "LABEL_FILES",
    "NAMES",
    "Format",
    "ImportContext",
    "LabelError",
    "Target",
    "Writer",
    "detect_format",
    "find_format",
    "iter_labels",
    "parse_formats",
    "read_labels",
]
