"""Records as Parquet, for clusters and data frames: one row per picture, its tiles a list of structures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hupai.label.formats.base import LabelError
from hupai.label.formats.format import Format, MissingPackage, Target
from hupai.label.records import Record, record_of

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_PER_GROUP: Final = 2000
"""Rows per row group."""


def load_pyarrow() -> Any:
    """Return the pyarrow module.

    Raises:
        MissingPackage: it is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingPackage("Parquet needs pyarrow; run: pip install pyarrow.") from None
    return pyarrow


@lru_cache(maxsize=1)
def schema() -> pa.Schema:
    """Return the columns and their types."""
    pa = load_pyarrow()
    alternative = pa.struct([("tile", pa.string()), ("probability", pa.float64())])
    tile = pa.struct(
        [
            ("tile", pa.string()),
            ("confidence", pa.float64()),
            ("corners", pa.list_(pa.list_(pa.float64()))),
            ("alternatives", pa.list_(alternative)),
            ("located", pa.float64()),
            ("role", pa.string()),
            ("group", pa.int32()),
            ("origin", pa.string()),
        ]
    )
    model = pa.struct([("role", pa.string()), ("sha256", pa.string())])
    fields = [
        ("image", pa.string()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("tiles", pa.list_(tile)),
        ("sha256", pa.string()),
        ("phash", pa.string()),
        ("models", pa.list_(model)),
        ("hand", pa.string()),
        ("pages", pa.int32()),
        ("ignored", pa.list_(pa.list_(pa.float64()))),
    ]
    return pa.schema([pa.field(name, kind) for name, kind in fields])


def row_of(record: Record) -> dict[str, Any]:
    """Return a labelled record as a row: its JSON, with structures for pairs; ``hand`` is JSON text."""
    given = record.to_json()
    tiles = [
        {"origin": "read", **t, "alternatives": [{"tile": code, "probability": p} for code, p in t["alternatives"]]}
        for t in given["tiles"]
    ]
    models = [{"role": role, "sha256": sha} for role, sha in record.models.items()]
    hand = None if record.hand is None else json.dumps(dict(record.hand), ensure_ascii=False)
    return {"pages": 1, "ignored": [], **given, "tiles": tiles, "models": models, "hand": hand}


def record_of_row(row: Mapping[str, Any]) -> Record:
    """Return the record of a row.

    Raises:
        BadRecord: the row is not a record.
    """
    given = {key: value for key, value in row.items() if key != "hand" and value is not None}
    tiles = [
        {**t, "alternatives": [(a["tile"], a["probability"]) for a in t.get("alternatives") or ()]}
        for t in given.get("tiles", ())
    ]
    models = {m["role"]: m["sha256"] for m in given.get("models", ())}
    hand = json.loads(row["hand"]) if row.get("hand") else {}
    return record_of({**given, "tiles": tiles, "models": models, **hand})


class ParquetWriter:
    """Writes ``labels.parquet``."""

    def __init__(self, target: Target) -> None:
        load_pyarrow()
        import pyarrow.parquet

        # What made the rows is in the metadata, as JSON.
        made = json.dumps(target.made.to_json(), ensure_ascii=False)
        path = target.folder / "labels.parquet"
        self._file = pyarrow.parquet.ParquetWriter(path, schema().with_metadata({"hupai": made}), compression="zstd")
        self._waiting: list[dict[str, Any]] = []

    def add(self, record: Record) -> None:
        """Add one row."""
        self._waiting.append(row_of(record))
        if len(self._waiting) == ROWS_PER_GROUP:
            self._write()

    def close(self) -> None:
        """Finish the file."""
        self._write()
        self._file.close()

    def _write(self) -> None:
        if self._waiting:
            self._file.write_table(load_pyarrow().Table.from_pylist(self._waiting, schema=self._file.schema))
            self._waiting = []


def read_parquet(path: Path) -> Iterator[Record]:
    """Yield the records that are labelled.

    Raises:
        LabelError: not Parquet, or not of this kind.
    """
    pa = load_pyarrow()
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=500):
                yield from map(record_of_row, batch.to_pylist())
    except (OSError, pa.ArrowException, KeyError, TypeError, UnicodeDecodeError) as error:
        raise LabelError(f"{path} is not a Parquet file of labels ({error}).") from None


PARQUET: Final = Format(
    name="parquet",
    description="Parquet, one row per picture",
    files=("labels.parquet",),
    write=ParquetWriter,
    read=lambda path, _: read_parquet(path),
    sniff=lambda given: given.suffix == ".parquet",
    package="pyarrow",
    holds_ignored=True,
    keeps_notation=True,
    tells_checked=True,
)
