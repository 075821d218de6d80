"""The hashes of the pictures that belong to foreign labels."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

from hupai.label.corrections.record_store import items_in
from hupai.label.engines.labeller import perceptual_hash
from hupai.label.records import Record
from vision.io.photo import Photo


def add_hashes(records: Iterable[Record], folder: str) -> Iterator[Record]:
    """Yield the records with the hashes of their pictures added, if the pictures are in the folder.

    Raises:
        HupaiError: there is no such folder, or a picture cannot be read.
    """
    items = items_in(folder)
    for record in records:
        item = items.get(record.image)
        if record.phash or item is None:
            yield record
            continue
        data = item.place.read_bytes()
        photo = Photo(data, name=item.name)
        yield replace(record, sha256=hashlib.sha256(data).hexdigest(), phash=perceptual_hash(photo))
