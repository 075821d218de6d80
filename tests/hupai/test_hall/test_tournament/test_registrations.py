"""Players register themselves: each waits for the director, sees nothing but that, and nobody fills the hall alone."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine

from hupai.basics.errors import Conflict
from hupai.games.history import Amendment
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.store import tournaments, undoing
from hupai.hall.store.players import player_changes, registrations
from hupai.hall.store.state import tournament_log
from tests.hupai.serving import OPEN, Server, problem, running
from tests.hupai.test_hall.test_tournament.cup_builders import begin_tournament

POSTER, OAK = Amendment("Poster", ""), Amendment("Oak", "")
KEY = "a-key-of-this-phone-{}"


def register(store: Engine, cup: str, name: str, phone: int = 1, address: str = "here") -> dict[str, Any]:
    return registrations.register(store, cup, NewEntrant(name, "Oak"), KEY.format(phone), address, POSTER)


def waiting(store: Engine, cup: str) -> dict[str, int]:
    """Name -> number of those who wait."""
    found = tournaments.get_tournament(store, cup)["missing"]
    return {m["name"]: m["number"] for m in found if m["missing"] == "registration"}


def names(shown: dict[str, Any]) -> list[str]:
    return [p["name"] for p in shown["players"]]


@pytest.mark.both_databases
def test_who_registers_waits_until_the_director_has_answered(store: Engine) -> None:
    cup = begin_tournament(store, 4)
    mine = register(store, cup, "Ann")
    assert mine == {"tournament": "Cup", "registration": {"state": "waiting", "name": "Ann", "reason": None}}
    assert register(store, cup, "Ann") == mine, "sent twice"
    register(store, cup, "Bo", 2)
    assert list(waiting(store, cup)) == ["Ann", "Bo"] and len(names(tournaments.get_tournament(store, cup))) == 4
    shown = registrations.confirm_registrations(store, cup, [waiting(store, cup)["Ann"]], OAK)
    assert names(shown)[-1] == "Ann" and shown["players"][-1]["club"] == "Oak" and list(waiting(store, cup)) == ["Bo"]
    late = Amendment("Oak", "The hall is full")
    registrations.decline_registrations(store, cup, [waiting(store, cup)["Bo"]], late)
    told = [registrations.get_registration(store, cup, KEY.format(n))["registration"] for n in (1, 2, 3)]
    assert told == [
        {"state": "confirmed", "name": "Ann", "reason": None},
        {"state": "declined", "name": "Bo", "reason": "The hall is full"},
        None,
    ]
    assert register(store, cup, "Bo", 3)["registration"]["state"] == "waiting", "who was declined may try again"
    log = tournament_log.list_tournament_changes(store, cup)["changes"]
    done = ["registered", "registered", "players", "declined", "registered"]
    assert [c["kind"] for c in log] == done and [c["by"] for c in log[:3]] == ["Poster", "Poster", "Oak"]
    assert log[0]["detail"].keys() == {"player"}, "neither what opens it nor where it came from is for others"


@pytest.mark.parametrize("act", [registrations.confirm_registrations, registrations.decline_registrations])
def test_an_answer_is_undone_and_not_given_twice(store: Engine, act: Any) -> None:
    cup = begin_tournament(store, 4)
    register(store, cup, "Ann")
    before = waiting(store, cup)
    done = act(store, cup, list(before.values()), OAK)
    register(store, cup, "Bo", 2)
    assert done["last_step"]["revision"] == tournaments.get_tournament(store, cup)["last_step"]["revision"]
    with pytest.raises(Conflict, match="'Ann' does not wait"):
        act(store, cup, list(before.values()), OAK)
    shown = undoing.undo_step(store, cup, done["last_step"]["revision"], OAK)
    assert len(names(shown)) == 4 and list(waiting(store, cup)) == ["Ann", "Bo"]
    again = registrations.confirm_registrations(store, cup, list(waiting(store, cup).values()), OAK)
    assert names(again)[-2:] == ["Ann", "Bo"] and waiting(store, cup) == {}


def test_a_name_is_taken_by_players_and_by_those_who_wait(store: Engine) -> None:
    cup = begin_tournament(store, 4)
    register(store, cup, "Ann")
    for name in ("P1", "ann"):
        with pytest.raises(Conflict, match="already"):
            register(store, cup, name, 2)
    player_changes.add_players(store, cup, [NewEntrant("Ann")])
    with pytest.raises(Conflict, match="already"):
        registrations.confirm_registrations(store, cup, list(waiting(store, cup).values()), OAK)
    assert list(waiting(store, cup)) == ["Ann"]


def test_an_address_cannot_fill_a_tournament(store: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = begin_tournament(store, 4)
    for n in range(registrations.MAX_WAITING):
        register(store, cup, f"Nobody {n}", n)
    with pytest.raises(Conflict, match="8 registrations from your address"):
        register(store, cup, "Nobody", 90)
    register(store, cup, "Ann", 91, "elsewhere")
    registrations.decline_registrations(store, cup, [waiting(store, cup)["Nobody 0"]], OAK)
    register(store, cup, "Bo", 92)
    monkeypatch.setattr(registrations, "MAX_PLAYERS", 13)
    with pytest.raises(Conflict, match="full"):
        register(store, cup, "Cy", 93, "elsewhere")


@pytest.mark.both_databases
def test_of_two_who_register_one_name_at_once_one_is_told(store: Engine) -> None:
    cup, start = begin_tournament(store, 4), Barrier(2)

    def send(phone: int) -> str:
        start.wait()
        try:
            return str(register(store, cup, "Ann", phone)["registration"]["state"])
        except Conflict:
            return "taken"

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(send, (1, 2))) == ["taken", "waiting"]
    assert list(waiting(store, cup)) == ["Ann"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("door"), director_code="chief", **OPEN) as server:
        yield server


def begun(chief: httpx.Client) -> str:
    return str(chief.post("/tournaments", json={"name": "Cup", "rules": "riichi"}).json()["id"])


@pytest.mark.slow
def test_a_phone_registers_with_its_tournaments_code_and_sees_nothing_else(
    served: Server, chief: httpx.Client, viewer: httpx.Client
) -> None:
    cup, other = begun(chief), begun(chief)
    made = chief.post("/tokens", json={"name": "Poster", "role": "entrant", "tournament": cup}).json()
    assert made["url"].endswith(f"/register.html#code={made['token']}") and made["tournament"] == cup
    said = {"name": "Ann", "ema": "04290012", "key": KEY.format(1)}
    problem(viewer.post("/registrations", json=said), 403, "role_refused")
    with served.client(headers={"X-Hupai-Code": made["token"]}) as phone:
        problem(phone.post("/registrations", json={**said, "ema": "?"}), 422, "bad_value")
        problem(phone.post("/registrations", json={**said, "key": "short"}), 422, "bad_value")
        assert phone.post("/registrations", json=said).status_code == 201
        mine = {"state": "waiting", "name": "Ann", "reason": None}
        assert phone.get(f"/registrations/{KEY.format(1)}").json() == {"tournament": "Cup", "registration": mine}
        assert phone.get(f"/registrations/{KEY.format(2)}").json()["registration"] is None
        description = chief.get("/openapi.json").json()
        own = {"/api/v1/session", "/api/v1/about", "/api/v1/registrations/{key}"}
        seen = [p for p, operations in description["paths"].items() if "get" in operations and p not in own]
        for path in seen:
            problem(phone.get(path.removeprefix("/api/v1").replace("{tournament_id}", cup)), 403, "role_refused")
        assert len(seen) > 30
        for path in (f"/tournaments/{cup}/registrations/confirm", f"/tournaments/{cup}/players", "/games"):
            problem(phone.post(path, json={}), 403, "role_refused")
        assert chief.get(f"/tournaments/{other}").json()["missing"] == []
        (missing,) = chief.get(f"/tournaments/{cup}").json()["missing"]
        body = {"numbers": [missing["number"]], "by": "Oak", "reason": " "}
        problem(viewer.post(f"/tournaments/{cup}/registrations/confirm", json=body), 403, "director_needed")
        problem(chief.post(f"/tournaments/{cup}/registrations/confirm", json={"numbers": [99]}), 404, "not_found")
        (player,) = chief.post(f"/tournaments/{cup}/registrations/confirm", json=body).json()["players"]
        assert (player["name"], player["ema"]) == ("Ann", "04290012")
        assert phone.get(f"/registrations/{KEY.format(1)}").json()["registration"]["state"] == "confirmed"
        assert chief.delete(f"/tournaments/{cup}").status_code == 204
    (kept,) = [token for token in chief.get("/tokens").json()["tokens"] if token["id"] == made["id"]]
    assert kept["withdrawn_at"] is not None and kept["withdrawn_by"] == made["made_by"]


@pytest.mark.slow
@pytest.mark.parametrize("body", [{"role": "entrant"}, {"role": "viewer", "tournament": "x" * 26}])
def test_an_entrants_token_is_for_one_tournament(chief: httpx.Client, body: dict[str, str]) -> None:
    problem(chief.post("/tokens", json={"name": "Poster", **body}), 422, "bad_value")
    nowhere = {"name": "Poster", "role": "entrant", "tournament": "x" * 26}
    problem(chief.post("/tokens", json=nowhere), 404, "not_found")
