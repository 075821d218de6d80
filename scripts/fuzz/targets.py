"""What is fuzzed: each target makes one input from a random generator and feeds it to a parser.

A target returns when the parser answered or refused with an error of ours, and raises when anything else happened.
"""

from __future__ import annotations

import io
import json
import os
import random
import zipfile
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any

from scoring.errors import HupaiError
from scripts.fuzz.common import Feed, Wrong, check_error, scratch
from scripts.fuzz.files import archive, labels, tables
from scripts.fuzz.mutate import json_bytes, mutated_bytes, mutated_json, mutated_picture, mutated_text
from scripts.fuzz.seeds import (
    ANNOTATION,
    CONFIRMED,
    FLAGS,
    GAME,
    REQUESTS,
    SETTINGS,
    TILES,
    pictures,
    request_lines,
)


def image(rng: random.Random) -> tuple[bytes, Feed]:
    """A picture for :class:`vision.io.photo.Photo`, at a reduced size and at its own."""
    seeds = list(pictures())
    data = mutated_picture(rng, rng.choice(seeds), seeds)

    def feed() -> None:
        from vision.io.photo import Photo

        try:
            photo = Photo(data)
            view, pixels = photo.view(24), photo.pixels
        except HupaiError as error:
            check_error(error)
            return
        if pixels.shape != (photo.height, photo.width, 3) or pixels.dtype.name != "uint8" or view.ndim != 3:
            raise Wrong(f"a picture of shape {pixels.shape} and type {pixels.dtype}")

    return data, feed


def sample(rng: random.Random) -> tuple[bytes, Feed]:
    """A photo donated for training: what is kept of it must hold none of its metadata."""
    seeds = list(pictures())
    data = mutated_picture(rng, rng.choice(seeds), seeds)

    def feed() -> None:
        from hupai.store.files.metadata import bare_photo, hides_a_document
        from hupai.web.requests.forms import Upload, check_picture
        from vision.io.photo import Photo

        try:
            check_picture(Upload("x", data))
            photo = Photo(data)
            if photo.width * photo.height < 4_000_000:
                hides_a_document(data)
                Photo(bare_photo(data)[0])
        except HupaiError as error:
            check_error(error)

    return data, feed


def notation(rng: random.Random) -> tuple[bytes, Feed]:
    """A run of tiles, and the flags of the command line."""
    text = mutated_text(rng, rng.choice(TILES + FLAGS), list(TILES + FLAGS))

    def feed() -> None:
        from hupai.terminal.flags import parse_fed, parse_liable, parse_meld, parse_options
        from scoring.tiles import format_tiles, parse_tiles

        for parse in (parse_meld, lambda t: parse_options([t]), parse_liable, lambda t: parse_fed([t]), parse_tiles):
            try:
                found = parse(text)
            except HupaiError as error:
                check_error(error)
        try:
            found = parse_tiles(text)
        except HupaiError:
            return
        if parse_tiles(format_tiles(found)) != found:
            raise Wrong("tiles that do not survive printing")

    return text.encode("utf-8", "surrogatepass"), feed


def request(rng: random.Random) -> tuple[bytes, Feed]:
    """A line of JSON for ``hupai score --jsonl``."""
    if rng.random() < 0.2:
        data = mutated_bytes(rng, rng.choice(request_lines()), list(request_lines()))
    else:
        data = json_bytes(rng, mutated_json(rng, rng.choice(REQUESTS), list(REQUESTS)))

    def feed() -> None:
        from hupai.terminal.jsonl import score_line

        answer = score_line(data, 1)
        json.dumps(answer)
        if "error" in answer and not all(answer["error"][k] for k in ("code", "message", "faults")):
            raise Wrong(f"an error that says nothing: {answer}")
        for paid in (answer.get("payments"), *(answer.get("payments_if_from") or {}).values()):
            if sum(Decimal(str(amount)) for amount in (paid or {}).values()):
                raise Wrong(f"payments that do not cancel out: {paid}")

    return data, feed


def settings(rng: random.Random) -> tuple[bytes, Feed]:
    """A settings file, environment variables and flags."""
    text = mutated_text(rng, rng.choice(SETTINGS), list(SETTINGS))
    name = rng.choice(
        ("port", "https", "allowed_hosts", "access_code", "rate_any", "database", "data_folder", "threads")
    )
    value = mutated_text(rng, rng.choice(("8000", "a,b", "60/minute", "sqlite:///x", "true")), ["1", "x"])
    raw = text.encode("utf-8", "surrogatepass")

    def feed() -> None:
        from hupai.settings import load

        path = scratch() / "hupai.toml"
        path.write_bytes(raw)
        variable = f"HUPAI_{name.upper()}"
        plain = "".join(c for c in value if c != "\0" and not "\ud800" <= c <= "\udfff")
        for given in ({}, {name: value}):
            os.environ[variable] = plain
            try:
                load(path, **given).database_url  # noqa: B018 - a property that builds something
            except HupaiError as error:
                check_error(error)
            finally:
                del os.environ[variable]

    return raw + b"\n# " + f"{name} = {value!r}".encode(), feed


def profile(rng: random.Random) -> tuple[bytes, Feed]:
    """The file of a learned tile set: broken as a whole, or one of the arrays packed in it."""
    seed = _profile()
    data = mutated_bytes(rng, seed, [seed]) if rng.random() < 0.4 else _repacked(rng, seed)

    def feed() -> None:
        from vision.learn.setfiles import from_bytes, to_bytes

        try:
            found = from_bytes(data, "set.npz")
        except HupaiError as error:
            check_error(error)
            return
        if found.prototypes.shape[0] != len(found.tiles) or found.prototypes.dtype.name != "float32":
            raise Wrong(f"prototypes of shape {found.prototypes.shape}, {found.prototypes.dtype}")
        if from_bytes(to_bytes(found), "again").tiles != found.tiles:
            raise Wrong("a set that does not survive saving")

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
                    content = mutated_bytes(rng, content, [content])
            if name != victim or rng.random() > 0.05:
                made.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)  # without the time of day
    return out.getvalue()


@lru_cache(maxsize=1)
def _profile() -> bytes:
    import numpy as np

    from scoring.tiles import TILES as EVERY
    from vision.learn.setfiles import to_bytes
    from vision.learn.tileset import TileSet

    prototypes = np.random.default_rng(0).normal(size=(12, 8)).astype(np.float32)
    prototypes /= np.linalg.norm(prototypes, axis=1, keepdims=True)
    return to_bytes(TileSet("t", "0" * 12, tuple(EVERY[:12]), prototypes, np.ones(12, np.int32)))


_POSTS = ("/score", "/score/all", "/games", "/presets", "/games/{game}/hands", "/games/{game}/undo", "/session")


def api(rng: random.Random) -> tuple[bytes, Feed]:
    """A request to the API: JSON bodies, forms with photos, addresses and headers."""
    path = rng.choice(_POSTS)
    seeds: list[Any] = [*REQUESTS, GAME, *CONFIRMED, {"name": "mine", "rules": "hk", "options": {}}, {"hand": 1}]
    body = json_bytes(rng, mutated_json(rng, rng.choice(seeds), seeds))
    headers = {"Content-Type": "application/json"}
    if rng.random() < 0.1:
        path = mutated_text(rng, rng.choice(("/games/x/hands/1", "/rules/riichi", "/sets/x/file")), ["/presets/a"])
    elif rng.random() < 0.3:
        path = rng.choice(("/read", "/corrections", "/sets", "/sets/import"))
        headers["Content-Type"], body = _form(rng)
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
        except Exception as error:
            if type(error).__name__ in ("InvalidURL", "UnicodeEncodeError"):  # the client refuses to send it
                return
            raise
        if reply.status_code in (500, 501, 502, 504):
            raise Wrong(f"{method} {path}: {reply.status_code} {reply.text:.300}")
        if reply.status_code >= 400 and method != "HEAD":
            said = reply.json()
            if not (said["code"] and said["detail"] and said["faults"]):
                raise Wrong(f"a problem that says nothing: {said}")

    return f"{method} {path!r} {headers}\n".encode() + body, feed


def _form(rng: random.Random) -> tuple[str, bytes]:
    seeds = list(pictures())
    labels = json_bytes(rng, mutated_json(rng, ANNOTATION, [ANNOTATION]))
    parts = [
        (b'name="photo"; filename="a.jpg"', mutated_picture(rng, rng.choice(seeds), seeds)),
        (b'name="annotation"', labels),
        (b'name="consent"', rng.choice((b"true", b"false", b"yes"))),
        (b'name="rules"', mutated_text(rng, "riichi", ["hk"]).encode("utf-8", "replace")),
        (b'name="set"', mutated_text(rng, "mine", ["../x"]).encode("utf-8", "replace")),
        (b'name="labels"', b"[" + labels + b"]"),
        (b'name="name"', mutated_text(rng, "mine", ["../x"]).encode("utf-8", "replace")),
        (b'name="profile"; filename="p.npz"', rng.randbytes(40)),
    ]
    chosen = [p for p in parts if rng.random() < 0.5]
    edge = b"--edge"
    body = b"".join(edge + b"\r\nContent-Disposition: form-data; " + h + b"\r\n\r\n" + d + b"\r\n" for h, d in chosen)
    body += edge + b"--\r\n"
    if rng.random() < 0.2:
        body = mutated_bytes(rng, body, [body])
    return "multipart/form-data; boundary=edge", body


@lru_cache(maxsize=1)
def _server() -> tuple[Any, str]:
    """A server in this process with a ledger of its own, and a game in it."""
    from fastapi.testclient import TestClient

    from hupai.settings import Settings
    from hupai.web.app import create_app
    from hupai.web.listen.start import build

    off: dict[str, Any] = {"rate_read": "off", "rate_write": "off", "rate_any": "off", "threads": 1}
    made = Settings(data_folder=scratch() / "server", samples_mb=50, host="127.0.0.1", **off)
    client = TestClient(create_app(made, build(made)), base_url="http://127.0.0.1:8000")
    client.__enter__()
    return client, str(client.post("/api/v1/games", json=GAME).json()["id"])


TARGETS: dict[str, tuple[Callable[[random.Random], tuple[bytes, Feed]], int]] = {
    "image": (image, 35),
    "sample": (sample, 8),
    "notation": (notation, 12),
    "request": (request, 18),
    "settings": (settings, 3),
    "profile": (profile, 7),
    "labels": (labels, 6),
    "archive": (archive, 3),
    "tables": (tables, 3),
    "api": (api, 5),
}
"""Each target with its share of the inputs, percent."""
