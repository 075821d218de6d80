"""What is taken in, and what is turned away: bytes, time, requests, places, strangers, bad pictures."""

from __future__ import annotations

import io
import json
import re
import socket
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import numpy as np
import pytest
from fastapi.testclient import TestClient
from PIL import Image
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from hupai.settings import Settings
from hupai.web.middleware.limits import BodyLimit
from tests.hupai.serving import OPEN, Server, problem
from tests.waiting import at_once, until

pytestmark = pytest.mark.slow

Start = Callable[..., Server]
MB = 1_000_000


def noise(width: int, height: int, kind: str = "JPEG") -> bytes:
    """A picture that does not compress."""
    pixels = np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, kind)
    return out.getvalue()


def bomb(side: int = 30000) -> bytes:
    """A PNG of a few kilobytes that claims 900 megapixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(10_000))) + chunk(b"IEND", b"")
    )


JPEG = noise(64, 48)
FORM = {"content-type": "multipart/form-data; boundary=x"}
RULES_ALONE = b'--x\r\nContent-Disposition: form-data; name="rules"\r\n\r\nhk\r\n--x--'
NOT_READ = {
    "empty": (b"", 422, "image_truncated"),
    "truncated": (noise(400, 300)[:9000], 422, "image_truncated"),
    "png bomb": (bomb(), 413, "image_too_large"),
    "one pixel": (noise(1, 1, "PNG"), 422, "image_too_small"),
    "text": (b"this is no picture, it only says so", 415, "image_unreadable"),
    "svg": (b'<svg><image href="file:///etc/passwd"/></svg>', 415, "image_unreadable"),
    "polyglot: page behind a picture": (JPEG + b"<script>alert(1)</script>", 415, "image_unreadable"),
    "polyglot: archive behind a picture": (JPEG + b"\r\nPK\x03\x04" + bytes(64), 415, "image_unreadable"),
    "polyglot: document before a picture": (b"%PDF-1.7\n" + JPEG, 415, "image_unreadable"),
}


@pytest.mark.parametrize("name", NOT_READ)
def test_pictures_that_cannot_be_read(client: httpx.Client, name: str) -> None:
    data, status, code = NOT_READ[name]
    problem(client.post("/read", files={"photo": ("x.jpg", data, "image/jpeg")}), status, code)
    assert client.get("/about").status_code == 200


@pytest.mark.parametrize(
    ("send", "status", "code"),
    [
        ({"content": b"x"}, 415, "wrong_type"),
        ({"json": {"photo": "http://example.org/x.jpg"}}, 415, "wrong_type"),
        ({"data": {"photo": "x"}}, 415, "wrong_type"),
        ({"files": {"photo": (None, "http://example.org/x.jpg")}}, 422, "bad_value"),
        ({"files": {"foto": ("x.jpg", JPEG)}}, 422, "unknown_field"),
        ({"files": {"rules": (None, "hk")}}, 422, "missing"),
        ({"files": [("photo", ("x.jpg", JPEG)), ("photo", ("y.jpg", JPEG))]}, 400, "bad_form"),
        ({"files": {"photo": ("x.jpg", JPEG), "rules": (None, "chess")}}, 422, "unknown_rules"),
        ({"files": {"photo": ("x.jpg", JPEG), "set": (None, "nobody's")}}, 404, "not_found"),
        ({"files": {"photo": ("x.jpg", JPEG), "keep": (None, "maybe")}}, 422, "bad_value"),
        ({"files": {"photo": ("x.jpg", JPEG), "url": (None, "http://example.org")}}, 422, "unknown_field"),
        ({"files": [("photo", ("x.jpg", JPEG)), *(("rules", (None, "hk")) for _ in range(50))]}, 400, "bad_form"),
        ({"content": b"--x", "headers": {"content-type": "multipart/form-data"}}, 400, "bad_form"),
        ({"content": b"--x\r\n", "headers": FORM}, 422, "missing"),
        ({"content": b"garbage", "headers": FORM}, 400, "bad_form"),
        ({"content": b"--x\r\n\r\n1\r\n--x--", "headers": FORM}, 400, "bad_form"),
        ({"content": RULES_ALONE, "headers": {"content-type": f"{FORM['content-type']}; charset=no"}}, 422, "missing"),
    ],
)
def test_forms_that_cannot_be_read(client: httpx.Client, send: dict[str, Any], status: int, code: str) -> None:
    problem(client.post("/read", **send), status, code)


DEEP = "[" * 50_000


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 422, "bad_request"),
        (b"{", 400, "bad_json"),
        (b"\xff\xfe{\0}\0", 400, "bad_json"),
        (DEEP.encode(), 400, "bad_json"),
        ((DEEP + "]" * 50_000).encode(), 400, "bad_json"),
        (('{"a":' * 40 + "1" + "}" * 40).encode(), 400, "bad_json"),
        (b'{"id": NaN}', 400, "bad_json"),
        (b'{"rules": "riichi", "rules": "mcr"}', 400, "bad_json"),
        (b'{"id": 1e999}', 400, "bad_json"),
        (b'{"id": ' + b"9" * 5000 + b"}", 400, "bad_json"),
        (b'{"id": "\\ud800"}', 400, "bad_json"),
        (b'{"\\udc00": 1}', 400, "bad_json"),
        (b"[]", 422, "bad_request"),
        (b'"text"', 422, "bad_request"),
        (b"null", 422, "bad_request"),
        (b'{"concealed": {"a": 1}}', 422, "unknown_rules"),
        (json.dumps({"x" * 1000: 1}).encode(), 422, "unknown_field"),
        (b" " * 600_000, 413, "body_too_large"),
    ],
)
def test_bodies_that_are_no_request(client: httpx.Client, body: bytes, status: int, code: str) -> None:
    problem(client.post("/score", content=body, headers={"content-type": "application/json"}), status, code)


@pytest.mark.parametrize("path", ["/score/all", "/score/waits", "/games", "/presets"])
def test_other_bodies_are_read_as_strictly(client: httpx.Client, path: str) -> None:
    twice = b'{"rules": "riichi", "rules": "mcr"}'
    problem(client.post(path, content=twice, headers={"content-type": "application/json"}), 400, "bad_json")


def test_anything_may_be_an_id_and_comes_back(client: httpx.Client) -> None:
    hand = {"rules": "hk", "concealed": "123m456m789p23s55p", "winning_tile": "4s"}
    for value in ("é\u0000\u202e<b>", 10**29, [1, {"a": None}], None, 1.5, True):
        request = {"id": value, **hand, "context": {"seat": "E", "win": "self_draw"}}
        assert client.post("/score", json=request).json()["id"] == value


def chunks(total: int) -> Iterator[bytes]:
    yield b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n\xff\xd8\xff'
    for _ in range(total // 65536):
        yield bytes(65536)
    yield b"\r\n--x--\r\n"


def memory(server: Server, field: str = "VmRSS") -> float:
    """Megabytes of memory the server process holds; ``VmHWM``: has held at most."""
    lines = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1000 for line in lines if line.startswith(field))


def test_a_hundred_megabytes_are_refused_while_they_come(server: Server, client: httpx.Client) -> None:
    before = memory(server)
    announced = client.post("/read", content=bytes(100 * MB), headers=FORM)
    problem(announced, 413, "body_too_large")
    # No length is announced: the bytes are counted as they come.
    counted = client.post("/read", content=chunks(100 * MB), headers=FORM)
    assert "content-length" not in counted.request.headers
    problem(counted, 413, "body_too_large")
    assert memory(server) - before < 60
    assert client.get("/about").status_code == 200


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize(("path", "limit"), [("/score", 512_000), ("/read", 2_100_000)])
def test_a_body_may_have_as_many_bytes_as_the_limit_says(path: str, limit: int, announced: bool) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        with suppress(ClientDisconnect):
            await PlainTextResponse(str(len(await Request(scope, receive).body())))(scope, receive, send)

    client = TestClient(BodyLimit(app, Settings(max_upload_mb=1), {"/read": 2}))

    def sent(size: int) -> httpx.Response:
        body = bytes(size)
        return client.post(path, content=body if announced else iter([body[:9], body[9:]]))

    assert sent(limit).text == str(limit)
    assert sent(limit + 1).json()["code"] == "body_too_large"


def upload(server: Server, length: int, body: bytes = b"", more: str = "") -> socket.socket:
    """A connection on which an upload of so many bytes was begun."""
    host, port = urlsplit(server.url).hostname, urlsplit(server.url).port
    wire = socket.create_connection((host, port), timeout=300)
    head = f"POST /api/v1/read HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n{more}"
    wire.sendall(f"{head}Content-Type: {FORM['content-type']}\r\n\r\n".encode() + body)
    return wire


def test_a_client_that_asks_first_sends_nothing(server: Server) -> None:
    with upload(server, 100 * MB, more="Expect: 100-continue\r\n") as wire:
        assert wire.recv(65536).startswith(b"HTTP/1.1 413")


def test_slow_uploads_end(start: Start) -> None:
    with upload(start(upload_seconds=1, **OPEN), 5000, b"--x") as wire:
        reply = wire.recv(65536)
        assert reply.startswith(b"HTTP/1.1 408"), reply
        assert b"upload_slow" in reply or b"upload_slow" in wire.recv(65536)


def test_a_client_that_leaves_harms_nobody(server: Server, client: httpx.Client, photo: bytes) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n' + photo
    for cut in (0, 40, 5000):
        upload(server, len(photo) + 200, body[:cut]).close()

    def free() -> bool:
        text = httpx.get(f"{server.url}/metrics").text
        return "hupai_uploads 0.0" in text and "hupai_photos_waiting 0.0" in text

    assert until(free), "places are still taken"
    assert client.post("/read", files={"photo": ("a.jpg", photo)}).status_code == 200


def test_too_many_requests_from_one_address(start: Start, photo: bytes) -> None:
    server = start(rate_read="2/hour", rate_write="4/hour", rate_any="12/hour")
    with server.client() as client:
        bad = {"photo": ("x.jpg", b"")}
        assert [client.post("/read", files=bad).status_code for _ in range(2)] == [422, 422]
        told = client.post("/read", files=bad)
        problem(told, 429, "too_many_requests")
        assert 1 <= int(told.headers["retry-after"]) <= 3601
        assert [client.post("/score", json={}).status_code for _ in range(5)] == [422] * 4 + [429]
        assert [client.get("/rules").status_code for _ in range(5)] == [200] * 4 + [429]
        # Headers that claim another address change nothing.
        assert client.get("/rules", headers={"x-forwarded-for": "10.9.8.7"}).status_code == 429
        with server.client_at("127.0.0.2") as neighbour:
            assert neighbour.get("/rules").status_code == 200
            (main,) = set(re.findall(r'"(at/[^"]+/js/main\.js)"', neighbour.get(f"{server.url}/index.html").text))
        assert [httpx.get(f"{server.url}/{free}").status_code for free in ("healthz", main)] == [200, 200]
        assert httpx.get(f"{server.url}/at/nothing").status_code == 404


def test_when_all_places_are_taken_phones_are_told_to_come_back(start: Start, photo: bytes) -> None:
    server = start(workers=1, queue=1, **OPEN)

    def phone(number: int) -> httpx.Response:
        with server.client_at(f"127.0.0.{number}") as client:
            return client.post("/read", files={"photo": ("a.jpg", photo)})

    replies = at_once(*(partial(phone, 2 + i) for i in range(8)))
    read = [r for r in replies if r.status_code == 200]
    refused = [r for r in replies if r.status_code == 503]
    assert len(read) >= 2 and refused and len(read) + len(refused) == 8
    for r in refused:
        problem(r, 503, "busy")
        assert int(r.headers["retry-after"]) >= 1
    assert len({json.dumps(r.json()["tiles"]) for r in read}) == 1, "every phone gets the same answer to one photo"
    assert phone(2).status_code == 200


def test_one_address_cannot_keep_others_from_reading(start: Start, photo: bytes) -> None:
    server = start(queue=7)
    out = io.BytesIO()
    Image.new("RGB", (3500, 3500)).save(out, "WEBP", lossless=True)
    larger = io.BytesIO()
    Image.new("RGB", (3550, 3550)).save(larger, "WEBP", lossless=True)
    refused: list[httpx.Response] = []
    in_line = threading.Event()

    def bomb() -> None:
        with server.client_at("127.0.0.2") as client:
            reply = client.post("/read", files={"photo": ("a.webp", out.getvalue())})
        if reply.status_code == 429:
            refused.append(reply)
            in_line.set()

    bombs = [threading.Thread(target=bomb) for _ in range(12)]
    for each in bombs:
        each.start()
    assert in_line.wait(300)
    with server.client() as client:
        assert client.post("/read", files={"photo": ("a.jpg", photo)}).status_code == 200
        waiting = float(client.get(f"{server.url}/metrics").text.partition("\nhupai_photos_waiting ")[2].split()[0])
        assert waiting, "the photo was read before those that came first"
        problem(client.post("/read", files={"photo": ("a.webp", larger.getvalue())}), 413, "image_too_large")
    for each in bombs:
        each.join()
    assert refused
    for reply in refused:
        problem(reply, 429, "too_many_requests")
        assert int(reply.headers["retry-after"]) >= 1
    assert memory(server, "VmHWM") < 450, "whatever is let in"
