"""CSV files as spreadsheets save them."""

from __future__ import annotations

import csv
from typing import TextIO


def read_rows(file: TextIO) -> csv.DictReader[str]:
    """Return the rows of a CSV file from its beginning; in most of Europe spreadsheets put semicolons between cells."""
    first = file.readline()
    file.seek(0)
    return csv.DictReader(file, delimiter=max(",;", key=first.count))
