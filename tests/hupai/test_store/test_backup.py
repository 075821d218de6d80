"""Backups: whole while others write, put back by unpacking, refused where they would be worth nothing."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hupai.cli import build_app
from hupai.games.exchange import export_game
from hupai.store.backup import write_backup
from hupai.store.database import open_store
from hupai.store.errors import StoreError
from hupai.store.play.games import SqlGames
from tests.hupai.store_builders import begin_game, pay


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A data folder with a game, a tile set, a sample, a draft and a key."""
    place = tmp_path / "data"
    for name in ("sets/home.hupai-set", "sets/half.part", "samples/a.json", "samples/a.jpg", "certificates/key.pem"):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(name.encode())
    yield place


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'hupai.db'}"


def entered(folder: Path, count: int) -> str:
    engine = open_store(url(folder), ())
    try:
        game = begin_game(engine)
        for _ in range(count):
            pay(engine, game)
        return game
    finally:
        engine.dispose()


def test_what_is_unpacked_goes_on_where_it_was(folder: Path, tmp_path: Path) -> None:
    game = entered(folder, 3)
    made = write_backup(tmp_path / "cup.zip", url(folder), folder, ())
    assert (made.games, made.files) == (1, 3)
    again = tmp_path / "again"
    with zipfile.ZipFile(made.path) as kept:
        assert sorted(kept.namelist()) == [
            "backup.json",
            "hupai.db",
            "samples/a.jpg",
            "samples/a.json",
            "sets/home.hupai-set",
        ]
        kept.extractall(again)
    assert json.loads((again / "backup.json").read_text())["games"] == 1
    engine = open_store(url(again), ())
    try:
        assert len(export_game(SqlGames(engine).read(game))[1]) == 3
    finally:
        engine.dispose()
    if os.name == "posix":
        assert stat.S_IMODE(made.path.stat().st_mode) & 0o077 == 0


def test_a_copy_taken_while_hands_are_entered_is_whole(folder: Path, tmp_path: Path) -> None:
    entered(folder, 1)
    on, wrote = threading.Event(), threading.Event()

    def enter() -> None:
        while not on.is_set():
            entered(folder, 2)
            wrote.set()

    writer = threading.Thread(target=enter)
    writer.start()
    try:
        assert wrote.wait(120)
        counts = []
        for n in range(5):
            wrote.clear()
            counts.append(write_backup(tmp_path / f"{n}.zip", url(folder), folder, ()).games)
            assert wrote.wait(120), "the writer was held up"
    finally:
        on.set()
        writer.join()
    assert counts == sorted(c for c in counts if c is not None) and counts[-1] != counts[0]
    for n, count in enumerate(counts):
        with zipfile.ZipFile(tmp_path / f"{n}.zip") as kept:
            kept.extract("hupai.db", tmp_path / str(n))
        copy = sqlite3.connect(tmp_path / str(n) / "hupai.db")
        assert copy.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert copy.execute("select count(*) from games").fetchone() == (count,)
        copy.close()


def test_nothing_is_left_or_lost_where_it_cannot_be_made(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with pytest.raises(StoreError, match="no ledger"):
        write_backup(out, url(folder), folder, ())
    assert not (folder / "hupai.db").exists()
    entered(folder, 1)
    whole = (folder / "hupai.db").read_bytes()
    (out / "cup.zip").write_bytes(b"an older one")
    with pytest.raises(StoreError, match="there already"):
        write_backup(out / "cup.zip", url(folder), folder, ())
    assert (out / "cup.zip").read_bytes() == b"an older one"
    with pytest.raises(StoreError, match="cannot be written"):
        write_backup(tmp_path / "missing" / "cup.zip", url(folder), folder, ())
    torn = tmp_path / "torn"
    torn.mkdir()
    (torn / "hupai.db").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreError, match=r"torn.*nothing was kept"):
        write_backup(out, url(torn), torn, ())
    assert [p.name for p in out.iterdir()] == ["cup.zip"]


def test_the_command_names_the_file_after_the_moment(folder: Path, tmp_path: Path) -> None:
    entered(folder, 1)
    told = CliRunner().invoke(build_app(), ["backup", str(tmp_path), "--data-folder", str(folder)])
    (made,) = tmp_path.glob("hupai-*T*Z.zip")
    assert told.exit_code == 0 and told.output.startswith(f"{made}: 1 game, 3 files")
    told = CliRunner().invoke(build_app(), ["backup", str(tmp_path / "b.zip"), "--data-folder", str(folder), "--json"])
    assert json.loads(told.output)["games"] == 1


def test_games_in_postgresql_are_left_to_its_own_tool(folder: Path, tmp_path: Path) -> None:
    given = ["backup", str(tmp_path / "b.zip"), "--data-folder", str(folder), "--database", "postgresql://u@h/x"]
    told = CliRunner().invoke(build_app(), given)
    assert told.exit_code == 0 and "pg_dump" in told.output
    with zipfile.ZipFile(tmp_path / "b.zip") as kept:
        assert "hupai.db" not in kept.namelist()
