"""Nothing is written into a game that has moved on since it was seen, whoever interleaves with whom."""

from __future__ import annotations

import asyncio
import os
import random
import threading
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, Engine, MetaData, insert, select, update

from hupai.games.apply import try_command
from hupai.games.commands import Command, ExpectedRevision, MovedOn, NewHand
from hupai.games.game_json import changes_after, history_json
from hupai.games.history import RECORDED, UNDONE
from hupai.games.terms.confirmed import Confirmed, parse_confirmed
from hupai.settings import Settings
from hupai.store.database import open_store
from hupai.store.play.games import SqlGames
from hupai.store.play.turns import turns_of
from hupai.store.schema import upgrade_tables
from hupai.store.tables import GameHand
from hupai.web.app import create_app
from hupai.web.services import build_services
from hupai.wing import web_wings
from tests.hupai.serving import OPEN, Server, problem
from tests.hupai.store_builders import begin_game, net_of, payment, see_game
from tests.waiting import at_once

NAMES = ["Mei", "Rosa", "Wolf", "Zoe"]
SEATS = "ESWN"
TILES = {"concealed": "123m456m789m23s55p", "winning_tile": "4s"}


def begin(client: httpx.Client, rules: str = "hongkong") -> dict[str, Any]:
    reply = client.post("/games", json={"players": NAMES, "rules": rules, "course": {"rounds": None}})
    assert reply.status_code == 201, reply.text
    game: dict[str, Any] = reply.json()
    return game


def seat_of(game: dict[str, Any], player: int) -> str:
    return next(seat for seat in SEATS if game["seats"][seat] == player)


def win_of(game: dict[str, Any], player: int, *, by: str = "revision") -> dict[str, Any]:
    """What a phone sends that shows this game when somebody says that this player won by his own draw."""
    seen: dict[str, Any] = {"revision": game["revision"]}
    if by == "players":
        seen = {"players": {seat: NAMES[game["seats"][seat]] for seat in SEATS}}
    context = {"seat": seat_of(game, player), "win": "self_draw"}
    return {"outcome": "win", "wins": [{**TILES, "context": context}], "seen": seen}


def test_a_request_that_does_not_say_what_was_seen_is_refused(client: httpx.Client) -> None:
    game = begin(client)
    win = win_of(game, 2)
    for seen in (None, {}, {"revision": None}):
        told = problem(client.post(f"/games/{game['id']}/hands", json={**win, "seen": seen}), 422, "seen_needed")
        assert "seen.revision" in told["detail"] and "seen.players" in told["detail"]
    some = {"seen": {"players": {"E": "Mei", "S": "Rosa"}}}
    problem(client.post(f"/games/{game['id']}/hands", json={**win, **some}), 422, "bad_value")
    other = {"seen": {"players": dict(zip(SEATS, ["Mei", "Rosa", "Wolf", "Kim"], strict=True))}}
    assert (
        "'Kim'"
        in problem(client.post(f"/games/{game['id']}/hands", json={**win, **other}), 422, "unknown_player")["detail"]
    )
    assert client.get(f"/games/{game['id']}").json()["hands"] == []


@pytest.mark.parametrize("by", ["revision", "players"])
def test_a_game_that_moved_on_says_what_changed(client: httpx.Client, by: str) -> None:
    seen = begin(client)
    here = f"/games/{seen['id']}"
    assert client.post(f"{here}/hands", json=win_of(seen, 3)).status_code == 201
    for url in (f"{here}/hands", f"{here}/hands/try"):
        told = problem(client.post(url, json=win_of(seen, 2, by=by)), 409, "game_moved_on")
        changed = told["changed"]
        assert changed["players"] == {"E": "Rosa", "S": "Wolf", "W": "Zoe", "N": "Mei"}
        assert (changed["seen"], changed["revision"]) == (0 if by == "revision" else None, 1)
        (change,) = changed["changes"]
        assert (change["kind"], change["hand"]["wins"][0]["player"]) == ("recorded", 3)
        assert changed["game"] == client.get(here).json()
    told = problem(client.post(f"{here}/hands?last=0", json=win_of(seen, 2, by=by)), 409, "game_moved_on")
    assert told["changed"]["game"]["hands"] == [], "as many as were asked for"
    # Looked at again, it is Wolf's hand, where he sits now.
    reply = client.post(f"{here}/hands", json=win_of(changed["game"], 2, by=by))
    assert reply.json()["hand"]["wins"][0]["player"] == 2


def test_a_retry_that_has_seen_more_of_the_game_is_the_same_hand(client: httpx.Client) -> None:
    game = begin(client)
    win, where = win_of(game, 3), {"url": f"/games/{game['id']}/hands", "headers": {"Idempotency-Key": "once"}}
    first = client.post(**where, json=win).json()
    again = client.post(**where, json={**win, "seen": {"revision": first["game"]["revision"]}})
    assert (again.json()["hand"], len(again.json()["game"]["hands"])) == (first["hand"], 1)


def test_an_undo_is_a_change_like_another(client: httpx.Client) -> None:
    game = begin(client)
    here = f"/games/{game['id']}"
    mine = client.post(f"{here}/hands", json=win_of(game, 3)).json()["game"]
    undo = {"hand": 1, "seen": {"revision": 1}}
    assert client.post(f"{here}/undo", json=undo).json()["revision"] == 2
    told = problem(client.post(f"{here}/hands", json=win_of(mine, 2)), 409, "game_moved_on")
    assert [c["kind"] for c in told["changed"]["changes"]] == ["undone"]
    # The seats are those of the beginning again: somebody who named them is right, and has missed nothing.
    assert client.post(f"{here}/hands", json=win_of(game, 2, by="players")).status_code == 201
    changes = client.get(f"{here}/changes").json()
    assert [c["kind"] for c in changes["changes"]] == ["recorded", "undone", "recorded"]
    assert client.get(f"{here}/changes", params={"after": 2}).json()["changes"] == changes["changes"][2:]
    problem(client.post(f"{here}/undo", json={"hand": 2, "seen": {"revision": 2}}), 409, "game_moved_on")


def test_riichi_tried_is_riichi_recorded(client: httpx.Client) -> None:
    """Sticks, counters and all: what the try came to can be expected of the record."""
    game = begin(client, "riichi")
    here = f"/games/{game['id']}"
    body = {**win_of(game, 2), "riichi": ["E", "W"]}
    tried = client.post(f"{here}/hands/try", json=body).json()
    assert tried["payments"]["E"] < -1000 and tried["revision"] == 0
    assert net_of(tried["transfers"]) == tried["payments"], "with the two sticks"
    heard = client.post(f"{here}/hands/try", json=body, headers={"accept-language": "ja"}).json()
    assert [t["why"] for t in heard["transfers"]][:2] == ["リーチ棒"] * 2
    wrong = {**tried["payments"], "E": 0}
    problem(client.post(f"{here}/hands", json={**body, "expected_payments": wrong}), 409, "payments_differ")
    done = client.post(f"{here}/hands", json={**body, "expected_payments": tried["payments"]})
    assert done.status_code == 201
    assert done.json()["game"]["state"] == tried["after"]


def test_a_hand_that_two_phones_photographed_is_recognised(store: Engine) -> None:
    """By its tiles, winner and payer, wherever they sit by now, for some minutes."""
    game = begin_game(store)

    def won(player: int, payer: int | None, **tiles: str) -> NewHand:
        now = see_game(store, game)
        context = {"seat": seat_of(now, player), "win": "self_draw" if payer is None else "discard"}
        if payer is not None:
            context["from"] = seat_of(now, payer)
        body = {"outcome": "win", "wins": [{**TILES, **tiles, "context": context}]}
        return NewHand(parse_confirmed(body), body)

    def same(*said: Any, **tiles: str) -> int | None:
        found: int | None = try_command(
            SqlGames(store).read(game), Command(RECORDED, hand=won(*said, **tiles)), SqlGames(store).now()
        )["same_as"]
        return found

    assert same(2, 3) is None
    SqlGames(store).do(game, Command(RECORDED, hand=won(2, 3)))
    assert same(2, 3) == 1, "the seats have turned since"
    assert same(2, 3, concealed="55p123m456m789m24s", winning_tile="3s") == 1, "another tile was taken for the last"
    others = [((1, 3), {}), ((2, 1), {}), ((2, None), {}), ((2, 3), {"concealed": "123m456m789m23s66p"})]
    assert [same(*said, **tiles) for said, tiles in others] == [None] * 4
    SqlGames(store).do(game, Command(UNDONE, number=1))
    assert same(2, 3) is None
    SqlGames(store).do(game, Command(RECORDED, hand=won(2, 3)))
    assert same(2, 3) == 2
    with store.begin() as connection:
        connection.execute(update(GameHand).values(confirmed_at=datetime.now(UTC) - timedelta(minutes=11)))
    assert same(2, 3) is None, "the same tiles once more, an hour later"


def test_a_game_is_begun_once_under_a_key(client: httpx.Client) -> None:
    body, key = {"players": NAMES, "rules": "hongkong"}, {"Idempotency-Key": "begin-1"}
    first, again = (client.post("/games", json=body, headers=key).json() for _ in range(2))
    assert first["id"] == again["id"]
    problem(client.post("/games", json={**body, "rules": "riichi"}, headers=key), 409, "conflict")


def tables_of(connection: Connection) -> dict[str, Any]:
    found = MetaData()
    found.reflect(connection)
    return dict(found.tables)


@pytest.mark.both_databases
def test_of_two_programs_at_one_game_neither_is_refused_for_long(
    store: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hupai.store.play.turns.TURN_SECONDS", 120)
    game = begin_game(store)

    def most_refusals(name: str) -> int:
        """Records hands as fast as it can, looking before each."""
        most = 0
        for n in range(20):
            refusals, recorded = 0, False
            while not recorded:
                seen = ExpectedRevision(history_json(SqlGames(store).read(game), 0)["revision"])
                try:
                    SqlGames(store).do(game, Command(RECORDED, hand=payment(8, key=f"{name}-{n}"), seen=seen))
                    recorded = True
                except MovedOn:
                    refusals += 1
            most = max(most, refusals)
        return most

    # The second refusal is by a hand that was on its way when the first one was noted.
    assert max(at_once(partial(most_refusals, "one"), partial(most_refusals, "other"))) <= 2


def test_a_refused_hand_holds_up_no_other_game(store: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    game, other = begin_game(store), begin_game(store)
    SqlGames(store).do(game, Command(RECORDED, hand=payment(8)))
    with pytest.raises(MovedOn):
        SqlGames(store).do(game, Command(RECORDED, hand=payment(8, key="late"), seen=ExpectedRevision(0)))
    monkeypatch.setattr(turns_of(store)._changed, "wait", lambda _: pytest.fail("it waits"))
    SqlGames(store).do(other, Command(RECORDED, hand=payment(8)))
    with pytest.raises(pytest.fail.Exception, match="it waits"):
        SqlGames(store).do(game, Command(RECORDED, hand=payment(8)))


@pytest.mark.both_databases
def test_games_begun_before_have_a_history(database: str) -> None:
    """The tables of the version before, with hands that stand and one that was taken back."""
    engine = open_store(database, ())
    game = begin_game(engine)
    draw = NewHand(Confirmed("draw"), {"outcome": "draw"})
    SqlGames(engine).do(game, Command(RECORDED, hand=draw))
    SqlGames(engine).do(game, Command(UNDONE, number=1))
    SqlGames(engine).do(game, Command(RECORDED, hand=draw))
    told = changes_after(SqlGames(engine).read(game), 0)
    assert [c["kind"] for c in told] == ["recorded", "undone", "recorded"]
    with engine.begin() as connection:
        rows = {name: connection.execute(select(made)).mappings().all() for name, made in tables_of(connection).items()}
        everything = MetaData()
        everything.reflect(connection)
        everything.drop_all(connection)
        upgrade_tables(connection, "0002")
        old = tables_of(connection)
        for name in ("games", "game_players", "hands", "hand_payments"):
            columns = old[name].columns.keys()
            connection.execute(insert(old[name]), [{column: row[column] for column in columns} for row in rows[name]])
    engine.dispose()
    again = open_store(database, ())
    found = changes_after(SqlGames(again).read(game), 0)
    for change in (*told, *found):
        change.pop("at")
    assert found == told
    again.dispose()


# ---- hundreds of requests, ten thousand in the long run ----

LAST = {"last": 3}
SEEDS, TABLES, REQUESTS = (4, 10, 1250) if os.environ.get("HUPAI_FULL") == "1" else (1, 3, 150)


@dataclass
class Caller:
    """A phone: the game as it last saw it, and the last request it sent, which it may send again."""

    game: dict[str, Any]
    last: tuple[dict[str, Any], str, tuple[str, Any]] | None = None


@dataclass
class Table:
    """A game, those at it, and what the ledger must hold.

    Attributes:
        callers: the phones. confirmed: (key, what was confirmed) of each hand that must stand. done: key -> its number.
        revision: how often the game was changed.
    """

    callers: list[Caller]
    confirmed: list[tuple[str, tuple[str, Any]]] = field(default_factory=list)
    done: dict[str, int] = field(default_factory=dict)
    revision: int = 0


def said_of(hand: dict[str, Any]) -> tuple[str, Any]:
    """Who did what, in people, by the ledger's own words for a hand."""
    if hand["outcome"] == "win":
        return "win", hand["wins"][0]["player"]
    return hand["outcome"], [i for i, amount in enumerate(hand["payments"]) if float(amount) < 0]


def confirmation(game: dict[str, Any], dice: random.Random) -> tuple[dict[str, Any], tuple[str, Any]]:
    """What a phone that shows this game sends, and what its owner meant."""
    what, player = dice.choices(["win", "payment", "draw"], [5, 2, 1])[0], dice.randrange(4)
    body = win_of(game, player, by=dice.choice(["revision", "players"]))
    if what == "win":
        return body, (what, player)
    if what == "draw":
        return {"outcome": what, "seen": body["seen"]}, (what, [])
    paid = {"from": seat_of(game, player), "to": seat_of(game, (player + 1) % 4), "amount": 1, "why": "bet"}
    return {"outcome": what, "transfers": [paid], "seen": body["seen"]}, (what, [player])


async def one_request(client: httpx.AsyncClient, table: Table, dice: random.Random, number: int) -> None:
    """Somebody at the table does something; the answer is compared with what it must be."""
    caller = dice.choice(table.callers)
    here = f"/games/{caller.game['id']}"
    what = dice.choices(["look", "record", "again", "undo", "blind"], [20, 45, 15, 15, 5])[0]
    if what == "undo" and (standing := [hand for hand in caller.game["hands"] if not hand["undone_at"]]):
        await undo(client, table, caller, standing[-1])
    elif what == "blind":
        body, _ = confirmation(caller.game, dice)
        problem(await client.post(f"{here}/hands", json={**body, "seen": None}), 422, "seen_needed")
    elif what == "record" or (what == "again" and caller.last is not None):
        if what == "record" or caller.last is None:
            body, meant = confirmation(caller.game, dice)
            caller.last = (body, f"k{number}", meant)
        await record(client, table, caller, gives_up=dice.random() < 0.3)
    else:
        caller.game = (await client.get(here, params=LAST)).json()
        assert caller.game["revision"] == table.revision


async def record(client: httpx.AsyncClient, table: Table, caller: Caller, *, gives_up: bool) -> None:
    assert caller.last is not None
    body, key, meant = caller.last
    url, headers = f"/games/{caller.game['id']}/hands", {"Idempotency-Key": key}
    reply = await client.post(url, json=body, headers=headers, params=LAST)
    if key in table.done:
        assert reply.status_code == 200 and reply.json()["hand"]["number"] == table.done[key]
    elif reply.status_code == 201:
        assert body["seen"].get("revision", table.revision) == table.revision
        table.revision += 1
        table.done[key] = reply.json()["hand"]["number"]
        table.confirmed.append((key, meant))
    else:
        changed = problem(reply, 409, "game_moved_on")["changed"]
        assert changed["revision"] == table.revision
        assert body["seen"] not in ({"revision": table.revision}, {"players": changed["players"]})
        if not gives_up:
            caller.game = changed["game"]
        return
    caller.game = reply.json()["game"]


async def undo(client: httpx.AsyncClient, table: Table, caller: Caller, last: dict[str, Any]) -> None:
    body = {"hand": last["number"], "seen": {"revision": caller.game["revision"]}}
    reply = await client.post(f"/games/{caller.game['id']}/undo", json=body, params=LAST)
    if reply.status_code == 409:
        caller.game = problem(reply, 409, "game_moved_on")["changed"]["game"]
        return
    assert reply.status_code == 200, reply.text
    if last["key"] in [key for key, _ in table.confirmed]:
        assert table.confirmed.pop()[0] == last["key"], "only the last hand can be taken back"
        table.revision += 1
    caller.game = reply.json()


async def evening(folder: Path, tables: list[Table], dice: random.Random, first: int, count: int) -> None:
    """So many requests to a server that is started for them on what is there."""
    settings = Settings(data_folder=folder, **OPEN)
    app = create_app(settings, services := build_services(settings, web_wings(settings)))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1/api/v1") as client:
        while len(tables) < TABLES:
            made = (
                await client.post("/games", json={"players": NAMES, "rules": "hongkong", "course": {"rounds": None}})
            ).json()
            tables.append(Table([Caller(made) for _ in range(4)]))
        for number in range(first, first + count):
            await one_request(client, dice.choice(tables), dice, number)
        for table in tables:
            game = (await client.get(f"/games/{table.callers[0].game['id']}")).json()
            standing = [hand for hand in game["hands"] if not hand["undone_at"]]
            assert [(hand["key"], said_of(hand)) for hand in standing] == table.confirmed
            assert sum(float(p["total"]) for p in game["players"]) + float(game["pot"]) == 0
    services.engine.dispose()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_ledger_holds_what_was_confirmed_after_any_interleaving(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests of four people at each of the tables, the server started anew after half of them."""
    monkeypatch.setattr("hupai.store.play.turns.TURN_SECONDS", 0)  # nobody waits for one who has given up
    dice, tables = random.Random(seed), list[Table]()
    for first in (0, REQUESTS):
        with ThreadPoolExecutor(1) as aside:  # a browser of another test may have this thread's event loop
            aside.submit(asyncio.run, evening(tmp_path, tables, dice, first, REQUESTS)).result()
    recorded, standing = (sum(len(x) for x in xs) for xs in ([t.done for t in tables], [t.confirmed for t in tables]))
    assert recorded > standing > 0, "hands were recorded and taken back"
    assert sum(table.revision for table in tables) == 2 * recorded - standing


# ---- at once ----


def test_phones_that_press_at_the_same_moment(server: Server, client: httpx.Client) -> None:
    """Each tells who won as he saw the table; who was too late looks again. Every hand is the one that was meant."""
    game = begin(client)["id"]
    told: list[tuple[str, int]] = []
    late: list[str] = []
    ready = threading.Barrier(4, timeout=600)

    def phone(mine: int) -> None:
        with server.client() as own:
            for turn in range(12):
                seen = own.get(f"/games/{game}").json()
                ready.wait()
                key = f"{mine}-{turn}"
                while True:
                    body, headers = win_of(seen, mine), {"Idempotency-Key": key}
                    replies = [own.post(f"/games/{game}/hands", json=body, headers=headers) for _ in range(2)]
                    if replies[0].status_code == 201:
                        assert replies[1].status_code == 200, "the second try found the first"
                        told.append((key, mine))
                        break
                    late.append(problem(replies[0], 409, "game_moved_on")["code"])
                    seen = replies[-1].json()["changed"]["game"]

    with ThreadPoolExecutor(4) as pool:
        phones = [pool.submit(phone, i) for i in range(4)]
        wait(phones, return_when=FIRST_EXCEPTION)
        ready.abort()  # who failed leaves nobody waiting
    for each in phones:
        each.result()
    standing = client.get(f"/games/{game}").json()["hands"]
    assert sorted((hand["key"], hand["wins"][0]["player"]) for hand in standing) == sorted(told)
    assert len(told) == 48
    assert late, "somebody was too late, else nothing was tested"
