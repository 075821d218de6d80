"""Recognises, by content, pictures that were read before under another name or date, so that nothing is read twice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from hupai.label.inputs.sources import InputSource, Item, bytes_of
from hupai.label.journal import Journal
from hupai.label.outputs.crops import CropFolder


def recall(journal: Journal, sources: Sequence[InputSource], crops: CropFolder | None) -> int:
    """Give open pictures the record known for their content; return their number.

    Only pictures with the same size as a missing one are opened.
    """
    if not journal.prepare_recall():
        return 0
    count = 0
    for number in range(len(sources)):
        for item, sha256 in _digests(journal, number):
            known = journal.find_known(sha256)
            if known is not None and (crops is None or crops.copy(known, item.name)):
                journal.adopt(item, known)
                count += 1
    journal.save()
    return count


def _digests(journal: Journal, number: int) -> Iterator[tuple[Item, str]]:
    """Yield open pictures that may be known, with the sha256 of their bytes."""
    for item in journal.open_items(number):
        if journal.maybe_known(item.stamp):
            data = bytes_of(item)
            if data is not None:  # otherwise the error is reported when it is labelled
                yield item, hashlib.sha256(data).hexdigest()
