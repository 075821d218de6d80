"""A change of a tournament that is sent again under its key is not made again, however often and however fast."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

import httpx
import pytest

from tests.hupai.postgres import cluster
from tests.hupai.serving import OPEN, Server, problem, running
from tests.waiting import at_once

pytestmark = pytest.mark.slow

PLAYERS = [{"name": f"P{i}"} for i in range(1, 10)]
WHY = {"by": "Judge Oak", "reason": "Seen at the table"}


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.tools)])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with cluster() if request.param == "postgresql" else nullcontext() as database:
        more = {"database": database.url} if database is not None else {}
        folder = tmp_path_factory.mktemp("once")
        with running(folder, director_code="chief", **more, **OPEN) as server:
            yield server


@pytest.fixture
def cup(chief: httpx.Client) -> str:
    made = chief.post("/tournaments", json={"name": "Cup", "rules": "riichi", "players": PLAYERS})
    return f"/tournaments/{made.json()['id']}"


def sent_again(chief: httpx.Client, path: str, body: dict[str, Any]) -> None:
    """The change is made once, the retry answers with the tournament as it stands."""
    headers = {"Idempotency-Key": f"{path} {body.get('out')}"}
    first = chief.post(path, json=body, headers=headers)
    assert first.is_success and "idempotency-replayed" not in first.headers, first.text
    again = chief.post(path, json=body, headers=headers)
    assert again.status_code == 200 and again.headers["idempotency-replayed"] == "true", again.text
    assert again.json() == first.json()


def test_every_change_is_made_once(chief: httpx.Client, cup: str) -> None:
    sent_again(chief, f"{cup}/players", {"players": [{"name": "Late"}, {"name": "Sub", "substitute": True}]})
    sent_again(chief, f"{cup}/players/import", {"csv": "Q1\nQ2\nQ3"})
    sent_again(chief, f"{cup}/players/3", {"name": "Three"})
    sent_again(chief, f"{cup}/players/14/remove", {"by": "Judge Oak"})
    sent_again(
        chief,
        f"{cup}/plan/import",
        {"csv": "round,table,east,south,west,north\n1,A,1,2,3,4\n1,B,5,6,7,8\n1,C,9,10,12,13"},
    )
    sent_again(chief, f"{cup}/plan", {"rounds": 2})
    sent_again(chief, f"{cup}/rounds", {"round": 1})
    sat = chief.get(cup).json()["rounds"][0]["tables"]
    one, other = (t["players"][0]["number"] for t in sat[:2])
    sent_again(chief, f"{cup}/rounds/1/replace", {**WHY, "out": one, "into": other})  # made twice it would be undone
    assert chief.get(cup).json()["rounds"][0]["tables"][0]["players"][0]["number"] == other
    sent_again(chief, f"{cup}/rounds/1/replace", {**WHY, "out": other, "into": 11})
    sent_again(chief, f"{cup}/penalties", {**WHY, "player": 2, "amount": -20})
    (given,) = chief.get(cup).json()["penalties"]
    sent_again(chief, f"{cup}/penalties/{given['number']}/withdraw", WHY)
    sent_again(chief, f"{cup}/announcements", {"text": "Lunch at one"})
    sent_again(chief, f"{cup}/settings", {**WHY, "name": "Winter Cup"})
    sent_again(chief, f"{cup}/players/4/leave", {})
    told = chief.get(f"{cup}/changes").json()["changes"]
    assert [c["kind"] for c in told] == [
        "players", "players", "player", "removed", "planned", "planned", "seated", "replaced", "replaced", "penalty",
        "penalty_withdrawn", "announced", "settings", "left",
    ]  # fmt: skip


def test_a_round_is_taken_back_once(chief: httpx.Client, cup: str) -> None:
    for _ in range(3):
        assert chief.post(f"{cup}/rounds", json={"over_unfinished": True}).status_code == 201
    headers = {"Idempotency-Key": "gone"}
    assert len(chief.delete(f"{cup}/rounds/last", headers=headers).json()["rounds"]) == 2
    assert len(chief.delete(f"{cup}/rounds/last", headers=headers).json()["rounds"]) == 2
    problem(chief.delete(f"{cup}/rounds/last", params={"round": 3}), 409, "conflict")
    assert len(chief.delete(f"{cup}/rounds/last", params={"round": 2}).json()["rounds"]) == 1


def test_a_timer_that_runs_is_not_started_anew(chief: httpx.Client, cup: str) -> None:
    chief.post(f"{cup}/rounds")
    headers = {"Idempotency-Key": "clock"}
    start = {"act": "start", "minutes": 75}
    first = chief.post(f"{cup}/rounds/1/timer", json=start, headers=headers).json()["rounds"][0]["timer"]
    again = chief.post(f"{cup}/rounds/1/timer", json=start, headers=headers).json()["rounds"][0]["timer"]
    assert again["ends_at"] == first["ends_at"]


def ask_at_once(served: Server, path: str, bodies: list[dict[str, Any]], key: str | None) -> Sequence[httpx.Response]:
    """The same path, asked by as many at the same moment as there are bodies."""
    headers = {"X-Hupai-Director": "chief", **({"Idempotency-Key": key} if key else {})}

    def ask(body: dict[str, Any]) -> httpx.Response:
        with served.client(headers=headers) as client:
            return client.post(path, json=body)

    return at_once(*(partial(ask, body) for body in bodies))


def test_eight_tries_at_once_seat_one_round(served: Server, chief: httpx.Client, cup: str) -> None:
    replies = ask_at_once(served, f"{cup}/rounds", [{}] * 8, "seat")
    assert sorted(r.status_code for r in replies) == [200] * 7 + [201], [r.text[:200] for r in replies]
    (played,) = chief.get(cup).json()["rounds"]
    assert all(r.json()["rounds"][0]["tables"] == played["tables"] for r in replies)
    assert all(r.json()["repeats"] == 0 for r in replies)


def test_two_directors_who_press_at_once_seat_one_round(served: Server, chief: httpx.Client, cup: str) -> None:
    replies = ask_at_once(served, f"{cup}/rounds", [{"round": 1}] * 2, None)
    assert sorted(r.status_code for r in replies) == [201, 409]
    assert len(chief.get(cup).json()["rounds"]) == 1


def test_eight_tries_at_once_begin_one_tournament(served: Server, chief: httpx.Client) -> None:
    body = {"name": "Once Only", "rules": "riichi", "players": PLAYERS}
    replies = ask_at_once(served, "/tournaments", [body] * 8, "begin")
    assert sorted(r.status_code for r in replies) == [200] * 7 + [201], [r.text[:200] for r in replies]
    assert len({r.json()["id"] for r in replies}) == 1
    assert [t["name"] for t in chief.get("/tournaments").json()["tournaments"]].count("Once Only") == 1
    problem(
        chief.post("/tournaments", json={**body, "name": "Other"}, headers={"Idempotency-Key": "begin"}),
        409,
        "conflict",
    )


def test_a_key_stands_for_one_change_of_one_tournament(chief: httpx.Client, cup: str) -> None:
    headers = {"Idempotency-Key": "k"}
    assert chief.post(f"{cup}/announcements", json={"text": "One"}, headers=headers).status_code == 201
    problem(chief.post(f"{cup}/announcements", json={"text": "Two"}, headers=headers), 409, "conflict")
    problem(chief.post(f"{cup}/plan", json={"rounds": 1}, headers=headers), 409, "conflict")
    problem(chief.post(f"{cup}/plan", json={"rounds": 1}, headers={"Idempotency-Key": "k" * 201}), 422, "bad_value")
    other = chief.post("/tournaments", json={"name": "Other", "rules": "riichi"}).json()["id"]
    assert chief.post(f"/tournaments/{other}/announcements", json={"text": "1"}, headers=headers).status_code == 201
    # What was refused was not made: it may be sent again under its key.
    early = {"act": "start", "minutes": 75}
    problem(chief.post(f"{cup}/rounds/1/timer", json=early, headers={"Idempotency-Key": "t"}), 404, "not_found")
    chief.post(f"{cup}/rounds")
    assert chief.post(f"{cup}/rounds/1/timer", json=early, headers={"Idempotency-Key": "t"}).status_code == 200
