"""Answers that need no server: the same as over HTTP."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx

from hupai.games.json_store import JsonStore
from hupai.web.answers.respond import respond
from tests.hupai.kept import Kept
from tests.hupai.page_requests import page_requests
from tests.hupai.serving import OPEN, running
from tests.hupai.store_builders import NAMES


def test_the_page_is_answered_as_over_http(client: httpx.Client) -> None:
    statuses = []
    for asked in page_requests(160):
        headers = {**asked.headers, **({"content-type": "application/json"} if asked.body else {})}
        reply = client.request(asked.method, asked.path, content=asked.body.encode(), headers=headers)
        status, text = respond(asked.method, asked.path, asked.headers, asked.body, JsonStore({}))
        assert status == reply.status_code, asked
        if asked.path != "/about":  # which says whether there is a code, and what may be uploaded
            assert text.encode() == reply.content, asked
        statuses.append(status)
    assert {200, 400, 404, 422} == set(statuses) and statuses.count(200) > 80


def test_house_rules_are_handed_on_as_over_http(client: httpx.Client) -> None:
    for query in ("?options=%7B%22kiriage%22%3Atrue%7D&name=Caf%C3%A9", "?preset=ema", ""):
        asked = f"/rules/riichi/link{query}"
        status, text = respond("GET", asked, {"referer": "https://page.example/#game"}, "", JsonStore({}))
        here, there = json.loads(text), client.get(asked).json()
        page, _, house = here["url"].partition("#")
        assert (status, page, house) == (200, "https://page.example/", there["url"].partition("#")[2])
        assert all(here[name] == there[name] for name in ("rules", "preset", "options", "name"))


ANN = {"by": "Ann", "reason": "misheard"}
PINFU = {"concealed": "123m456m789p23s55p", "winning_tile": "4s", "context": {"seat": "S", "win": "self_draw"}}
WON = {"outcome": "win", "wins": [PINFU], "riichi": ["S"]}
DRAWN = {"outcome": "draw", "ready": ["E"]}
PAID = {"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": "0.5", "why": "a bet"}]}
GAME = {"players": NAMES, "rules": "riichi", "starting_points": 25000}
FALSE = {"outcome": "false_win", "offender": "W"}
HOME = {"name": "Home", "rules": "hk", "options": {}}
HERE = "/games/{id}"
KEPT: list[tuple[str, str, Any]] = [
    ("GET", "/games", None),
    ("POST", "/games#k1", GAME),
    ("POST", "/games#k1", GAME),
    ("POST", "/games#k1", {**GAME, "name": "Friday"}),
    *(("POST", "/games", body) for body in ([1], None, {}, {**GAME, "rules": "chess"}, {**GAME, "players": ["a"]})),
    *(("POST", "/games", {**GAME, **bad}) for bad in ({"x": 1}, {"start": {"dealer": "1"}}, {"starting_points": 0.5})),
    *(("POST", "/games", {**GAME, **bad}) for bad in ({"name": "x" * 201}, {"name": None}, {"rotation": "sideways"})),
    ("POST", f"{HERE}/hands/try", {**WON, "seen": 0}),
    ("POST", f"{HERE}/hands#h1", {**WON, "seen": 0, "by": "Bo", "models": {"detector": "d"}}),
    ("POST", f"{HERE}/hands#h1", {**WON, "seen": 0, "by": "Bo", "models": {"detector": "d"}}),
    ("POST", f"{HERE}/hands#h1", {**DRAWN, "seen": 1}),
    ("POST", f"{HERE}/hands", {**DRAWN, "seen": 0}),
    ("POST", f"{HERE}/hands", DRAWN),
    ("POST", f"{HERE}/hands?last=1", {**DRAWN, "seen": 1}),
    ("POST", f"{HERE}/hands?last=-1", {**DRAWN, "seen": 2}),
    ("POST", f"{HERE}/hands", {**PAID, "seen": 2}),
    ("POST", f"{HERE}/hands", {**PAID, "transfers": [{"from": "E", "to": "Q", "amount": "1e3"}], "seen": 3}),
    ("POST", f"{HERE}/hands", {**FALSE, "seen": 3, "expected_payments": {"E": 1}}),
    ("POST", f"{HERE}/hands", {**FALSE, "seen": 3}),
    ("POST", f"{HERE}/undo", {"by": "Bo", "hand": 4, "seen": 4}),
    ("POST", f"{HERE}/undo", None),
    ("GET", f"{HERE}/hands/1", None),
    ("GET", f"{HERE}/hands/0", None),
    ("GET", f"{HERE}/hands/9", None),
    ("POST", f"{HERE}/hands/1/try", {**DRAWN, "seen": 5}),
    ("PUT", f"{HERE}/hands/1", {**DRAWN, "seen": 5}),
    ("PUT", f"{HERE}/hands/1?last=2", {**DRAWN, **ANN, "seen": 5}),
    ("POST", f"{HERE}/hands/2/withdraw", {**ANN, "seen": 6}),
    ("POST", f"{HERE}/hands/2/restore", {**ANN, "seen": 7}),
    ("POST", f"{HERE}/hands/2/restore", {**ANN, "seen": 8}),
    ("POST", f"{HERE}/end", {**ANN, "seen": 8, "course": {"ties": "seat"}}),
    ("POST", f"{HERE}/hands", {**DRAWN, "seen": 9}),
    ("GET", "/figures", None),
    ("GET", "/figures/export.csv", None),
    ("POST", f"{HERE}/reopen", {**ANN, "seen": 9}),
    ("GET", f"{HERE}/changes?after=3", None),
    ("GET", f"{HERE}/changes/6", None),
    ("GET", f"{HERE}/changes/60", None),
    ("GET", f"{HERE}/export.csv", None),
    ("GET", f"{HERE}/export.json", None),
    ("GET", f"{HERE}?last=1", None),
    ("POST", "/games", {**GAME, "rules": "hongkong", "name": "Second"}),
    ("GET", "/games?limit=1", None),
    ("GET", "/games?limit=0", None),
    ("DELETE", HERE, None),
    ("DELETE", f"{HERE}?revision=3", None),
    ("DELETE", f"{HERE}?revision=10", None),
    ("GET", HERE, None),
    ("GET", "/games/nobody", None),
    ("POST", "/games/import", {"history": []}),
    *(
        ("POST", "/presets", body)
        for body in (HOME, {**HOME, "name": "HOME"}, {**HOME, "rules": "chess"}, {"name": "x"})
    ),
    ("POST", "/presets", {**HOME, "name": "at / home", "options": {"kiriage": 1}}),
    ("GET", "/presets", None),
    ("DELETE", "/presets/hOME", None),
    ("DELETE", "/presets/home", None),
]
"""Method, path with the idempotency key behind a #, body; ``seen`` is a revision."""


def masked(text: str, game: str) -> str:
    """An answer without ids and times."""
    text = re.sub(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "TIME", text.replace(game or "no game", "ID"))
    return re.sub(r'"id":"[0-9a-z]{12}"', "ID", text)


def test_what_the_page_keeps_is_answered_as_over_http(tmp_path: Path) -> None:
    kept, statuses = Kept(), set()
    with running(tmp_path, **OPEN) as server, server.client() as client:
        ids = ["", ""]
        for method, path, said in KEPT:
            body = {**said, "seen": {"revision": said["seen"]}} if isinstance(said, dict) and "seen" in said else said
            there, _, key = path.partition("#")
            headers = {"accept-language": "ja", **({"idempotency-key": key} if key else {})}
            text = "" if body is None else json.dumps(body)
            typed = {**headers, "content-type": "application/json"} if text else headers
            sent: Any = {"content": text, "headers": typed}
            if path == "/games/import":
                sent = {"files": {"game": ("game.json", text)}, "headers": headers}
            reply = client.request(method, there.replace("{id}", ids[0]), **sent)
            status, answer = kept.do(
                lambda texts: respond(method, there.replace("{id}", ids[1]), headers, text, texts)  # noqa: B023
            )
            there = (reply.status_code, masked(reply.content.decode(), ids[0]))
            assert (status, masked(answer, ids[1])) == there, (method, path, said)
            statuses.add(status)
            if not ids[0] and status == 201:
                ids = [reply.json()["id"], json.loads(answer)["id"]]
    assert statuses == {200, 201, 204, 404, 409, 422}
