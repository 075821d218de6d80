"""Nothing goes out, codes are kept nowhere, what is deleted is gone."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.hupai.serving import OPEN, ROOT, Server, record, running
from tests.trust.process import run_hupai

pytestmark = pytest.mark.slow

CODE = "correct-horse-battery"
PLAYERS = ["Zebedee Quux", "Bo", "Chi", "Dee"]


def holding(folder: Path, text: str) -> list[str]:
    """Files below a folder in which this text stands."""
    return [str(p) for p in folder.rglob("*") if p.is_file() and text.encode() in p.read_bytes()]


def end(server: Server) -> None:
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(120)


def test_a_deleted_game_leaves_no_name_behind(tmp_path: Path) -> None:
    with running(tmp_path, **OPEN) as server, server.client() as client:
        game = client.post("/games", json={"players": PLAYERS, "rules": "hk"}).json()["id"]
        record(client, game, {"outcome": "draw"}).raise_for_status()
        assert holding(tmp_path, PLAYERS[0]), "else this test looks in the wrong place"
        assert client.delete(f"/games/{game}", params={"revision": 1}).status_code == 204
        end(server)
    assert holding(tmp_path, PLAYERS[0]) == []


def test_the_code_is_written_nowhere_and_the_log_tells_nobody(tmp_path: Path, photo: bytes) -> None:
    with running(tmp_path, access_code=CODE, **OPEN) as server, server.client() as client:
        with httpx.Client(base_url=server.api) as stranger:
            assert stranger.get("/games").status_code == 401
            assert stranger.post("/session", json={"code": "wrong-" + CODE}).status_code == 401
        client.post("/session", json={"code": CODE}).raise_for_status()
        client.headers["x-hupai-code"] = CODE
        assert client.post("/games", json={"players": PLAYERS, "rules": "hk"}).status_code == 201
        assert client.post("/read", files={"photo": ("holiday.jpg", photo)}).status_code == 200
        end(server)
    first, *log = server.said
    assert f"#code={CODE}" in first, "the address that is shown at the start carries it"
    told = "\n".join(log)
    for secret in (CODE, PLAYERS[0], "holiday.jpg", "127.0.0.1"):
        assert secret not in told
    assert holding(tmp_path, CODE) == []


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare, to take the network away")
def test_reading_and_scoring_need_no_network(tmp_path: Path) -> None:
    alone = ["unshare", *(() if os.geteuid() == 0 else ("--map-root-user",)), "--net"]
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("the network cannot be taken away here")
    photo = str(ROOT / "examples" / "hand-self-draw.jpg")
    for arguments in (["score", photo, "--seat", "S", "--win", "self_draw"], ["check"], ["sets", "list"]):
        done = run_hupai(*arguments, before=alone, home=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
