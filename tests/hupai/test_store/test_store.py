"""The ledger in real databases: SQLite files and a PostgreSQL server."""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, event, inspect, text
from sqlalchemy.exc import OperationalError

from hupai.basics.errors import Conflict, NotFound
from hupai.games.commands import Command, NewHand
from hupai.games.game_json import history_json
from hupai.games.games import Preset
from hupai.games.history import RECORDED, UNDONE
from hupai.games.terms.confirmed import Confirmed
from hupai.store.database import connect, migrate, open_store
from hupai.store.errors import StoreError
from hupai.store.play.games import SqlGames
from hupai.store.play.presets import SqlPresets
from hupai.store.schema import MIGRATIONS, REVISIONS, upgrade_tables
from hupai.store.tables import Base
from tests.hupai.store_builders import begin_game, payment, see_game
from tests.waiting import at_once

PINFU: dict[str, Any] = {
    "concealed": "123m456m789p23s55p",
    "winning_tile": "4s",
    "context": {"seat": "S", "win": "discard", "from": "W", "riichi": True},
}


HOME = Preset("Home", "hongkong", {}, "2026-01-31T20:15:00.000Z", "0")


def win(request: dict[str, Any] = PINFU, **more: Any) -> NewHand:
    key = more.pop("key", None)
    body = {"outcome": "win", "wins": [request], **{k: list(v) for k, v in more.items()}}
    return NewHand(Confirmed("win", (request,), **more), body, key)


@pytest.mark.both_databases
def test_tables_are_what_the_migrations_make(store: Engine) -> None:
    with store.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "include_object": is_kept_here})
        assert compare_metadata(context, Base.metadata) == []


def is_kept_here(part: Any, name: str, kind: str, *_: Any) -> bool:
    """Whether a table, or what a key leads to, is kept by a part that is installed; all of them are made."""
    table = part.referred_table if kind == "foreign_key_constraint" else part if kind == "table" else None
    return table is None or table.name in Base.metadata.tables


def test_every_migration_is_in_a_file_that_begins_with_its_revision() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS)).walk_revisions()
    assert [script.revision for script in scripts] == REVISIONS[::-1]


@pytest.mark.both_databases
def test_several_processes_may_start_at_once(database: str) -> None:
    engines = [connect(database) for _ in range(4)]
    at_once(*(partial(migrate, e) for e in engines))
    assert SqlGames(engines[0]).list_games(10) == []
    for e in engines:
        e.dispose()


@pytest.mark.both_databases
def test_the_tables_of_the_revision_before_are_brought_up_to_date(database: str) -> None:
    engine = connect(database)
    with engine.begin() as connection:
        upgrade_tables(connection, REVISIONS[-2])
    migrate(engine)
    with engine.connect() as connection:
        assert connection.scalar(text("select version_num from alembic_version")) == REVISIONS[-1]
    engine.dispose()


def test_a_new_file_may_be_opened_by_many_at_the_same_moment(tmp_path: Path) -> None:
    for attempt in range(60):  # without asking again, one in ten of these ends in "database is locked"
        engines = [connect(f"sqlite:///{tmp_path / f'{attempt}.db'}") for _ in range(6)]
        for connection in at_once(*(e.connect for e in engines)):
            connection.close()
        for engine in engines:
            engine.dispose()


def test_a_file_that_another_program_holds_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hupai.store.database._BUSY_SECONDS", 0.2)
    file = tmp_path / "a.db"
    with sqlite3.connect(file, isolation_level=None) as other:
        other.execute("begin exclusive")
        with pytest.raises(StoreError, match="locked; end the other program that holds it"):
            open_store(f"sqlite:///{file}", ())
    other.close()


def test_a_database_of_a_newer_hupai_is_refused(database: str) -> None:
    engine = open_store(database, ())
    with engine.begin() as connection:
        connection.execute(text("update alembic_version set version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreError, match="newer hupai") as caught:
        open_store(database, ())
    assert caught.value.code == "store_too_new"


@pytest.mark.parametrize(
    "made",
    ["create table bookmarks (id)", "create table alembic_version as select 'a9f3c01b7e55' as version_num"],
    ids=["no version", "a version of its own"],
)
def test_a_file_of_another_program_is_refused_and_left_alone(tmp_path: Path, made: str) -> None:
    file = tmp_path / "other.db"
    with sqlite3.connect(file) as other:
        other.execute(made)
    other.close()
    with pytest.raises(StoreError, match=r"another program.s: it has (bookmarks|alembic_version)"):
        open_store(f"sqlite:///{file}", ())
    with sqlite3.connect(file) as other:
        assert other.execute("select count(*) from sqlite_master").fetchone() == (1,)
    other.close()


@pytest.mark.both_databases
def test_what_a_part_keeps_that_is_not_here_is_refused(database: str) -> None:
    """Nothing would keep its games from being deleted, nor could they be."""
    engine = open_store(database, ())
    game = begin_game(engine)
    with engine.begin() as connection:
        connection.execute(text("create table fairs (id integer primary key)"))
        connection.execute(text("create table stalls (fair integer references fairs (id), game text references games)"))
        connection.execute(text("create table others (id integer primary key)"))
        connection.execute(text("insert into others values (1)"))
    open_store(database, ()).dispose()
    with engine.begin() as connection:
        connection.execute(text("insert into fairs values (1)"))
        connection.execute(text("insert into stalls values (1, :game)"), {"game": game})
    engine.dispose()
    with pytest.raises(
        StoreError, match="has fairs, stalls, which a part of hupai keeps that is not installed"
    ) as caught:
        open_store(database, ())
    assert caught.value.code == "store_unsuitable"


def test_sqlite_is_opened_so_that_commits_are_on_the_disk(tmp_path: Path) -> None:
    engine = open_store(f"sqlite:///{tmp_path / 'a.db'}", ())
    with engine.connect() as connection:
        pragmas = {p: connection.exec_driver_sql(f"pragma {p}").scalar() for p in ("journal_mode", "synchronous")}
        assert connection.exec_driver_sql("pragma foreign_keys").scalar() == 1
    assert pragmas == {"journal_mode": "wal", "synchronous": 2}
    engine.dispose()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("sqlite://", "in memory"),
        ("nonsense", "not a database URL"),
        ("mysql://x/y", "not supported"),
        ("sqlite:////proc/nowhere/x.db", "cannot be made"),
    ],
)
def test_urls_that_cannot_be_used_are_refused_in_words(url: str, said: str) -> None:
    with pytest.raises(StoreError, match=said):
        open_store(url, ())


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"not a database at all, but long enough to look at" * 40)
    with pytest.raises(StoreError, match="not a database"):
        open_store(f"sqlite:///{tmp_path / 'x.db'}", ())


def test_a_password_is_never_shown() -> None:
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://u:s3cret@127.0.0.1:1/x", ())
    assert "s3cret" not in caught.value.message
    assert "127.0.0.1" in caught.value.message


@pytest.mark.both_databases
def test_a_key_records_once(store: Engine) -> None:
    game = begin_game(store, "riichi")
    was, first = SqlGames(store).do(game, Command(RECORDED, hand=win(key="k")))
    assert was is not first
    found, second = SqlGames(store).do(game, Command(RECORDED, hand=win(key="k")))
    assert found is second == first
    assert len(see_game(store, game)["hands"]) == 1
    with pytest.raises(Conflict, match="another hand"):
        SqlGames(store).do(game, Command(RECORDED, hand=win({**PINFU, "winning_tile": "1s"}, key="k")))
    # The key belongs to the game: another game may use the same.
    was, now = SqlGames(store).do(begin_game(store, "riichi"), Command(RECORDED, hand=win(key="k")))
    assert was is not now


def test_undo_takes_hands_back_one_by_one(store: Engine) -> None:
    game = begin_game(store, "riichi")
    states = [see_game(store, game)["state"]]
    for _ in range(3):
        states.append(history_json(SqlGames(store).do(game, Command(RECORDED, hand=win()))[1])["state"])
    with pytest.raises(Conflict, match="not the last one"):
        SqlGames(store).do(game, Command(UNDONE, number=1))
    with pytest.raises(NotFound):
        SqlGames(store).do(game, Command(UNDONE, number=9))
    after = history_json(SqlGames(store).do(game, Command(UNDONE, number=3))[1])
    assert after["state"] == states[2]
    assert history_json(SqlGames(store).do(game, Command(UNDONE, number=3))[1]) == after, (
        "naming it again changes nothing"
    )
    assert history_json(SqlGames(store).do(game, Command(UNDONE))[1])["state"] == states[1]
    assert [h["undone_at"] is None for h in see_game(store, game)["hands"]] == [True, False, False]
    _, now = SqlGames(store).do(game, Command(RECORDED, hand=win()))
    assert (now.hands[-1].number, now.next_number) == (4, 5)
    SqlGames(store).do(game, Command(UNDONE))
    SqlGames(store).do(game, Command(UNDONE))
    with pytest.raises(Conflict, match="no hand to undo"):
        SqlGames(store).do(game, Command(UNDONE))


@pytest.mark.both_databases
def test_amounts_stay_exact(store: Engine) -> None:
    game = begin_game(store, "singapore")
    for _ in range(10):
        SqlGames(store).do(game, Command(RECORDED, hand=payment("0.1")))
    after = see_game(store, game)
    assert [p["total"] for p in after["players"]] == [-1, 1, 0, 0]
    SqlGames(store).do(game, Command(RECORDED, hand=payment("123456789.0001")))
    assert see_game(store, game)["players"][1]["total"] == "123456790.0001"
    with store.connect() as connection:
        stored = connection.execute(text("select amount from hand_payments where amount like '%.%'")).scalars().all()
    assert set(stored) == {"0.1", "-0.1", "123456789.0001", "-123456789.0001"}


@pytest.mark.both_databases
def test_two_phones_recording_at_once_lose_nothing(store: Engine) -> None:
    game = begin_game(store, "singapore")

    def phone() -> None:
        for _ in range(10):
            SqlGames(store).do(game, Command(RECORDED, hand=payment("1")))

    at_once(*[phone] * 4)
    after = see_game(store, game)
    assert [h["number"] for h in after["hands"]] == list(range(1, 41))
    assert [p["total"] for p in after["players"]] == [-40, 40, 0, 0]


@pytest.mark.both_databases
def test_two_phones_with_one_key_record_once(store: Engine) -> None:
    game = begin_game(store, "riichi")
    replies = at_once(*[lambda: SqlGames(store).do(game, Command(RECORDED, hand=win(key="same")))] * 4)
    assert sorted(was is now for was, now in replies) == [False, True, True, True]
    assert len(see_game(store, game)["hands"]) == 1


def test_sticks_that_lie_at_the_start_are_in_the_pot(store: Engine) -> None:
    game = begin_game(store, "riichi", start={"riichi_sticks": 2})
    assert see_game(store, game)["pot"] == 2000
    after = history_json(SqlGames(store).do(game, Command(RECORDED, hand=win()))[1])
    assert after["pot"] == 0
    assert after["players"][1]["total"] == 2000 + 2000  # the hand, and the two sticks; his own comes back to him


@pytest.mark.both_databases
def test_games_are_listed_and_forgotten(store: Engine) -> None:
    ids = [begin_game(store, "riichi") for _ in range(3)]
    SqlGames(store).do(ids[1], Command(RECORDED, hand=win()))
    listed = SqlGames(store).list_games(10)
    assert {g["id"]: g["hands"] for g in listed} == {ids[0]: 0, ids[1]: 1, ids[2]: 0}
    assert [g["id"] for g in SqlGames(store).list_games(1, 1)] == [listed[1]["id"]]
    SqlGames(store).delete_game(ids[1])
    with pytest.raises(NotFound):
        see_game(store, ids[1])
    with store.connect() as connection:
        for table in ("hands", "hand_payments"):
            assert connection.execute(text(f"select count(*) from {table}")).scalar() == 0
        assert connection.execute(text("select count(*) from game_players")).scalar() == 8


@pytest.mark.both_databases
def test_a_preset_that_many_save_or_drop_at_once_is_made_and_dropped_once(store: Engine) -> None:
    def dropped() -> bool:
        try:
            SqlPresets(store).delete_preset("Home")
        except NotFound:
            return False
        return True

    for _ in range(10):
        made = at_once(*[lambda: SqlPresets(store).save_preset(HOME)] * 4)
        assert sorted(made) == [False, False, False, True]
        assert sorted(at_once(*[dropped] * 4)) == [False, False, False, True]


@pytest.mark.both_databases
def test_there_is_no_such_game(store: Engine) -> None:
    for game_id in ("", "x", "h1th7f1fdqb0", "' or 1=1 --", "\0" * 12, "é" * 12, "a" * 400):
        with pytest.raises(NotFound):
            see_game(store, game_id)
        with pytest.raises(NotFound):
            SqlGames(store).do(game_id, Command(RECORDED, hand=win()))


def test_a_locked_database_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hupai.store.database._BUSY_SECONDS", 0)
    engine = open_store(f"sqlite:///{tmp_path / 'hupai.db'}", ())
    game = begin_game(engine, "riichi")
    other = sqlite3.connect(tmp_path / "hupai.db", isolation_level=None)
    other.execute("begin immediate")
    with pytest.raises(OperationalError, match="locked"):
        SqlGames(engine).do(game, Command(RECORDED, hand=win()))
    assert see_game(engine, game)["hands"] == [], "readers go on"
    other.execute("rollback")
    SqlGames(engine).do(game, Command(RECORDED, hand=win()))
    other.close()
    engine.dispose()


def test_a_ledger_moved_away_while_it_is_opened_again_is_not_made_anew(tmp_path: Path) -> None:
    """Between the look whether it is there and SQLite's own opening, which would make an empty one."""
    file, away = tmp_path / "hupai.db", tmp_path / "away.db"
    engine = open_store(f"sqlite:///{file}", ())
    with engine.connect() as connection:
        there = inspect(connection).get_table_names()
    engine.dispose()

    def move(*_: Any) -> None:
        file.rename(away)

    event.listen(engine, "do_connect", move)
    with pytest.raises(OperationalError, match="unable to open"):
        engine.connect()
    event.remove(engine, "do_connect", move)
    assert not file.exists()
    away.rename(file)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == there and "game" in " ".join(there)


@pytest.mark.both_databases
def test_a_game_is_read_as_it_was_though_hands_are_recorded_meanwhile(store: Engine, database: str) -> None:
    game_id = begin_game(store)
    other = connect(database)

    @event.listens_for(store, "before_cursor_execute")
    def record(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("SELECT"):
            SqlGames(other).do(game_id, Command(RECORDED, hand=win()))

    read = see_game(store, game_id)
    event.remove(store, "before_cursor_execute", record)
    other.dispose()
    assert read["revision"] == len(read["hands"]) < see_game(store, game_id)["revision"]
    assert all(hand["payments"] for hand in read["hands"])
