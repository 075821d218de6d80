"""What a director wishes, asked of a server: a round for some, a table of three, a match moved, seats swapped."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.hupai.serving import OPEN, Server, problem, record, running

pytestmark = pytest.mark.slow

WHY = {"by": "Judge Oak", "reason": "Seen at the table"}
THREES = {"return_points": 40_000, "places": [15, 0, -15]}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("wishes"), director_code="chief", **OPEN) as server:
        yield server


def test_a_day_of_a_league_with_a_table_of_three(chief: httpx.Client, viewer: httpx.Client) -> None:
    body = {"name": "League", "rules": "riichi", "players": [{"name": f"P{n}"} for n in range(1, 13)], "threes": THREES}
    made = chief.post("/tournaments", json=body)
    assert made.json()["threes"] == {"starting_points": 35_000, **THREES}
    cup = f"/tournaments/{made.json()['id']}"
    chosen = [1, 3, 5, 7, 9, 11, 12]
    seated = chief.post(f"{cup}/rounds", json={"players": chosen}).json()["rounds"][0]
    four, three = sorted(seated["tables"], key=lambda table: -len(table["players"]))
    assert sorted(p["number"] for table in (four, three) for p in table["players"]) == chosen == seated["players"]
    assert {p["total"] for p in three["players"]} == {35_000}

    token = {"name": "Stage", "role": "table", "table": "Stage", "tournament": made.json()["id"]}
    code = chief.post("/tokens", json=token).json()["token"]
    where = f"{cup}/rounds/1/tables/{four['table']}"
    problem(viewer.post(f"{where}/move", json={"to": "Stage"}), 403, "director_needed")
    problem(chief.post(f"{where}/move", json={"to": four["table"]}), 422, "bad_value")
    moved = chief.post(f"{where}/move", json={"to": "Stage", **WHY}).json()
    assert {t["table"] for t in moved["rounds"][0]["tables"]} == {"Stage", three["table"]}
    with httpx.Client(base_url=chief.base_url, headers={"X-Hupai-Code": code}) as stage:
        draw = {"outcome": "draw", "ready": ["E"]}
        assert record(stage, four["game_id"], draw).status_code == 201, "the code of the table opens the match there"
        problem(record(stage, three["game_id"], draw), 403, "role_refused")

    east, south = (p["number"] for p in four["players"][:2])
    swap = {"out": east, "into": south, **WHY}
    problem(chief.post(f"{cup}/rounds/1/replace", json=swap), 409, "conflict")
    swapped = chief.post(f"{cup}/rounds/1/replace", json={**swap, "hands": "players"}).json()
    stage_table = next(t for t in swapped["rounds"][0]["tables"] if t["table"] == "Stage")
    assert [(p["number"], p["total"]) for p in stage_table["players"]][:2] == [(south, -1000), (east, 3000)]
    told = viewer.get(f"{cup}/report").json()
    assert {one["name"] for one in told["figures"]} == {p["name"] for p in four["players"]}
    problem(chief.post(f"{cup}/settings", json={"threes": None, **WHY}), 409, "conflict")
    assert (
        chief.post(f"{cup}/settings", json={"threes": {**THREES, "starting_points": 35_000}, **WHY}).status_code == 200
    )
    for _ in range(5):  # back through all of it
        last = chief.get(cup).json()["last_step"]
        if last["kind"] == "seated":
            break
        assert chief.post(f"{cup}/undo", json={"revision": last["revision"]}).status_code == 200
    back = chief.get(cup).json()["rounds"][0]["tables"]
    assert {t["table"]: [p["number"] for p in t["players"]] for t in back} == {
        t["table"]: [p["number"] for p in t["players"]] for t in (four, three)
    }
