"""The page's scripts under lint and types, and the types under what the server answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts import page_checks
from tests.hupai.serving import Server, record

pytestmark = pytest.mark.slow

STATIC = page_checks.STATIC
needs_oxlint = pytest.mark.skipif(page_checks.find_tool("oxlint") is None, reason="oxlint is not installed")
needs_deno = pytest.mark.skipif(page_checks.find_tool("deno") is None, reason="deno is not installed")


@needs_oxlint
@needs_deno
def test_nothing_is_found() -> None:
    assert page_checks.main() == 0


WIN = {
    "outcome": "win",
    "wins": [
        {
            **{"concealed": "234m567p34s666z11s", "winning_tile": "5s"},
            "context": {"seat": "E", "win": "discard", "from": "S", "round": "E"},
        }
    ],
}


@needs_deno
def test_the_server_answers_as_the_types_say(server: Server, tmp_path: Path) -> None:
    """Answers written down as literals: a field too many or too few, or of another kind, does not pass."""
    with server.client() as client:
        game = client.post("/games", json={"players": ["A", "B", "C", "D"], "rules": "riichi"}).json()["id"]
        record(client, game, {"outcome": "draw", "ready": ["E"], "riichi": ["E"]})
        told = {**WIN, "seen": client.get(f"/games/{game}").json()}
        told["seen"] = {"revision": told["seen"]["revision"]}
        tried = client.post(f"/games/{game}/hands/try?last=0", json=told).json()
        won = record(client, game, WIN).json()
        request = {"rules": "riichi", **WIN["wins"][0]}  # type: ignore[index]
        found = {
            "Game": client.get(f"/games/{game}").json(),
            "Tried": tried,
            'Api.Routes["POST /games/{game_id}/hands"]': won,
            'Api.Routes["GET /games/{game_id}/changes"]': client.get(f"/games/{game}/changes?after=1").json(),
            "Api.RulesList": client.get("/rules").json(),
            "Api.About": client.get("/about").json(),
            "Api.ScoreBody": client.post("/score", json={**request, "why": True}).json(),
        }
    module = tmp_path / "answers.ts"
    lines = [f"export const a{i}: {name} = {json.dumps(body)};\n" for i, (name, body) in enumerate(found.items())]
    module.write_text("".join(lines), encoding="utf-8")
    assert page_checks.check_types(module) == 0
    module.write_text(lines[0].replace('"pot"', '"pott"', 1), encoding="utf-8")
    assert page_checks.check_types(module) == 1
