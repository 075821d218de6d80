"""The serving process: what it tells, its certificate, how it dies and comes back."""

from __future__ import annotations

import os
import pty
import re
import signal
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from cryptography import x509

from hupai.settings import SettingsError, load_settings
from hupai.web.addresses import listening_addresses, url_of
from hupai.web.listen.certificates import lan_certificate
from hupai.web.listen.server import page_urls
from tests.hupai.at_terminal import at_terminal
from tests.hupai.scanning import scanned
from tests.hupai.serving import OPEN, ROOT, Server, command, record
from tests.waiting import at_once, until

pytestmark = pytest.mark.slow

Start = Callable[..., Server]
ENDLESS = {"players": ["a", "b", "c", "d"], "rules": "hk", "course": {"rounds": None}}
WIN = {"concealed": "123m456m789p23s55p", "winning_tile": "4s", "context": {"seat": "S", "win": "discard", "from": "W"}}


def test_it_tells_where_it_is_and_stops_when_told(start: Start) -> None:
    server = start(access_code="open sesame", within=("env",))  # a command of its own, as nobody forks it
    assert re.fullmatch(r"hupai \S+ is at http://127\.0\.0\.1:\d+/#code=open%20sesame", server.said[0])
    assert not any("█" in line for line in server.said), "a log file gets no picture"
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(120) in (0, -signal.SIGTERM)


def test_at_a_terminal_it_says_at_once_that_it_starts(tmp_path: Path) -> None:
    """Loading takes seconds, and may end in a refusal."""
    (tmp_path / "file").touch()
    status, shown = at_terminal(command({"database": f"sqlite:///{tmp_path}/file/hupai.db"}))
    assert status == 3 and shown.index("hupai is starting") < shown.index("hupai: The folder")


def test_the_code_in_the_terminal_leads_there(tmp_path: Path) -> None:
    """The QR code as a phone sees it: drawn from what the terminal shows, read by OpenCV."""
    main, side = pty.openpty()
    given = {"data_folder": tmp_path, "host": "127.0.0.1", "port": 0, "threads": 1}
    process = subprocess.Popen(
        command(given),
        stdout=side,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
    )
    os.close(side)
    shown = b""
    try:
        while b"Ctrl+C" not in shown:
            shown += os.read(main, 65536)
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 0
        os.close(main)
    lines = shown.decode().replace("\r", "").split("\n")
    url = lines[0].split(" is at ")[1]
    rows = [line for line in lines if line and set(line) <= set("█▀▄ ")]
    dots = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    grid = np.array([[dots[c][half] for c in row] for row in rows for half in (0, 1)], np.uint8)
    # On a dark terminal, which most are, filled characters are light.
    assert scanned(np.kron(grid * 255, np.ones((8, 8), np.uint8)).astype(np.uint8)) == url


@pytest.mark.parametrize(
    ("module", "dear"),
    [
        ("hupai.cli", ("pydantic",)),
        ("hupai.commands.serve", ("fastapi", "sqlalchemy", "uvicorn", "onnxruntime")),
        ("hupai.web.app", ("scipy",)),
    ],
)
def test_servers_are_cheap_to_import(module: str, dear: tuple[str, ...]) -> None:
    assert_cheap(module, dear)


def assert_cheap(module: str, dear: tuple[str, ...]) -> None:
    code = f"import sys, {module}; print([m for m in {dear} if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert told.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("parts", "url"),
    [
        (("http", "192.168.1.2", 8000), "http://192.168.1.2:8000/"),
        (("http", "192.168.1.2", 80), "http://192.168.1.2/"),
        (("https", "::1", 443), "https://[::1]/"),
        (("https", "fe80::1", 8443, "a&b#c"), "https://[fe80::1]:8443/#code=a%26b%23c"),
    ],
)
def test_addresses_are_written_as_browsers_take_them(parts: tuple[Any, ...], url: str) -> None:
    assert url_of(*parts) == url


def test_listening_everywhere_names_real_addresses() -> None:
    found = listening_addresses("0.0.0.0")
    assert found[-1] == "127.0.0.1"
    assert "0.0.0.0" not in found
    assert listening_addresses("127.0.0.1") == ["127.0.0.1"]
    assert listening_addresses("my.example") == ["my.example"]


def test_who_listens_on_ipv4_has_no_address_of_ipv6(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hupai.web.addresses.lan_addresses", lambda: ["192.0.2.7", "2001:db8::7"])
    assert listening_addresses("0.0.0.0") == ["192.0.2.7", "127.0.0.1"]
    assert listening_addresses("::") == ["192.0.2.7", "2001:db8::7", "127.0.0.1"]


@pytest.mark.parametrize(
    ("given", "scheme"),
    [
        ({}, "https"),
        ({"https": False}, "http"),
        ({"host": "127.0.0.1"}, "http"),
        ({"host": "::1"}, "http"),
        ({"host": "localhost", "https": True}, "https"),
        ({"host": "mahjong.example"}, "https"),
    ],
)
def test_other_devices_are_served_https_unless_it_is_called_off(given: dict[str, Any], scheme: str) -> None:
    assert {url.partition(":")[0] for url in page_urls(load_settings(**given), 8000)} == {scheme}


def test_https_with_a_certificate_of_its_own(start: Start, tmp_path: Path) -> None:
    server = start(host="0.0.0.0")
    assert server.url.startswith("https://")
    assert until(lambda: any(f"{server.url}/hupai-ca.pem" in line for line in server.said)), "each phone needs it"
    folder = tmp_path / "certificates"
    trust = ssl.create_default_context(cafile=str(folder / "authority.pem"))
    with httpx.Client(verify=trust, base_url=server.url) as client:
        assert client.get("/healthz").status_code == 200
        offered = client.get("/hupai-ca.pem")
        assert offered.headers["content-type"] == "application/x-x509-ca-cert"
        assert offered.content == (folder / "authority.pem").read_bytes()
        assert b"PRIVATE" not in offered.content
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{server.url}/healthz")
    for key in ("authority.key", "server.key"):
        assert (folder / key).stat().st_mode & 0o077 == 0


def test_the_certificate_is_kept_renewed_and_mended(tmp_path: Path) -> None:
    names = ["192.168.1.2", "host.local"]
    made = lan_certificate(tmp_path, names)
    authority, chain = made.authority.read_bytes(), made.chain.read_bytes()
    leaf = x509.load_pem_x509_certificate(chain)
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc <= timedelta(days=825)
    assert lan_certificate(tmp_path, names[:1]).chain.read_bytes() == chain, "it covers fewer names, too"
    assert lan_certificate(tmp_path, ["10.0.0.9"]).chain.read_bytes() != chain, "a new address needs a new one"
    renewed = lan_certificate(tmp_path, ["10.0.0.9"], datetime.now(UTC) + timedelta(days=790)).chain.read_bytes()
    assert x509.load_pem_x509_certificate(renewed).not_valid_after_utc > datetime.now(UTC) + timedelta(days=1500)
    assert made.authority.read_bytes() == authority, "phones trust the authority: it stays"
    (tmp_path / "server.pem").write_text("damaged")
    with pytest.raises(SettingsError, match="delete that folder"):
        lan_certificate(tmp_path, names)


def test_two_servers_share_a_postgresql(start: Start, fresh_postgresql: str, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    servers = [start(folder, database=fresh_postgresql, access_code="shared", **OPEN) for folder in folders]
    code = {"x-hupai-code": "shared"}
    game = httpx.post(f"{servers[0].api}/games", json=ENDLESS, headers=code).json()["id"]

    def play(server: Server) -> list[int]:
        with server.client(headers=code) as client:
            replies = [record(client, game, {"outcome": "win", "wins": [WIN]}) for _ in range(15)]
        return [reply.json()["hand"]["number"] for reply in replies]

    assert sorted(chain.from_iterable(at_once(*(partial(play, s) for s in servers)))) == list(range(1, 31))
    # A session opened at one server holds at the other: they share the key that signs it.
    with servers[0].client() as client:
        client.post("/session", json={"code": "shared"}).raise_for_status()
        cookie = client.cookies["hupai_session"]
    assert httpx.get(f"{servers[1].api}/rules", headers={"cookie": f"hupai_session={cookie}"}).status_code == 200


class Table(threading.Thread):
    """A phone that records hands as fast as they are confirmed, and repeats what got no answer."""

    def __init__(self, game: str, count: int, name: str) -> None:
        super().__init__()
        self.game, self.count, self.label = game, count, name
        self.api = ""
        self.revision = 0
        self.confirmed: dict[str, int] = {}
        self.stopped = threading.Event()
        self.faults: list[str] = []

    def run(self) -> None:
        with httpx.Client(timeout=30) as client:
            for i in range(self.count):
                key = f"{self.label}-{i}"
                while not self.stopped.is_set():
                    try:
                        reply = client.post(
                            f"{self.api}/games/{self.game}/hands?last=0",
                            json={"outcome": "win", "wins": [{**WIN, "id": key}], "seen": {"revision": self.revision}},
                            headers={"Idempotency-Key": key},
                        )
                    except httpx.HTTPError:
                        time.sleep(0.02)
                        continue
                    if reply.status_code == 409 and reply.json()["code"] == "game_moved_on":
                        self.revision = reply.json()["changed"]["game"]["revision"]
                        continue
                    if reply.status_code not in (200, 201):
                        self.faults.append(reply.text)
                        return
                    self.confirmed[key] = reply.json()["hand"]["number"]
                    break


def kill_in_the_middle(
    start: Start, database: str, tmp_path: Path, hands: int, kills: int
) -> tuple[dict[str, int], dict[str, Any]]:
    """Record ``hands`` hands from two phones; kill -9 the server ``kills`` times meanwhile, and start it again."""
    settings = {**OPEN, "database": database, "data_folder": tmp_path, "log_level": "error"}
    server = start(**settings)
    with server.client() as client:
        game = client.post("/games", json=ENDLESS).json()["id"]
    tables = [Table(game, hands // 2, name) for name in "xy"]
    for t in tables:
        t.api = server.api
        t.start()
    for kill in range(1, kills + 1):
        while sum(len(t.confirmed) for t in tables) < kill * hands // (kills + 1) and any(t.is_alive() for t in tables):
            time.sleep(0.005)
        server.kill()
        before = {k: n for t in tables for k, n in t.confirmed.items()}
        server = start(**settings)
        with server.client() as client:
            kept = client.get(f"/games/{game}").json()["hands"]
        numbers = {h["number"] for h in kept}
        assert set(before.values()) <= numbers, "a confirmed hand was lost"
        for t in tables:
            t.api = server.api
    for t in tables:
        t.join(600)
        t.stopped.set()
    assert [t.faults for t in tables] == [[], []]
    with server.client() as client:
        document = client.get(f"/games/{game}/export.json").json()
    return {k: n for t in tables for k, n in t.confirmed.items()}, document


@pytest.mark.both_databases
def test_kill_9_loses_no_confirmed_hand_and_doubles_none(start: Start, database: str, tmp_path: Path) -> None:
    count, kills = (1000, 5) if os.environ.get("HUPAI_FULL") == "1" else (48, 1 + database.startswith("sqlite"))
    confirmed, document = kill_in_the_middle(start, database, tmp_path, count, kills)
    hands = document["hands"]
    assert len(confirmed) == count
    assert [h["number"] for h in hands] == list(range(1, count + 1)), "each hand once"
    by_number = {h["number"]: h["scores"][0]["id"] for h in hands}
    assert {key: by_number[number] for key, number in confirmed.items()} == {key: key for key in confirmed}
    # The books: every hand sums to zero, and the totals are the sums of the hands.
    assert all(sum(h["payments"]) == 0 for h in hands)
    sums = [sum(h["payments"][n] for h in hands) for n in range(4)]
    assert [p["total"] for p in document["players"]] == sums
