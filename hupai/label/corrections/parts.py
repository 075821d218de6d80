"""Writes split labels: one set of label files per part, and a list of what went where."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from hupai.basics.counts import count_of
from hupai.label.classes import ALL, Classes
from hupai.label.corrections.split import SplitAssignment
from hupai.label.formats import BY_NAME, Target
from hupai.label.formats.csv_rows import escape_formula, open_csv
from hupai.label.formats.jsonl import JSONL
from hupai.label.formats.yolo import YOLO, YOLO_OBB, data_yaml
from hupai.label.inputs.paths import local_path
from hupai.label.photo_names import PARTS
from hupai.label.provenance import Provenance
from hupai.label.records import Record
from scoring.errors import Fault, HupaiError, InvalidRequest


def write_labels(records: Iterable[Record], target: Target, formats: Sequence[str]) -> None:
    """Write a label set into a folder that is new or empty; ``labels.jsonl`` is always written.

    Raises:
        HupaiError: the folder has something in it, or cannot be written.
    """
    with _new_folder(target.folder):
        _write(((record, "") for record in records), {"": target}, formats)


def write_parts(
    records: Iterable[Record],
    placed: Sequence[SplitAssignment],
    out: Path,
    formats: Sequence[str],
    images: str | None,
    made: Provenance,
    classes: Classes = ALL,
) -> None:
    """Write ``train/`` and ``val/``, ``split.csv``, and for YOLO a ``data.yaml`` that names both.

    Args:
        records: every picture, by name; ``placed``: their parts, in the same order.
        images: folder of the pictures; labels that take pictures get links to them.

    Raises:
        HupaiError: the folder has something in it, or cannot be written.
    """
    with _new_folder(out):
        link = None if images is None else _picture_linker(local_path(images))
        for part in PARTS:
            (out / part).mkdir()
        targets = {part: Target(out / part, place_picture=link, made=made, classes=classes) for part in PARTS}
        _write(((record, p.part) for record, p in zip(records, placed, strict=True)), targets, formats)
        for name in (YOLO.name, YOLO_OBB.name):
            if name in formats:
                folders = {part: f"{part}/{name}/images" for part in PARTS}
                (out / f"{name}.yaml").write_text(data_yaml(folders, made, classes), encoding="utf-8")
        with open_csv(out / "split.csv", ("image", "part", "group", "photo", "tile_set", "tiles")) as rows:
            for p in placed:
                cells = (p.part, p.group, escape_formula(p.photo), p.tileset, len(p.codes))
                rows.writerow((escape_formula(p.image), *cells))


def lost_places(formats: Sequence[str], count: int) -> str:
    """Return what to say of so many places where nobody can tell; empty if every format holds them."""
    without = [name for name in formats if not BY_NAME[name].holds_ignored]
    if not count or not without:
        return ""
    return (
        f"{count_of(count, 'place')} where nobody can tell which tile there is: {', '.join(without)} cannot say so, "
        "and a training takes it for background. labels.jsonl has it, and --base brings it back."
    )


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


def _write(records: Iterable[tuple[Record, str]], targets: Mapping[str, Target], formats: Sequence[str]) -> None:
    """Write records, each with the key of its target."""
    names = dict.fromkeys((JSONL.name, *formats))
    writers = {key: [BY_NAME[name].write(target) for name in names] for key, target in targets.items()}
    for record, key in records:
        for writer in writers[key]:
            writer.add(record)
    for writer in itertools.chain.from_iterable(writers.values()):
        writer.close()


@contextmanager
def _new_folder(out: Path) -> Iterator[None]:
    """Make a folder that is to be filled."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InvalidRequest.of([Fault("usage", f"{out} is there already and not empty; give a new folder.", "out")])
    try:
        out.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise HupaiError(f"{out} cannot be written ({error.strerror}).", code="cannot_write") from error
