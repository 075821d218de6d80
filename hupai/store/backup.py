"""A backup of an installation in one file, taken while it runs."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import make_url

from hupai.basics.timestamps import format_time
from hupai.store.errors import StoreError
from hupai.store.wing import StoreWing
from scoring.version import version

LEDGER: Final = "hupai.db"
FOLDERS: Final = ("sets", "samples")
"""The parts of the data folder that are saved beside the ledger; certificates and their keys are not."""
_DRAFTS: Final = (".part", ".new")
_BUSY_SECONDS: Final = 30


@dataclass(frozen=True, slots=True)
class Backup:
    """What was saved.

    Attributes:
        path: the zip file.
        size: its bytes.
        games: number in the ledger; None if that is a PostgreSQL database, which is not in the file.
        files: number of files of learned tile sets and labelled samples.
    """

    path: Path
    size: int
    games: int | None
    files: int

    def to_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {"file": str(self.path), "bytes": self.size, "games": self.games, "files": self.files}


def write_backup(out: Path, database_url: str, folder: Path, wings: Sequence[StoreWing]) -> Backup:
    """Write ledger, learned sets and samples into a zip file with the layout of the data folder.

    SQLite copies the ledger, so servers and watchers may go on writing; the copy is checked before it is accepted.
    The file is written completely or not at all, and no other account of this machine may read it.

    Args:
        out: a new file, or a folder that gets a file named after the time.
        database_url: the ledger's.
        folder: the data folder.
        wings: mark the copy of the ledger.

    Raises:
        StoreError: the file exists already or cannot be written, there is no ledger, or it is damaged.
    """
    now = datetime.now(UTC)
    path = out / f"hupai-{now:%Y%m%dT%H%M%SZ}.zip" if out.is_dir() else out
    if path.exists():
        raise StoreError(f"{path} is there already; name another file, or a folder.")
    games, files = None, 0
    with new_zip(path) as (kept, scratch):
        if database_url.startswith("sqlite"):
            games = _copy_ledger(_ledger(database_url), scratch / LEDGER, wings)
        about = {"format": 1, "version": version(), "at": format_time(now), "games": games}
        kept.writestr("backup.json", json.dumps(about, indent=1) + "\n")
        if games is not None:
            kept.write(scratch / LEDGER, LEDGER)
        for file in _files_to_save(folder):
            with suppress(FileNotFoundError):  # deleted meanwhile, which is allowed
                kept.write(file, file.relative_to(folder).as_posix())
                files += 1
    return Backup(path, path.stat().st_size, games, files)


@contextmanager
def new_zip(path: Path) -> Iterator[tuple[zipfile.ZipFile, Path]]:
    """Write a new zip file, completely or not at all, readable for this user only; beside it there is a scratch folder.

    Raises:
        StoreError: the file cannot be written.
    """
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".hupai-") as scratch:
            draft = Path(scratch) / "draft.zip"
            with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600), "w+b") as file:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as kept:
                    yield kept, Path(scratch)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
    except OSError as error:
        what = "make room" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "name another place"
        raise StoreError(f"{path} cannot be written ({error.strerror}); {what}.") from error


def _ledger(url: str) -> Path:
    path = Path(str(make_url(url).database)).expanduser().absolute()
    if not path.is_file():
        raise StoreError(f"There is no ledger {path}; name the folder of hupai serve with --data-folder.")
    return path


def _copy_ledger(ledger: Path, copy: Path, wings: Sequence[StoreWing]) -> int:
    """Copy a ledger that others may be writing to; return how many games it has."""
    try:
        with (
            closing(sqlite3.connect(f"{ledger.as_uri()}?mode=rw", uri=True, timeout=_BUSY_SECONDS)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            troubles = [row[0] for row in target.execute("pragma integrity_check(3)") if row[0] != "ok"]
            if troubles:
                raise StoreError(f"{ledger} is damaged ({'; '.join(troubles)}); nothing was kept.")
            with target:
                for wing in wings:
                    wing.mark_copy(target)
            return int(target.execute("select count(*) from games").fetchone()[0])
    except sqlite3.Error as error:
        if "full" in str(error):  # the copy's disk; the error has no code
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        raise StoreError(f"{ledger} cannot be copied ({error}); nothing was kept.") from error


def _files_to_save(folder: Path) -> Iterator[Path]:
    for name in FOLDERS:
        yield from sorted(p for p in (folder / name).rglob("*") if p.is_file() and p.suffix not in _DRAFTS)
