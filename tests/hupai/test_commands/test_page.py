"""``hupai page``: the files it writes, and what it says when it cannot."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from hupai.checks import hosting
from hupai.page import alone
from hupai.page.alone import write_page
from scripts.browser.static_server import serve_folder
from tests.hupai.in_process import hupai
from vision.models.zoo import list_models


@contextmanager
def serving_oddly(folder: Path, *ways: str) -> Iterator[str]:
    """Serve a folder as :class:`_Odd` does until the block ends; gives its URL."""
    handler = partial(type("Odd", (_Odd,), {"ways": ways}), directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


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
    worker, (build, *_) = club / "worker.js", [path.parent for path in club.glob("at/*/js")]
    if name == "a file gone":
        detector.unlink()
    elif name == "half a file":
        detector.write_bytes(detector.read_bytes()[:-1])
    elif name in ("no copies", "empty copies"):
        for path in club.rglob("*.gz"):
            path.unlink()
            if name == "empty copies":
                path.touch()
    elif name == "another page":
        (club / "index.html").write_text("mine", encoding="utf-8")
    elif name == "an older list":
        next(club.glob("at/*/models.json")).unlink()
    elif name == "an older worker":
        shutil.copytree(build, build.with_name("0" * 12))
        worker.write_text(worker.read_text(encoding="utf-8").replace(build.name, "0" * 12), encoding="utf-8")


@pytest.mark.parametrize(
    ("wrong", "part", "told"),
    [
        ("", "", ""),
        ("a file gone", "files", "missing (404), such as detector.onnx"),
        ("half a file", "files", "not as written, such as detector.onnx"),
        ("no copies", "size", "pyodide.asm.wasm.gz is missing"),
        ("empty copies", "size", "pyodide.asm.wasm.gz is missing"),
        ("another page", "page", "no page of hupai"),
        ("an older list", "page", "put the folder there again"),
        ("an older worker", "page", "of two builds"),
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


class _Odd(SimpleHTTPRequestHandler):
    """A host that does everything otherwise; ``ways`` names how."""

    ways: tuple[str, ...] = ()

    def send_head(self) -> Any:
        if "a page for every address" in self.ways and not Path(self.translate_path(self.path)).exists():
            self.path = "/club/"
        if "no HEAD" in self.ways and self.command == "HEAD" and "/at/" in self.path:
            return self.send_error(501)
        moved = {"/club/": "/club"} if "no slash" in self.ways else {}
        moved |= {"/": "/club/"} if "moved" in self.ways else {}
        if "files elsewhere" in self.ways and "/at/" in self.path and "Host" in self.headers:
            port = self.headers["Host"].split(":")[1]
            moved |= {self.path: f"http://localhost:{port}{self.path}"} if "127" in self.headers["Host"] else {}
        if self.path in moved:
            self.send_response(302)
            self.send_header("Location", moved[self.path])
            return self.end_headers()
        self.path = "/club/" if self.path == "/club" and "no slash" in self.ways else self.path
        return super().send_head()

    def guess_type(self, path: Any) -> str:
        odd = "scripts as text" in self.ways and str(path).endswith(".mjs")
        return "text/plain" if odd else super().guess_type(path)

    def send_header(self, keyword: str, value: str) -> None:
        if keyword != "Content-Length" or "no length" not in self.ways:
            super().send_header(keyword, value)

    def end_headers(self) -> None:
        if "kept" in self.ways:
            self.send_header("Cache-Control", "max-age=86400")
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("scripts as text", "BAD  types: .mjs comes as text/plain; send it as text/javascript"),
        ("kept", "BAD  page: index.html may be kept for 86400 seconds"),
        ("a page for every address", "BAD  files: 1 of"),
        ("no HEAD", "BAD  files: HEAD is refused (501)"),
        ("no length", "BAD  size: large files come without Content-Length"),
        ("files elsewhere", "comes from localhost:"),
        ("no slash", "keep the / at its end"),
    ],
)
def test_a_host_with_ways_of_its_own_is_told(wasm: Path, tmp_path: Path, way: str, told: str) -> None:
    (wasm / "pyodide" / "pyodide.asm.wasm").write_bytes(bytes(30_000))
    write_page(tmp_path / "club")
    if way == "a page for every address":
        _spoil(tmp_path / "club", "a file gone")
    with serving_oddly(tmp_path, way) as url:
        status, said, _ = hupai("page", "--check", f"{url}/club")
    bad = [line for line in said.splitlines() if line.startswith("BAD")]
    assert (status, len(bad)) == (1, 1) and told in bad[0], said


def test_an_address_that_leads_on_or_nowhere_is_told(
    wasm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_page(tmp_path / "club")
    with serving_oddly(tmp_path, "moved") as url:
        status, said, _ = hupai("page", "--check", url)
        assert status == 0 and said.startswith(f"ok   address: {url}/club/\n"), said
        monkeypatch.setattr(hosting, "_HERE", ())  # as a phone sees this computer
        status, said, _ = hupai("page", "--check", url)
        assert status == 1 and "BAD  https: only over HTTPS" in said and "ok   files" in said
    for nowhere, told in (("http://mahjong.invalid/", "does not answer"), (str(tmp_path / "club"), "no web address")):
        status, said, _ = hupai("page", "--check", nowhere)
        assert status == 1 and re.fullmatch(rf"BAD  address: .*{told}.*\n", said), said


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
