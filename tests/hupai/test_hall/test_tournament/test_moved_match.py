"""A match moves to another table, and the match there takes its place; cameras and the tables' codes follow."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from hupai.basics.errors import Conflict, NotFound
from hupai.hall.events import feed
from hupai.hall.store import tournaments, undoing
from hupai.hall.store.rounds import next_round, rounds
from hupai.hall.store.state.tournament_log import DIRECTOR
from hupai.hall.store.watched import laid_hands, watched_tables
from tests.hupai.store_builders import pay, see_game
from tests.hupai.test_hall.test_feed.feeding import JPEG, READ
from tests.hupai.test_hall.test_tournament.cup_builders import begin_tournament


def filmed_cup(store: Engine) -> tuple[str, str, str]:
    """A cup at the tables Cam, with a camera, and 1; and the games there."""
    feed.claim(store, feed.Claim("Cam", "0", "w1", None))
    cup = begin_tournament(store, 8)
    tables = {t["table"]: t["game_id"] for t in rounds.seat_round(store, cup)["rounds"][0]["tables"]}
    return cup, tables["Cam"], tables["1"]


def games_of(store: Engine, cup: str) -> dict[str, str]:
    return {t["table"]: t["game_id"] for t in tournaments.get_tournament(store, cup)["rounds"][-1]["tables"]}


def filmed_game(store: Engine) -> str | None:
    game = watched_tables.get_table(store, "Cam")["game"]
    return game and game["id"]


@pytest.mark.both_databases
def test_the_match_that_is_to_be_filmed_goes_to_the_camera_and_back_by_undoing(store: Engine) -> None:
    cup, filmed, other = filmed_cup(store)
    pay(store, other)
    laid = feed.add_settled_hand(store, "Cam", "w1", "t1", READ, JPEG, {"wins": True})
    moved = rounds.move_match(store, cup, 1, "1", "Cam")
    assert games_of(store, cup) == {"Cam": other, "1": filmed} and filmed_game(store) == other
    assert see_game(store, other)["name"] == "Cup 1/Cam" and see_game(store, filmed)["name"] == "Cup 1/1"
    assert [t["hands"] for t in moved["rounds"][0]["tables"]] == [0, 1]
    assert laid_hands.get_camera_hand(store, laid)["game_id"] == filmed, "it was laid in that match"
    undone = undoing.undo_step(store, cup, moved["last_step"]["revision"], DIRECTOR)
    assert undone["last_step"]["kind"] == "seated"
    assert games_of(store, cup) == {"Cam": filmed, "1": other} and filmed_game(store) == filmed


@pytest.mark.both_databases
def test_the_filmed_match_goes_to_a_table_that_nobody_has(store: Engine) -> None:
    cup, filmed, other = filmed_cup(store)
    moved = rounds.move_match(store, cup, 1, "Cam", "7")
    assert games_of(store, cup) == {"1": other, "7": filmed} and filmed_game(store) is None
    undoing.undo_step(store, cup, moved["last_step"]["revision"], DIRECTOR)
    assert games_of(store, cup) == {"Cam": filmed, "1": other} and filmed_game(store) == filmed


def test_what_cannot_move_is_refused(store: Engine) -> None:
    cup, _, other = filmed_cup(store)
    side = begin_tournament(store, 4, name="Side")
    rounds.seat_round(store, side, next_round.SeatingOptions(tables=["Hall"]))
    with pytest.raises(NotFound, match="has no table"):
        rounds.move_match(store, cup, 1, "Hall", "Cam")
    with pytest.raises(Conflict, match="another tournament"):
        rounds.move_match(store, side, 1, "Hall", "Cam")
    rounds.seat_round(store, cup)
    with pytest.raises(Conflict, match="last round"):
        rounds.move_match(store, cup, 1, "1", "Cam")
    assert games_of(store, side)["Hall"] and other not in games_of(store, cup).values()
