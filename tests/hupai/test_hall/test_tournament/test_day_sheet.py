"""The day sheet: what is missing before the next round, and every step of the director undone by one call."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine

from hupai.basics.errors import Conflict
from hupai.games.commands import Command, NewHand
from hupai.games.game_json import history_json
from hupai.games.history import RECORDED, UNDONE, Amendment
from hupai.games.terms.confirmed import Confirmed
from hupai.hall.events import feed
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.seating.standings import Scoring
from hupai.hall.store import refereeing, tournaments, undoing
from hupai.hall.store.players import player_changes
from hupai.hall.store.rounds import next_round, rounds
from hupai.hall.store.state import tournament_log
from hupai.hall.store.watched import laid_hands
from hupai.store.play.games import SqlGames
from scoring.seats import SEATS, Seat
from tests.hupai.store_builders import pay
from tests.hupai.test_hall.test_tournament.cup_builders import begin_tournament

WHO = Amendment("Oak", "by mistake")
TOTALS = [Decimal(n) for n in (30, 10, -10, -30)]


def seat_round(store: Engine, cup: str, **more: Any) -> dict[str, Any]:
    return rounds.seat_round(store, cup, next_round.SeatingOptions(seed=1, **more), WHO)


def missing(shown: dict[str, Any]) -> list[tuple[str, str]]:
    return [(m["missing"], m["table"]) for m in shown["missing"]]


def false_win(store: Engine, game_id: str) -> None:
    confirmed = Confirmed("false_win", offender=Seat.S)
    SqlGames(store).do(game_id, Command(RECORDED, hand=NewHand(confirmed, {"outcome": "false_win", "offender": "S"})))


def test_a_round_is_directed_in_one_call_a_table(store: Engine) -> None:
    cup = begin_tournament(store, 8)
    shown = seat_round(store, cup, minutes=75)
    assert shown["rounds"][0]["timer"]["minutes"] == 75
    assert missing(shown) == [("result", "1"), ("result", "2")]
    shown = refereeing.enter_result(store, cup, 1, "1", TOTALS, WHO, list(SEATS))
    assert missing(shown) == [("result", "2")]
    shown = refereeing.enter_result(store, cup, 1, "2", TOTALS, WHO, list(SEATS))
    assert shown["missing"] == [] and shown["rounds"][0]["tables"][1]["signed"] == ["E", "S", "W", "N"]


def test_what_is_missing_after_the_end_of_a_table(store: Engine) -> None:
    cup = begin_tournament(store, 4)
    (table,) = seat_round(store, cup)["rounds"][0]["tables"]
    game = table["game_id"]
    false_win(store, game)
    shown = refereeing.enter_result(store, cup, 1, "1", TOTALS, WHO, [Seat.E])
    assert missing(shown) == [("signature", "1"), ("reason", "1")]
    shown = refereeing.object_to_result(store, cup, 1, "1", Seat.W, Amendment("P3", "Two sticks were mine"))
    here = {"round": 1, "table": "1", "game_id": game}
    assert shown["missing"] == [
        {"missing": "objection", **here, "seat": "W", "reason": "Two sticks were mine"},
        {"missing": "signature", **here, "seats": ["S", "N"]},
        {"missing": "reason", **here, "hand": 1, "player": table["players"][1]["name"]},
    ]
    refereeing.sign_game(store, cup, 1, "1", [Seat.S, Seat.W, Seat.N], WHO)
    with pytest.raises(Exception, match="not a false win"):
        refereeing.explain_false_win(store, cup, 1, "1", 2, WHO)
    shown = refereeing.explain_false_win(store, cup, 1, "1", 1, Amendment("Oak", "Showed a hand of 13"))
    assert shown["missing"] == []
    assert missing(undoing.undo_step(store, cup, shown["revision"], WHO)) == [("reason", "1")]


def test_an_earlier_round_is_not_forgotten(store: Engine) -> None:
    cup = begin_tournament(store, 8)
    seat_round(store, cup)
    refereeing.enter_result(store, cup, 1, "1", TOTALS, WHO)
    seat_round(store, cup, over_unfinished=True)
    refereeing.object_to_result(store, cup, 1, "1", Seat.N, Amendment("P4", "That was 40"))
    for table in "12":
        shown = refereeing.enter_result(store, cup, 2, table, TOTALS, WHO, SEATS)
    told = [(m["missing"], m["round"], m["table"]) for m in shown["missing"]]
    assert told == [("objection", 1, "1"), ("signature", 1, "1"), ("result", 1, "2")]


Step = Callable[[Engine, str], object]
STEPS: dict[str, Step] = {
    "seated": lambda store, cup: seat_round(store, cup, over_unfinished=True),
    "result": lambda store, cup: refereeing.enter_result(store, cup, 1, "1", TOTALS, WHO),
    "result and signatures": lambda store, cup: refereeing.enter_result(store, cup, 1, "1", TOTALS, WHO, SEATS),
    "swapped": lambda store, cup: player_changes.replace_player(store, cup, 1, 1, 8, WHO),
    "replaced": lambda store, cup: player_changes.replace_player(store, cup, 1, 1, 9, WHO),
    "left": lambda store, cup: player_changes.let_player_leave(store, cup, 3),
    "back": lambda store, cup: player_changes.let_player_leave(store, cup, 10, back=True),
    "late": lambda store, cup: player_changes.add_players(store, cup, [NewEntrant("Late"), NewEntrant("Later")]),
    "renamed": lambda store, cup: player_changes.edit_player(store, cup, 1, {"name": "Anna", "team": "Oak"}, WHO),
    "penalty": lambda store, cup: refereeing.penalise(store, cup, 2, Decimal(-20), WHO),
    "settings": lambda store, cup: tournaments.change_settings(store, cup, "Spring Cup", {"divide": Decimal(10)}, WHO),
    "announced": lambda store, cup: refereeing.announce(store, cup, "Lunch"),
    "timer": lambda store, cup: refereeing.set_timer(store, cup, 1, "start", 60),
    "planned": lambda store, cup: rounds.plan_rounds(store, cup, 2, 1),
}


@pytest.mark.parametrize("step", STEPS)
def test_every_step_is_undone_and_stays_in_the_history(
    store: Engine, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hupai.hall.seating.planning._ANNEALING_MOVES", 1000)  # any plan will do
    cup = begin_tournament(store, 10)
    seat_round(store, cup)
    player_changes.let_player_leave(store, cup, 10)
    before, stamps = tournaments.get_tournament(store, cup), [tournaments.stamp_tournament(store, cup)]
    STEPS[step](store, cup)
    done = tournaments.get_tournament(store, cup)
    stamps.append(tournaments.stamp_tournament(store, cup))
    assert essence(done) != essence(before) and done["last_step"]["can_be_undone"]
    undone = undoing.undo_step(store, cup, done["last_step"]["revision"], WHO)
    assert essence(undone) == essence(before)
    stamps.append(tournaments.stamp_tournament(store, cup))
    assert len(set(stamps)) == 3, "what is shown to spectators is computed again"
    told = tournament_log.list_tournament_changes(store, cup)["changes"]
    assert [c["kind"] for c in told if c["revision"] > before["revision"]][-1] == "undone"
    assert told[-1]["reason"] == "by mistake" and told[-1]["detail"]["kind"] == done["last_step"]["kind"]
    STEPS[step](store, cup)
    again = tournaments.get_tournament(store, cup)
    assert missing(again) == missing(done) and scores(again) == scores(done)


def test_what_leaves_a_tournament_as_it_is_leaves_its_stamp(store: Engine) -> None:
    cup, other = begin_tournament(store, 4), begin_tournament(store, 4, "Other")
    game = seat_round(store, cup)["rounds"][0]["tables"][0]["game_id"]
    seated = tournaments.stamp_tournament(store, cup)
    feed.claim(store, feed.Claim("1", "0", "w1", None))
    laid_hands.enter(store, "1", "by-hand", {"concealed": [], "winning_tile": None})
    seat_round(store, other)
    assert tournaments.stamp_tournament(store, cup) == seated
    pay(store, game)
    assert tournaments.stamp_tournament(store, cup) != seated
    assert tournaments.stamp_tournament(store, "0" * 26) is None


def essence(cup: dict[str, Any]) -> dict[str, Any]:
    """What a tournament is, without its numbers of changes and times."""
    later = {"revision", "changed_at"}
    tables = [[{k: v for k, v in t.items() if k not in later} for t in r["tables"]] for r in cup["rounds"]]
    return {**{k: v for k, v in cup.items() if k not in later | {"rounds"}}, "rounds": tables, "timers": timers(cup)}


def scores(cup: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(s["name"], s["score"]) for s in cup["standings"]]


def timers(cup: dict[str, Any]) -> list[Any]:
    return [r["timer"] and r["timer"]["state"] for r in cup["rounds"]]


def test_steps_are_undone_from_the_last_one_on(store: Engine) -> None:
    cup = begin_tournament(store, 8)
    seated = seat_round(store, cup)
    later = refereeing.announce(store, cup, "Lunch")
    with pytest.raises(Conflict, match="meanwhile"):
        undoing.undo_step(store, cup, seated["revision"], WHO)
    undoing.undo_step(store, cup, later["revision"], WHO)
    pay(store, seated["rounds"][0]["tables"][0]["game_id"])
    with pytest.raises(Conflict, match="Hands were recorded"):
        undoing.undo_step(store, cup, seated["revision"], WHO)
    corrected = refereeing.enter_result(store, cup, 1, "1", TOTALS, WHO)
    SqlGames(store).do(seated["rounds"][0]["tables"][0]["game_id"], Command(UNDONE))
    with pytest.raises(Conflict, match="was changed meanwhile"):
        undoing.undo_step(store, cup, corrected["revision"], WHO)


FINAL: dict[str, Step] = {
    "round cancelled": lambda store, cup: rounds.drop_round(store, cup, 1, WHO),
    "player removed": lambda store, cup: player_changes.remove_player(store, cup, 9, WHO),
}


@pytest.mark.parametrize("step", FINAL)
def test_what_is_deleted_stays_so(store: Engine, step: str) -> None:
    cup = begin_tournament(store, 8)
    seat_round(store, cup)
    player_changes.add_players(store, cup, [NewEntrant("Late")])
    FINAL[step](store, cup)
    done = tournaments.get_tournament(store, cup)
    assert not done["last_step"]["can_be_undone"]
    with pytest.raises(Conflict, match="cannot be undone"):
        undoing.undo_step(store, cup, done["last_step"]["revision"], WHO)
    assert tournaments.get_tournament(store, cup) == done


def test_false_wins_cost_their_players_after_the_placing(store: Engine) -> None:
    """In the game's own settlement and in the standings, until the hand is taken back."""
    people = [NewEntrant(f"P{i}") for i in range(1, 5)]
    options = {"chombo": "after_placing", "chombo_points": 12_000}
    new = tournaments.NewTournament("Cup", "riichi", options, people, Scoring())
    cup = str(tournaments.create_tournament(store, new)["id"])
    (table,) = seat_round(store, cup)["rounds"][0]["tables"]
    for _ in range(2):
        false_win(store, table["game_id"])

    def penalties() -> list[Any]:
        return [share["penalty"] for share in history_json(SqlGames(store).read(table["game_id"]), 0)["settlement"]]

    def lowest() -> tuple[str, Any]:
        return min(scores(tournaments.get_tournament(store, cup)), key=lambda one: one[1])

    assert penalties() == [0, -24_000, 0, 0]
    assert lowest() == (table["players"][1]["name"], -24_000)
    SqlGames(store).do(table["game_id"], Command(UNDONE))
    assert penalties() == [0, -12_000, 0, 0]
    assert lowest() == (table["players"][1]["name"], -12_000)
