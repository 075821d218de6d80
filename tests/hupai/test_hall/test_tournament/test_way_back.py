"""The laptop dies in the middle of a round: another one takes over, and codes and phones go on."""

from __future__ import annotations

import os
import re
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.hupai.serving import ROOT, Server, launch, problem

pytestmark = pytest.mark.slow

CODES = {"director_code": "chief", "access_code": "open-sesame"}
PAID = {"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": 8}]}


def written_steps() -> list[str]:
    """The commands of docs/tournament.md, the last of which serves."""
    text = (ROOT / "docs" / "tournament.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"### Another laptop.+?```sh\n(.+?)```", text, re.DOTALL)
    return [line.split("  #")[0].strip() for line in block.splitlines()]


def run(step: str, **folders: Path) -> None:
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": tools, "PYTHONPATH": str(ROOT), **{name: str(path) for name, path in folders.items()}}
    done = subprocess.run(["bash", "-ec", step], env=env, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr


def phone(server: Server, trusting: Path, **more: Any) -> httpx.Client:
    """A browser that trusts a laptop's authority."""
    return server.client(
        verify=ssl.create_default_context(cafile=str(trusting / "certificates" / "authority.pem")), **more
    )


def pay(client: httpx.Client, game: str, revision: int, key: str) -> httpx.Response:
    return client.post(
        f"/games/{game}/hands", json={**PAID, "seen": {"revision": revision}}, headers={"Idempotency-Key": key}
    )


@pytest.mark.both_databases
def test_another_laptop_goes_on_in_the_middle_of_a_round(tmp_path: Path, database: str) -> None:
    a, b, stick = (tmp_path / name for name in ("a", "b", "stick"))
    for folder in (a, b, stick):
        folder.mkdir()
    shared = database.startswith("postgresql")
    where = {"database": database} if shared else {}
    certificates, backup, unpack, serve = written_steps()
    first = launch(a, https=True, **CODES, **where)
    with phone(first, a, headers={"X-Hupai-Code": "open-sesame", "X-Hupai-Director": "chief"}) as chief:
        run(certificates, A=a, B=b)
        made = chief.post(
            "/tournaments", json={"name": "Cup", "rules": "hongkong", "players": [{"name": n} for n in "PQRS"]}
        )
        cup = f"/tournaments/{made.json()['id']}"
        game = chief.post(f"{cup}/rounds", json={"minutes": 75}).json()["rounds"][0]["tables"][0]["game_id"]
        body = {"name": "Table 1", "role": "table", "table": "1", "tournament": made.json()["id"]}
        token = chief.post("/tokens", json=body).json()["token"]
        table = phone(first, a)
        assert table.post("/session", json={"code": token}).status_code in (200, 204)
        assert pay(table, game, 0, "hand one").status_code == 201
        if not shared:
            run(backup, A=a, STICK=stick)
        assert pay(table, game, 1, "hand two").status_code == 201
        before = table.get(cup).json()
    first.kill()

    if not shared:
        run(unpack, STICK=stick, B=b)
    assert serve.startswith("hupai serve --data-folder")
    port = int(first.url.rsplit(":", 1)[1])
    second = launch(b, https=True, port=port, **CODES, **where)
    try:
        assert second.url == first.url
        # The phone's browser goes on with its cookie, and trusts the laptop that it has never seen.
        kept = 2 if shared else 1
        assert table.get(f"/games/{game}").json()["revision"] == kept
        if not shared:  # what came after the backup is told and entered again
            problem(pay(table, game, 2, "hand three"), 409, "game_moved_on")
        for _ in range(2):  # a phone repeats what nobody has confirmed to it
            assert pay(table, game, 1, "hand two").status_code in (200, 201)
        after = table.get(cup).json()
        assert [s["score"] for s in after["standings"]] == [s["score"] for s in before["standings"]]
        assert after["rounds"][0]["timer"]["ends_at"] == before["rounds"][0]["timer"]["ends_at"]
        assert table.get(f"/games/{game}").json()["revision"] == 2
        assert table.get("/session").json()["role"] == "table"
        with phone(second, a, headers={"X-Hupai-Code": token}) as another:
            assert pay(another, game, 2, "hand three").status_code == 201
        with phone(second, a, headers={"X-Hupai-Code": "open-sesame", "X-Hupai-Director": "chief"}) as chief:
            assert chief.post(f"{cup}/rounds/1/timer", json={"act": "pause"}).status_code == 200
    finally:
        table.close()
        second.stop()
