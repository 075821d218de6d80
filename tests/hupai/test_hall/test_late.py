"""Tokens that see everything late: answers are as old as the delay, streams too, and nothing tells of the present."""

from __future__ import annotations

import asyncio
import gzip
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from starlette.middleware.gzip import GZipMiddleware

from hupai.basics.timestamps import format_time
from hupai.hall import late
from hupai.hall.late import LateTokens
from hupai.store.tokens import Holder
from hupai.web.middleware.tokens import API

DELAY = 60
LATE = Holder("Stream", "overlay", granted={"delay": DELAY})
OLD = datetime.now(UTC) - timedelta(hours=1)


@dataclass
class Server:
    """A server behind the middleware: what it answers, and a clock that is moved."""

    monkeypatch: pytest.MonkeyPatch
    body: bytes = b""
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    now: float = 1000.0
    asked: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.app = LateTokens(self.answer)
        self.monkeypatch.setattr(late.time, "monotonic", lambda: self.now)

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": self.headers})
        await send({"type": "http.response.body", "body": self.body})

    def get(self, path: str, holder: Holder | None = LATE, method: str = "GET") -> tuple[int, bytes]:
        """Status and body of an answer."""
        scope = {
            "type": "http",
            "method": method,
            "path": f"{API}{path}",
            "query_string": b"",
            "headers": [(b"accept-encoding", b"gzip"), (b"if-none-match", b"*")],
            "state": {"holder": holder},
        }
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            return {"type": "http.request"}

        asyncio.run(self.app(scope, receive, send))
        return sent[0]["status"], b"".join(m.get("body", b"") for m in sent)

    def says(self, **what: Any) -> None:
        self.body = json.dumps(what).encode()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    return Server(monkeypatch)


def test_an_answer_is_as_old_as_the_delay(server: Server) -> None:
    states = [(seconds, {"points": seconds, "changed_at": format_time(datetime.now(UTC))}) for seconds in range(200)]
    for seconds, state in states:
        server.now = 1000.0 + seconds
        server.says(**state)
        status, body = server.get("/games/one")
        if seconds < DELAY:
            assert status == 503 and json.loads(body)["code"] == "not_yet"
        else:
            assert status == 200 and json.loads(body)["points"] == seconds - DELAY
        assert json.loads(server.get("/games/one", Holder("Judge", "director"))[1])["points"] == seconds
    # Nobody has asked for a while: what is shown is older still, never newer.
    server.now += 500
    server.says(points=-1, changed_at=format_time(datetime.now(UTC)))
    assert json.loads(server.get("/games/one")[1])["points"] == 199
    assert len(next(iter(server.app._kept.values()))) <= late.MAX_DELAY + 2


def test_what_stood_already_is_there_at_once(server: Server) -> None:
    server.says(points=1, changed_at=format_time(OLD))
    assert server.get("/games/two")[0] == 200
    # Whose dates do not tell when it changed is not.
    assert server.get("/games")[0] == 503
    server.body, server.headers = b"JPEG", [(b"last-modified", format_datetime(OLD, usegmt=True).encode())]
    assert server.get("/frames/1") == (200, b"JPEG")
    server.headers = [(b"last-modified", format_datetime(datetime.now(UTC), usegmt=True).encode())]
    assert server.get("/frames/2")[0] == 503


NOW_ONLY = [
    ("GET", "/tables/A/preview"),
    ("POST", "/games/one/hands/try"),
    ("POST", "/games/one/hands/3/try"),
    ("POST", "/laid/7/score"),
]


@pytest.mark.parametrize(("method", "path"), NOW_ONLY)
def test_what_is_there_now_only_is_refused(server: Server, method: str, path: str) -> None:
    assert server.get(path, method=method)[0] == 403 and not server.asked
    assert server.get(path, Holder("Guest", "viewer"), method)[0] == 200


def test_an_answer_comes_plain_and_whole(server: Server) -> None:
    """Compressed, its dates could not be read; and nobody may be told that nothing has changed since."""
    server.says(changed_at=format_time(OLD))
    server.get("/games/one")
    assert server.asked[0]["headers"] == []
    assert server.asked[0]["state"] is not LATE


def test_what_is_kept_is_compressed_each_time_that_it_is_sent(server: Server) -> None:
    server.app = GZipMiddleware(server.app, minimum_size=100)
    server.headers = [(b"content-type", b"application/json")]
    server.says(points=[1] * 100, changed_at=format_time(OLD))
    before = gzip.decompress(server.get("/games/one")[1])
    server.now += DELAY + 1
    server.says(points=2, changed_at=format_time(datetime.now(UTC)))
    assert gzip.decompress(server.get("/games/one")[1]) == before
    assert gzip.decompress(server.get("/games/one")[1]) == before


def test_the_parts_of_a_stream_are_as_late(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    sent: list[Any] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        server.now += seconds

    async def stream(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for part in (b"one", b"two"):
            await send({"type": "http.response.body", "body": part, "more_body": True})
        assert [m["type"] for m in sent] == ["http.response.start"], "a part is there before its time"
        while len(sent) < 3:
            await asyncio.get_running_loop().run_in_executor(None, lambda: None)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def send(message: Any) -> None:
        sent.append(message)

    server.app = LateTokens(stream)
    monkeypatch.setattr(late.asyncio, "sleep", sleep)
    scope = {"type": "http", "method": "GET", "path": f"{API}/events", "headers": [], "state": {"holder": LATE}}
    asyncio.run(server.app(scope, lambda: None, send))  # type: ignore[arg-type,return-value]
    assert [m.get("body") for m in sent] == [None, b"one", b"two", b""]
    assert slept == [DELAY, 0]
