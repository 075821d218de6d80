"""Labels as JSON lines: the records themselves, with what wrote them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hupai.label.classes import ALL, Classes
from hupai.label.formats.base import LabelError, open_text
from hupai.label.formats.format import Format, Target
from hupai.label.records import BadRecord, Record, record_of_line


class LinesWriter:
    """Writes ``labels.jsonl``: one record per line, with ``version`` and ``options``."""

    def __init__(self, target: Target) -> None:
        self._file = (target.folder / "labels.jsonl").open("w", encoding="utf-8")
        self._made = {"version": target.made.version, "options": dict(target.made.options)}

    def add(self, record: Record) -> None:
        """Write one line."""
        # Not json.dump, which does not use the C encoder.
        text = json.dumps(record.to_json() | self._made, ensure_ascii=False, separators=(",", ":"))
        self._file.write(text + "\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_lines(path: Path) -> Iterator[Record]:
    """Yield the records of a JSON lines file, one in memory at a time; pictures that could not be read are left out.

    In the history of a review (lines with ``corrected``), the last line of a picture counts.

    Raises:
        LabelError: a line that is not a record.
    """
    last: dict[str, int] = {}
    with open_text(path) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                try:
                    record = record_of_line(line)
                except BadRecord as error:
                    raise LabelError(f"{path}, line {number}: {error.message}") from None
                if '"corrected": {' in line:
                    last[record.image] = number
                elif record.error is None:
                    yield record
    if last:
        numbers = set(last.values())
        with open_text(path) as file:
            yield from (record_of_line(line) for number, line in enumerate(file, 1) if number in numbers)


def written_classes(path: Path) -> Classes:
    """Return the classes of the other label files in a folder of labels, as its records say; else every tile."""
    path = path / "labels.jsonl" if path.is_dir() else path
    if path.suffix != ".jsonl" or not path.is_file():
        return ALL
    with open_text(path) as file:
        options = json.loads(next(file, "{}")).get("options")
    return Classes.of_option(options.get("classes")) if isinstance(options, dict) else ALL


JSONL: Final = Format(
    name="jsonl",
    description="JSON lines, one record per picture; always written",
    files=("labels.jsonl",),
    write=LinesWriter,
    read=lambda path, _: read_lines(path),
    sniff=lambda given: given.suffix == ".jsonl",
    holds_ignored=True,
    keeps_notation=True,
    tells_checked=True,
)
