"""Labels as CSV, one row per tile, and the rows of all other CSV files."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

from hupai.basics.csv_files import read_rows
from hupai.basics.formulas import FORMULA_STARTS
from hupai.label.formats.base import (
    LabelError,
    format_alternatives,
    four_corners,
    invalid_file_error,
    open_text,
    picture_name,
)
from hupai.label.formats.format import Format, ImportContext, Target
from hupai.label.records import Box, Record

_CORNERS: Final = ("x0", "y0", "x1", "y1", "x2", "y2", "x3", "y3")
COLUMNS: Final = (
    "image", "width", "height", "tile", "confidence", *_CORNERS, "located", "alternatives", "role", "group", "origin",
    "model", "sha256", "version", "options",
)  # fmt: skip


class CsvWriter:
    """Writes ``labels.csv``: one row per tile; a picture without tiles has one row with an empty ``tile``."""

    def __init__(self, target: Target) -> None:
        self._file = (target.folder / "labels.csv").open("w", encoding="utf-8", newline="")
        self._rows = CsvRows(self._file)
        self._rows.writerow(COLUMNS)
        self._made = target.made.version, target.made.options_text

    def add(self, record: Record) -> None:
        """Write the rows of a picture."""
        first = (escape_formula(record.image), record.width, record.height)
        last = (record.model, record.sha256, *self._made)
        if not record.boxes:
            self._rows.writerow((*first, *[""] * (len(COLUMNS) - len(first) - len(last)), *last))
        for b in record.boxes:
            corners = [v for point in b.corners for v in point]
            cells = (b.tile.code, _cell(b.confidence), *corners, _cell(b.located), format_alternatives(b))
            self._rows.writerow((*first, *cells, b.role or "", _cell(b.group), b.origin, *last))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


@contextmanager
def open_csv(path: Path, columns: Sequence[str]) -> Iterator[CsvRows]:
    """Make a CSV file that begins with its columns' names, and take its rows."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = CsvRows(file)
        rows.writerow(columns)
        yield rows


class CsvRows:
    """The rows of a CSV file, each ended by a line feed."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        # Given another end of line, csv.writer leaves carriage returns unquoted, and readers end the row there.
        self._writer = csv.writer(self, lineterminator="\r\n")

    def write(self, row: str) -> None:
        """Write a row as csv.writer gives it."""
        self._file.write(row.removesuffix("\r\n") + "\n")

    def writerow(self, cells: Iterable[object]) -> None:
        """Write a row."""
        self._writer.writerow(cells)


def escape_formula(name: str) -> str:
    """Return a file name that no spreadsheet takes for a formula: ``./=1.jpg`` is the same file as ``=1.jpg``."""
    return f"./{name}" if name.startswith(FORMULA_STARTS) else name


def _cell(value: float | None) -> str:
    return "" if value is None else str(value)


def read_csv(path: Path, context: ImportContext) -> Iterator[Record]:
    """Yield the records of a CSV file with (at least) the columns image, width, height, tile and x0 to y3.

    Raises:
        LabelError: missing columns, invalid numbers.
    """
    # A quoted name may hold a line break; neither translated nor split at here.
    with open_text(path, newline="") as file:
        rows = read_rows(file)
        point = "," if rows.reader.dialect.delimiter == ";" else "."
        needed = ("image", "width", "height", "tile", *_CORNERS)
        try:
            missing = [c for c in needed if c not in (rows.fieldnames or ())]
            if missing:
                raise LabelError(f"{path} lacks the columns {', '.join(missing)}.")
            for image, group in itertools.groupby(rows, key=lambda row: row["image"]):
                own = iter(group)  # read row by row, so that the last one read is the one that is invalid
                first = next(own)
                name = picture_name(image.removeprefix("./"))
                size = context.measure(name, first["width"], first["height"])
                boxes = [b for row in itertools.chain([first], own) for b in _boxes(row, context, point)]
                yield Record(name, *size, tuple(boxes), first.get("sha256") or "")
        except UnicodeDecodeError:
            raise  # what open_text explains
        except (ValueError, TypeError, csv.Error) as error:
            raise invalid_file_error(path, f"row {rows.line_num}", error) from None


def _boxes(row: dict[str, str], context: ImportContext, point: str) -> list[Box]:
    found = context.tile(row["tile"]) if row["tile"] else None
    if found is None:
        return []
    v = [float(row[c].replace(point, ".")) for c in _CORNERS]
    corners = four_corners(list(zip(v[::2], v[1::2], strict=True)))
    alternatives = []
    for pair in (row.get("alternatives") or "").split():
        code, _, p = pair.rpartition(":")
        other = context.tile(code)
        if other is not None:
            alternatives.append((other, float(p)))
    return [
        Box(
            found,
            corners,
            float(row["confidence"].replace(point, ".")) if row.get("confidence") else None,
            tuple(alternatives),
            float(row["located"].replace(point, ".")) if row.get("located") else None,
            row.get("role") or None,
            int(row["group"]) if row.get("group") else None,
            row.get("origin") or "corrected",
        )
    ]


CSV: Final = Format(
    name="csv",
    description="CSV, one row per tile",
    files=("labels.csv",),
    write=CsvWriter,
    read=read_csv,
    sniff=lambda given: given.suffix == ".csv",
    keeps_notation=True,
)
