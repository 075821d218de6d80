"""The example in docs/contributing/rule-system.md: taken from the page, registered, and scored with."""

import subprocess
import sys
from pathlib import Path

import pytest

from scoring.request import respond
from scoring.rules import systems
from tests.repository import ROOT
from tests.scoring.kitchen import BLOCKS, placed
from vision.layout.shapes import shapes_of


@pytest.fixture
def kitchen(tmp_path):
    """The example as ``scoring/rules/kitchen.py``: one new file, and nothing else told of it."""
    with placed(tmp_path) as system:
        yield system


DRAGONS = {
    "rules": "kitchen",
    "concealed": "777z345s88p99m",
    "melds": [{"type": "kong_open", "tiles": "5555z"}],
    "winning_tile": "8p",
    "context": {"seat": "S", "win": "self_draw"},
}
NOTHING = {**DRAGONS, "concealed": "123m456m345p78s22p", "melds": [], "winning_tile": "9s"}


def test_there_is_one_example():
    assert len(BLOCKS) == 1


def test_it_is_listed_after_the_others(kitchen):
    assert list(systems()) == ["hongkong", "zungjung", "hangzhou", "singapore", "riichi", "mcr", "taiwanese", "kitchen"]
    assert [option.name for option in kitchen.options] == ["stake", "least"]


def test_the_reader_knows_its_tiles(kitchen):
    known = shapes_of("home")
    assert (known.bonus, known.reds, known.seven_pairs, known.orphans) == ("", False, False, True)


def test_it_scores(kitchen):
    drawn = respond(DRAGONS)
    assert drawn["legal"]
    assert [(line["id"], line["value"], line["why"]) for line in drawn["elements"]] == [
        ("dragon", 2, "a triplet or kong of dragons: 5z 7z"),
    ]
    assert drawn["total"] == {"unit": "points", "value": 2, "uncapped": 2, "limit": None}
    assert drawn["payments"] == {"E": -2, "S": 6, "W": -2, "N": -2, "pot": 0}
    given = respond({**DRAGONS, "options": {"stake": "0.5"}, "context": {"seat": "S", "win": "discard", "from": "W"}})
    assert given["payments"] == {"E": 0, "S": 3, "W": -3, "N": 0, "pot": 0}
    assert "W pays S 1: for E, who gave the tile; 2 points." in given["explanation"]


def test_a_circumstance_of_its_own_is_read_and_counts(kitchen):
    told = {**DRAGONS, "context": {**DRAGONS["context"], "cooked": True}}
    assert [line["id"] for line in respond(told)["elements"]] == ["dragon", "cook"]
    wrong = respond({**told, "context": {**told["context"], "cooked": "well"}})["error"]
    assert (wrong["code"], wrong["field"]) == ("bad_value", "context.cooked")
    assert respond({**told, "rules": "hongkong"})["legal"], "the others ignore it, as they ignore each other's"


def test_it_refuses(kitchen):
    refused = respond(NOTHING)
    assert (refused["legal"], refused["reason"]["code"]) == (False, "below_minimum")
    assert set(refused["payments"].values()) == {0}
    wrong = respond({**NOTHING, "options": {"stake": 0, "lest": 1}, "context": {"seat": "S"}})
    message = " ".join(wrong["error"]["faults"])
    for part in ("Option stake", "no option 'lest'; it has stake, least", "context.win"):
        assert part in message
    assert "does not use f1" in respond({**NOTHING, "bonus": "f1"})["error"]["message"]
    assert respond({**NOTHING, "winning_tile": "1z"})["reason"]["code"] == "not_a_winning_hand"


def test_the_example_is_tidy(tmp_path):
    example = tmp_path / "kitchen.py"
    example.write_text(BLOCKS[0])
    ruff = Path(sys.executable).with_name("ruff")
    config = ROOT / "pyproject.toml"
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [ruff, *command, "--config", config, "--no-cache", example], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
