"""The pictures that belong to foreign labels: their sizes and hashes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from hupai.batch.engines.labeller import perceptual_hash
from hupai.batch.formats.base import Stems, comparable_name
from hupai.batch.inputs.sources import Item, sources_of
from hupai.batch.records import Record
from scoring.errors import HupaiError
from vision.io.photo import Photo

Sizes = dict[str, tuple[str, int, int]]
"""Stem of a picture, with and without its folders -> (name, width, height)."""


def sizes_of(folder: str | None, records: Sequence[Record] = ()) -> Sizes:
    """Return the sizes of records and of the pictures in a folder.

    Raises:
        HupaiError: there is no such folder.
    """
    by_record = {r.image: (r.image, r.width, r.height) for r in records}
    by_file: Sizes = {}
    for item in _items(folder).values() if folder is not None else ():
        try:
            photo = Photo(item.place, name=item.name)
        except HupaiError:
            continue  # a label for it will get the error that there is no such picture
        by_file[item.name] = item.name, photo.width, photo.height
    return _by_stem(by_file) | _by_stem(by_record)


def add_hashes(records: Sequence[Record], folder: str) -> list[Record]:
    """Return the records with the hashes of their pictures added, if the pictures are in the folder.

    Raises:
        HupaiError: there is no such folder, or a picture cannot be read.
    """
    items = _items(folder)
    out = []
    for record in records:
        item = items.get(record.image)
        if record.phash or item is None:
            out.append(record)
            continue
        data = item.place.read_bytes()
        photo = Photo(data, name=item.name)
        out.append(replace(record, sha256=hashlib.sha256(data).hexdigest(), phash=perceptual_hash(photo)))
    return out


def _items(folder: str) -> Mapping[str, Item]:
    (source,) = sources_of([folder])
    return {entry.name: entry for entry in source.items() if isinstance(entry, Item)}


def _by_stem(known: Sizes) -> Sizes:
    """Return sizes by stem instead of name; without folders only if no other picture has the same stem."""
    of = Stems().of
    stems = {comparable_name(of(name)): size for name, size in sorted(known.items())}
    ends = Counter(stem.rpartition("/")[2] for stem in stems)
    short = {end: size for stem, size in stems.items() if ends[end := stem.rpartition("/")[2]] == 1}
    return short | stems
