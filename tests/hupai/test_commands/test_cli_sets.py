"""Learning a tile set from the command line, reading with it, and carrying it."""

import json
import re
from dataclasses import replace
from functools import partial

import pytest

from tests.hupai import in_process
from tests.repository import ROOT
from vision import metadata

pytestmark = pytest.mark.slow

PHOTO = ROOT / "examples" / "hand-self-draw.jpg"
IN_ORDER = "f2f31223456799p777z3p"


@pytest.fixture
def hupai(tmp_path):
    return partial(in_process.hupai, HUPAI_DATA_FOLDER=str(tmp_path / "data"))


def test_learn_list_read_export_import_delete(hupai, tmp_path):
    status, out, err = hupai("learn-set", PHOTO, "--name", "mine", "--tiles", IN_ORDER)
    assert status == 0, err
    assert "11 faces" in out
    status, out, _ = hupai("sets", "list", "--json")
    assert [(s["name"], s["usable"], len(s["tiles"])) for s in json.loads(out)["sets"]] == [("mine", True, 11)]
    assert json.loads(out)["version"]
    status, out, _ = hupai("score", PHOTO, "--set", "mine", "--seat", "S", "--win", "self_draw", "--json")
    assert status == 0
    assert json.loads(out)["total"]["value"] == 7
    assert json.loads(out)["read"]["options"] == {"rules": "hongkong", "set": "mine"}
    assert hupai("sets", "export", "mine", tmp_path / "mine.npz")[0] == 0
    assert hupai("sets", "delete", "mine")[0] == 0
    status, _, err = hupai("read", PHOTO, "--set", "mine")
    assert status == 3 and "no tile set mine" in err
    assert hupai("sets", "import", tmp_path / "mine.npz")[0] == 0
    status, _, err = hupai("sets", "import", tmp_path / "mine.npz")
    assert status != 0 and "take its place with --replace" in err
    assert hupai("sets", "import", tmp_path / "mine.npz", "--replace")[0] == 0
    assert hupai("read", PHOTO, "--set", "mine")[0] == 0


def test_what_was_kept_though_it_was_set_aside_teaches_the_set(hupai, monkeypatch):
    assert hupai("learn-set", PHOTO, "--name", "mine", "--tiles", IN_ORDER)[0] == 0

    def lessons():
        return json.loads(hupai("sets", "list", "--json")[1])["sets"][0]["lessons"]

    before, made = lessons(), metadata._scene
    monkeypatch.setattr(metadata, "_scene", lambda *given: replace(made(*given), least=2.0))
    status, out, err = hupai("read", PHOTO, "--keep-aside", "--set", "mine")
    assert status == 0, err
    learned = re.search(r"mine learned (\d+) tiles", " ".join(out.split()))
    assert learned and lessons() == before + int(learned[1]) > before
