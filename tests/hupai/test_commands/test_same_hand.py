"""One picture, one hand: a photo and the page come to the same reading, under all rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from hupai.cli import build_app

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
PHOTOS = sorted(EXAMPLES.glob("*.jpg"))
TOLD = ("hand", "doubts", "repairs")


def run(*arguments: str) -> str:
    done = CliRunner().invoke(build_app(), arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def said(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: answer[key] for key in TOLD} | {"roles": [(t["role"], t["group"]) for t in answer["tiles"]]}


def read_photos(rules: str | None) -> dict[str, dict[str, Any]]:
    """What the command says of each photo."""
    named = ["--rules", rules] if rules else []
    lines = run("read", *map(str, PHOTOS), *named, "--json").splitlines()
    return {Path(answer["image"]).name: said(answer) for answer in map(json.loads, lines)}


@pytest.mark.slow
@pytest.mark.parametrize("rules", [None, "riichi", "taiwanese"], ids=str)
def test_photo_and_page_give_the_same_hand(rules: str | None, client: httpx.Client) -> None:
    read = read_photos(rules)
    for path in PHOTOS:
        page = client.post("/read", files={"photo": path.read_bytes()}, data={"rules": rules} if rules else {})
        assert said(page.json()) == read[path.name]
