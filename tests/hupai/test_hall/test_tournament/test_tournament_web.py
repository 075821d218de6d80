"""The tournament over HTTP: who may do what, and the whole way from a settled hand to the standings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine

from hupai.hall.events import feed
from hupai.store.database import open_store
from hupai.wing import store_wings
from tests.hupai.serving import OPEN, Server, problem, running
from tests.hupai.test_hall.test_feed.feeding import HAND, JPEG, READ, game_at

pytestmark = pytest.mark.slow

PLAYERS = [{"name": n} for n in ("Ann", "Bo", "Cy", "Di")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cup")


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Server]:
    with running(folder, director_code="chief", **OPEN) as server:
        yield server


@pytest.fixture
def store(served: Server, folder: Path) -> Iterator[Engine]:
    engine = open_store(f"sqlite:///{folder / 'hupai.db'}", store_wings())
    yield engine
    engine.dispose()


def laid(engine: Engine, table: str) -> int:
    feed.claim(engine, feed.Claim(table, "0", "w1", None))
    return feed.add_settled_hand(engine, table, "w1", f"{table}-1", READ, JPEG, {})


def test_from_a_settled_hand_to_the_standings(chief: httpx.Client, viewer: httpx.Client, store: Engine) -> None:
    feed.claim(store, feed.Claim("Door", "0", "w1", None))
    made = chief.post(
        "/tournaments", json={"name": "Cup", "rules": "hongkong", "players": PLAYERS, "places": [3, 1, -1, -3]}
    )
    assert made.status_code == 201
    cup_id = made.json()["id"]
    seated = chief.post(f"/tournaments/{cup_id}/rounds", json={"tables": ["Door"], "seed": 1})
    assert seated.status_code == 201 and seated.json()["rounds"][0]["tables"][0]["table"] == "Door"
    key = laid(store, "Door")
    answers = {"context": {"seat": "S", "win": "discard", "from": "W"}}
    tried = viewer.post(f"/laid/{key}/score", json=answers)
    assert tried.status_code == 200 and tried.json()["payments"]["S"] > 0
    problem(viewer.post(f"/laid/{key}/confirm", json={**answers, "version": 1}), 403, "director_needed")
    problem(chief.post(f"/laid/{key}/confirm", json={**answers, "version": 1}), 422, "seen_needed")
    said = {**answers, "version": 1, "seen": {"revision": tried.json()["revision"]}}
    wrong = {**said, "expected_payments": {"S": 1}}
    problem(chief.post(f"/laid/{key}/confirm", json=wrong), 409, "payments_differ")
    late = problem(chief.post(f"/laid/{key}/confirm", json={**said, "seen": {"revision": 7}}), 409, "game_moved_on")
    assert late["changed"]["revision"] == 0
    done = chief.post(f"/laid/{key}/confirm", json={**said, "expected_payments": tried.json()["payments"]})
    assert done.status_code == 200
    table = viewer.get("/tables/Door").json()
    assert (
        table["last"]["status"] == "confirmed" and table["game"]["players"][1]["total"] == tried.json()["payments"]["S"]
    )
    first = viewer.get(f"/tournaments/{cup_id}").json()["standings"][0]
    assert first["name"] == table["game"]["players"][1]["name"] and first["score"] == first["won"] + 3
    assert viewer.get(f"/frames/{table['last']['frame']}").content == JPEG
    assert "Ann" in viewer.get(f"/tournaments/{cup_id}/standings.csv").text
    assert viewer.get(f"/tournaments/{cup_id}/export.json").json()["format"] == 1
    problem(viewer.get(f"/tournaments/{cup_id}/ema.csv"), 422, "bad_value")
    problem(chief.delete(f"/tournaments/{cup_id}/rounds/last"), 409, "conflict")
    problem(chief.delete(f"/games/{table['game']['id']}", params={"revision": 1}), 409, "conflict")
    undone = chief.post(f"/laid/{key}/undo", json={"version": 2}).json()
    assert undone["laid"]["status"] == "settled" and undone["game"]["players"][1]["total"] == 0


def test_every_table_has_its_figures(served: Server, chief: httpx.Client, store: Engine) -> None:
    laid(store, 'Back "room"')
    feed.beat(store, 'Back "room"', "w1", {"fps": 14.8, "lag_ms": 31, "reconnects": 2, "shake": None})
    text = chief.get(f"{served.url}/metrics").text
    for line in (
        "hupai_store_up 1.0",
        'hupai_table_state{state="hand",table="Back \\"room\\""} 1.0',
        'hupai_table_frames_per_second{table="Back \\"room\\""} 14.8',
        'hupai_table_lag_milliseconds{table="Back \\"room\\""} 31.0',
        'hupai_table_reconnects{table="Back \\"room\\""} 2.0',
        'hupai_table_silent{table="Back \\"room\\""} 0.0',
        'hupai_table_hands_waiting{table="Back \\"room\\""} 1.0',
    ):
        assert line in text.splitlines(), text
    assert "hupai_table_shake_pixels{" not in text


def test_who_has_an_answer_already_is_not_sent_it_again(
    chief: httpx.Client, viewer: httpx.Client, store: Engine
) -> None:
    laid(store, "Seen")
    players = [{"name": f"Somebody with a long name {i}"} for i in range(40)]
    made = chief.post("/tournaments", json={"name": "Shown", "rules": "hongkong", "players": players})
    cup = f"/tournaments/{made.json()['id']}"
    for path in (cup, "/tables", "/tables/Seen"):
        whole = viewer.get(path, headers={"Accept-Encoding": "identity"})
        packed = viewer.get(path)
        assert whole.json() == packed.json() and whole.headers["cache-control"] == "private, no-cache"
        known = {"If-None-Match": f'"other", {packed.headers["etag"]}'}
        again = viewer.get(path, headers=known)
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", packed.headers["etag"])
        problem(viewer.get(f"{path}x", headers=known), 404, "not_found")
    assert viewer.get(cup).headers["content-encoding"] == "gzip"
    known = {"If-None-Match": viewer.get(cup).headers["etag"]}
    chief.post(f"{cup}/announcements", json={"text": "Lunch at one"})
    said = viewer.get(cup, headers=known)
    assert said.status_code == 200 and said.json()["announcements"][0]["text"] == "Lunch at one"


SECOND: dict[str, Any] = {
    "concealed": ["1p", "1p", "1p", "4s", "5s", "6s", "6s", "7s", "2z", "2z", "2z", "9m", "9m"],
    "melds": [],
    "winning_tile": None,
    "bonus": [],
    "dora_indicators": [],
}


def test_two_winners_of_one_tile_are_confirmed_and_taken_back_together(
    chief: httpx.Client, viewer: httpx.Client, store: Engine
) -> None:
    feed.claim(store, feed.Claim("Two", "0", "w1", None))
    game_at(store, "Two", "riichi")
    first = laid(store, "Two")
    dora = {**HAND, "melds": [{**HAND["melds"][0], "type": "pung"}], "dora_indicators": ["8m"]}
    assert chief.post(f"/laid/{first}/correct", json={"version": 1, "hand": dora}).status_code == 200
    body = {"key": "a-key-of-mine", "hand": SECOND}
    problem(viewer.post("/tables/Two/laid", json=body), 403, "director_needed")
    problem(chief.post("/tables/Nowhere/laid", json=body), 404, "not_found")
    problem(chief.post("/tables/Two/laid", json={**body, "hand": {**SECOND, "concealed": ["0z"]}}), 422, "unknown_tile")
    entered = chief.post("/tables/Two/laid", json=body)
    assert entered.status_code == 201
    typed = entered.json()["laid"]
    assert typed["status"] == "settled" and typed["gone_at"] and typed["frame"] is None
    assert chief.post("/tables/Two/laid", json=body).json()["laid"]["id"] == typed["id"]
    feed.claim(store, feed.Claim("Three", "0", "w3", None))
    problem(chief.post("/tables/Three/laid", json=body), 409, "conflict")
    # No camera saw it: what lies on the table is still the first one.
    feed.release(store, "Two", "w1", "ended")
    assert feed.claim(store, feed.Claim("Two", "0", "w2", None)).token == "Two-1"
    assert viewer.get("/tables/Two").json()["waiting"] == 2
    # It wins with the tile that lies with the other hand.
    also = {"laid": typed["id"], "version": 1, "context": {"seat": "W", "win": "discard", "from": "N", "riichi": True}}
    answers = {"context": {"seat": "S", "win": "discard", "from": "N"}, "also": [also]}
    tried = viewer.post(f"/laid/{first}/score", json=answers)
    assert tried.status_code == 200, tried.text
    paid = tried.json()["payments"]
    # The dora lies there for both: two nines of characters in the second hand, none in the first.
    assert [[e["id"] for e in s["elements"]].count("dora") for s in tried.json()["scores"]] == [0, 1]
    assert paid["S"] > 0 and paid["W"] > 0 and paid["N"] < 0 and paid["E"] == 0
    for wrong, status in (
        ({**also, "laid": first}, 422),
        ({**also, "laid": 10**6}, 404),
        ({**also, "version": 7}, 409),
        ({**also, "seat": "E"}, 422),
        ({"laid": typed["id"]}, 422),
    ):
        assert viewer.post(f"/laid/{first}/score", json={**answers, "also": [wrong]}).status_code == status
    said = {**answers, "version": 2, "seen": {"revision": tried.json()["revision"]}}
    done = chief.post(f"/laid/{first}/confirm", json={**said, "expected_payments": paid})
    assert done.status_code == 200, done.text
    assert chief.post(f"/laid/{first}/confirm", json=said).json()["game"] == done.json()["game"]
    hands = {hand["id"]: hand for hand in viewer.get("/tables/Two").json()["hands"]}
    assert {hands[i]["status"] for i in (first, typed["id"])} == {"confirmed"}
    assert hands[first]["hand_number"] == hands[typed["id"]]["hand_number"] == 1
    told = [e for e in viewer.get("/events/list?table=Two").json()["events"] if e["event"] == "hand.confirmed"]
    assert [e["hand_id"] for e in told] == [first] and told[0]["also"][0]["hand_id"] == typed["id"]
    # Taking either back takes back both, and the table is as it was.
    undone = chief.post(f"/laid/{typed['id']}/undo", json={"version": 2}).json()
    assert undone["game"]["players"][3]["total"] == 0
    hands = {hand["id"]: hand for hand in viewer.get("/tables/Two").json()["hands"]}
    assert {hands[i]["status"] for i in (first, typed["id"])} == {"settled"}
    told = viewer.get("/events/list?table=Two").json()["events"][-2:]
    assert [e.get("undone") for e in told] == [1, 1]


def test_nothing_is_written_without_the_directors_code(
    chief: httpx.Client, viewer: httpx.Client, store: Engine
) -> None:
    """Every writing operation of the tournament, found in the description, refuses a viewer; so does the ledger."""
    key = laid(store, "Window")
    game = chief.post("/games", json={"players": ["A", "B", "C", "D"], "rules": "hongkong"}).json()["id"]
    chief.post("/tables/Window/game", json={"game_id": game})
    description = viewer.get("/openapi.json").json()
    names = {
        "name": "Window",
        "hand_id": str(key),
        "tournament_id": "x",
        "number": "1",
        "round_number": "1",
        "table": "A",
    }
    open_to_all = {"open_director", "close_director", "score_laid_hand"}
    tried = 0
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            mine = "tournament" in operation.get("tags", ()) and method not in ("get",)
            if not mine or operation["operationId"] in open_to_all:
                continue
            url = path.removeprefix("/api/v1").format(**names)
            body = {} if method == "post" else None
            code = "role_refused" if operation["operationId"] == "register" else "director_needed"
            problem(viewer.request(method.upper(), url, json=body), 403, code)
            tried += 1
    assert tried >= 11
    for url, body in ((f"/games/{game}/hands", {"outcome": "draw"}), (f"/games/{game}/undo", None)):
        problem(viewer.post(url, json=body), 403, "director_needed")
    problem(viewer.delete(f"/games/{game}"), 403, "director_needed")
    draw = {"outcome": "draw", "seen": {"revision": 0}}
    assert chief.post(f"/games/{game}/hands", json=draw).status_code == 201
    private = viewer.post("/games", json={"players": ["A", "B", "C", "D"], "rules": "hongkong"}).json()["id"]
    assert viewer.post(f"/games/{private}/hands", json=draw).status_code == 201


def test_the_directors_door(viewer: httpx.Client) -> None:
    assert viewer.get("/director").json() == {"there": True, "you": False}
    problem(viewer.post("/director", json={"code": "wrong"}), 401, "code_wrong")
    assert viewer.post("/director", json={"code": "chief"}).status_code == 204
    assert viewer.get("/director").json()["you"] is True
    assert viewer.post("/tournaments", json={"name": "By cookie", "rules": "riichi"}).status_code == 201
    assert viewer.delete("/director").status_code == 204
    assert viewer.get("/director").json()["you"] is False


def test_a_server_without_a_director(client: httpx.Client) -> None:
    told = client.post("/tournaments", json={"name": "X", "rules": "riichi"}, headers={"X-Hupai-Director": "chief"})
    problem(told, 403, "director_off")
    assert client.get("/director").json() == {"there": False, "you": False}


def test_the_directors_code_opens_the_viewers_door_and_not_the_other_way_round(tmp_path: Path) -> None:
    with running(tmp_path, access_code="door1", director_code="chief", **OPEN) as server, server.client() as client:
        for path in ("/tables", "/events", "/director"):
            problem(client.get(path), 401, "code_needed")
        new, door = {"name": "X", "rules": "riichi"}, {"X-Hupai-Code": "door1"}
        assert client.get("/tables", headers=door).json()["tables"] == []
        problem(client.post("/tournaments", json=new, headers=door), 403, "director_needed")
        problem(client.post("/director", json={"code": "door1"}), 401, "code_wrong")
        assert client.post("/director", json={"code": "chief"}).status_code == 204
        assert client.get("/tables").json()["tables"] == []
        assert client.post("/tournaments", json=new).status_code == 201


def test_a_directors_slips_are_refused(chief: httpx.Client) -> None:
    made = chief.post("/tournaments", json={"name": "Slips", "rules": "riichi", "players": PLAYERS})
    cup = f"/tournaments/{made.json()['id']}"
    bad = problem(chief.post(f"{cup}/players/import", json={"csv": "name,ema\n,2\nR,?"}), 422, "bad_value")
    assert [f["field"] for f in bad["faults"]] == ["line 2.name", "line 3.ema"]
    assert len(chief.get(cup).json()["players"]) == 4
    chief.post(f"{cup}/rounds").raise_for_status()
    why = {"by": "Judge Oak", "reason": "Seen at the table"}
    for path, body, code in (
        ("penalties", {**why, "player": 1, "amount": 0}, "bad_value"),
        ("penalties", {**why, "player": 1, "amount": -20, "reason": "<b>"}, "bad_name"),
        ("rounds/1/timer", {"act": "dance"}, "bad_value"),
    ):
        problem(chief.post(f"{cup}/{path}", json=body), 422, code)
    refused = problem(chief.post(f"{cup}/penalties", json={**why, "player": 1, "amount": "x"}), 422, "bad_value")
    assert refused["detail"].startswith("amount: an amount is a whole number")
    for reason in ("", None):
        unreasoned = {**why, "player": 1, "amount": -20, "reason": reason}
        refused = problem(chief.post(f"{cup}/penalties", json=unreasoned), 422, "bad_name")
        assert refused["detail"] == "reason: it must not be empty."
    for points in (30000, None):
        changed = chief.post(f"{cup}/settings", json={**why, "return_points": points})
        assert changed.json()["return_points"] == points
    problem(chief.delete(cup), 409, "conflict")


def test_corners_reach_the_worker_and_nonsense_is_refused(chief: httpx.Client, store: Engine) -> None:
    laid(store, "Aimed")
    corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
    assert chief.post("/tables/Aimed/corners", json={"corners": corners}).json()["corners"] == corners
    assert feed.beat(store, "Aimed", "w1", {})[0] == corners
    problem(chief.post("/tables/Aimed/corners", json={"corners": corners[:3]}), 422, "bad_corners")
    problem(chief.post("/tables/Aimed/corners", json={"corners": [[0, 0]] * 4}), 422, "bad_corners")
    problem(chief.post("/tables/Nowhere/corners", json={"corners": None}), 404, "not_found")
    assert chief.post("/tables/Aimed/corners", json={"corners": None}).json()["corners"] is None
    problem(chief.get("/tables/Aimed/preview"), 404, "not_found")


def test_a_table_is_reached_by_any_name_it_may_have(chief: httpx.Client, viewer: httpx.Client, store: Engine) -> None:
    laid(store, "Hall 1/A")
    at = "/tables/Hall 1%2FA"
    assert viewer.get(at).json()["name"] == "Hall 1/A"
    problem(viewer.get(f"{at}/preview"), 404, "not_found")
    assert chief.post(f"{at}/corners", json={"corners": None}).json()["corners"] is None


def test_who_is_told_of_an_event_sees_its_hand(store: Engine, viewer: httpx.Client, served: Server) -> None:
    """A camera's watcher is another process: an answer worked out a moment before it wrote is given to nobody after."""
    feed.claim(store, feed.Claim("Told", "0", "w1", None))
    with served.client() as listener, listener.stream("GET", "/events?table=Told") as stream:
        lines = stream.iter_lines()
        next(lines)
        for number in range(3):
            assert len(viewer.get("/tables/Told").json()["hands"]) == number
            feed.add_settled_hand(store, "Told", "w1", f"t{number}", READ, JPEG, {})
            next(line for line in lines if line == "event: hand.settled")
            assert len(viewer.get("/tables/Told").json()["hands"]) == number + 1


def test_a_list_is_understood_before_it_is_taken_and_no_row_stops_the_others(
    chief: httpx.Client, viewer: httpx.Client
) -> None:
    made = chief.post("/tournaments", json={"name": "Cup", "rules": "riichi", "players": [{"name": "P1"}]})
    cup = f"/tournaments/{made.json()['id']}"
    csv = f"Nom;Prénom;Notes;Pays\nDupont;Jean;x;FRA\n{'y' * 41};Bo;;GER\nP1;;;\nDUPONT;Jean;;ITA\nRossi;Ada;;ITA"
    problem(viewer.post(f"{cup}/players/import/try", json={"csv": csv}), 403, "director_needed")
    tried = chief.post(f"{cup}/players/import/try", json={"csv": csv}, headers={"Accept-Language": "ja"}).json()
    assert [(c["title"], c["field"]) for c in tried["columns"]] == [
        ("Nom", "last_name"),
        ("Prénom", "first_name"),
        ("Notes", None),
        ("Pays", "country"),
    ]
    assert [(p["line"], p["name"], p["country"]) for p in tried["players"]] == [
        (2, "Jean Dupont", "FRA"),
        (6, "Ada Rossi", "ITA"),
    ]
    assert [r["line"] for r in tried["refused"]] == [3, 4, 5]
    assert all("行目" in r["message"] for r in tried["refused"]), tried["refused"]
    assert len(chief.get(cup).json()["players"]) == 1
    taken = chief.post(f"{cup}/players/import", json={"csv": csv}).json()
    assert [p["name"] for p in taken["players"]] == ["P1", "Jean Dupont", "Ada Rossi"]
    assert (taken["columns"], [r["line"] for r in taken["refused"]]) == (tried["columns"], [3, 4, 5])
    again = problem(chief.post(f"{cup}/players/import", json={"csv": csv}), 422, "bad_value")
    assert len(again["faults"]) == 5


def test_a_round_is_not_seated_over_unfinished_tables_unasked(chief: httpx.Client, viewer: httpx.Client) -> None:
    players = [{"name": f"P{i}"} for i in range(1, 9)]
    course = {"out_of_points": "ends_below_zero", "rounds": 2}
    begun = {"name": "Cup", "rules": "riichi", "players": players, "starting_points": 25000}
    problem(chief.post("/tournaments", json={**begun, "course": {"rounds": 7}}), 422, "bad_option")
    cup = f"/tournaments/{chief.post('/tournaments', json={**begun, 'course': course}).json()['id']}"
    made = chief.post(f"{cup}/rounds").json()
    table = made["rounds"][0]["tables"][0]
    agreed = viewer.get(f"/games/{table['game_id']}").json()["course"]
    assert (agreed["rounds"], agreed["out_of_points"], agreed["dealer_ends"]) == (2, "ends_below_zero", "off")
    path = f"{cup}/rounds/1/tables/{table['table']}/result"
    problem(viewer.post(path, json={"totals": [25000] * 4}), 403, "director_needed")
    key = {"Idempotency-Key": "once"}
    replies = [chief.post(path, json={"totals": [25000] * 4}, headers=key) for _ in range(2)]
    assert [r.headers.get("Idempotency-Replayed") for r in replies] == [None, "true"], replies[0].text
    refused = problem(chief.post(f"{cup}/rounds", json={"round": 2}), 409, "tables_unfinished")
    assert f"round 1: {made['rounds'][0]['tables'][1]['table']}." in refused["detail"]
    tried = chief.post(f"{cup}/rounds/try", json={"method": "swiss", "new_faces": 40}).json()
    assert (tried["round"], len(tried["tables"]), len(viewer.get(cup).json()["rounds"])) == (2, 2, 1)
    assert chief.post(f"{cup}/rounds", json={"round": 2, "over_unfinished": True}).status_code == 201
