"""What goes wrong while a tournament is played."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing

from scripts.bench.host import Host


def killed(host: Host) -> None:
    """The server dies in the middle of its work and is started again."""
    host.kill()
    time.sleep(1)
    host.start()


def file_away(host: Host) -> None:
    """SQLite's file is not where it was (a disk that was unplugged), then it is again."""
    away = (host.folder / "hupai.db").rename(host.folder / "hupai.away")
    time.sleep(3)
    away.rename(host.folder / "hupai.db")


def file_held(host: Host) -> None:
    """Another program holds SQLite's file for longer than anybody waits for it."""
    with closing(sqlite3.connect(host.folder / "hupai.db", isolation_level=None, timeout=30)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(7)
        connection.execute("ROLLBACK")
