"""Tokens: each role does what it is for and nothing else, the audit names who it was, a withdrawn one opens nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from hupai.hall.events import feed
from hupai.hall.roles import ROLES
from hupai.hall.store.tokens import ROLES as MADE
from hupai.hall.store.tokens import Grant, grant_of
from hupai.store import tokens
from hupai.store.database import connect, migrate, open_store
from hupai.store.schema import upgrade_tables
from hupai.wing import store_wings
from tests.hupai.serving import OPEN, Server, problem, running
from tests.hupai.test_hall.test_feed.feeding import HAND, JPEG, READ

pytestmark = pytest.mark.slow
AT_ONCE = {"hupai.store.ttl_cache.TTL_SECONDS": 0.0}
"""Tokens are asked for with every request, not once a second."""

WHY = {"by": "Ann", "reason": "Time is up"}
PAY = {"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": 8}]}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings: dict[str, Any] = {**OPEN, "rate_code": "10/hour", "director_code": "chief", "access_code": "sesame"}
    with running(tmp_path_factory.mktemp("tokens"), **settings) as server:
        yield server


@pytest.fixture
def chief(served: Server) -> Iterator[httpx.Client]:
    with served.client(headers={"X-Hupai-Director": "chief", "X-Hupai-Code": "sesame"}) as it:
        yield it


def made(chief: httpx.Client, role: str, name: str = "Somebody") -> dict[str, Any]:
    return token_of(chief.post("/tokens", json={"name": name, "role": role}))


def made_for(chief: httpx.Client, cup: str, table: str) -> dict[str, Any]:
    """A table's token."""
    where = {"role": "table", "table": table, "tournament": cup.rpartition("/")[2]}
    return token_of(chief.post("/tokens", json={"name": f"Table {table}", **where}))


def token_of(reply: httpx.Response) -> dict[str, Any]:
    assert reply.status_code == 201, reply.text
    found: dict[str, Any] = reply.json()
    return found


def holding(served: Server, token: dict[str, Any]) -> httpx.Client:
    return served.client(headers={"X-Hupai-Code": token["token"]})


def seated(chief: httpx.Client, tables: list[str]) -> tuple[str, dict[str, str]]:
    players = [{"name": f"P{i}"} for i in range(1, 4 * len(tables) + 1)]
    cup = chief.post("/tournaments", json={"name": "Cup", "rules": "hongkong", "players": players}).json()["id"]
    played = chief.post(f"/tournaments/{cup}/rounds", json={"tables": tables}).json()["rounds"][0]
    return f"/tournaments/{cup}", {t["table"]: t["game_id"] for t in played["tables"]}


def seen(client: httpx.Client, game: str) -> dict[str, Any]:
    return {"seen": {"revision": client.get(f"/games/{game}").json()["revision"]}}


def test_a_tables_token_enters_ends_and_signs_at_its_own_table_only(served: Server, chief: httpx.Client) -> None:
    cup, games = seated(chief, ["North 1", "South 2"])
    token = made_for(chief, cup, "North 1")
    assert token["url"].endswith(f"/table.html#code={token['token']}") and token["svg"].count("<svg") == 1
    with holding(served, token) as table:
        mine, other = games["North 1"], games["South 2"]
        who = {"name": "Table North 1", "role": "table", "table": "North 1", "tournament": cup.rpartition("/")[2]}
        assert table.get("/session").json() == who
        assert table.post(f"/games/{mine}/hands", json={**PAY, **seen(table, mine)}).status_code == 201
        problem(table.post(f"/games/{other}/hands", json={**PAY, **seen(table, other)}), 403, "role_refused")
        told = table.get(f"/games/{mine}/changes").json()["changes"][0]
        assert (told["kind"], told["by"]) == ("recorded", "Table North 1")
        assert table.post(f"/games/{mine}/end", json={**WHY, **seen(table, mine)}).status_code == 200
        assert table.get(f"/games/{mine}/changes").json()["changes"][1]["by"] == "Ann (Table North 1)"
        sign = {"seat": "S", "by": "P2"}
        assert table.post(f"{cup}/rounds/1/tables/North 1/sign", json=sign).status_code == 200
        problem(table.post(f"{cup}/rounds/1/tables/South 2/sign", json=sign), 403, "role_refused")
        for method, path in (("POST", "/games"), ("DELETE", f"/games/{mine}"), ("POST", f"{cup}/penalties")):
            problem(table.request(method, path, json={} if method == "POST" else None), 403, "role_refused")
    assert chief.get(f"{cup}/changes").json()["changes"][-1]["by"] == "P2 (Table North 1)"


def test_a_tables_token_is_for_its_tournament(served: Server, chief: httpx.Client) -> None:
    """Two play in one hall, each with a table 2, before and after: no code of one opens anything of the other."""
    (main, games), (side, others) = seated(chief, ["1", "2"]), seated(chief, ["2", "3"])
    with holding(served, made_for(chief, main, "2")) as mine, holding(served, made_for(chief, side, "2")) as theirs:
        for game in others.values():
            refused = problem(mine.post(f"/games/{game}/hands", json={**PAY, **seen(mine, game)}), 403, "role_refused")
            assert "This token is for games at table '2' of 'Cup' only." in refused["detail"]
            problem(mine.post(f"/games/{game}/end", json={**WHY, **seen(mine, game)}), 403, "role_refused")
        for table in ("2", "3"):
            at = f"{side}/rounds/1/tables/{table}"
            problem(mine.post(f"{at}/result", json={"totals": [0] * 4}), 403, "role_refused")
            problem(mine.post(f"{at}/sign", json={"seat": "E"}), 403, "role_refused")
            problem(mine.post(f"{at}/object", json={"seat": "E", "reason": "Mine"}), 403, "role_refused")
        problem(mine.get(f"/registrations/{'k' * 20}"), 403, "role_refused")
        told = mine.post("/tokens", json={}, headers={"Accept-Language": "ja"})
        assert problem(told, 403, "role_refused")["detail"].startswith("役割が table のトークン")
        assert mine.post(f"{main}/rounds/1/tables/2/result", json={"totals": [0] * 4}).status_code == 200
        assert theirs.post(f"{side}/rounds/1/tables/2/result", json={"totals": [0] * 4}).status_code == 200
        problem(mine.post(f"/games/{games['1']}/undo", json=seen(mine, games["1"])), 403, "role_refused")
        assert chief.post(f"{main}/rounds", json={"tables": ["2"], "over_unfinished": True}).status_code == 201
        assert mine.post(f"{main}/rounds/2/tables/2/result", json={"totals": [0] * 4}).status_code == 200
    coming = f"/tournaments/{chief.post('/tournaments', json={'name': 'Next', 'rules': 'hongkong'}).json()['id']}"
    with holding(served, made_for(chief, coming, "2")) as next_day:
        problem(next_day.post(f"{side}/rounds/1/tables/2/sign", json={"seat": "E"}), 403, "role_refused")
        assert chief.delete(coming).status_code == 204
        problem(next_day.get("/tournaments"), 401, "code_wrong")


def test_a_tables_token_follows_the_camera_over_its_table(served: Server, chief: httpx.Client) -> None:
    """A match that the director moved there, but of its own tournament; without one, games outside tournaments."""
    engine = open_store(f"sqlite:///{served.data_folder / 'hupai.db'}", store_wings())
    feed.claim(engine, feed.Claim("Stage", "0", "w1", None))
    engine.dispose()
    (main, games), (_, others) = seated(chief, ["A"]), seated(chief, ["B"])
    plain = chief.post("/games", json={"players": ["A", "B", "C", "D"], "rules": "hongkong"}).json()["id"]
    outside = token_of(
        chief.post("/tokens", json={"name": "Stage", "role": "table", "table": "Stage", "tournament": None})
    )
    with holding(served, made_for(chief, main, "Stage")) as mine, holding(served, outside) as other:
        for game, may in ((games["A"], mine), (others["B"], None), (plain, other)):
            assert chief.post("/tables/Stage/game", json={"game_id": game}).status_code == 200
            for client in (mine, other):
                reply = client.post(f"/games/{game}/hands", json={**PAY, **seen(client, game)})
                assert reply.status_code == (201 if client is may else 403), reply.text


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("seats", "bound"),
    [
        ({"main": "12", "side": "23"}, {"1": "main", "2": None, "3": "side", "4": None}),
        ({"main": "12", "coming": ""}, {"1": None, "2": None, "3": "coming", "4": "coming"}),
        ({}, dict.fromkeys("1234")),
    ],
)
def test_earlier_tokens_of_tables_are_bound_where_one_tournament_can_be_meant(
    database: str, seats: dict[str, str], bound: dict[str, str | None]
) -> None:
    """It is the only one with a table of the name, or that has not begun; withdrawn tokens stay as they were."""
    engine = connect(database)
    then = "2026-01-01 12:00:00+00:00"
    with engine.begin() as connection:
        upgrade_tables(connection, "0009")

        def add(table: str, **values: object) -> None:
            names = ", ".join(f'"{name}"' for name in values)
            marks = ", ".join(f":{name}" for name in values)
            connection.execute(text(f"insert into {table} ({names}) values ({marks})"), values)

        same = {"created": then, "version": "0.2", "rules": "hongkong", "options": "{}", "starting_points": "0"}
        for cup, tables in seats.items():
            add("tournaments", id=cup, name=cup, places="[]", divide="1", **same)
            for table in tables:
                game = f"{cup} {table}"
                add("games", id=game, name="", rotation="never", start="{}", **same)
                place = {"round": 1, "entrant": int(table), "table_name": table, "seat": 0}
                add("round_seats", tournament_id=cup, game_id=game, **place)
        for table in bound:
            told = {"role": "table", "table_name": table, "made_at": then, "made_by": "director", "name": ""}
            add("tokens", id=table, digest=table, **told)
            add("tokens", id=f"gone {table}", digest=f"gone {table}", **told, withdrawn_at=then)
    migrate(engine)
    found = {token["id"]: token["tournament"] for token in tokens.list_tokens(engine)}
    assert found == bound | {f"gone {table}": None for table in bound}
    engine.dispose()


@pytest.mark.both_databases
def test_what_earlier_tokens_were_granted_goes_on(database: str) -> None:
    engine = connect(database)
    then = "2026-01-01 12:00:00+00:00"
    rows = [
        {"id": "t", "role": "table", "table_name": "East 1", "tournament_id": "cup", "delay": 0, "live": False},
        {"id": "o", "role": "overlay", "table_name": None, "tournament_id": None, "delay": 0, "live": True},
        {"id": "v", "role": "viewer", "table_name": None, "tournament_id": None, "delay": 40, "live": False},
    ]
    with engine.begin() as connection:
        upgrade_tables(connection, "0013")
        cup = "insert into tournaments (id, name, created, version, rules, options, course, starting_points, places, "
        cup += "divide, tie_breaks) values ('cup', '', :then, '', 'mcr', '{}', '{}', '0', '[]', '1', '[]')"
        connection.execute(text(cup), {"then": then})
        token = "insert into tokens (id, name, role, digest, made_at, made_by, table_name, tournament_id, delay, live) "
        token += "values (:id, '', :role, :id, :then, '', :table_name, :tournament_id, :delay, :live)"
        connection.execute(text(token), [{**row, "then": then} for row in rows])
    migrate(engine)
    for row in rows:
        row |= {"table": row.pop("table_name"), "tournament": row.pop("tournament_id")}
    shown = {one["id"]: one for one in tokens.list_tokens(engine)}
    assert [{name: shown[row["id"]][name] for name in row} for row in rows] == rows
    assert {grant_of(holder) for holder in tokens.token_holders(engine).values()} == {
        Grant("East 1", "cup"),
        Grant(live=True),
        Grant(delay=40),
    }
    engine.dispose()


def test_a_signed_result_is_the_directors(served: Server, chief: httpx.Client) -> None:
    """A table's token is good for the game that runs there: once it is over the players sign, and nothing else."""
    cup, games = seated(chief, ["A"])
    game = games["A"]
    hand, round_1 = f"/games/{game}/hands/1/withdraw", f"{cup}/rounds/1/tables/A"
    with holding(served, made_for(chief, cup, "A")) as table, holding(served, made(chief, "scorer")) as li:
        assert table.post(f"/games/{game}/hands", json={**PAY, **seen(table, game)}).status_code == 201
        assert table.post(f"/games/{game}/end", json={**WHY, **seen(table, game)}).status_code == 200
        for path in (hand, f"/games/{game}/hands/1/restore"):
            assert li.post(path, json={**WHY, **seen(li, game)}).status_code == 200
        assert table.post(f"{round_1}/sign", json={"seat": "E", "by": "P1"}).status_code == 200
        assert table.post(f"{round_1}/object", json={"seat": "S", "reason": "My kong"}).status_code == 200
        problem(table.post(f"{round_1}/object", json={"seat": "S"}), 422, "bad_name")
        assert chief.post(f"{cup}/rounds", json={"tables": ["A"]}).status_code == 201
        problem(table.post(f"{round_1}/result", json={"totals": [0] * 4}), 403, "role_refused")
        problem(li.post(f"{round_1}/result", json={"totals": [0] * 4}), 403, "director_needed")
        for path in (hand, f"/games/{game}/reopen", f"/games/{game}/end"):
            problem(table.post(path, json={**WHY, **seen(table, game)}), 403, "role_refused")
            problem(li.post(path, json={**WHY, **seen(li, game)}), 403, "director_needed")
        problem(table.post(f"/games/{game}/undo", json=seen(table, game)), 403, "role_refused")
        problem(chief.post(f"/games/{game}/undo", json=seen(chief, game)), 409, "result_signed")
        for path in (hand, f"/games/{game}/reopen", f"/games/{game}/end"):
            problem(chief.post(path, json={"by": "Ann", **seen(chief, game)}), 409, "result_signed")
        assert chief.post(hand, json={**WHY, **seen(chief, game)}).status_code == 200
        (shown,) = table.get(cup).json()["rounds"][0]["tables"]
        assert (shown["signed"], shown["signed_before"]) == ([], ["E"])
        kinds = [c["kind"] for c in chief.get(f"{cup}/changes").json()["changes"]]
        assert kinds == ["seated", "signed", "objected", "seated"], "the signature stays in the history"
        # Others sit at the table by now: who sat there then signs at the director's desk.
        problem(table.post(f"{round_1}/sign", json={"seat": "E", "by": "P1"}), 403, "role_refused")
        problem(table.post(f"{round_1}/object", json={"seat": "S", "reason": "My kong"}), 403, "role_refused")
        assert chief.post(f"{round_1}/sign", json={"seat": "E", "by": "P1"}).status_code == 200
        (shown,) = table.get(cup).json()["rounds"][0]["tables"]
        assert (shown["signed"], shown["signed_before"]) == (["E"], [])


def test_a_table_signs_until_it_plays_the_next_round(served: Server, chief: httpx.Client) -> None:
    """Who still sits there signs, also what was corrected, though the finalists have gone to their table."""
    cup, _ = seated(chief, ["A", "B"])
    with holding(served, made_for(chief, cup, "A")) as final, holding(served, made_for(chief, cup, "B")) as other:
        for table, client, totals in (("A", final, [9, 8, 7, -24]), ("B", other, [1, 0, 0, -1])):
            at = f"{cup}/rounds/1/tables/{table}"
            assert client.post(f"{at}/result", json={"totals": totals}).status_code == 200
            assert client.post(f"{at}/sign", json={"seat": "E"}).status_code == 200
        assert chief.post(f"{cup}/rounds", json={"method": "final", "tables": ["A"]}).status_code == 201
        for table, client, may in (("A", final, False), ("B", other, True)):
            at = f"{cup}/rounds/1/tables/{table}"
            changed = {"totals": [8, -8, 0, 0], "reason": "Misread"}
            assert chief.post(f"{at}/result", json=changed).status_code == 200
            for body, act in (({"seat": "E"}, "sign"), ({"seat": "S", "reason": "Mine"}, "object")):
                assert client.post(f"{at}/{act}", json=body).status_code == (200 if may else 403)


@pytest.mark.parametrize(
    ("act", "course"), [("end", {"uma": [3, 1, -1, -3]}), ("end", {"rate": 2}), ("reopen", {"rounds": 4})]
)
def test_what_an_event_agreed_on_is_the_directors(
    served: Server, chief: httpx.Client, act: str, course: dict[str, Any]
) -> None:
    cup, games = seated(chief, ["A"])
    game = games["A"]
    agreed = chief.get(f"/games/{game}").json()["course"]
    with holding(served, made_for(chief, cup, "A")) as table, holding(served, made(chief, "scorer")) as scorer:
        for client in (table, scorer):
            said = {**WHY, "course": course, **seen(client, game)}
            refused = problem(client.post(f"/games/{game}/{act}", json=said), 403, "role_refused")
            assert refused["field"] == "course" and "director's to change" in refused["detail"]
        assert chief.get(f"/games/{game}").json()["course"] == agreed
        said = {**WHY, "course": course, **seen(chief, game)}
        assert chief.post(f"/games/{game}/{act}", json=said).status_code == 200
        if act == "reopen":
            said = {**WHY, "course": {}, **seen(table, game)}
            assert table.post(f"/games/{game}/end", json=said).status_code == 200
        assert chief.get(f"/games/{game}").json()["course"] == agreed | course


def test_a_tables_token_is_for_its_last_round(served: Server, chief: httpx.Client) -> None:
    cup, games = seated(chief, ["A"])
    assert chief.post(f"{cup}/rounds", json={"tables": ["A"], "over_unfinished": True}).status_code == 201
    with holding(served, made_for(chief, cup, "A")) as table:
        problem(table.post(f"/games/{games['A']}/hands", json={**PAY, **seen(table, games["A"])}), 403, "role_refused")
        problem(table.post(f"{cup}/rounds/1/tables/A/result", json={"totals": [0] * 4}), 403, "role_refused")
        assert table.post(f"{cup}/rounds/2/tables/A/result", json={"totals": [0] * 4}).status_code == 200


def test_a_scorer_confirms_and_corrects_but_directs_nothing(served: Server, chief: httpx.Client) -> None:
    engine = open_store(f"sqlite:///{served.data_folder / 'hupai.db'}", store_wings())
    feed.claim(engine, feed.Claim("Door", "0", "w1", None))
    cup, games = seated(chief, ["Door"])
    laid = feed.add_settled_hand(engine, "Door", "w1", "Door-1", READ, JPEG, {})
    engine.dispose()
    with holding(served, made(chief, "scorer", "Li")) as scorer:
        answers = {"context": {"seat": "S", "win": "discard", "from": "W"}}
        corrected = scorer.post(f"/laid/{laid}/correct", json={"version": 1, "hand": HAND})
        assert corrected.status_code == 200, corrected.text
        said = {**answers, "version": 2, **seen(scorer, games["Door"])}
        assert scorer.post(f"/laid/{laid}/confirm", json=said).status_code == 200
        game = games["Door"]
        taken = scorer.post(f"/games/{game}/hands/1/withdraw", json={**WHY, **seen(scorer, game)})
        assert taken.status_code == 200, taken.text
        for path in (f"{cup}/settings", f"{cup}/rounds", "/tables/Door/game", "/tokens", "/games"):
            problem(scorer.post(path, json={}), 403, "role_refused")


def test_a_directors_token_directs_under_his_own_name(served: Server, chief: httpx.Client) -> None:
    cup, _ = seated(chief, ["A"])
    with holding(served, made(chief, "director", "Judge Oak")) as judge:
        assert judge.get("/director").json() == {"there": True, "you": True}
        said = {"player": 1, "amount": -20, "reason": "Late"}
        assert judge.post(f"{cup}/penalties", json=said).json()["penalties"][0]["by"] == "Judge Oak"
        assert made(judge, "viewer")["made_by"] == "Judge Oak"


def test_viewers_and_overlays_write_nothing_at_all(served: Server, chief: httpx.Client) -> None:
    """Every writing operation there is, found in the description."""
    description = chief.get("/openapi.json").json()
    tries = ("/score", "/try")
    doors = {"open_session", "close_session", "open_director", "close_director"}
    tried = 0
    for role in ("viewer", "overlay"):
        with holding(served, made(chief, role)) as client:
            assert client.get("/tournaments").status_code == 200
            for path, operations in description["paths"].items():
                for method, operation in operations.items():
                    name = operation["operationId"]
                    if method == "get" or name in doors or (role == "viewer" and path.endswith(tries)):
                        continue
                    url = path.removeprefix("/api/v1").replace("{", "").replace("}", "")
                    reply = client.request(method, url, json={} if method in ("post", "put") else None)
                    problem(reply, 403, "role_refused")
                    tried += 1
            problem(client.get("/tokens"), 403, "director_needed")
            problem(client.get("/corrections"), 403, "role_refused")
            problem(client.get(f"{served.url}/metrics"), 403, "role_refused")
    assert tried > 60


def test_a_viewer_tries_a_hand_of_a_tournaments_game_and_writes_nothing(served: Server, chief: httpx.Client) -> None:
    _, games = seated(chief, ["Tried"])
    game = f"/games/{games['Tried']}"
    entered = chief.post(f"{game}/hands", json={**PAY, **seen(chief, games["Tried"])})
    assert entered.status_code == 201
    with holding(served, made(chief, "viewer")) as viewer:
        for path in ("/hands/try", "/hands/1/try"):
            tried = viewer.post(game + path, json={**PAY, **seen(viewer, games["Tried"])})
            assert tried.status_code == 200, tried.text
        problem(viewer.post(f"{game}/hands", json={**PAY, **seen(viewer, games["Tried"])}), 403, "role_refused")
    assert chief.get(game).json()["revision"] == 1


def test_a_token_with_a_delay_sees_nothing_that_is_newer(served: Server, chief: httpx.Client) -> None:
    cup, games = seated(chief, ["Filmed"])
    game = f"/games/{games['Filmed']}"
    body = {"name": "Stream", "role": "overlay", "delay": 600}
    token = chief.post("/tokens", json=body)
    assert token.status_code == 201 and token.json()["delay"] == 600
    with holding(served, token.json()) as stream, holding(served, made(chief, "overlay")) as live:
        for path in (cup, game, f"{game}/changes", f"{game}/export.json", "/tables", "/events/list"):
            assert live.get(path).status_code == 200
            problem(stream.get(path), 503, "not_yet")
        assert stream.get("/rules").status_code == 200
        assert stream.get("/session").json()["role"] == "overlay"
    for role in ("director", "scorer"):
        problem(chief.post("/tokens", json={**body, "role": role}), 422, "bad_value")


def test_a_withdrawn_token_opens_nothing_and_is_remembered(served: Server, chief: httpx.Client) -> None:
    token = made(chief, "viewer", "Guest")
    with holding(served, token) as guest:
        assert guest.get("/tournaments").status_code == 200
        assert chief.delete(f"/tokens/{token['id']}").status_code == 200
        problem(guest.get("/tournaments"), 401, "code_wrong")
    problem(chief.delete(f"/tokens/{token['id']}"), 409, "conflict")
    problem(chief.delete("/tokens/nosuch"), 404, "not_found")
    told = next(t for t in chief.get("/tokens").json()["tokens"] if t["id"] == token["id"])
    assert told["withdrawn_by"] == "director" and "token" not in told
    assert token["token"].encode() not in Path(served.data_folder / "hupai.db").read_bytes()


def test_a_withdrawal_is_heeded_by_every_server_of_the_database(served: Server, chief: httpx.Client) -> None:
    token = made(chief, "viewer")
    settings = {"access_code": "sesame", "hurried": AT_ONCE, **OPEN}
    with running(served.data_folder, **settings) as other, holding(other, token) as guest:
        assert guest.get("/tournaments").status_code == 200
        chief.delete(f"/tokens/{token['id']}")
        problem(guest.get("/tournaments"), 401, "code_wrong")


@pytest.mark.both_databases
def test_an_open_stream_ends_with_its_token_and_no_other(
    start: Callable[..., Server], database: str, tmp_path: Path
) -> None:
    """It is withdrawn at another server of the database, which tells nobody; a stream that went on would say so."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    settings = {"director_code": "chief", "access_code": "sesame", "database": database, **OPEN}
    one, other = start(tmp_path / "one", **settings), start(tmp_path / "other", **settings)
    with ExitStack() as stack:
        chief = stack.enter_context(one.client(headers={"X-Hupai-Director": "chief", "X-Hupai-Code": "sesame"}))
        (game,) = seated(chief, ["A"])[1].values()
        gone, stays = made(chief, "overlay", "Gone"), made(chief, "overlay", "Stays")
        changes = f"/changes?game={game}"

        def listen(token: dict[str, Any], path: str) -> Iterator[str]:
            lines = stack.enter_context(stack.enter_context(holding(other, token)).stream("GET", path)).iter_lines()
            next(line for line in lines if line.startswith(("data", ": from")))
            return lines

        going, kept = [listen(gone, path) for path in ("/events", changes)], listen(stays, changes)
        assert chief.delete(f"/tokens/{gone['id']}").status_code == 200
        for lines in going:
            assert not any("still" in line for line in lines)
        assert chief.post(f"/games/{game}/hands", json={**PAY, **seen(chief, game)}).status_code == 201
        assert next(line for line in kept if line.startswith("data")).endswith('"revision": 1}')


def test_a_browser_keeps_its_token_and_is_never_told_the_access_code(served: Server, chief: httpx.Client) -> None:
    _, games = seated(chief, ["A"])
    token = made(chief, "viewer")
    with served.client() as browser:
        problem(browser.get("/tournaments"), 401, "code_needed")
        assert browser.post("/session", json={"code": token["token"]}).status_code == 204
        assert browser.get("/tournaments").status_code == 200
        assert browser.get("/about").json()["open"] is True
        address = browser.get(f"/games/{games['A']}/join").json()["url"]
        assert "sesame" not in address and games["A"] in address
        assert browser.delete("/session").status_code == 204
        problem(browser.get("/tournaments"), 401, "code_needed")
    assert "code=sesame&join=" in chief.get(f"/games/{games['A']}/join").json()["url"]


@pytest.mark.parametrize(
    "body",
    [
        {"role": "king"},
        {"role": "table", "tournament": None},
        {"role": "table", "table": "A"},
        {"role": "viewer", "table": "A"},
        {"role": "viewer", "tournament": "A"},
        {"role": "viewer", "name": ""},
    ],
)
def test_tokens_that_make_no_sense_are_refused(served: Server, chief: httpx.Client, body: dict[str, str]) -> None:
    assert chief.post("/tokens", json={"name": "X", **body}).status_code == 422


def test_wrong_codes_from_an_address_lock_no_token_and_no_session_out(served: Server, chief: httpx.Client) -> None:
    token = made(chief, "viewer")
    with served.client() as inside, served.client() as outside:
        inside.post("/session", json={"code": "sesame"}).raise_for_status()
        answers = [outside.post("/session", json={"code": f"guess {i}"}).status_code for i in range(102)]
        assert answers == [401] * 100 + [429] * 2, "ten times as many as from where nobody gave the right one"
        assert inside.get("/tournaments").status_code == 200
        with holding(served, token) as guest:
            assert guest.get("/tournaments").status_code == 200


def test_a_store_that_is_away_is_said_to_who_holds_a_token_too(tmp_path: Path) -> None:
    with running(tmp_path, director_code="chief", access_code="sesame", hurried=AT_ONCE, **OPEN) as server:
        with server.client(headers={"X-Hupai-Director": "chief", "X-Hupai-Code": "sesame"}) as chief:
            token = made(chief, "viewer")
        with holding(server, token) as viewer:
            assert viewer.get("/games").status_code == 200
            file = tmp_path / "hupai.db"
            file.rename(tmp_path / "away")
            problem(viewer.get("/games"), 503, "store_unavailable")
            ready = httpx.get(f"{server.url}/readyz", headers={"X-Hupai-Code": token["token"]})
            assert ready.status_code == 503 and ready.json()["troubles"] == []
            (tmp_path / "away").rename(file)
            assert viewer.get("/games").status_code == 200


def test_every_role_says_what_it_opens() -> None:
    assert set(ROLES) == set(MADE)
