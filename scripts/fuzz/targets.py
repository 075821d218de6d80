"""What is fuzzed: each target makes one input from a random generator and feeds it to a parser.

A feed that raises anything is a finding; one through :func:`fed` may refuse its input.
"""

from __future__ import annotations

import io
import json
import os
import random
import zipfile
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any

import httpx
import numpy as np
from fastapi.testclient import TestClient

from hupai.settings import Settings, load
from hupai.store.files.metadata import bare_photo, hides_a_document
from hupai.terminal.flags import parse_fed, parse_liable, parse_meld, parse_options
from hupai.terminal.jsonl import score_line
from hupai.web.app import create_app
from hupai.web.listen.start import build
from hupai.web.requests.forms import Upload, check_picture
from scoring.tiles import TILES as EVERY
from scoring.tiles import format_tiles, parse_tiles
from scripts.bench.host import OPEN
from scripts.fuzz.common import SCRATCH, Feed, fed
from scripts.fuzz.files import archive, labels, tables
from scripts.fuzz.mutate import json_bytes, mutated_bytes, mutated_json, mutated_picture, mutated_text
from scripts.fuzz.seeds import ANNOTATION, CONFIRMED, FLAGS, GAME, LINES, REQUESTS, SETTINGS, TILES, pictures
from vision.io.photo import Photo
from vision.learn.setfiles import from_bytes, to_bytes
from vision.learn.tileset import TileSet


def image(rng: random.Random) -> tuple[bytes, Feed]:
    """A picture to read, at a reduced size and at its own, and to donate: what is kept of it is read once more."""
    data = mutated_picture(rng, rng.choice(pictures()), pictures())

    def feed() -> None:
        fed(partial(check_picture, Upload("x", data)))
        photo = Photo(data)
        view, pixels = photo.view(24), photo.pixels
        assert pixels.shape == (photo.height, photo.width, 3) and pixels.dtype == np.uint8 and view.ndim == 3
        if photo.width * photo.height < 4_000_000:
            hides_a_document(data)
            Photo(bare_photo(data)[0])

    return data, partial(fed, feed)


def notation(rng: random.Random) -> tuple[bytes, Feed]:
    """A run of tiles, and the flags of the command line."""
    text = mutated_text(rng, rng.choice(TILES + FLAGS), TILES + FLAGS)

    def feed() -> None:
        for parse in (parse_meld, parse_liable):
            fed(partial(parse, text))
        for parse_all in (parse_options, parse_fed):
            fed(partial(parse_all, [text]))
        found = fed(partial(parse_tiles, text))
        assert found is None or parse_tiles(format_tiles(found)) == found

    return text.encode("utf-8", "surrogatepass"), feed


def request(rng: random.Random) -> tuple[bytes, Feed]:
    """A line of JSON for ``hupai score --jsonl``."""
    if rng.random() < 0.2:
        data = mutated_bytes(rng, rng.choice(LINES), LINES)
    else:
        data = json_bytes(rng, mutated_json(rng, rng.choice(REQUESTS), REQUESTS))

    def feed() -> None:
        answer = score_line(data, 1)
        json.dumps(answer)
        assert "error" not in answer or all(answer["error"][k] for k in ("code", "message", "faults")), answer
        for paid in (answer.get("payments"), *(answer.get("payments_if_from") or {}).values()):
            assert not sum(Decimal(str(amount)) for amount in (paid or {}).values()), paid

    return data, feed


def settings(rng: random.Random) -> tuple[bytes, Feed]:
    """A settings file, environment variables and flags."""
    raw = mutated_text(rng, rng.choice(SETTINGS), SETTINGS).encode("utf-8", "surrogatepass")
    name = rng.choice(
        ("port", "https", "allowed_hosts", "access_code", "rate_any", "database", "data_folder", "threads")
    )
    value = mutated_text(rng, rng.choice(("8000", "a,b", "60/minute", "sqlite:///x", "true")), ["1", "x"])

    def feed() -> None:
        path = SCRATCH / "hupai.toml"
        path.write_bytes(raw)
        variable = f"HUPAI_{name.upper()}"
        os.environ[variable] = "".join(c for c in value if c != "\0" and not "\ud800" <= c <= "\udfff")
        try:
            fed(lambda: load(path).database_url)
            fed(lambda: load(path, **{name: value}).database_url)
        finally:
            del os.environ[variable]

    return raw + b"\n# " + f"{name} = {value!r}".encode(), feed


def profile(rng: random.Random) -> tuple[bytes, Feed]:
    """The file of a learned tile set: broken as a whole, or one of the arrays packed in it."""
    data = mutated_bytes(rng, tile_set()) if rng.random() < 0.4 else _repacked(rng, tile_set())

    def feed() -> None:
        found = fed(partial(from_bytes, data, "set.npz"))
        if found is not None:
            assert found.prototypes.shape[0] == len(found.tiles) and found.prototypes.dtype == np.float32
            assert from_bytes(to_bytes(found), "again").tiles == found.tiles

    return data, feed


def _repacked(rng: random.Random, seed: bytes) -> bytes:
    """The archive with one member changed and checksums that fit: headers of arrays, shapes, numbers."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(seed)) as packed, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        names = packed.namelist()
        victim = rng.choice(names)
        for name in names:
            content = packed.read(name)
            if name == victim:
                digits = [i for i, c in enumerate(content[:128]) if chr(c).isdigit()]
                if digits and rng.random() < 0.3:
                    at = rng.choice(digits)
                    content = content[:at] + rng.choice((b"0", b"9" * 4, b"9" * 9, b"-1")) + content[at + 1 :]
                else:
                    content = mutated_bytes(rng, content)
            if name != victim or rng.random() > 0.05:
                made.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)  # without the time of day
    return out.getvalue()


@lru_cache(maxsize=1)
def tile_set() -> bytes:
    """The file of a set of twelve tiles."""
    prototypes = np.random.default_rng(0).normal(size=(12, 8)).astype(np.float32)
    prototypes /= np.linalg.norm(prototypes, axis=1, keepdims=True)
    return to_bytes(TileSet("t", "0" * 12, tuple(EVERY[:12]), prototypes, np.ones(12, np.int32)))


_POSTS = ("/score", "/score/all", "/games", "/presets", "/games/{game}/hands", "/games/{game}/undo", "/session")


def api(rng: random.Random) -> tuple[bytes, Feed]:
    """A request to the API: JSON bodies, forms with photos, addresses and headers."""
    path = rng.choice(_POSTS)
    preset: dict[str, Any] = {"name": "mine", "rules": "hk", "options": {}}
    seeds = [*rng.sample(REQUESTS, 5), GAME, *CONFIRMED, preset, {"hand": 1}]
    body = json_bytes(rng, mutated_json(rng, rng.choice(seeds), seeds))
    headers = {"Content-Type": "application/json"}
    if rng.random() < 0.1:
        path = mutated_text(rng, rng.choice(("/games/x/hands/1", "/rules/riichi", "/sets/x/file")), ["/presets/a"])
    elif rng.random() < 0.3:
        path = rng.choice(("/read", "/corrections", "/sets", "/sets/import"))
        headers["Content-Type"], body = "multipart/form-data; boundary=edge", _form(rng)
    if rng.random() < 0.05:
        headers["Content-Type"] = rng.choice(
            ("text/plain", "multipart/form-data", "application/json; charset=utf-7", "")
        )
    method = "POST" if rng.random() < 0.9 else rng.choice(("GET", "DELETE", "PUT"))

    def feed() -> None:
        client, game = _server()
        try:
            address = "/api/v1" + path.replace("{game}", game)
            reply = client.request(method, address, content=body, headers=headers)
        except (httpx.InvalidURL, UnicodeEncodeError):  # the client refuses to send it
            return
        assert reply.status_code not in (500, 501, 502, 504), f"{reply.status_code} {reply.text:.300}"
        if reply.status_code >= 400:
            said = reply.json()
            assert said["code"] and said["detail"] and said["faults"], said

    return f"{method} {path!r} {headers}\n".encode() + body, feed


def _form(rng: random.Random) -> bytes:
    """A form with some of the fields that routes take, parted by ``edge``."""
    notes = json_bytes(rng, mutated_json(rng, ANNOTATION, [ANNOTATION]))
    fields = {
        b'name="photo"; filename="a.jpg"': mutated_picture(rng, rng.choice(pictures()), pictures()),
        b'name="annotation"': notes,
        b'name="consent"': rng.choice((b"true", b"false", b"yes")),
        b'name="rules"': mutated_text(rng, "riichi", ["hk"]).encode("utf-8", "replace"),
        b'name="set"': mutated_text(rng, "mine", ["../x"]).encode("utf-8", "replace"),
        b'name="labels"': b"[" + notes + b"]",
        b'name="name"': mutated_text(rng, "mine", ["../x"]).encode("utf-8", "replace"),
        b'name="profile"; filename="p.npz"': rng.randbytes(40),
    }
    body = b"".join(
        b"--edge\r\nContent-Disposition: form-data; " + head + b"\r\n\r\n" + value + b"\r\n"
        for head, value in fields.items()
        if rng.random() < 0.5
    )
    body += b"--edge--\r\n"
    return mutated_bytes(rng, body) if rng.random() < 0.2 else body


@lru_cache(maxsize=1)
def _server() -> tuple[TestClient, str]:
    """A server in this process with a ledger of its own, and a game in it."""
    given = {**OPEN, "data_folder": SCRATCH / "server", "samples_mb": 50, "host": "127.0.0.1", "threads": 1}
    made = Settings.model_validate(given)
    client = TestClient(create_app(made, build(made)), base_url="http://127.0.0.1:8000")
    client.__enter__()
    return client, str(client.post("/api/v1/games", json=GAME).json()["id"])


TARGETS: dict[str, tuple[Callable[[random.Random], tuple[bytes, Feed]], int]] = {
    **{"image": (image, 43), "notation": (notation, 12), "request": (request, 18)},
    **{"settings": (settings, 3), "profile": (profile, 7), "labels": (labels, 6), "archive": (archive, 3)},
    **{"tables": (tables, 3), "api": (api, 5)},
}
"""Each target with its share of the inputs, percent."""
