"""Label formats by name: how each is written, and how the format of a given file is recognised."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, TextIO

from hupai.batch.formats.annotations import (
    AnnotationWriter,
    LabelmeWriter,
    is_annotation,
    is_labelme,
    read_annotations,
    read_labelme,
)
from hupai.batch.formats.base import (
    LabelError,
    Labels,
    Renaming,
    Target,
    Writer,
    inside,
    opened_text,
    plain_names,
    read_json,
)
from hupai.batch.formats.coco import CocoWriter, read_coco
from hupai.batch.formats.cvat import CvatWriter, read_cvat
from hupai.batch.formats.labelstudio import LabelStudioWriter, read_labelstudio
from hupai.batch.formats.parquet import ParquetWriter, read_parquet
from hupai.batch.formats.rows import CsvWriter, LinesWriter, read_csv, read_lines
from hupai.batch.formats.voc import VocWriter, read_voc, root_tag
from hupai.batch.formats.yolo import YoloWriter, is_yolo, read_yolo
from hupai.batch.json_list import entries, is_list
from hupai.batch.records import Record
from scoring.errors import Fault, InvalidRequest

WRITERS: Final[Mapping[str, Callable[[Target], Writer]]] = {
    "coco": CocoWriter,
    "yolo": lambda target: YoloWriter(target, corners=False),
    "yolo-obb": lambda target: YoloWriter(target, corners=True),
    "labelstudio": LabelStudioWriter,
    "voc": VocWriter,
    "cvat": CvatWriter,
    "labelme": LabelmeWriter,
    "csv": CsvWriter,
    "jsonl": LinesWriter,
    "parquet": ParquetWriter,
    "annotations": AnnotationWriter,
}
"""What ``--format`` accepts."""
FILES: Final = (
    "coco.json", "yolo", "yolo-obb", "labelstudio.json", "labelstudio.xml", "voc", "cvat.xml", "cvat-labels.json",
    "labelme", "labels.csv", "labels.jsonl", "labels.parquet", "annotations",
)  # fmt: skip
"""Everything that the writers make; what is no longer asked for is removed."""
READABLE: Final = ("coco", "yolo", "labelstudio", "voc", "cvat", "labelme", "csv", "jsonl", "parquet", "annotations")
"""What ``--from`` accepts (``yolo`` is both kinds)."""


def formats_named(text: str) -> tuple[str, ...]:
    """Return the formats of ``--format``: names separated by commas.

    Raises:
        InvalidRequest: an unknown name.
    """
    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",") if name.strip()))
    unknown = [name for name in names if name not in WRITERS]
    if unknown or not names:
        message = f"There is no format {', '.join(unknown) or repr(text)}: give one or more of {', '.join(WRITERS)}."
        raise InvalidRequest.of([Fault("usage", message, "format")])
    return names


def read_labels(
    path: Path,
    kind: str | None = None,
    *,
    rename: Renaming = plain_names,
    sizes: Mapping[str, tuple[str, int, int]] | None = None,
) -> list[Record]:
    """Return the labels in a file or folder, by name; see :func:`labels_in`.

    Raises:
        LabelError: it cannot be read, has labels that are not tiles, or has none.
    """
    records = list(labels_in(path, kind, rename=rename, sizes=sizes))
    if not records:
        raise LabelError(f"{path} holds no labels.")
    if len({r.image for r in records}) < len(records):
        raise LabelError(f"{path} has labels of the same picture twice.", code="image_twice")
    return sorted(records, key=lambda r: r.image)


def labels_in(
    path: Path,
    kind: str | None = None,
    *,
    rename: Renaming = plain_names,
    sizes: Mapping[str, tuple[str, int, int]] | None = None,
) -> Iterator[Record]:
    """Yield the labels in a file or folder of any format; pictures that could not be read are left out.

    JSON lines, Label Studio's exports and Parquet are read a few records at a time, other formats as a whole.

    Args:
        path: a file, or a folder that this program or a labelling tool wrote.
        kind: one of :data:`READABLE`; recognised if not given.
        rename: foreign label -> tile; an empty tile leaves the label out.
        sizes: stem of a picture -> (name, width, height), for formats without sizes.

    Raises:
        LabelError: it cannot be read, or (at the end) has labels that are not tiles.
    """
    path = native(path) if kind in (None, "jsonl") else path
    kind = kind or kind_of(path)
    labels, known = Labels(rename), {} if sizes is None else sizes
    readers: dict[str, Callable[[], Iterable[Record]]] = {
        "coco": lambda: read_coco(path, labels),
        "yolo": lambda: read_yolo(path, labels, known),
        "labelstudio": lambda: read_labelstudio(path, labels, known),
        "voc": lambda: read_voc(path, labels),
        "cvat": lambda: read_cvat(path, labels),
        "labelme": lambda: read_labelme(path, labels),
        "csv": lambda: read_csv(path, labels),
        "jsonl": lambda: read_lines(path),
        "parquet": lambda: read_parquet(path),
        "annotations": lambda: read_annotations(path, labels),
    }
    return map(inside, readers[kind]())


def is_results(file: TextIO) -> bool:
    """Whether a JSON list is one of COCO results, which is useless without the COCO file it was made for."""
    try:
        first = next(entries(file), None)
    except (ValueError, RecursionError):
        return False  # reading it will report what is wrong
    return isinstance(first, dict) and {"image_id", "category_id"} <= first.keys()


def native(path: Path) -> Path:
    """Return the file of records in a folder that ``hupai label`` or ``hupai labels`` wrote, else the path itself."""
    inner = path / "labels.jsonl"
    return inner if inner.is_file() else path


def kind_of(path: Path) -> str:
    """Return the format of a file or folder of labels.

    Raises:
        LabelError: it is missing, or its format is not recognised.
    """
    if path.is_dir():
        if is_yolo(path):
            return "yolo"
        if next(path.rglob("part-*.parquet"), None) is not None:
            return "parquet"
        return _kind_beside(path)
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".csv", ".parquet"):
        return suffix[1:]
    if suffix == ".xml":
        return "cvat" if root_tag(path) == "annotations" else "voc"
    if suffix == ".json":
        with opened_text(path) as file:
            if is_list(file):
                file.seek(0)
                if is_results(file):
                    raise LabelError(
                        f"{path} is a list of COCO results, whose pictures and classes are in another file: put the "
                        "list into that file, under annotations."
                    )
                return "labelstudio"
        given = read_json(path)
        if is_annotation(given):
            return "annotations"
        if is_labelme(given):
            return "labelme"
        if isinstance(given, dict) and "annotations" in given and "images" in given:
            return "coco"
    if not path.exists():
        raise LabelError(f"There is no file or folder {path}; check the name.")
    raise LabelError(f"{path} is in no format that can be read; name it with --from: {', '.join(READABLE)}.")


def _kind_beside(folder: Path) -> str:
    """Return the format of a folder with one file of labels for each picture."""
    whole = None
    for one in folder.rglob("*.xml"):
        if root_tag(one) == "annotation":
            return "voc"
        whole = whole or one
    for one in folder.rglob("*.json"):
        given = read_json(one)
        if is_labelme(given) or is_annotation(given):
            return "labelme" if is_labelme(given) else "annotations"
        whole = whole or one
    if whole is not None:
        raise LabelError(f"{folder} has no label files of single pictures. If {whole} holds them all, name that file.")
    raise LabelError(f"{folder} holds no labels that can be read.")


__all__ = [
    "FILES",
    "READABLE",
    "WRITERS",
    "LabelError",
    "Labels",
    "Target",
    "Writer",
    "formats_named",
    "kind_of",
    "labels_in",
    "read_labels",
]
