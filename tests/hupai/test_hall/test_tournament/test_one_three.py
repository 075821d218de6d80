"""One table of three among fours: who is left over plays, by the rules of three, and everybody takes turns there."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine

from hupai.basics.errors import Conflict
from hupai.games.history import Amendment
from hupai.hall.seating.export import Event, ema_csv
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.seating.standings import Scoring, Threes
from hupai.hall.store import refereeing, tournaments, undoing
from hupai.hall.store.players import player_changes
from hupai.hall.store.rounds import rounds
from hupai.hall.store.rounds.next_round import SeatingOptions
from hupai.store.play.games import SqlGames
from scoring.errors import InvalidRequest
from scoring.seats import Seat
from tests.hupai.test_hall.test_tournament.cup_builders import begin_tournament

WHO = Amendment("Judge Oak", "As announced")
THREES = Threes(Decimal(35_000), (Decimal(15), Decimal(0), Decimal(-15)), Decimal(40_000))
COUNTING = Scoring(
    Decimal(25_000), Decimal(1000), (Decimal(15), Decimal(5), Decimal(-5), Decimal(-15)), Decimal(30_000), threes=THREES
)


@pytest.fixture(autouse=True)
def hasty_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hupai.hall.seating.planning._ANNEALING_MOVES", 2000)


def begin(store: Engine, players: int) -> str:
    return begin_tournament(store, players, rules="riichi", scoring=COUNTING)


def tables(cup: dict[str, Any], number: int = -1) -> list[list[int]]:
    return [[p["number"] for p in t["players"]] for t in cup["rounds"][number]["tables"]]


def threes_of(cup: dict[str, Any]) -> list[int]:
    return [p for number in range(len(cup["rounds"])) for t in tables(cup, number) if len(t) == 3 for p in t]


@pytest.mark.both_databases
def test_of_23_players_nobody_sits_out_and_nobody_sits_at_the_three_twice(store: Engine) -> None:
    cup = begin(store, 23)
    rounds.plan_rounds(store, cup, 2, seed=1)
    ways = [None, None, "balanced", "swiss", "balanced", "swiss", "balanced"]
    for seed, method in enumerate(ways):
        made = rounds.seat_round(store, cup, SeatingOptions(method=method, seed=seed))
        assert sorted(map(len, tables(made))) == [3, 4, 4, 4, 4, 4]
        assert len({p for t in tables(made) for p in t}) == 23
    assert max(Counter(threes_of(made)).values()) == 1, "seven rounds are enough for 21 of 23"
    eighth = rounds.seat_round(store, cup, SeatingOptions(method="balanced", seed=9))
    assert set(Counter(threes_of(eighth)).values()) == {1, 2} and len(set(threes_of(eighth))) == 23


def test_who_rested_sits_at_no_three_before_the_others_and_the_other_way_round(store: Engine) -> None:
    cup = begin(store, 9)
    first = rounds.seat_round(store, cup, SeatingOptions(method="balanced", seed=1))
    (rested,) = {*range(1, 10)} - {p for t in tables(first) for p in t}
    player_changes.add_players(store, cup, [NewEntrant("P10"), NewEntrant("P11")])
    second = rounds.seat_round(store, cup, SeatingOptions(method="balanced", seed=2))
    assert rested not in threes_of(second)
    for number in (10, 11):
        player_changes.let_player_leave(store, cup, number)
    third = rounds.seat_round(store, cup, SeatingOptions(method="swiss", seed=3))
    (resting,) = {*range(1, 10)} - {p for t in tables(third) for p in t}
    assert resting not in {rested, *threes_of(second)}


def test_substitutes_fill_the_fours_first_or_make_three_of_those_left_over(store: Engine) -> None:
    cup = begin(store, 10)
    assert sorted(map(len, tables(rounds.seat_round(store, cup)))) == [4, 4], "two cannot be a table"
    player_changes.add_players(store, cup, [NewEntrant("Sub", substitute=True)])
    assert sorted(map(len, tables(rounds.seat_round(store, cup)))) == [3, 4, 4]
    player_changes.add_players(store, cup, [NewEntrant("P12")])
    assert sorted(map(len, tables(rounds.seat_round(store, cup)))) == [4, 4, 4]


@pytest.mark.both_databases
def test_the_three_plays_by_its_own_rules_and_counts_by_its_own_places(store: Engine) -> None:
    cup = begin(store, 7)
    made = rounds.seat_round(store, cup, SeatingOptions(seed=1))["rounds"][0]["tables"]
    four, three = sorted(made, key=lambda t: -len(t["players"]))
    game = SqlGames(store).read(three["game_id"])
    assert (game.terms.house.players, game.terms.starting_points) == (3, 35_000)
    refereeing.enter_result(store, cup, 1, four["table"], [Decimal(n) for n in (40_000, 30_000, 20_000, 10_000)], WHO)
    with pytest.raises(InvalidRequest, match="there is no N"):
        refereeing.enter_result(store, cup, 1, three["table"], [Decimal(35_000)] * 3, WHO, [Seat.N])
    totals = [Decimal(n) for n in (50_000, 35_000, 20_000)]
    found = refereeing.enter_result(store, cup, 1, three["table"], totals, WHO, [Seat.E, Seat.S, Seat.W])
    scores = {s["player"]: (s["score"], s["placed"]) for s in found["standings"]}
    # 50 - 40 + 15 + the oka of three times 5, and so on; of the fours 40 - 30 + 15 + four times 5.
    wanted = [(40, [1, 0, 0, 0]), (-5, [0, 1, 0, 0]), (-35, [0, 0, 1, 0])]
    assert [scores[p["number"]] for p in three["players"]] == wanted
    assert scores[four["players"][0]["number"]][0] == 45
    assert sum(score for score, _ in scores.values()) == 0
    assert {m["missing"] for m in found["missing"]} == {"signature"}
    with pytest.raises(InvalidRequest, match="tables of four"):
        ema_csv(found, Event())


def test_it_can_be_switched_on_and_changed_and_that_undone_until_a_three_was_seated(store: Engine) -> None:
    cup = begin_tournament(store, 7, rules="riichi", scoring=Scoring(Decimal(25_000), Decimal(1000)))
    changed = tournaments.change_settings(store, cup, None, {"threes": THREES}, WHO)
    assert changed["threes"] == {"starting_points": 35_000, "return_points": 40_000, "places": [15, 0, -15]}
    assert undoing.undo_step(store, cup, changed["revision"], WHO)["threes"] is None
    tournaments.change_settings(store, cup, None, {"threes": THREES}, WHO)
    rounds.seat_round(store, cup)
    for other in (None, Threes(Decimal(30_000), THREES.places)):
        with pytest.raises(Conflict, match="A table of three was seated"):
            tournaments.change_settings(store, cup, None, {"threes": other}, WHO)
    places = Threes(THREES.start, (Decimal(20), Decimal(0), Decimal(-20)))
    assert tournaments.change_settings(store, cup, None, {"threes": places}, WHO)["threes"]["places"] == [20, 0, -20]


def test_rules_that_have_no_three_and_tournaments_of_three_refuse_it(store: Engine) -> None:
    with pytest.raises(InvalidRequest):
        begin_tournament(store, 7, rules="hongkong", scoring=COUNTING)
    people = [NewEntrant(f"P{i}") for i in range(1, 8)]
    three = Scoring(Decimal(35_000), Decimal(1000), THREES.places, threes=THREES)
    with pytest.raises(InvalidRequest, match="tables of four"):
        tournaments.create_tournament(store, tournaments.NewTournament("Cup", "riichi", {"players": 3}, people, three))
