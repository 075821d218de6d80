"""Where events are told: addresses, and the ways another side can fail to take one."""

from __future__ import annotations

import http.server
import json
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import pytest

from hupai.hall.feed import forward
from hupai.hall.feed.errors import BadPlan
from hupai.hall.feed.forward import EventReceiver, Mqtt, Undelivered, Webhook

EVENT = {"number": 7, "event": "hand.settled", "table": "東 A"}


class _Side(http.server.BaseHTTPRequestHandler):
    asked: ClassVar[list[tuple[str, str, str | None]]] = []

    def do_POST(self) -> None:
        self.asked.append(("POST", self.path, self.headers["Authorization"]))
        assert json.loads(self.rfile.read(int(self.headers["Content-Length"]))) == EVENT
        moved = {"/moved": 302, "/for-ever": 301, "/same": 307}.get(self.path)
        self.send_response(moved or 200)
        if moved:
            self.send_header("Location", "/elsewhere")
        self.end_headers()

    def do_GET(self) -> None:
        self.asked.append(("GET", self.path, None))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Quiet."""


class _Mumble(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        said = b""
        while not said.endswith(b"}"):  # what is not read cuts the answer off
            said += self.request.recv(10_000)
        self.request.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")


@contextmanager
def serving(handler: Any) -> Iterator[int]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_a_redirected_event_was_not_taken() -> None:
    """Followed, it would arrive as a GET without the event, and the event would be lost."""
    with serving(_Side) as port:
        for path, status in (("moved", 302), ("for-ever", 301), ("same", 307)):
            with pytest.raises(Undelivered, match=f"{status}.*redirects"):
                Webhook(f"http://127.0.0.1:{port}/{path}").send(EVENT)
    assert not [a for a in _Side.asked if a[0] == "GET"]


def test_a_name_and_a_password_in_the_address_are_sent_and_not_shown() -> None:
    with serving(_Side) as port:
        hook = Webhook(f"http://cup:p%40ss@127.0.0.1:{port}/a b?x=ü")
        hook.send(EVENT)
    assert _Side.asked[-1] == ("POST", "/a%20b?x=%C3%BC", "Basic Y3VwOnBAc3M=")
    assert hook.shown == f"http://127.0.0.1:{port}"


class _HangsUp(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        self.request.recv(10)


class _Silent(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        while self.request.recv(10_000):  # until the other side has enough of it
            pass


@pytest.mark.parametrize(
    ("handler", "patience", "words"),
    [
        (_Mumble, 30, "does not speak HTTP"),
        (_HangsUp, 30, "closed the connection"),
        (_Silent, 0.3, "did not answer in time"),
    ],
)
def test_what_takes_no_event_is_told_in_words(
    handler: Any, patience: float, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forward, "_TIMEOUT_SECONDS", patience)
    with serving(handler) as port, pytest.raises(Undelivered, match=words):
        Webhook(f"http://127.0.0.1:{port}/").send(EVENT)


@pytest.mark.parametrize("scheme", ["http", "mqtt"])
def test_nobody_there_is_told_in_words(scheme: str) -> None:
    if scheme == "mqtt":
        pytest.importorskip("paho.mqtt.client", reason="paho-mqtt is not installed (pip install paho-mqtt)")
    # Bound, so that no other test gets the port, but not listening.
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        for host, words in (
            (f"127.0.0.1:{held.getsockname()[1]}", "nothing answers"),
            ("nowhere.invalid", "no such host"),
        ):
            address = f"{scheme}://{host}/"
            receiver: EventReceiver = Webhook(address) if scheme == "http" else Mqtt(address)
            with pytest.raises(Undelivered, match=words):
                receiver.send(EVENT)


class _Refuses(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        self.request.recv(1000)
        self.request.sendall(bytes([0x20, 2, 0, 5]))  # CONNACK: not authorised


def test_a_broker_that_refuses_the_password_is_told_in_words() -> None:
    pytest.importorskip("paho.mqtt.client", reason="paho-mqtt is not installed (pip install paho-mqtt)")
    with serving(_Refuses) as port, pytest.raises(Undelivered, match=r"it refuses the connection \(Not authorized\)"):
        Mqtt(f"mqtt://cup:wrong@127.0.0.1:{port}").send(EVENT)


@pytest.mark.parametrize("password", ["12/34", "12#34", "12?34", "12@34/56", "se/cret", "se#cret", "se?cret"])
@pytest.mark.parametrize("scheme", ["http", "https", "mqtt", "mqtts", "ftp"])
def test_a_password_that_ends_the_host_is_refused_and_not_shown(scheme: str, password: str) -> None:
    for kind in (Webhook, Mqtt):
        with pytest.raises(BadPlan, match="%2F") as refused:
            kind(f"{scheme}://cup:{password}@host/path")
        assert not any(part in refused.value.message for part in ("12", "34", "se/", "cret"))


@pytest.mark.parametrize("host", ["h:port/x", "[::1", "", "h:99999999/"])
def test_what_is_no_address_is_refused(host: str) -> None:
    for kind, scheme in ((Webhook, "http"), (Mqtt, "mqtt")):
        with pytest.raises(BadPlan) as refused:
            kind(f"{scheme}://{host}")
        assert refused.value.exit_status == 2
    with pytest.raises(BadPlan):
        Webhook("ftp://h/x")
    with pytest.raises(BadPlan):
        Mqtt("http://h/x")
