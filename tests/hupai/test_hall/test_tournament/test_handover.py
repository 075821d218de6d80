"""A tournament goes to another server in a file: games, log, standings and the codes of its tables go on."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from hupai.basics.errors import Conflict
from hupai.games.exchange import export_game
from hupai.games.history import Amendment
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.store import refereeing, tournaments, undoing
from hupai.hall.store.handover import save_tournament, take_tournament
from hupai.hall.store.players import player_changes
from hupai.hall.store.rounds import next_round, rounds
from hupai.hall.store.state.tournament_log import list_tournament_changes
from hupai.hall.store.tokens import Grant, grant_of, make_token
from hupai.store import tokens
from hupai.store.database import open_store
from hupai.store.play.games import SqlGames
from hupai.store.tokens import Holder
from hupai.wing import store_wings
from scoring.errors import InvalidRequest
from scoring.seats import Seat
from tests.hupai.serving import OPEN, ROOT, running
from tests.hupai.store_builders import pay
from tests.hupai.test_hall.test_tournament.cup_builders import begin_tournament

WHO = Amendment("Judge Oak", "As seen at the table")


@pytest.fixture
def other(tmp_path: Path) -> Any:
    """The store of another server."""
    (tmp_path / "other").mkdir()
    engine = open_store(f"sqlite:///{tmp_path / 'other' / 'hupai.db'}", store_wings())
    yield engine
    engine.dispose()


def played_cup(store: Engine) -> tuple[str, str, str]:
    """A cup in its second round: hands, a swap, a signed result, a penalty, a plan; its game, and a table's token."""
    cup = begin_tournament(store, 8)
    player_changes.add_players(store, cup, [NewEntrant("Sub", club="Oak", substitute=True)])
    first, second = rounds.seat_round(store, cup)["rounds"][0]["tables"]
    pay(store, first["game_id"], 8)
    pay(store, first["game_id"], 16)
    one, two = (p["number"] for p in first["players"][:2])
    player_changes.replace_player(store, cup, 1, one, two, WHO, "players")
    refereeing.enter_result(store, cup, 1, second["table"], [Decimal(n) for n in (5, 1, -2, -4)], WHO, list(Seat))
    refereeing.penalise(store, cup, one, Decimal(-20), WHO)
    refereeing.announce(store, cup, "Lunch")
    undoing.undo_step(store, cup, tournaments.get_tournament(store, cup)["revision"], WHO)
    rounds.plan_rounds(store, cup, 2, seed=1)
    third = rounds.seat_round(store, cup, next_round.SeatingOptions(minutes=75))["rounds"][1]["tables"][0]
    grant = {"table": third["table"], "tournament": cup}
    token = make_token(store, Holder("Table 1", "table", granted=grant), "Oak")["token"]
    return cup, first["game_id"], str(token)


def in_file(data: Any) -> Any:
    return json.loads(json.dumps(data))


@pytest.mark.both_databases
def test_all_of_it_is_there_and_goes_on(store: Engine, other: Engine) -> None:
    cup, game, token = played_cup(store)
    taken = take_tournament(other, in_file(save_tournament(store, cup)))
    here, there = tournaments.get_tournament(store, cup), tournaments.get_tournament(other, cup)
    for one in (here, there, taken):
        one["rounds"][1]["timer"].pop("left")
    assert there == here == taken
    assert list_tournament_changes(other, cup) == list_tournament_changes(store, cup)
    mine, theirs = (export_game(SqlGames(one).read(game)) for one in (store, other))
    assert mine == theirs
    holder = tokens.holder_of(tokens.token_holders(other), token)
    assert holder is not None and grant_of(holder) == Grant("1", cup)
    pay(other, there["rounds"][1]["tables"][0]["game_id"])
    step = there["last_step"]["revision"]
    with pytest.raises(Conflict, match="Hands were recorded"):
        undoing.undo_step(other, cup, step, WHO)
    with pytest.raises(Conflict, match="here already"):
        take_tournament(other, in_file(save_tournament(store, cup)))


Damage = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.update(format=99),
        lambda data: data.pop("seats"),
        lambda data: data["games"].pop(),
        lambda data: data["log"][0].update(kind=7, detail=[]),
        lambda data: data["log"].append({**data["log"][-1], "tournament_id": "another"}),
        lambda data: data["players"][0].update(left_after={}),
        lambda data: data["tournament"].update(places=["a", "b", "c", "d"]),
        lambda data: data["tournament"].update(created="yesterday"),
        lambda data: data["shown"]["standings"][0].update(score=999),
        lambda data: data["games"][0]["history"].pop(),
        lambda data: data["seats"].append(data["seats"][0]),
    ],
)
def test_a_file_that_something_is_wrong_with_is_refused_whole(store: Engine, other: Engine, damage: Damage) -> None:
    cup, *_ = played_cup(store)
    data = in_file(save_tournament(store, cup))
    damage(data)
    with pytest.raises(InvalidRequest):
        take_tournament(other, data)
    assert tournaments.list_tournaments(other) == [] and SqlGames(other).list_games(10) == []
    assert tokens.list_tokens(other) == []


@pytest.mark.parametrize("data", [None, [], {}, {"format": 1}, "text"])
def test_another_file_is_refused(other: Engine, data: Any) -> None:
    with pytest.raises(InvalidRequest, match="not as hupai tournament save writes it"):
        take_tournament(other, data)


def hupai(*words: object, status: int = 0) -> str:
    line = [sys.executable, "-m", "hupai", *map(str, words)]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_a_tables_phone_goes_on_at_the_other_server(tmp_path: Path) -> None:
    a, b, file = tmp_path / "a", tmp_path / "b", tmp_path / "cup.json"
    a.mkdir()
    b.mkdir()
    assert "no tournament here; name" in hupai("tournament", "save", file, "--data-folder", b, status=2)
    chief = {"X-Hupai-Director": "chief"}
    with running(a, director_code="chief", **OPEN) as first, first.client(headers=chief) as client:
        made = client.post(
            "/tournaments", json={"name": "Cup", "rules": "mcr", "players": [{"name": n} for n in "PQRS"]}
        )
        cup = made.json()["id"]
        game = client.post(f"/tournaments/{cup}/rounds").json()["rounds"][0]["tables"][0]["game_id"]
        wanted = {"name": "Table 1", "role": "table", "table": "1", "tournament": cup}
        token = client.post("/tokens", json=wanted).json()["token"]
        assert "Cup, 4 players, 1 round" in hupai("tournament", "save", file, "--data-folder", a)
        assert "is there already" in hupai("tournament", "save", file, "--data-folder", a, status=2)
    assert file.stat().st_mode & 0o077 == 0, "it has what opens tables"
    with running(b, director_code="chief", **OPEN) as second:
        assert "Cup, 4 players, 1 round" in hupai("tournament", "take", file, "--data-folder", b)
        with second.client(headers={"X-Hupai-Code": token}) as phone:
            paid = {"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": 8}], "seen": {"revision": 0}}
            assert phone.post(f"/games/{game}/hands", json=paid).status_code == 201
            assert phone.get(f"/tournaments/{cup}").json()["rounds"][0]["tables"][0]["hands"] == 1
    assert "here already" in hupai("tournament", "take", file, "--data-folder", b, status=2)
    file.write_text("{", encoding="utf-8")
    assert "cannot be read" in hupai("tournament", "take", file, "--data-folder", b, status=2)
