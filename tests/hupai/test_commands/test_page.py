"""``hupai page``: the files it writes, and what it says when it cannot."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from hupai.web.page import alone
from tests.hupai.in_process import hupai


@pytest.fixture
def pyodide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files that stand for Pyodide's."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for name in alone.PYODIDE_FILES:
        (folder / name).write_bytes(name.encode())
    monkeypatch.setattr(alone, "PYODIDE", folder)
    return folder


def test_every_file_that_phones_keep_is_written_and_no_other_build(pyodide: Path, tmp_path: Path) -> None:
    club = tmp_path / "club"
    builds = []
    for version in ("one", "two"):
        (pyodide / "pyodide.mjs").write_text(version, encoding="utf-8")
        status, said, _ = hupai("page", club)
        assert status == 0 and f"{club}: " in said
        (club / "CNAME").write_text("mahjong.example", encoding="utf-8")
        (kept,) = re.findall(r"const FILES = (\[.*?\]);", (club / "worker.js").read_text(encoding="utf-8"))
        assert all((club / name).is_file() for name in json.loads(kept))
        assert any(name.endswith("/js/host/python/worker.js") for name in json.loads(kept))
        builds.append({path.name for path in (club / "at").iterdir()})
    assert len(builds[0]) == len(builds[1]) == 3 and len(builds[0] & builds[1]) == 2, "only Pyodide is another"
    assert (club / "CNAME").exists()
    page = (club / "index.html").read_text(encoding="utf-8")
    assert set(re.findall(r"at/(\w+)/", page)) == builds[1]
    assert not {"board.html", "hall.html"} & {path.name for path in club.iterdir()}
    manifest = json.loads((club / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert all((club / icon["src"]).is_file() for icon in manifest["icons"])
    assert manifest["start_url"] == manifest["scope"] == "./"


def test_what_is_in_the_way_stays(pyodide: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "index.html").write_text("mine", encoding="utf-8")
    status, _, told = hupai("page", tmp_path / "thesis")
    assert (status, (tmp_path / "thesis" / "index.html").read_text(encoding="utf-8")) == (2, "mine")
    assert "holds something else" in told
    (tmp_path / "file").touch()
    status, _, told = hupai("page", tmp_path / "file")
    assert status == 2 and "cannot be written" in told


def test_without_pyodide_it_says_what_to_do(pyodide: Path, tmp_path: Path) -> None:
    (pyodide / "pyodide.asm.wasm").unlink()
    status, _, told = hupai("page", tmp_path / "club")
    assert status == 2 and "python -m scripts.fetch_pyodide" in told
    assert not (tmp_path / "club").exists()


def test_what_the_worker_runs_needs_the_standard_library_alone(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(alone.python_archive())) as archive:
        archive.extractall(tmp_path)
    code = f"""
import json, sys
sys.path.insert(0, {str(tmp_path)!r})
from hupai.web.answers.respond import respond_to_page
hand = {{"rules": "riichi", "concealed": "12367m234p0578s1z"}}
for asked in (["GET", "/about", {{}}, ""], ["POST", "/score/shanten", {{"accept-language": "ja"}}, json.dumps(hand)]):
    print(respond_to_page(json.dumps(asked)))
"""
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    about, near = [json.loads(line) for line in done.stdout.splitlines()]
    assert about[0] == near[0] == 200
    assert json.loads(about[1])["models"] == {} and json.loads(near[1])["shanten"] == 1
