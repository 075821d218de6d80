"""The database: crash-safe SQLite, or PostgreSQL by URL; migrated to the present version at start."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DisconnectionError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from hupai.store.errors import StoreError
from hupai.store.schema import check_keepers, is_up_to_date, upgrade_tables
from hupai.store.wing import StoreWing, join_wings

_BUSY_SECONDS: Final = 5
_BATCH_SIZE: Final = 500
_SILENCE_SECONDS: Final = 10
"""Seconds of silence after which PostgreSQL and a host give up their connection: shorter than a lease."""
_KEEPALIVES: Final = {"keepalives_idle": 5, "keepalives_interval": 3, "keepalives_count": 3}
_MIGRATION_LOCK: Final = 0x68757061  # "hupa": the advisory lock that lets one process at a time migrate a PostgreSQL
_WRITES: Final = "hupai_writes"
_FILE: Final = "hupai_file"
_write_counts: Final[WeakKeyDictionary[Engine, int]] = WeakKeyDictionary()
_counting: Final = threading.Lock()


def open_store(url: str, wings: Sequence[StoreWing]) -> Engine:
    """Open ``sqlite:///FILE`` or ``postgresql://...``; it is created if it does not exist and migrated if it is old.

    Args:
        url, wings: as for :func:`connect`; a wing left out would never hear of what is done here.

    Raises:
        StoreError: no such database, no driver, no permission, created by a newer hupai, or with more parts than here.
    """
    engine = connect(url, wings)
    try:
        migrate(engine)
    except SQLAlchemyError as error:
        engine.dispose()
        raise StoreError(f"The database {describe_failure(url, error)}") from error
    except StoreError:
        engine.dispose()
        raise
    return engine


def connect(url: str, wings: Sequence[StoreWing] = ()) -> Engine:
    """Return an engine for this URL; nothing is read or written yet.

    Args:
        url: of the database. wings: those that have tables in it and hear of what happens to its games.

    Raises:
        StoreError: not the URL of a supported database, no driver, or the folder cannot be created.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # the URL is not shown: it may contain a password
        raise StoreError("This is not a database URL; write postgresql://user@host/name.") from None
    make = {"sqlite": _sqlite, "postgresql": _postgresql}.get(parsed.get_backend_name())
    if make is None:
        raise StoreError(f"{parsed.get_backend_name()} is not supported; use sqlite or postgresql.")
    engine = make(parsed)
    join_wings(engine, wings)
    return engine


def without_password(url: str) -> str:
    """Return the URL without its password."""
    return make_url(url).render_as_string(hide_password=True)


def error_reason(error: SQLAlchemyError) -> str:
    """Return the first line of the database's own error message."""
    return str(getattr(error, "orig", None) or error).strip().splitlines()[0].rstrip(".")


def describe_failure(url: str, error: SQLAlchemyError) -> str:
    """Return which database cannot be used, why, and what to do about it, as the rest of a sentence."""
    reason = error_reason(error)
    if not url.startswith("sqlite"):
        what = "see that it runs and that address, name and password are right"
    elif "full" in reason:
        what = "make room on the disk"
    elif "locked" in reason:
        what = "end the other program that holds it"
    elif "unable to open" in reason or "readonly" in reason:
        what = "give the file and its folder to the user that runs hupai, or name another --data-folder"
    else:
        what = "put a copy back, or move the file away for a fresh start"
    return f"{without_password(url)} cannot be used: {reason}; {what}."


def _sqlite(url: URL) -> Engine:
    if url.database in (None, "", ":memory:"):
        raise StoreError("A ledger in memory would be lost; name a file: sqlite:////path/to/hupai.db.")
    folder = Path(str(url.database)).expanduser().absolute().parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"The folder {folder} cannot be made ({error.strerror}); give another --data-folder."
        ) from None
    file = Path(str(url.database))
    if os.access(file, os.F_OK) and not os.access(
        file, os.R_OK | os.W_OK
    ):  # SQLite would open it and refuse the first hand
        raise StoreError(
            f"The database {file} cannot be written by this user; change its owner, or name another --data-folder."
        )
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    _notice_loss(engine, file)
    _keep_private(engine, file)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        # The driver must not begin transactions by itself: BEGIN is issued below, with the purpose of the transaction.
        connection.isolation_level = None
        cursor = connection.cursor()
        _log_ahead(cursor)
        # FULL: a commit is on disk when it returns, so a confirmed hand survives kill -9 and a power cut.
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA secure_delete=ON")  # a deleted game's names are overwritten, not only unlinked
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A reader that starts to write halfway fails at once if another process writes; so writers begin as writers.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing(connection) else "BEGIN")

    return engine


def _log_ahead(cursor: sqlite3.Cursor) -> None:
    """Switch the file to write-ahead logging if it is new.

    Connections that do so at the same moment would wait for each other forever, so SQLite refuses all but one of them
    at once; those try again.
    """
    end = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _keep_private(engine: Engine, file: Path) -> None:
    """Make the ledger private: it contains names, so no other account may read it, whoever created it and when.

    The files that SQLite puts beside it get the same mode. An existing ledger is never opened here: closing it
    would drop every lock that SQLite has on it in this process, and another process could take its log away.
    """

    @event.listens_for(engine, "do_connect")
    def close_to_others(_: Any, __: Any, ___: Any, settings: dict[str, Any]) -> None:
        with suppress(OSError):  # whatever prevents this prevents SQLite too, and SQLite reports it
            if file.exists():
                file.chmod(stat.S_IMODE(file.stat().st_mode) & ~stat.S_IRWXO)
            elif not settings.get("uri"):  # otherwise it existed before
                os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _notice_loss(engine: Engine, file: Path) -> None:
    """Fail if the file was moved, deleted or replaced under a running hupai.

    SQLite does not notice: it would go on confirming into a file that nobody will ever find.
    """
    opened: list[bool] = []

    def identity() -> tuple[int, int] | None:
        try:
            found = file.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    def missing_file_error() -> StoreError:
        return StoreError(f"The ledger {file} is gone: put it back, or start hupai again for a new one.")

    @event.listens_for(engine, "do_connect")
    def before(_: Any, __: Any, named: list[Any], settings: dict[str, Any]) -> None:
        if not opened:
            return
        if identity() is None:
            raise missing_file_error()
        named[0] = f"{file.absolute().as_uri()}?mode=rw"  # if it is moved away now, no empty one is created
        settings["uri"] = True

    @event.listens_for(engine, "connect")
    def remember(_: Any, record: ConnectionPoolEntry) -> None:
        record.info[_FILE] = identity()
        opened.append(True)

    @event.listens_for(engine, "checkout")
    def compare(_: Any, record: ConnectionPoolEntry, __: Any) -> None:
        now = identity()
        if now is None:
            raise missing_file_error()
        if now != record.info[_FILE]:
            raise DisconnectionError  # another file is in its place: it is opened instead


def _postgresql(url: URL) -> Engine:
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    silence = {"tcp_user_timeout": 1000 * _SILENCE_SECONDS}
    try:
        engine = create_engine(
            url, pool_pre_ping=True, connect_args={"connect_timeout": _BUSY_SECONDS, **_KEEPALIVES, **silence}
        )
    except ImportError:
        raise StoreError(
            "The PostgreSQL driver is not installed: pip install 'psycopg[binary]'.", code="store_unsuitable"
        ) from None

    @event.listens_for(engine, "connect")
    def listen(connection: Any, _: Any) -> None:
        # The database also gives up a host whose cable was pulled, and what that had locked is free again.
        with connection.cursor() as cursor:
            for name, value in {**{f"tcp_{n}": v for n, v in _KEEPALIVES.items()}, **silence}.items():
                cursor.execute(f"set {name} = {value}")
        connection.commit()

    return engine


def is_writing(connection: Connection) -> bool:
    """Whether its transaction was begun by :func:`writing`."""
    return bool(connection.get_execution_options().get(_WRITES, False))


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """A transaction that writes: committed, and on the disk, when the block ends; rolled back on an error."""
    with Session(engine.execution_options(**{_WRITES: True})) as session, session.begin():
        yield session
    count_write(engine)  # only now: a read during the commit returns the old state


def in_batches(ids: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield ids in order, as many at once as a statement takes."""
    ordered = sorted(ids)
    yield from (ordered[i : i + _BATCH_SIZE] for i in range(0, len(ordered), _BATCH_SIZE))


def advisory_lock(session: Session, key: str) -> None:
    """Let one transaction at a time do what has this key: until the first one ends, the second waits here."""
    if session.get_bind().dialect.name == "postgresql":  # SQLite has one writer anyway
        session.execute(text("select pg_advisory_xact_lock(hashtext(:key))"), {"key": key})


def count_write(engine: Engine) -> None:
    """Mark cached answers as old: this process has written, or has been notified of another one's write."""
    with _counting:
        _write_counts[engine] = _write_counts.get(engine, 0) + 1


def write_count(engine: Engine) -> int:
    """Return how often this engine has seen the store change; an answer made under another number is old."""
    return _write_counts.get(engine, 0)


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A transaction that only reads: one consistent picture, of all its queries."""
    picture = {"isolation_level": "REPEATABLE READ"} if engine.dialect.name == "postgresql" else {}
    with Session(engine.execution_options(**picture)) as session, session.begin():
        yield session


def migrate(engine: Engine) -> None:
    """Migrate the tables to the present version; several processes may start at once.

    Raises:
        StoreError: the database was created by a newer hupai, lacks tables, belongs to another program, or holds what
            a wing keeps that is not here.
    """
    with engine.execution_options(**{_WRITES: True}).begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
        if not is_up_to_date(connection):
            upgrade_tables(connection)
        check_keepers(connection)
