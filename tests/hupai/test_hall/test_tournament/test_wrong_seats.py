"""Two who sat in each other's seats: they swap after hands, what was recorded is settled anew, and it can be undone."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from sqlalchemy import Engine

from hupai.basics.errors import Conflict
from hupai.games.commands import Command, NewHand
from hupai.games.exchange import export_game, import_game
from hupai.games.history import ENDED, RECORDED, Amendment
from hupai.games.terms.confirmed import parse_confirmed
from hupai.hall.store import refereeing, tournaments, undoing
from hupai.hall.store.players import player_changes
from hupai.hall.store.rounds import rounds
from hupai.hall.store.rounds.next_round import SeatingOptions
from hupai.store.play.games import SqlGames
from tests.hupai.store_builders import see_game
from tests.hupai.test_hall.test_tournament.cup_builders import begin_tournament

WHO = Amendment("Judge Oak", "They sat in each other's seats")


_WIN: Final = {
    "concealed": "34m567p345s99s",
    "winning_tile": "2m",
    "melds": [{"type": "pung", "tiles": "555z", "from": "S"}],
    "context": {"seat": "E", "win": "discard", "from": "W"},
}


def record(store: Engine, game: str, said: dict[str, Any]) -> None:
    SqlGames(store).do(game, Command(RECORDED, hand=NewHand(parse_confirmed(said), said)))


def played_cup(store: Engine) -> tuple[str, str, list[int]]:
    """A cup of riichi, its game, and who sits at its table: the dealer won, south sat one from a win, a stick moved."""
    cup = begin_tournament(store, 8, rules="riichi")
    made = rounds.seat_round(store, cup, SeatingOptions(seed=1))["rounds"][0]["tables"][0]
    record(store, made["game_id"], {"outcome": "win", "wins": [_WIN]})
    record(store, made["game_id"], {"outcome": "draw", "ready": ["S"], "riichi": ["S"]})
    return cup, made["game_id"], [p["number"] for p in made["players"]]


def points(store: Engine, game: str) -> dict[str, int]:
    return {p["name"]: p["total"] for p in see_game(store, game)["players"]}


@pytest.mark.both_databases
def test_what_was_recorded_by_seat_stays_there_under_the_other_name(store: Engine) -> None:
    cup, game, (east, south, west, north) = played_cup(store)
    before = points(store, game)
    assert before == {f"P{east}": 500, f"P{south}": 2000, f"P{west}": -2500, f"P{north}": -1000}
    with pytest.raises(Conflict, match="stay with the seats or go with the players"):
        player_changes.replace_player(store, cup, 1, east, south, WHO)
    player_changes.replace_player(store, cup, 1, east, south, WHO, "seats")
    swapped = {**before, f"P{east}": before[f"P{south}"], f"P{south}": before[f"P{east}"]}
    assert points(store, game) == swapped
    assert see_game(store, game)["players"][0]["name"] == f"P{south}"
    step = tournaments.get_tournament(store, cup)["last_step"]
    undoing.undo_step(store, cup, step["revision"], WHO)
    assert points(store, game) == before


@pytest.mark.both_databases
def test_what_was_recorded_by_name_goes_with_the_players_and_is_settled_anew(store: Engine) -> None:
    cup, game, (east, south, west, north) = played_cup(store)
    before, hands = points(store, game), SqlGames(store).read(game).counting
    player_changes.replace_player(store, cup, 1, south, east, WHO, "players")
    # Who won did not deal: 1,000 instead of 1,500, and deals the draw, in which the other was ready at north.
    assert points(store, game) == {f"P{east}": 0, f"P{south}": 2000, f"P{west}": -2000, f"P{north}": -1000}
    assert see_game(store, game)["hands"][0]["wins"][0]["seat"] == "S"
    state = see_game(store, game)["state"]
    assert (state["dealer"], state["riichi_sticks"]) == (2, 1)
    history = SqlGames(store).read(game)
    read = import_game(json.loads(json.dumps(export_game(history)[0])))
    assert [h.payments for h in read.counting] == [h.payments for h in history.counting]
    step = tournaments.get_tournament(store, cup)["last_step"]
    undoing.undo_step(store, cup, step["revision"], WHO)
    assert points(store, game) == before
    again = SqlGames(store).read(game).counting
    assert [(h.payments, h.before, h.scores) for h in again] == [(h.payments, h.before, h.scores) for h in hands]


def test_totals_of_a_table_that_has_ended_trade_places_too(store: Engine) -> None:
    cup = begin_tournament(store, 4, rules="riichi")
    table = rounds.seat_round(store, cup)["rounds"][0]["tables"][0]
    one, other, *_ = (p["number"] for p in table["players"])
    refereeing.enter_result(store, cup, 1, table["table"], [9000, 1000, -4000, -6000], WHO)
    swapped = player_changes.replace_player(store, cup, 1, one, other, WHO, "players")["rounds"][0]["tables"][0]
    assert [(p["number"], p["total"]) for p in swapped["players"][:2]] == [(other, 1000), (one, 9000)]
    assert swapped["ended"]


def test_players_of_two_tables_do_not_swap_after_hands(store: Engine) -> None:
    cup, game, (east, *_) = played_cup(store)
    elsewhere = tournaments.get_tournament(store, cup)["rounds"][0]["tables"][1]["players"][0]["number"]
    SqlGames(store).do(game, Command(ENDED, WHO))
    for hands in ("seats", "players"):
        with pytest.raises(Conflict, match="swap only before a hand"):
            player_changes.replace_player(store, cup, 1, east, elsewhere, WHO, hands)
