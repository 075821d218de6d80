"""What is old goes, as it was named; nothing of what runs, nothing that somebody went on with."""

from __future__ import annotations

import json
import os
import stat
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select
from typer.testing import CliRunner

from hupai.basics.errors import NotFound
from hupai.cli import build_app
from hupai.hall.events import feed
from hupai.hall.store import refereeing, tokens, tournaments
from hupai.hall.store.rounds import rounds
from hupai.hall.store.rounds.next_round import SeatingOptions
from hupai.hall.store.watched import laid_hands, watched_tables
from hupai.hall.tables import FeedEvent, FeedFrame, FeedHand, Tournament, TournamentChange, WatchedTable
from hupai.store.database import open_store, writing
from hupai.store.errors import StoreError
from hupai.store.play.games import SqlGames
from hupai.store.retention import export_expired, find_expired, remove_expired
from hupai.store.tables import Game, GameChange, GameHand
from hupai.store.tokens import Holder, list_tokens
from hupai.wing import store_wings
from tests.hupai.store_builders import begin_game, pay, see_game
from tests.hupai.test_hall.test_feed.feeding import JPEG, READ
from tests.hupai.test_hall.test_tournament.cup_builders import begin_tournament

MOMENTS = (
    *(Game.created, GameChange.at, GameHand.confirmed_at, Tournament.created, TournamentChange.at, FeedHand.settled_at),
    *(FeedHand.gone_at, FeedEvent.at, FeedFrame.taken, WatchedTable.beat, WatchedTable.since),
)


def days_pass(engine: Engine, days: int) -> None:
    """Everything in the store is so much older."""
    with writing(engine) as session:
        for moment in MOMENTS:
            for row in session.scalars(select(moment.class_)):
                was = getattr(row, moment.key)
                if was is not None:
                    setattr(row, moment.key, was - timedelta(days=days))


def home_game(engine: Engine) -> str:
    game = begin_game(engine)
    pay(engine, game)
    return game


def cup(engine: Engine, name: str = "Cup") -> str:
    return begin_tournament(engine, 4, name)


def seated(engine: Engine, tournament: str) -> str:
    """The game of a new round at table A."""
    return str(
        rounds.seat_round(engine, tournament, SeatingOptions(tables=["A"]))["rounds"][-1]["tables"][0]["game_id"]
    )


def laid(engine: Engine, token: str, table: str = "A") -> int:
    """A hand that a camera saw and that was taken away; nobody watches any more."""
    feed.claim(engine, feed.Claim(table, "0", "w1", None))
    feed.beat(engine, table, "w1", {}, JPEG)
    number = feed.add_settled_hand(engine, table, "w1", token, READ, JPEG, {})
    feed.release(engine, table, "w1", "ended")
    return number


def count(engine: Engine, kind: Any) -> int:
    with writing(engine) as session:
        return len(session.scalars(select(kind)).all())


@pytest.mark.both_databases
def test_old_things_go_as_they_were_named(store: Engine) -> None:
    old_game, old_cup = home_game(store), cup(store, "Old Cup")
    feed.claim(store, feed.Claim("A", "0", "w1", None))
    cup_game = seated(store, old_cup)
    pay(store, cup_game)
    hand = laid(store, "one")
    frame = laid_hands.get_camera_hand(store, hand)["frame"]
    days_pass(store, 100)
    new_game, new_hand = home_game(store), laid(store, "two", "B")
    named = find_expired(store, 30)
    told = named.to_json()
    (old,) = named.wings
    events = len(old.events)
    assert told == {
        "tournaments": ["Old Cup"], "games": 2, "hands": 1, "pictures": 2, "events": events, "running": [],
    }  # fmt: skip
    assert named.games == {old_game, cup_game} and old.hands == {hand} and old.frames == {frame}
    assert remove_expired(store, named) == named
    for game in (old_game, cup_game):
        with pytest.raises(NotFound):
            see_game(store, game)
    with pytest.raises(NotFound):
        tournaments.get_tournament(store, old_cup)
    for find in (lambda: laid_hands.get_camera_hand(store, hand), lambda: feed.find_frame(store, frame)):
        with pytest.raises(NotFound):
            find()
    with pytest.raises(NotFound):
        watched_tables.preview(store, "A")
    assert see_game(store, new_game)["next_hand"] == 2
    assert feed.find_frame(store, laid_hands.get_camera_hand(store, new_hand)["frame"]).jpeg == JPEG
    assert {e["table"] for e in feed.events_after(store, 0)} == {"B"}
    assert not find_expired(store, 30)
    assert [count(store, kind) for kind in (Game, GameHand, Tournament, FeedHand, FeedFrame)] == [1, 1, 0, 1, 1]


@pytest.mark.both_databases
def test_tokens_go_with_their_tournament(store: Engine) -> None:
    """A table's token that was left valid would open games outside tournaments, as one for no tournament does."""
    old = cup(store)
    seated(store, old)
    for tournament in (old, None):
        tokens.make_token(store, Holder("Table A", "table", granted={"table": "A", "tournament": tournament}), "Ann")
    days_pass(store, 100)
    remove_expired(store, find_expired(store, 30))
    assert sorted(str(token["withdrawn_by"]) for token in list_tokens(store)) == ["None", "hupai forget"]


def test_a_tournament_that_runs_stays_whole(store: Engine) -> None:
    """A league plays a round a month: with a limit of ten days its first round stays, and what cameras saw."""
    before = laid(store, "before", "Z")
    days_pass(store, 10)
    league = cup(store, "League")
    feed.claim(store, feed.Claim("A", "0", "w1", None))
    first = seated(store, league)
    pay(store, first)
    mine, stray = laid(store, "mine"), laid(store, "stray", "B")
    home = home_game(store)
    days_pass(store, 30)
    seated(store, league)
    named = find_expired(store, 10)
    (old,) = named.wings
    assert old.running == ("League",) and not old.tournaments
    assert named.games == {home} and old.hands == {before}
    remove_expired(store, named)
    assert [laid_hands.get_camera_hand(store, n)["id"] for n in (mine, stray)] == [mine, stray]
    assert feed.find_frame(store, laid_hands.get_camera_hand(store, mine)["frame"]).jpeg == JPEG
    assert see_game(store, first)["next_hand"] == 2
    # With rounds still to come it runs, though nothing happened; two months later nobody waits for them.
    rounds.plan_rounds(store, league, 2)
    days_pass(store, 40)
    assert find_expired(store, 10).wings[0].running == ("League",)
    days_pass(store, 40)
    assert find_expired(store, 10).wings[0].tournaments == {league: "League"}


def test_what_somebody_went_on_with_stays_and_what_was_not_named_too(store: Engine) -> None:
    one, other, league = home_game(store), home_game(store), cup(store)
    game = seated(store, league)
    days_pass(store, 100)
    named = find_expired(store, 30)
    assert named.games == {one, other, game}
    pay(store, one)
    refereeing.announce(store, league, "A round more")
    late = home_game(store)
    days_pass(store, 20)
    gone = remove_expired(store, named)
    assert gone.games == {other} and not gone.wings[0]
    assert {g["id"] for g in SqlGames(store).list_games(10)} == {one, game, late}


@pytest.mark.both_databases
def test_numbers_of_events_go_on_and_a_hand_that_lies_there_is_left(store: Engine) -> None:
    feed.claim(store, feed.Claim("A", "0", "w1", None))
    lies = feed.add_settled_hand(store, "A", "w1", "lies", READ, JPEG, {})
    last = laid(store, "last", "B")
    number = feed.last_number(store)
    days_pass(store, 100)
    feed.beat(store, "A", "w1", {}, JPEG)
    remove_expired(store, find_expired(store, 30))
    assert laid_hands.get_camera_hand(store, lies)["gone_at"] is None
    assert feed.last_number(store) == number
    with pytest.raises(NotFound):
        laid_hands.get_camera_hand(store, last)
    assert laid(store, "next", "B") and feed.last_number(store) > number


def test_the_hand_of_the_last_event_stays_so_that_numbers_do_not_begin_again(store: Engine) -> None:
    feed.claim(store, feed.Claim("A", "0", "w1", None))
    hand = feed.add_settled_hand(store, "A", "w1", "one", READ, JPEG, {})
    number = feed.last_number(store)
    days_pass(store, 100)
    remove_expired(store, find_expired(store, 30))
    assert laid_hands.get_camera_hand(store, hand)["id"] == hand
    assert feed.last_number(store) == number


def test_the_command_names_asks_keeps_and_removes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'hupai.db'}"
    engine = open_store(url, store_wings())
    try:
        game, tournament = home_game(engine), cup(engine, "Old Cup")
        hand = laid(engine, "one")
        days_pass(engine, 100)
        running = cup(engine, "New Cup")
        out = tmp_path / "old.zip"
        given = ["forget", "--days", "30", "--data-folder", str(tmp_path)]
        run = CliRunner()
        told = run.invoke(build_app(), [*given, "--json"])
        assert json.loads(told.output)["removed"] is False and json.loads(told.output)["games"] == 1
        told = run.invoke(build_app(), given)
        assert told.exit_code != 0 and "1 game, 1 hand, 2 pictures, " in told.output and "New Cup" in told.output
        assert see_game(engine, game)
        out.write_bytes(b"mine")
        assert run.invoke(build_app(), [*given, "--yes", "--export", str(out)]).exit_code != 0
        assert see_game(engine, game) and out.read_bytes() == b"mine", "what cannot be kept is not removed"
        out.unlink()
        told = run.invoke(build_app(), [*given, "--yes", "--export", str(out)])
        assert told.exit_code == 0 and told.output.endswith("Removed.\n"), told.output
        with zipfile.ZipFile(out) as kept:
            assert json.loads(kept.read(f"games/{game}.json"))["hands"][0]["payments"] == [-8, 8, 0, 0]
            assert json.loads(kept.read(f"tournaments/{tournament}.json"))["name"] == "Old Cup"
            assert json.loads(kept.read(f"hands/{hand}.json"))["reading"]["hand"] == READ["hand"]
            assert kept.read(next(n for n in kept.namelist() if n.startswith("pictures/"))) == JPEG
        if os.name == "posix":
            assert stat.S_IMODE(out.stat().st_mode) & 0o077 == 0
        assert [t["id"] for t in tournaments.list_tournaments(engine)] == [running]
        assert "Nothing is older than 30 days." in run.invoke(build_app(), given).output
        with pytest.raises(StoreError, match="cannot be written"):
            export_expired(tmp_path / "missing" / "old.zip", engine, find_expired(engine, 1))
    finally:
        engine.dispose()
