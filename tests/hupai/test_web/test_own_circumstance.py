"""A rule system with a circumstance and a house rule of its own: one file, and every door of the house knows both."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from hupai.settings import Settings
from hupai.web.app import create_app
from hupai.web.listen.start import build
from scoring.rules import system_named
from scripts.docs import request, rules
from tests.hupai.serving import ROOT
from tests.scoring.kitchen import placed

AT_A_PROMPT = """
import sys
import scoring.rules
scoring.rules.__path__.append(sys.argv.pop(1))
from hupai.cli import main
main()
"""
PAGE_OF_COMMANDS = """
import sys
import scoring.rules
scoring.rules.__path__.append(sys.argv[1])
from scripts.docs.commands import page
print(page())
"""
TYPED = ("score", "--rules", "home", "--hand", "777z345s88p99m", "--meld", "kong_open:5555z", "--winning", "8p")
WON = ("--seat", "S", "--win", "self_draw")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with placed(tmp_path):
        yield tmp_path


def run(program: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_the_command_has_its_flag_and_its_house_rule(folder: Path) -> None:
    told = run(AT_A_PROMPT, folder, *TYPED, *WON, "--cooked", "--option", "stake=2", "--json")
    answer = json.loads(told.stdout)
    assert [line["id"] for line in answer["elements"]] == ["dragon", "cook"]
    assert answer["payments"]["S"] == 2 * 3 * 3
    shown = run(AT_A_PROMPT, folder, *TYPED, *WON, "--cooked")
    assert "South drew the tile, cooked" in shown.stdout
    refused = run(AT_A_PROMPT, folder, "score", *TYPED[3:], *WON, "--cooked")
    assert "Hong Kong never reads --cooked: Kitchen table reads it." in " ".join(refused.stderr.split())


def test_the_page_of_the_commands_lists_the_flag(folder: Path) -> None:
    page = run(PAGE_OF_COMMANDS, folder).stdout
    _, _, panel = page.partition("**Kitchen table**")
    assert panel.lstrip().splitlines()[2] == "| `--cooked` | The winner cooked dinner. |"


@pytest.fixture
def told(folder: Path) -> Iterator[dict[str, Any]]:
    """What the API, and so the page, is told of the rules."""
    settings = Settings.model_validate({"data_folder": folder / "data"})
    services = build(settings)
    with TestClient(create_app(settings, services), base_url="http://127.0.0.1") as client:
        yield client.get("/api/v1/rules/home").json()
    services.engine.dispose()


def test_the_page_is_told_what_to_ask(told: dict[str, Any]) -> None:
    [ask] = told["asks"]
    assert ask == {
        **{"name": "cooked", "kind": "switch", "default": False, "values": [], "doc": "the winner cooked dinner"},
        **{"low": 0, "place": "", "when": []},
    }
    assert [option["name"] for option in told["options"]] == ["stake", "least"]
    scripts = ROOT / "hupai" / "web" / "static" / "js"
    controls = (scripts / "felt" / "asking.js").read_text(encoding="utf-8")
    assert 'case "switch":' in controls
    assert "askHint(currentRules(), ask)" in controls
    words = (scripts / "rules" / "systems.js").read_text(encoding="utf-8")
    assert 'phrased(rules, ask, ".hint", ask.doc)' in words, "a question that no language knows speaks for itself"


def test_the_documents_tell_both(folder: Path) -> None:
    page = rules.page(system_named("kitchen"))
    assert "| `cooked` | off | the winner cooked dinner |" in page
    assert "| `stake` | 1 |" in page
    text = (ROOT / "docs" / "request.md").read_text(encoding="utf-8")
    assert "| `cooked` | false | kitchen | the winner cooked dinner |" in request.page(text)
