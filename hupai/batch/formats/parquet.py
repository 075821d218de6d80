"""Records as Parquet, for clusters and data frames: one row per picture, its tiles a list of structures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hupai.batch.formats.base import LabelError
from hupai.batch.formats.format import Format, MissingPackage, Target
from hupai.batch.provenance import Provenance
from hupai.batch.records import Record, record_of

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
        ("error_code", pa.string()),
        ("error_message", pa.string()),
    ]
    return pa.schema([pa.field(name, kind) for name, kind in fields])


def row_of(record: Record) -> dict[str, Any]:
    """Return a record as a row; ``hand`` is JSON text."""
    tiles = [
        {
            "tile": b.tile.code,
            "confidence": b.confidence,
            "corners": [list(p) for p in b.corners],
            "alternatives": [{"tile": t.code, "probability": p} for t, p in b.alternatives],
            "located": b.located,
            "role": b.role,
            "group": b.group,
            "origin": b.origin,
        }
        for b in record.boxes
    ]
    code, message = record.error or (None, None)
    return {
        "image": record.image,
        "width": record.width,
        "height": record.height,
        "tiles": tiles,
        "sha256": record.sha256,
        "phash": record.phash,
        "models": [{"role": role, "sha256": sha} for role, sha in record.models.items()],
        "hand": None if record.hand is None else json.dumps(dict(record.hand), ensure_ascii=False),
        "pages": record.pages,
        "ignored": [list(place) for place in record.ignored],
        "error_code": code,
        "error_message": message,
    }


def record_of_row(row: Mapping[str, Any]) -> Record:
    """Return the record of a row.

    Raises:
        BadRecord: the row is not a record.
    """
    if row.get("error_code") is not None:
        error = {"code": row["error_code"], "message": row["error_message"]}
        return record_of({"image": row["image"], "error": error, "sha256": row["sha256"] or ""})
    given = {k: row.get(k) for k in ("image", "width", "height", "sha256", "phash")} | {"pages": row.get("pages") or 1}
    tiles = [
        {**t, "alternatives": [(a["tile"], a["probability"]) for a in t.get("alternatives") or ()]}
        for t in row.get("tiles") or ()
    ]
    models = {m["role"]: m["sha256"] for m in row.get("models") or ()}
    hand = json.loads(row["hand"]) if row.get("hand") else {}
    return record_of({**given, "tiles": tiles, "models": models, "ignored": row.get("ignored") or (), **hand})


def schema_with_provenance(made: Provenance) -> pa.Schema:
    """Return the schema with what made the rows, as JSON under ``hupai`` in the metadata."""
    return schema().with_metadata({"hupai": json.dumps(made.to_json(), ensure_ascii=False)})


def table_of(records: Iterable[Record], made: Provenance | None = None) -> pa.Table:
    """Return records as a table."""
    return load_pyarrow().Table.from_pylist(
        [row_of(r) for r in records], schema=schema() if made is None else schema_with_provenance(made)
    )


class ParquetWriter:
    """Writes ``labels.parquet``."""

    def __init__(self, target: Target) -> None:
        load_pyarrow()
        import pyarrow.parquet

        self._made = target.made
        path = target.folder / "labels.parquet"
        self._file = pyarrow.parquet.ParquetWriter(path, schema_with_provenance(self._made), compression="zstd")
        self._waiting: list[Record] = []

    def add(self, record: Record) -> None:
        """Add one row."""
        self._waiting.append(record)
        if len(self._waiting) == ROWS_PER_GROUP:
            self._write()

    def close(self) -> None:
        """Finish the file."""
        self._write()
        self._file.close()

    def _write(self) -> None:
        if self._waiting:
            self._file.write_table(table_of(self._waiting, self._made))
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
                yield from (r for r in map(record_of_row, batch.to_pylist()) if r.error is None)
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
)
