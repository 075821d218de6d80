"""CSV files as spreadsheets save them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TextIO


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV."""
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def separator(line: str) -> str:
    """Return what separates the cells of a line; in most of Europe spreadsheets put semicolons, others tabs."""
    return max(",;\t", key=line.count)


def read_rows(file: TextIO) -> csv.DictReader[str]:
    """Return the rows of a CSV file from its beginning."""
    first = file.readline()
    file.seek(0)
    return csv.DictReader(file, delimiter=separator(first))
