"""The director's day over HTTP: lists and schedules as CSV, refusals that lose nothing, viewers who only look."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.hupai.serving import OPEN, Server, problem, running

pytestmark = pytest.mark.slow

WHY = {"by": "Judge Oak", "reason": "Seen at the table"}
LIST = "Name;Club;Country;EMA number\n" + "".join(f"P{i};Oak;NED;0429{i:04}\n" for i in range(1, 17))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("day"), director_code="chief", **OPEN) as server:
        yield server


@pytest.fixture
def cup(chief: httpx.Client) -> str:
    made = chief.post("/tournaments", json={"name": "Cup", "rules": "riichi", "starting_points": 25000, "divide": 1000})
    assert made.status_code == 201, made.text
    return f"/tournaments/{made.json()['id']}"


def test_a_day_from_the_list_of_players_to_the_files(chief: httpx.Client, viewer: httpx.Client, cup: str) -> None:
    took = chief.post(f"{cup}/players/import", json={"csv": LIST, "by": "Judge Oak"})
    assert took.status_code == 200 and took.json()["players"][15]["ema"] == "04290016"
    bad = problem(chief.post(f"{cup}/players/import", json={"csv": "name,ema\nQ,1\n,2\nR,?"}), 422, "bad_value")
    assert [f["field"] for f in bad["faults"]] == ["line 3.name", "line 4.ema"]
    assert len(viewer.get(cup).json()["players"]) == 16
    plan = chief.post(f"{cup}/plan", json={"rounds": 5, "seed": 1}).json()["plan"]
    assert [p["repeats"] for p in plan] == [0] * 5
    made = chief.post(f"{cup}/rounds", json=WHY).json()
    assert made["rounds"][0]["method"] == "plan"
    timer = chief.post(f"{cup}/rounds/1/timer", json={"act": "start", "minutes": 75}).json()["rounds"][0]["timer"]
    assert timer["state"] == "running"
    problem(chief.post(f"{cup}/rounds/1/timer", json={"act": "dance"}), 422, "bad_value")
    assert chief.post(f"{cup}/announcements", json={"text": "Lunch at one"}).status_code == 201
    table = made["rounds"][0]["tables"][0]
    game = f"/games/{table['game_id']}"
    pay = {"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": 8000}], "seen": {"revision": 0}}
    problem(viewer.post(f"{game}/hands", json=pay), 403, "director_needed")
    assert chief.post(f"{game}/hands", json=pay).status_code == 201
    said = {**WHY, "player": table["players"][1]["number"], "amount": -20, "kind": "chombo"}
    assert chief.post(f"{cup}/penalties", json=said).status_code == 201
    problem(chief.post(f"{cup}/penalties", json={**said, "amount": 0}), 422, "bad_value")
    problem(chief.post(f"{cup}/penalties", json={**said, "reason": ""}), 422, "bad_name")
    after = viewer.get(f"{cup}/standings", params={"round": 1}).json()["standings"]
    assert {s["player"]: s["score"] for s in after}[said["player"]] == -12
    counted = chief.post(f"{cup}/settings", json={**WHY, "places": [15, 5, -5, -15], "return_points": 30000})
    assert counted.status_code == 200 and counted.json()["places"] == [15, 5, -5, -15]
    assert counted.json()["return_points"] == 30000
    assert chief.post(f"{cup}/settings", json={**WHY, "return_points": None}).json()["return_points"] is None
    assert chief.post(f"{game}/end", json={**WHY, "seen": {"revision": 1}}).status_code == 200
    signed = chief.post(f"{cup}/rounds/1/tables/{table['table']}/sign", json={"seat": "E", "by": "P1"})
    assert signed.json()["rounds"][0]["tables"][0]["signed"] == ["E"]
    corrected = chief.put(
        f"{game}/hands/1",
        json={**pay, **WHY, "transfers": [{"from": "E", "to": "S", "amount": 3900}], "seen": {"revision": 2}},
    )
    assert corrected.status_code == 200, corrected.text
    told = viewer.get(f"{game}/changes", params={"after": 2}).json()["changes"][0]
    assert (told["kind"], told["by"], told["reason"]) == ("corrected", WHY["by"], WHY["reason"])
    assert viewer.get(cup).json()["rounds"][0]["tables"][0]["signed"] == []
    kinds = [c["kind"] for c in viewer.get(f"{cup}/changes").json()["changes"]]
    assert kinds == [
        "players", "planned", "seated", "timer", "announced", "penalty", "settings", "settings", "signed",
    ]  # fmt: skip
    head = viewer.get(f"{cup}/standings.csv").text.splitlines()[0]
    assert head.endswith("penalties,country,ema,team")
    problem(chief.delete(cup), 409, "conflict")
