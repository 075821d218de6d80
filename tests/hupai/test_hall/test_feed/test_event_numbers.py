"""Numbers of events where the store was put back from a copy."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from sqlalchemy import Engine

from hupai.hall.events import feed
from hupai.store.backup import write_backup
from hupai.store.database import connect, open_store
from hupai.store.schema import upgrade_tables
from hupai.wing import store_wings
from tests.hupai.serving import ROOT


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'hupai.db'}"


def numbers(engine: Engine, after: int) -> list[tuple[int, str, str]]:
    return [(e["number"], e["event"], e["table"]) for e in feed.events_after(engine, after)]


def test_no_subscriber_misses_an_event_after_a_backup_was_put_back(tmp_path: Path) -> None:
    """One that remembers the last number hears everything; none of the lost events' numbers names another event."""
    engine = open_store(url(tmp_path), store_wings())
    feed.claim(engine, feed.Claim("A", "0", "w1", None))
    made = write_backup(tmp_path / "cup.zip", url(tmp_path), tmp_path, store_wings())
    feed.set_state(engine, "A", "w1", "watching", {})  # after the backup: lost
    remembered = feed.last_number(engine)
    assert numbers(engine, 0)[remembered - 1 :] == [(2, "table.state", "A")], "the ledger itself goes on as before"
    engine.dispose()
    with zipfile.ZipFile(made.path) as kept:
        kept.extractall(tmp_path / "again")
    engine = open_store(url(tmp_path / "again"), store_wings())
    feed.set_state(engine, "A", "w1", "hand", {})
    assert numbers(engine, remembered) == [(1_000_001, "store.restored", ""), (1_000_002, "table.state", "A")]
    assert len(numbers(engine, 0)) == 3
    engine.dispose()


@pytest.mark.both_databases
def test_a_dump_that_was_put_back_counts_on_as_the_page_says(store: Engine) -> None:
    """The statement of docs/server.md, on both databases."""
    (statement,) = re.findall(r"```sql\n(.+?)```", (ROOT / "docs" / "server.md").read_text(encoding="utf-8"), re.DOTALL)
    feed.claim(store, feed.Claim("A", "0", "w1", None))
    with store.begin() as connection:
        connection.exec_driver_sql(statement.rstrip().rstrip(";"))
    feed.set_state(store, "A", "w1", "watching", {})
    assert numbers(store, 1) == [(1_000_001, "store.restored", ""), (1_000_002, "table.state", "A")]


def test_a_ledger_from_before_there_were_events_is_kept(tmp_path: Path) -> None:
    engine = connect(url(tmp_path))
    with engine.begin() as connection:
        upgrade_tables(connection, "0001")
    engine.dispose()
    assert write_backup(tmp_path / "cup.zip", url(tmp_path), tmp_path, store_wings()).games == 0
