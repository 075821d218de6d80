"""A rule system with a circumstance and a house rule of its own: one file, and command line and API know both."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from hupai.settings import Settings
from hupai.web.app import create_app
from hupai.web.services import build_services
from hupai.wing import web_wings
from tests.hupai.serving import ROOT
from tests.scoring.kitchen import placed

AT_A_PROMPT = """
import sys
import scoring.rules
scoring.rules.__path__.append(sys.argv.pop(1))
from hupai.cli import main
main()
"""
TYPED = ("score", "--rules", "home", "--hand", "777z345s88p99m", "--meld", "kong_open:5555z", "--winning", "8p")
COOKED = "the winner cooked dinner"
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


def test_the_page_is_told_what_to_ask(folder: Path) -> None:
    settings = Settings.model_validate({"data_folder": folder / "data"})
    services = build_services(settings, web_wings(settings))
    with TestClient(create_app(settings, services), base_url="http://127.0.0.1") as client:
        told = client.get("/api/v1/rules/home").json()
    services.engine.dispose()
    [ask] = told["asks"]
    assert (ask["name"], ask["kind"], ask["default"], ask["doc"]) == ("cooked", "switch", False, COOKED)
    assert [option["name"] for option in told["options"]] == ["stake", "least"]
