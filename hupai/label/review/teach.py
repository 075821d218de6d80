"""Corrected labels in, a learned set out: every tile that a person confirmed or corrected is a lesson."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from hupai.label.corrections.lessons import lessons_from_boxes
from hupai.label.records import Record
from scoring.errors import Fault, InvalidRequest
from vision.learn.tileset import TileSet
from vision.photo_lessons import lessons_of
from vision.pipeline import TileReader


def learn_from(
    name: str, photos: Sequence[Path], records: Sequence[Record], known: TileSet | None, reader: TileReader
) -> TileSet:
    """Learn a set from photos and a person's labels of them; what is known of it is extended.

    Folders of photos stand for every picture in them that has labels. Labels are found by a photo's bytes.

    Raises:
        InvalidRequest: a photo has no labels, or nobody has looked at any.
        HupaiError: a photo cannot be used.
    """
    by_bytes = {r.sha256: r for r in records if r.sha256}
    learned = known or TileSet.empty(name, reader.models["classifier"])
    before = learned.lessons
    for photo in photos:
        for file in sorted(p for p in photo.rglob("*") if p.is_file()) if photo.is_dir() else [photo]:
            record = by_bytes.get(_digest(file))
            if record is not None:
                from_boxes = partial(lessons_from_boxes, boxes=record.boxes)
                learned = learned.with_lessons(lessons_of(file, from_boxes, reader))
            elif not photo.is_dir():
                raise _usage(f"{file} has no labels there.")
    if learned.lessons == before:
        raise _usage("Nobody has confirmed or corrected a tile of these photos in these labels.")
    return replace(learned, name=name)


def _digest(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise _usage(f"{file} cannot be read ({error.strerror}).") from None


def _usage(message: str) -> InvalidRequest:
    return InvalidRequest.of([Fault("usage", message, "labels")])
