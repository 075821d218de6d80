"""The procedure beyond one machine: the same labelling in actors of Ray Data, with Parquet output.

The listing is made once and kept; it is cut into parts of a few thousand pictures, and a part's Parquet file is
written when all its rows are complete. A restarted run goes on with the missing parts. Workers may die:
Ray runs their pictures again elsewhere, and a picture that kills every process that reads it becomes a failure, as on
one machine.
"""

from __future__ import annotations

import bisect
import io
import itertools
import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hupai.basics.atomic_write import atomic_write
from hupai.batch.engines.joining import ClusterError, cluster
from hupai.batch.engines.labeller import FileImage, LabelOptions, Readable, Save, UnreadableImage
from hupai.batch.engines.pool import Pool
from hupai.batch.engines.run import Job
from hupai.batch.formats.parquet import load_pyarrow, record_of_row, rows_in, table_of
from hupai.batch.inputs.paths import local_path
from hupai.batch.inputs.sources import Item, read_items, sources_of
from hupai.batch.journal import Counts
from hupai.batch.outputs.derive import derive
from hupai.batch.outputs.finish import Pace, RunResult, crops_in
from hupai.batch.outputs.images import Images
from hupai.batch.progress import Progress
from hupai.batch.provenance import Provenance
from hupai.batch.records import Record, record_of_line
from scoring.errors import HupaiError

if TYPE_CHECKING:
    import pyarrow as pa

PART_ROWS: Final = 2000
"""Pictures per part, and so per Parquet file: about 8 MB."""
WAVE_PARTS: Final = 50
"""Parts handed to Ray at once; the actors are restarted for each such wave."""
BLOCK_ROWS: Final = 32
"""Pictures per block, the unit that is run again when a worker dies."""
LISTED_ROWS: Final = 10_000
"""Pictures that are listed before they are packed."""
LISTING: Final = "listing.parquet"
COLUMNS: Final = ("name", "path", "stamp", "code", "message")
"""Of the listing."""


class LabelActor:
    """A worker of the cluster: keeps the models loaded in a labelling process of its own.

    A picture that crashes the decoder kills only that process. If it killed the actor, Ray would restart the actor
    with the same picture for ever.
    """

    def __init__(self, options: LabelOptions, save: Save | None) -> None:
        self._pool = Pool(options, 1, save).__enter__()

    def __call__(self, block: pa.Table) -> pa.Table:
        """Return the labels of a block of the listing (number, name, path), with their numbers."""
        rows = block.to_pylist()
        numbers = {row["name"]: row["number"] for row in rows}
        records = [record_of_line(line) for _, _, line in self._pool.label(iter(map(_picture, rows)))]
        table = table_of(records)
        return table.append_column("number", load_pyarrow().array([numbers[r.image] for r in records], "int64"))


def run_on_ray(job: Job, address: str | None, progress: Progress, *, part_rows: int = PART_ROWS) -> RunResult:
    """Label on a Ray cluster everything that is not labelled yet.

    Args:
        job: what is asked for; every machine of the cluster sees its sources and its folder under the same paths.
        address: of the cluster, see :func:`hupai.batch.engines.joining.cluster`.
        progress: receives progress messages.
        part_rows: pictures per part.

    Returns:
        The result; the summary is in ``summary.json``, the rows are in ``parts/``.

    Raises:
        HupaiError: wrong usage, no Ray, a cluster that is too small, labels that were begun under another plan.
    """
    job = replace(job, out=Path(_absolute_path(str(job.out))))  # actors work in folders of their own
    folder = job.out
    plan = job.plan([_absolute_path(s) for s in job.sources])
    fresh = _fresh_listing(folder, job.sources, progress) if job.fresh else None
    if (folder / "plan.json").is_file():
        begun = json.loads((folder / "plan.json").read_bytes())
        plan.check({k: v for k, v in begun.items() if k != "part_rows"}, str(folder))
        part_rows = int(begun["part_rows"])
    else:
        text = json.dumps({**plan.to_json(), "part_rows": part_rows}, ensure_ascii=False, indent=1)
        _write(folder / "plan.json", text.encode())
    parts = Parts(folder, part_rows, _listing(folder, job.sources, progress) if fresh is None else fresh)
    open_parts = parts.open()
    count = sum(parts.size(p) for p in open_parts)
    progress.begin(parts.count, parts.count - count)
    pace = None
    if open_parts:
        with cluster(address, job.workers, progress) as workers:
            since = time.monotonic()
            for start in range(0, len(open_parts), WAVE_PARTS):
                _label(parts, open_parts[start : start + WAVE_PARTS], job, workers, progress)
            pace = Pace(count, time.monotonic() - since, workers)
    progress.stage("writing the summary")
    return replace(_finish(parts, job), pace=pace)


@dataclass(frozen=True, slots=True)
class Parts:
    """The listing, cut into parts, and where the parts are stored.

    Attributes:
        folder: of the labels.
        rows: pictures per part.
        listing: columns name, path, stamp, code, message; by name. The last two say why an entry cannot be tried.
    """

    folder: Path
    rows: int
    listing: pa.Table

    @property
    def count(self) -> int:
        """Number of pictures."""
        return int(self.listing.num_rows)

    def size(self, part: int) -> int:
        """Number of pictures in a part."""
        return min(self.rows, self.count - part * self.rows)

    def open(self) -> list[int]:
        """The parts that are still missing."""
        return [p for p in range(-(-self.count // self.rows)) if not self._path(p).exists()]

    def pictures(self, part: int) -> pa.Table:
        """The listing of a part, with the pictures' numbers."""
        start = part * self.rows
        numbers = load_pyarrow().array(range(start, start + self.size(part)), "int64")
        return self.listing.slice(start, self.size(part)).append_column("number", numbers)

    def write(self, part: int, records: Sequence[Record], made: Provenance) -> None:
        """Store a finished part."""
        _write_table(self._path(part), table_of(records, made))

    def __iter__(self) -> Iterator[Record]:
        """The records of all parts, by name."""
        yield from rows_in(self.folder / "parts")

    def names(self) -> Iterator[str]:
        """The pictures, by name."""
        for batch in self.listing.select(["name"]).to_batches(10_000):
            yield from batch.column(0).to_pylist()

    def __len__(self) -> int:
        return self.count

    def _path(self, part: int) -> Path:
        return self.folder / "parts" / f"part-{part:06d}.parquet"


def _write_table(path: Path, table: pa.Table) -> None:
    import pyarrow.parquet

    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table, buffer, compression="zstd")
    _write(path, buffer.getvalue())


def _write(path: Path, data: bytes) -> None:
    """Write a file completely or not at all.

    Raises:
        HupaiError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, data)
    except OSError as error:
        raise HupaiError(f"{path} cannot be written ({error.strerror or error}).", code="cannot_write") from None


def _label(parts: Parts, wave: Sequence[int], job: Job, workers: int, progress: Progress) -> None:
    """Label some parts; each is written when its last row is complete."""
    import ray.data
    from ray.data import ActorPoolStrategy

    save = crops_in(parts.folder) if job.crops else None
    tables = [parts.pictures(p) for p in wave]
    block = max(1, min(BLOCK_ROWS, -(-sum(t.num_rows for t in tables) // (4 * workers))))
    blocks = [t.slice(start, block) for t in tables for start in range(0, t.num_rows, block)]
    rows = ray.data.from_arrow(blocks).map_batches(
        LabelActor,
        fn_constructor_kwargs={"options": job.options, "save": save},
        compute=ActorPoolStrategy(size=workers),
        num_cpus=1,
        batch_format="pyarrow",
        batch_size=None,
    )
    made = job.provenance()
    waiting: dict[int, dict[int, Record]] = {}
    for table in rows.iter_batches(batch_size=None, batch_format="pyarrow"):
        numbers = table.column("number").to_pylist()
        for number, record in zip(numbers, map(record_of_row, table.to_pylist()), strict=True):
            part = number // parts.rows
            own = waiting.setdefault(part, {})
            if number in own:
                raise ClusterError(f"Ray gave the labels of {record.image} twice; nothing of its part was written.")
            own[number] = record
            progress.step(failed=record.error is not None)
            if len(own) == parts.size(part):
                parts.write(part, [own[n] for n in sorted(own)], made)
                del waiting[part]
    if waiting:
        missing = sum(parts.size(p) - len(own) for p, own in waiting.items())
        raise ClusterError(f"Ray ended without the labels of {missing} pictures; run the same command again.")


def _finish(parts: Parts, job: Job) -> RunResult:
    """Make the summary and all other requested files."""
    formats = tuple(f for f in job.wanted.formats if f != "parquet")
    items = partial(_items, parts.listing)

    def fetch(names: Sequence[str]) -> Iterable[tuple[str, bytes]]:
        return ((item.name, data) for item, data in read_items(items(names)))

    images = None if job.images is None else Images(items, job.images, job.out)
    wanted = replace(job.wanted, formats=formats)
    summary = derive(parts, job.out, wanted, job.facts(), job.provenance(), fetch, images=images)
    failed = int(summary["pictures_failed"])
    return RunResult(Counts(parts.count, int(summary["pictures"]), failed), summary)


def _items(listing: pa.Table, names: Sequence[str]) -> dict[str, Item]:
    """Return the pictures of these names; those that could not be tried are left out."""
    column = listing.column("name")
    found = {}
    for name in names:
        at = bisect.bisect_left(range(len(column)), name, key=lambda i: column[i].as_py())
        (row,) = listing.slice(at, 1).to_pylist()
        if not row["code"]:
            found[name] = Item(name, Path(row["path"]), row["stamp"])
    return found


def _picture(row: dict[str, Any]) -> Readable:
    if row["code"]:
        return UnreadableImage(row["name"], row["code"], row["message"])
    return FileImage(row["name"], Path(row["path"]))


def _absolute_path(source: str) -> str:
    return os.path.abspath(local_path(source).expanduser())  # noqa: PTH100 - links are not resolved


def _listing(folder: Path, sources: Sequence[str], progress: Progress) -> pa.Table:
    """Return the pictures of all sources by name: the listing kept in the folder, or a new one."""
    import pyarrow.parquet

    kept = folder / LISTING
    if kept.is_file():
        return pyarrow.parquet.read_table(kept)
    table = _make_listing(sources, progress)
    _write_table(folder / LISTING, table)
    return table


def _fresh_listing(folder: Path, sources: Sequence[str], progress: Progress) -> pa.Table:
    """Make a new listing in a folder without other content; the old one is removed only once there are pictures."""
    table = _make_listing(sources, progress)
    for name in ("parts", "crops"):
        if (folder / name).exists():
            shutil.rmtree(folder / name)
    for name in ("plan.json", "summary.json"):
        (folder / name).unlink(missing_ok=True)
    _write_table(folder / LISTING, table)
    return table


def _make_listing(sources: Sequence[str], progress: Progress) -> pa.Table:
    pa = load_pyarrow()
    progress.stage("listing the pictures")
    schema = pa.schema([(name, pa.string()) for name in COLUMNS])
    rows = _rows(sources)
    # Converted to columns at once: as tuples of strings a listing would take ten times the memory.
    tables = [
        pa.table(dict(zip(COLUMNS, map(list, zip(*some, strict=True)), strict=True)), schema=schema)
        for some in iter(lambda: list(itertools.islice(rows, LISTED_ROWS)), [])
    ]
    if not tables:
        raise HupaiError(f"There are no pictures in {', '.join(sources)}.", code="no_pictures")
    return pa.concat_tables(tables).sort_by([(name, "ascending") for name in COLUMNS])


def _rows(sources: Sequence[str]) -> Iterator[tuple[str, str, str, str, str]]:
    """The columns of every picture."""
    for source in sources_of(sources):
        for entry in source.items():
            if not isinstance(entry, Item):
                yield entry.name, "", "", entry.code, entry.message
            else:
                yield entry.name, str(entry.place), entry.stamp, "", ""
