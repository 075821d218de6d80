"""Writes split labels: one set of label files per part, and a list of what went where."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from hupai.batch.classes import ALL, Classes
from hupai.batch.formats import BY_NAME, Target
from hupai.batch.formats.csv_rows import escape_formula, open_csv
from hupai.batch.formats.jsonl import JSONL
from hupai.batch.formats.yolo import YOLO, YOLO_OBB, data_yaml
from hupai.batch.inputs.paths import local_path
from hupai.batch.photo_names import PARTS
from hupai.batch.provenance import Provenance
from hupai.batch.records import Record
from hupai.batch.split import SplitAssignment
from scoring.errors import Fault, HupaiError, InvalidRequest


def write_labels(
    records: Iterable[Record], out: Path, formats: Sequence[str], made: Provenance, classes: Classes = ALL
) -> None:
    """Write a label set into a folder that is new or empty; ``labels.jsonl`` is always written.

    The records are read once per format.

    Raises:
        HupaiError: the folder has something in it, or cannot be written.
    """
    _new_folder(out)
    try:
        _write(records, Target(out, made=made, classes=classes), formats)
    except OSError as error:
        raise HupaiError(f"{out} cannot be written ({error.strerror}).", code="cannot_write") from error


def write_parts(
    placed: Sequence[SplitAssignment],
    out: Path,
    formats: Sequence[str],
    images: str | None,
    made: Provenance,
    classes: Classes = ALL,
) -> None:
    """Write ``train/`` and ``val/``, ``split.csv``, and for YOLO a ``data.yaml`` that names both.

    Args:
        placed: every picture and its part.
        out: a new or empty folder.
        formats: of the label files.
        images: folder of the pictures; labels that take pictures get links to them.
        made: what made the labels.
        classes: what tiles are called.

    Raises:
        HupaiError: the folder has something in it, or cannot be written.
    """
    _new_folder(out)
    try:
        for part in PARTS:
            folder = out / part
            folder.mkdir()
            link = None if images is None else _picture_linker(local_path(images))
            _write(
                [p.record for p in placed if p.part == part],
                Target(folder, place_picture=link, made=made, classes=classes),
                formats,
            )
        for name in (YOLO.name, YOLO_OBB.name):
            if name in formats:
                folders = {part: f"{part}/{name}/images" for part in PARTS}
                (out / f"{name}.yaml").write_text(data_yaml(folders, made, classes), encoding="utf-8")
        with open_csv(out / "split.csv", ("image", "part", "group", "photo", "tile_set", "tiles")) as rows:
            for p in placed:
                cells = (p.part, p.group, escape_formula(p.photo), p.tileset, len(p.record.boxes))
                rows.writerow((escape_formula(p.record.image), *cells))
    except OSError as error:
        raise HupaiError(f"{out} cannot be written ({error.strerror}).", code="cannot_write") from error


def _picture_linker(images: Path) -> Callable[[str, Path], None]:
    """Return a function that puts a link to a picture of a folder beside the labels."""

    def link(name: str, place: Path) -> None:
        file = images.absolute() / name
        if not file.is_file():
            message = f"There is no picture {name} in {images}."
            raise InvalidRequest.of([Fault("image_missing", message, "images")])
        place.parent.mkdir(parents=True, exist_ok=True)
        os.symlink(file, place)  # noqa: PTH211 - reads from, to

    return link


def _write(records: Iterable[Record], target: Target, formats: Sequence[str]) -> None:
    for name in dict.fromkeys((JSONL.name, *formats)):
        writer = BY_NAME[name].write(target)
        for record in records:
            writer.add(record)
        writer.close()


def _new_folder(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InvalidRequest.of([Fault("usage", f"{out} is there already and not empty; give a new folder.", "out")])
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HupaiError(f"{out} cannot be made ({error.strerror}).", code="cannot_write") from error
