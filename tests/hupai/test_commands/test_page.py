"""``hupai page``: the files it writes, and what it says when it cannot."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from hupai.page import alone
from hupai.page.alone import write_page
from scripts.browser.static_server import serve_folder
from tests.hupai.in_process import hupai
from vision.models.zoo import list_models


@pytest.fixture
def wasm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files that stand for Pyodide's and onnxruntime's."""
    folder = tmp_path / "wasm"
    for part, names in alone.WASM_FILES.items():
        (folder / part).mkdir(parents=True)
        for name in (*names, "package.json"):
            (folder / part / name).write_bytes(name.encode())
    (folder / "networks").mkdir()
    for role in list_models():
        (folder / "networks" / f"{role}.onnx").write_bytes(role.encode())
    (folder / "networks" / "weights.json").write_text(json.dumps(alone.describe_networks()), encoding="utf-8")
    monkeypatch.setattr(alone, "WASM", folder)
    return folder


def test_every_file_that_phones_keep_is_written_and_no_other_build(wasm: Path, tmp_path: Path) -> None:
    club = tmp_path / "club"
    builds = []
    for version in ("one", "two"):
        (wasm / "pyodide" / "pyodide.mjs").write_text(version, encoding="utf-8")
        status, said, _ = hupai("page", club)
        assert status == 0 and f"{club}: " in said
        (club / "CNAME").write_text("mahjong.example", encoding="utf-8")
        kept, later = re.findall(r"const (?:FILES|LATER) = (.*?);", (club / "worker.js").read_text(encoding="utf-8"))
        assert all((club / name).is_file() for name in json.loads(kept))
        assert any(name.endswith("/js/api/python/worker.js") for name in json.loads(kept))
        assert not any(name.endswith(("/detector.onnx", "/ort-wasm-simd-threaded.wasm")) for name in json.loads(kept))
        models = next(club / place for place in json.loads(later) if (club / place / "models.json").exists())
        listed = json.loads((models / "models.json").read_text(encoding="utf-8"))
        sizes = listed["files"] | listed["spare"]
        assert {name: (models / name).stat().st_size for name in sizes} == sizes
        assert {"bonus.onnx"} == set(listed["spare"]) and "detector.onnx" in listed["files"]
        builds.append({path.name for path in (club / "at").iterdir()})
    assert len(builds[0]) == len(builds[1]) == 5 and len(builds[0] & builds[1]) == 4, "only Pyodide is another"
    assert (club / "CNAME").exists()
    page = (club / "index.html").read_text(encoding="utf-8")
    assert set(re.findall(r"at/(\w+)/", page)) == builds[1]
    assert not {"board.html", "hall.html"} & {path.name for path in club.iterdir()}
    manifest = json.loads((club / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert all((club / icon["src"]).is_file() for icon in manifest["icons"])
    assert manifest["start_url"] == manifest["scope"] == "./"


def test_what_is_in_the_way_stays(wasm: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "index.html").write_text("mine", encoding="utf-8")
    status, _, told = hupai("page", tmp_path / "thesis")
    assert (status, (tmp_path / "thesis" / "index.html").read_text(encoding="utf-8")) == (2, "mine")
    assert "holds something else" in told
    (tmp_path / "file").touch()
    status, _, told = hupai("page", tmp_path / "file")
    assert status == 2 and "cannot be written" in told


@pytest.mark.parametrize("missing", ["pyodide/pyodide.asm.wasm", "onnxruntime/package.json", "networks/weights.json"])
def test_without_what_is_fetched_it_says_what_to_do(wasm: Path, tmp_path: Path, missing: str) -> None:
    (wasm / missing).unlink()
    status, _, told = hupai("page", tmp_path / "club")
    assert status == 2 and "python -m scripts.fetch_wasm" in told
    assert not (tmp_path / "club").exists()


@pytest.mark.parametrize("other", [{"detector": "0"}, {"form": 1}])
def test_networks_made_of_other_weights_or_otherwise_are_not_used(
    wasm: Path, tmp_path: Path, other: dict[str, int | str]
) -> None:
    (wasm / "networks" / "weights.json").write_text(json.dumps(alone.describe_networks() | other), encoding="utf-8")
    status, _, told = hupai("page", tmp_path / "club")
    assert status == 2 and "older than the models" in told


def _spoil(club: Path, name: str) -> None:
    """Make of a good folder one with something wrong."""
    (detector,) = club.glob("at/*/detector.onnx")
    if name == "a file gone":
        detector.unlink()
    elif name == "no copies":
        for path in club.rglob("*.gz"):
            path.unlink()
    elif name == "another page":
        (club / "index.html").write_text("mine", encoding="utf-8")
    elif name == "an older list":
        next(club.glob("at/*/models.json")).unlink()


@pytest.mark.parametrize(
    ("wrong", "part", "told"),
    [
        ("", "", ""),
        ("a file gone", "files", "1 of"),
        ("no copies", "size", "no compressed copy"),
        ("another page", "page", "no page of hupai"),
        ("an older list", "page", "put the whole folder there again"),
    ],
)
def test_what_a_host_does_wrong_is_said(wasm: Path, tmp_path: Path, wrong: str, part: str, told: str) -> None:
    (wasm / "pyodide" / "pyodide.asm.wasm").write_bytes(bytes(30_000))
    club = tmp_path / "club"
    write_page(club)
    _spoil(club, wrong)
    with serve_folder(tmp_path) as url:
        status, said, _ = hupai("page", "--check", f"{url}/club")
    bad = [line for line in said.splitlines() if line.startswith("BAD")]
    assert status == (1 if wrong else 0), said
    assert bool(bad) == bool(wrong) and all(line.startswith(f"BAD  {part}: ") and told in line for line in bad), said


def test_a_host_that_sends_scripts_as_text_or_keeps_the_page_is_told(wasm: Path, tmp_path: Path) -> None:
    write_page(tmp_path / "club")

    class Odd(SimpleHTTPRequestHandler):
        def guess_type(self, path: Any) -> str:
            return "text/plain" if str(path).endswith(".mjs") else super().guess_type(path)

        def end_headers(self) -> None:
            self.send_header("Cache-Control", "max-age=86400")
            super().end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Odd, directory=tmp_path / "club")) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        _, said, _ = hupai("page", "--check", f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
    assert "BAD  page: index.html may be kept for 86400 seconds" in said
    status, said, _ = hupai("page", "--check", "http://mahjong.invalid/")
    assert status == 1 and "BAD  address: only over HTTPS" in said and "does not answer" in said


def test_what_the_worker_runs_needs_the_standard_library_alone(tmp_path: Path) -> None:
    code = """
import json, sys
sys.path.insert(0, sys.argv[1])
from hupai.web.answers.respond import respond_to_page
hand = {"rules": "riichi", "concealed": "12367m234p0578s1z"}
for asked in (["GET", "/about", {}, ""], ["POST", "/score/shanten", {"accept-language": "ja"}, json.dumps(hand)]):
    print(respond_to_page(json.dumps(asked), "{}"))
"""
    zipfile.ZipFile(io.BytesIO(alone.python_archive())).extractall(tmp_path)
    command = [sys.executable, "-I", "-S", "-c", code, str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout.splitlines()
    about, near = map(json.loads, said)
    assert about["status"] == near["status"] == 200
    assert json.loads(about["text"])["models"] == {} and json.loads(near["text"])["shanten"] == 1
