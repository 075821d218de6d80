"""A round for chosen players, as on the days of a league: the others do not play, and have not rested."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine

from hupai.basics.errors import Conflict
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.store import undoing
from hupai.hall.store.players import player_changes
from hupai.hall.store.rounds import rounds
from hupai.hall.store.rounds.next_round import SeatingOptions
from hupai.hall.store.state.tournament_log import DIRECTOR
from scoring.errors import InvalidRequest
from tests.hupai.test_hall.test_tournament.cup_builders import begin_tournament


def seat(store: Engine, cup: str, *players: int, method: str | None = None, seed: int = 1) -> dict[str, Any]:
    return rounds.seat_round(store, cup, SeatingOptions(method=method, seed=seed, players=players))


def playing(made: dict[str, Any]) -> set[int]:
    return {p["number"] for t in made["rounds"][-1]["tables"] for p in t["players"]}


@pytest.mark.both_databases
@pytest.mark.parametrize("method", [None, "swiss", "final"])
def test_only_the_chosen_play_by_every_method(store: Engine, method: str | None) -> None:
    cup = begin_tournament(store, 16)
    rounds.plan_rounds(store, cup, 2, seed=1)
    tried = rounds.try_round(store, cup, SeatingOptions(method=method, seed=1, players=[2, 3, 5, 7]))
    assert {p for t in tried["tables"] for p in t["players"]} == {2, 3, 5, 7}
    made = seat(store, cup, 2, 3, 5, 7, method=method)
    assert playing(made) == {2, 3, 5, 7} and made["rounds"][0]["players"] == [2, 3, 5, 7]
    assert "players" not in seat(store, cup, method="balanced")["rounds"][1]
    undone = undoing.undo_step(store, cup, made["revision"] + 1, DIRECTOR)
    assert len(undone["rounds"]) == 1


def test_who_was_not_chosen_has_not_rested_and_who_was_left_over_has(store: Engine) -> None:
    cup = begin_tournament(store, 9)
    first = seat(store, cup, 1, 2, 3, 4, 5)
    (rested,) = {1, 2, 3, 4, 5} - playing(first)
    second = seat(store, cup)
    assert rested in playing(second)
    (resting,) = {*range(1, 10)} - playing(second)
    # The other eight have rested as often, but for the two.
    for seed in range(5):
        third = rounds.try_round(store, cup, SeatingOptions(method="balanced", seed=seed))
        assert not {rested, resting} & set(third["resting"])


def test_a_chosen_substitute_fills_the_table_and_no_other_does(store: Engine) -> None:
    cup = begin_tournament(store, 8)
    player_changes.add_players(store, cup, [NewEntrant("Sub", substitute=True), NewEntrant("Spare", substitute=True)])
    assert playing(seat(store, cup, 1, 2, 3, 10)) == {1, 2, 3, 10}
    with pytest.raises(InvalidRequest, match="at least 4 players"):
        seat(store, cup, 1, 2, 3)


def test_who_cannot_be_chosen_is_refused(store: Engine) -> None:
    cup = begin_tournament(store, 8)
    player_changes.let_player_leave(store, cup, 8)
    for players in ([1, 2, 3, 8], [1, 2, 3, 99], [1, 2, 3, 3]):
        with pytest.raises(InvalidRequest, match="chosen for a round"):
            seat(store, cup, *players)
    rounds.plan_rounds(store, cup, 1, seed=1)
    with pytest.raises(InvalidRequest, match="without the plan"):
        seat(store, cup, 1, 2, 3, 4, method="plan")
    with pytest.raises(Conflict):
        rounds.seat_round(store, cup, SeatingOptions(number=2, players=[1, 2, 3, 4]))
