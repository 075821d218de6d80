"""Strangers: other hosts' names, other sites' pages, wrong access codes; and the headers of every answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest

from hupai.settings import load_settings
from hupai.store.database import open_store
from hupai.web.middleware.security import AccessCode
from hupai.web.services import cookie_key
from tests.hupai.serving import OPEN, Server, problem, running
from tests.waiting import at_once

pytestmark = pytest.mark.slow

Start = Callable[..., Server]


def test_careful_headers_on_every_answer(server: Server, client: httpx.Client) -> None:
    for reply in (
        client.get("/about"),
        client.get("/nothing"),
        client.post("/score", content=b"{"),
        httpx.get(f"{server.url}/healthz"),
        httpx.get(server.url, headers={"host": "evil.example"}),
        httpx.get(f"{server.url}/"),
    ):
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert "geolocation=()" in reply.headers["permissions-policy"]
        assert "server" not in reply.headers
    assert client.get("/about").headers["cache-control"] == "no-store"
    assert httpx.get(f"{server.url}/").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8000", True),
        ("192.168.1.20:8000", True),
        ("[::1]:8000", True),
        ("[fe80::1]:8000", True),
        ("localhost", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
        ("[bad", False),
        ("127.0.0.1@evil.example", False),
    ],
)
def test_only_names_that_are_known_are_answered(server: Server, host: str, known: bool) -> None:
    reply = httpx.get(f"{server.url}/api/v1/about", headers={"host": host})
    if known:
        assert reply.status_code == 200
    elif reply.status_code != 400:  # names that are no names at all are refused before we see them
        problem(reply, 421, "wrong_host")


@pytest.fixture(scope="module")
def befriended(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {"allowed_hosts": ["Mahjong.example"], "cors_origins": ["https://friend.example"]}
    with running(tmp_path_factory.mktemp("befriended"), **settings, **OPEN) as it:
        yield it


def test_further_names_can_be_allowed(befriended: Server) -> None:
    assert httpx.get(f"{befriended.url}/healthz", headers={"host": "mahjong.example:1"}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "taken"),
    [
        ({}, True),
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"origin": "SERVER"}, True),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"origin": "https://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"origin": "http://127.0.0.1:1"}, False),
    ],
)
def test_pages_of_other_sites_may_not_write(
    server: Server, client: httpx.Client, headers: dict[str, str], taken: bool
) -> None:
    headers = {name: value.replace("SERVER", server.url) for name, value in headers.items()}
    reply = client.post("/presets", json={"name": "x", "rules": "hk"}, headers=headers)
    if taken:
        assert reply.status_code in (200, 201)
    else:
        problem(reply, 403, "cross_site")
    assert client.get("/presets", headers=headers).status_code == 200


def test_no_other_site_may_look_unless_it_is_named(befriended: Server, client: httpx.Client) -> None:
    asks = {"origin": "https://friend.example", "access-control-request-method": "POST"}
    silent = client.options("/score", headers=asks)
    assert "access-control-allow-origin" not in silent.headers
    assert "access-control-allow-origin" not in client.get("/about", headers=asks).headers
    with befriended.client() as named:
        assert named.options("/score", headers=asks).headers["access-control-allow-origin"] == asks["origin"]
        every = {**asks, "access-control-request-method": "PUT", "access-control-request-headers": "x-hupai-table"}
        assert named.options("/games/x/hands/1", headers=every).status_code == 200
        asked = named.post("/presets", json={"name": "x", "rules": "hk"}, headers={"origin": asks["origin"]})
        assert asked.status_code == 201
        other = named.get("/about", headers={"origin": "https://evil.example"})
        assert "access-control-allow-origin" not in other.headers


def test_a_named_site_may_read_that_it_asks_too_often(start: Start) -> None:
    origin = {"origin": "https://friend.example"}
    with start(cors_origins=["https://Friend.example"], rate_any="1/hour").client() as named:
        named.get("/about", headers=origin)
        refused = named.get("/about", headers=origin)
        problem(refused, 429, "too_many_requests")
        assert refused.headers["access-control-allow-origin"] == origin["origin"]
        assert int(refused.headers["retry-after"]) > 0


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("guarded"), access_code="mahjong 1234", rate_code="1000/second", **OPEN) as it:
        yield it


def test_the_api_asks_for_the_code(guarded: Server) -> None:
    with guarded.client() as client:
        for cookie in ("hupai_session=", "hupai_session=0", "hupai_session=é", "=;;=", "hupai_session"):
            assert client.get("/rules", headers={"cookie": cookie.encode("latin-1")}).status_code == 401
        about = client.get("/about").json()
        assert (about["code_needed"], about["open"], about["models"]) == (True, False, {})
        for method, path in (("GET", "/rules"), ("POST", "/score"), ("GET", "/openapi.json"), ("DELETE", "/games/x")):
            told = client.request(method, path)
            problem(told, 401, "code_needed")
            assert told.headers["www-authenticate"]
        assert httpx.get(f"{guarded.url}/metrics").status_code == 401
        assert httpx.get(f"{guarded.url}/healthz").status_code == 200
        assert client.get("/rules", headers={"x-hupai-code": "mahjong 1234"}).status_code == 200
        problem(client.get("/rules", headers={"x-hupai-code": "guess"}), 401, "code_wrong")


def test_a_session_remembers_the_code(guarded: Server) -> None:
    with guarded.client() as client:
        problem(client.post("/session", json={"code": "no"}), 401, "code_wrong")
        opened = client.post("/session", json={"code": "mahjong 1234"})
        assert opened.status_code == 204
        cookie = opened.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "mahjong" not in cookie
        assert client.get("/rules").status_code == 200
        assert client.get("/about").json()["open"] is True
        client.delete("/session").raise_for_status()
        assert client.get("/rules").status_code == 401


def test_guessing_is_slowed_down(start: Start) -> None:
    guarded = start(access_code="mahjong 1234", rate_code="4/hour", **OPEN)
    with guarded.client() as client:
        tries = [client.post("/session", json={"code": f"{i}"}).status_code for i in range(6)]
        assert tries == [*[401] * 4, 429, 429]
        # Even the right one waits, or the limit would tell when it was guessed.
        told = client.post("/session", json={"code": "mahjong 1234"})
        problem(told, 429, "too_many_requests")
        assert int(told.headers["retry-after"]) >= 1
        problem(client.get("/rules", headers={"x-hupai-code": "mahjong 1234"}), 429, "too_many_requests")

    def ask(address: int, *codes: str) -> list[int]:
        with guarded.client_at(f"127.0.0.{address}") as other:
            return [other.get("/rules", headers={"x-hupai-code": code}).status_code for code in codes]

    # A program that sends the right code with every request goes on, whoever guesses behind the same address.
    assert ask(2, "mahjong 1234", *"12345", "mahjong 1234") == [200, *[401] * 5, 200]
    heard = [ask(address, *"1234") for address in range(3, 14)]
    assert heard == [[401] * 4] * 9 + [[401] * 3 + [429]] * 2, "all together have ten times as many; not the first ones"
    assert ask(2, "mahjong 1234") == [200]
    assert ask(99, "mahjong 1234") == [200], "a new phone comes in, however many others guess"
    assert ask(98, *"123", "mahjong 1234") == [401, 401, 401, 429], "until it guesses itself"


@pytest.mark.both_databases
def test_servers_that_start_at_once_on_a_new_database_share_one_secret(database: str) -> None:
    engines = [open_store(database, ()) for _ in range(4)]
    assert len(set(at_once(*(partial(cookie_key, engine) for engine in engines)))) == 1
    for engine in engines:
        engine.dispose()


def test_sessions_outlive_a_restart_but_not_the_code(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'hupai.db'}"
    keys = []
    for _ in range(2):
        engine = open_store(url, ())
        keys.append(cookie_key(engine))
        engine.dispose()
    assert keys[0] == keys[1]
    assert len(keys[0]) == 32

    def token(code: str, key: bytes) -> str:
        return AccessCode(load_settings(access_code=code), key).cookie_value

    assert token("mahjong 1234", keys[0]) == token("mahjong 1234", keys[1])
    assert token("changed", keys[0]) != token("mahjong 1234", keys[0])
    assert token("mahjong 1234", bytes(32)) != token("mahjong 1234", keys[0])
