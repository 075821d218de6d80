"""What knocks without coming in: half requests by the thousand, bytes that are no text, many guesses at once."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPResponse
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from sqlalchemy import Engine

from hupai.store.database import open_store, reading, writing
from hupai.store.tables import InstallationSetting
from hupai.store.ttl_cache import TTL_SECONDS, TtlCache
from tests.hupai.serving import OPEN, Server, problem, running

pytestmark = pytest.mark.slow

Start = Callable[..., Server]
HALF = b"GET /api/v1/about HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
CROWD = 1_100
HEAD_SECONDS, IDLE_SECONDS = 5.0, 5
WAITING = "hupai.web.listen.waiting"
HURRIED = {f"{WAITING}.HEAD_SECONDS": HEAD_SECONDS, f"{WAITING}.IDLE_SECONDS": IDLE_SECONDS}
"""As it is, half a minute would be waited for; much shorter, and a busy machine would be closed out itself."""
FOREVER = {f"{WAITING}.HEAD_SECONDS": 3600}


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("hurried"), hurried=HURRIED, **OPEN) as it:
        yield it


@contextmanager
def half_open(server: Server, count: int) -> Iterator[list[socket.socket]]:
    """So many connections that have sent half a request's head."""
    port = int(server.url.rpartition(":")[2])
    with ExitStack() as stack:
        crowd = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=300)) for _ in range(count)]
        for one in crowd:
            one.sendall(HALF)
        yield crowd


def ended(connection: socket.socket, within: float) -> bool:
    """Whether the server closes it in that time."""
    connection.settimeout(within)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def finish(connection: socket.socket) -> None:
    """Send the other half of a request, which must be answered."""
    connection.settimeout(300)
    connection.sendall(b"no\r\nConnection: close\r\n\r\n")
    assert connection.recv(12) == b"HTTP/1.1 200"


def test_a_thousand_half_requests_lock_nobody_out(start: Start, tmp_path: Path) -> None:
    server = start(
        tmp_path, hurried={**FOREVER, "hupai.web.listen.listening.MAX_OPEN_FILES": 4 * (CROWD - 100)}, **OPEN
    )
    with half_open(server, CROWD) as crowd, httpx.Client() as client:
        assert all(client.get(f"{server.api}/about").status_code == 200 for _ in range(5))
        assert ended(crowd[0], 60), "the oldest make room"
        finish(crowd[-1])
        assert client.get(f"{server.api}/about").status_code == 200


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="prlimit is not installed")
def test_few_open_files_are_not_used_up_by_half_requests(start: Start, tmp_path: Path) -> None:
    server = start(tmp_path, within=("prlimit", "--nofile=400:400"), hurried=FOREVER, **OPEN)
    with half_open(server, 380) as crowd, httpx.Client() as client:
        assert client.get(f"{server.api}/about").status_code == 200
        assert ended(crowd[0], 60), "the oldest make room"
        finish(crowd[-1])


def test_one_address_cannot_take_all_streams(start: Start, tmp_path: Path) -> None:
    server = start(tmp_path, hurried={"hupai.web.listen.listening.MAX_OPEN_FILES": 80}, **OPEN)
    port = int(server.url.rpartition(":")[2])

    def follow(address: str) -> socket.socket:
        stream = stack.enter_context(socket.create_connection(("127.0.0.1", port), 60, source_address=(address, 0)))
        stream.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while b": from" not in (said := stream.recv(4096)):
            assert said
        return stream

    with ExitStack() as stack:
        guest = follow("127.0.0.1")
        crowd = [follow("127.0.0.2") for _ in range(60)]
        assert all(ended(stream, 60) for stream in crowd[:21]), "the oldest of the crowd make room"
        assert not ended(crowd[-1], 0.2)
        assert not ended(guest, 0.2)
        assert httpx.get(f"{server.api}/about").status_code == 200


def test_a_body_is_waited_for_longer_than_a_head(hurried: Server) -> None:
    body = b'{"players": ["a", "b", "c", "d"], "rules": "hk"}'
    head = b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with half_open(hurried, 1) as (upload,):
        upload.sendall(b"no\r\n\r\n")
        answer = HTTPResponse(upload)
        answer.begin()
        assert answer.status == 200 and answer.read()
        upload.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body))
        for _ in range(2):
            with half_open(hurried, 1) as (later,):
                assert ended(later, 60)
        upload.sendall(body)
        answer = HTTPResponse(upload)
        answer.begin()
        assert answer.status == 201


def test_half_a_head_is_not_waited_for_without_end_nor_longer_after_an_answer(hurried: Server) -> None:
    with half_open(hurried, 2) as (connection, new):
        began = time.monotonic()
        connection.sendall(b"no\r\n\r\n")
        answer = HTTPResponse(connection)
        answer.begin()
        assert answer.status == 200 and answer.read()
        connection.sendall(HALF)
        assert ended(connection, 60)
        assert time.monotonic() - began > IDLE_SECONDS + HEAD_SECONDS / 2, "it was taken for an idle one"
        assert ended(new, 60)


def test_addresses_bodies_and_headers_that_a_database_would_choke_on(
    start: Start, fresh_postgresql: str, tmp_path: Path
) -> None:
    server = start(tmp_path, database=fresh_postgresql, **OPEN)
    with server.client() as client:
        problem(httpx.get(f"{server.api}/games/%00"), 404, "not_found")
        game = {"players": ["a\0", "b", "c", "d"], "rules": "hk"}
        problem(client.post("/games", json=game), 422, "bad_name")
        begun = client.post("/games", json={**game, "players": ["a", "b", "c", "d"]}).json()["id"]
        win = {"concealed": "123m456m789p23s55p", "winning_tile": "4s", "context": {"seat": "E", "win": "self_draw"}}
        hand = {"outcome": "win", "wins": [{**win, "id": "a\0b"}], "seen": {"revision": 0}}
        reply = client.post(f"/games/{begun}/hands", json=hand)
        assert reply.json()["hand"]["scores"][0]["id"] == "a\0b", reply.text
        photo = {"photo": ("a.jpg", b"\xff\xd8\xff" + bytes(100), "image/jpeg")}
        problem(client.post("/read", files=photo, data={"rules": "a\0b"}), 422, "bad_value")


def test_outsiders_learn_nothing_of_a_server_in_trouble(start: Start, tmp_path: Path) -> None:
    server = start(tmp_path, access_code="right", **OPEN)
    (tmp_path / "hupai.db").rename(tmp_path / "away.db")
    ready = httpx.get(f"{server.url}/readyz")
    assert (ready.status_code, ready.json()) == (503, {"ready": False, "troubles": []})
    told = httpx.get(f"{server.url}/readyz", headers={"x-hupai-code": "right"}).json()["troubles"]
    assert "hupai.db is gone" in told[0]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_other_accounts_cannot_read_the_ledger(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        file = tmp_path / "made" / "hupai.db"
        open_store(f"sqlite:///{file}", ()).dispose()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        file.chmod(0o664)  # as an earlier version left it; a group that was let in stays
        engine = open_store(f"sqlite:///{file}", ())
        with writing(engine) as session:
            session.add(InstallationSetting(name="a", value="b"))
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}
        assert set(modes) == {"hupai.db", "hupai.db-wal", "hupai.db-shm"}
        assert set(modes.values()) == {0o660}
        engine.dispose()
    finally:
        os.umask(old)


def test_another_process_that_comes_and_goes_takes_nothing_away(tmp_path: Path) -> None:
    """SQLite's locks end with whatever closes the file: then the last one to leave would remove the log of the rest."""
    url = f"sqlite:///{tmp_path / 'hupai.db'}"
    engine = open_store(url, ())
    with engine.connect(), engine.connect():  # the second one finds the file there
        script = f"from hupai.store.database import open_store; open_store({url!r}, ()).dispose()"
        subprocess.run([sys.executable, "-c", script], check=True, timeout=600)
        assert (tmp_path / "hupai.db-wal").exists()
    engine.dispose()


def test_what_many_ask_for_is_worked_out_once_a_second_and_after_every_write(
    store: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr("hupai.store.ttl_cache.time", SimpleNamespace(monotonic=lambda: now[0]))
    asked: list[int] = []
    cache = TtlCache(store, lambda _: asked.append(1) or len(asked))
    assert [cache.value() for _ in range(100)] == [1] * 100
    now[0] += TTL_SECONDS
    assert cache.value() == 1
    with writing(store) as session:
        session.add(InstallationSetting(name="a", value="b"))
        assert cache.value() == 1, "nothing is written yet"
    assert cache.value() == 2
    now[0] += TTL_SECONDS + 0.1
    assert [cache.value() for _ in range(3)] == [3, 3, 3]


def test_an_answer_that_was_being_worked_out_while_somebody_wrote_is_not_kept(store: Engine) -> None:
    def ask(store: Engine) -> int:
        with reading(store) as session:
            found = session.query(InstallationSetting).count()
        if not found:
            with writing(store) as session:  # commits after the question was answered
                session.add(InstallationSetting(name="a", value="b"))
        return found

    cache = TtlCache(store, ask)
    assert [cache.value() for _ in range(3)] == [0, 1, 1]
