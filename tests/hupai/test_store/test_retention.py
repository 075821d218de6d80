"""What is old goes, as it was named; nothing that somebody went on with."""

from __future__ import annotations

import json
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, select
from typer.testing import CliRunner

from hupai.basics.errors import NotFound
from hupai.cli import build_app
from hupai.store.database import open_store, writing
from hupai.store.play.games import SqlGames
from hupai.store.retention import find_expired, remove_expired
from hupai.store.tables import Game, GameChange, GameHand
from tests.hupai.store_builders import begin_game, pay, see_game


def days_pass(engine: Engine, days: int) -> None:
    """All games are so much older."""
    with writing(engine) as session:
        for moment in (Game.created, GameChange.at, GameHand.confirmed_at):
            for row in session.scalars(select(moment.class_)):
                setattr(row, moment.key, getattr(row, moment.key) - timedelta(days=days))


def paid_game(engine: Engine) -> str:
    game = begin_game(engine)
    pay(engine, game)
    return game


@pytest.mark.both_databases
def test_old_games_go_as_they_were_named(store: Engine) -> None:
    old, went_on = paid_game(store), paid_game(store)
    days_pass(store, 100)
    named = find_expired(store, 30)
    assert named.games == {old, went_on}
    pay(store, went_on)
    late = paid_game(store)
    days_pass(store, 20)
    assert remove_expired(store, named).games == {old}
    with pytest.raises(NotFound):
        see_game(store, old)
    assert {game["id"] for game in SqlGames(store).list_games(10)} == {went_on, late}


def test_the_command_keeps_what_it_removes(tmp_path: Path) -> None:
    engine = open_store(f"sqlite:///{tmp_path / 'hupai.db'}", ())
    game = paid_game(engine)
    days_pass(engine, 100)
    out = tmp_path / "old.zip"
    given = ["forget", "--days", "30", "--data-folder", str(tmp_path)]
    assert CliRunner().invoke(build_app(), given).exit_code != 0
    assert see_game(engine, game), "nobody said yes"
    told = CliRunner().invoke(build_app(), [*given, "--yes", "--export", str(out)])
    assert told.exit_code == 0 and told.output.endswith("Removed.\n"), told.output
    with zipfile.ZipFile(out) as kept:
        assert json.loads(kept.read(f"games/{game}.json"))["hands"][0]["payments"] == [-8, 8, 0, 0]
    assert not SqlGames(engine).list_games(10)
    engine.dispose()
