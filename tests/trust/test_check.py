"""``hupai check`` on installations that are really broken, and what ``--fix`` does about them."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from hupai.store.database import open_store
from scoring.errors import HupaiError
from tests.hupai import in_process
from tests.hupai.serving import OPEN, ROOT, running
from tests.trust.process import WITHOUT_POWERS, assert_one_sentence, at_home, run_hupai

pytestmark = pytest.mark.slow


def serve(folder: Path, **how: Any) -> subprocess.CompletedProcess[str]:
    return run_hupai("serve", "--port", "0", "--host", "127.0.0.1", home=folder, **how)


def check(folder: Path, *flags: str, **how: Any) -> dict[str, Any]:
    """What it finds; in this process, unless it is said how another one is run."""
    words = ("check", "--json", *flags)
    said: str | bytes
    if how:
        done = run_hupai(*words, home=folder, **how)
        status, said = done.returncode, done.stdout
        assert "Traceback" not in done.stderr, done.stderr
    else:
        status, said, _ = in_process.run(*words, environment=at_home(folder))
    found: dict[str, Any] = json.loads(said)
    assert status == (0 if found["ok"] else 1)
    assert found["ok"] is all(f["ok"] for f in found["findings"])
    return found | {"bad": {f["name"]: f["message"] for f in found["findings"] if not f["ok"]}}


PLACES = """
import json
from hupai.checks.installation import check_installation
print(json.dumps({f.name: f.message for f in check_installation(None, (), places_only=True) if not f.ok}))
"""


def places_without_powers(folder: Path) -> dict[str, str]:
    """What is wrong with the places for a user who may not read and write everything."""
    done = run_hupai(before=WITHOUT_POWERS, home=folder, program=("-c", PLACES))
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, str]]:
    """What is wrong with the places under these variables: no models are loaded for that."""
    from hupai import settings
    from hupai.checks.installation import check_installation

    def look(config: Path | None = None, **variables: str) -> dict[str, str]:
        with monkeypatch.context() as patch:
            for name in list(os.environ):
                if name.startswith("HUPAI_"):
                    patch.delenv(name)
            patch.setattr(settings, "default_config", lambda: tmp_path / "none.toml")
            for name, value in {"HUPAI_DATA_FOLDER": str(tmp_path / "data"), **variables}.items():
                patch.setenv(name, value)
            return {f.name: f.message for f in check_installation(config, (), places_only=True) if not f.ok}

    return look


def test_a_fresh_installation_is_whole_and_looking_makes_nothing(tmp_path: Path) -> None:
    found = check(tmp_path)
    assert found["bad"] == {}
    names = {f["name"] for f in found["findings"]}
    assert names >= {"hupai", "models", "reading", "scoring", "settings", "data folder", "disk", "database", "files"}
    assert names >= {"extra postgres", "extra cluster", "extra mqtt", "extra train"}
    assert not (tmp_path / "data").exists()
    mended = check(tmp_path, "--fix")
    assert mended["mended"] == ["data folder"]
    assert (tmp_path / "data").is_dir()


def test_everything_that_is_wrong_is_told_at_once_and_what_can_be_is_mended(
    tmp_path: Path, places: Callable[..., dict[str, str]]
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with running(data, **OPEN, https=True):
        pass
    assert places() == {}
    (data / "samples").mkdir(exist_ok=True)
    (data / "samples" / "a.jpg.new").write_bytes(b"half")
    (data / "sets").mkdir(exist_ok=True)
    (data / "sets" / "tmpx.part").write_bytes(b"half")
    (data / "certificates" / "authority.key").chmod(0o644)
    bad = places()
    assert set(bad) == {"files", "keys"}
    assert "a.jpg.new" in bad["files"]
    assert "tmpx.part" in bad["files"]
    assert check(tmp_path, "--fix")["bad"] == {}
    assert (data / "certificates" / "authority.key").stat().st_mode & 0o077 == 0
    assert list((data / "samples").iterdir()) == []


def test_a_damaged_ledger_and_one_of_the_future(tmp_path: Path, places: Callable[..., dict[str, str]]) -> None:
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "hupai.db"
    file.write_bytes(b"no database " * 1000)
    assert "not a database" in check(tmp_path, "--fix")["bad"]["database"]
    assert_one_sentence(serve(tmp_path), "hupai.db", "not a database")
    assert file.read_bytes().startswith(b"no database"), "mending decides nothing about anybody's ledger"
    file.unlink()
    with sqlite3.connect(file) as made:
        made.execute("create table games (x)")
    assert "another program's" in places()["database"]
    assert_one_sentence(serve(tmp_path), "another program's")
    file.unlink()
    open_store(f"sqlite:///{file}", ()).dispose()
    with sqlite3.connect(file) as made:
        made.execute("drop table hands")
    assert "lacks hands; put a copy back" in places()["database"]
    assert_one_sentence(serve(tmp_path), "lacks hands")
    file.unlink()
    with sqlite3.connect(file) as made:
        made.execute("create table alembic_version (version_num text)")
        made.execute("insert into alembic_version values ('9999')")
    assert "newer hupai" in places()["database"]


def test_sets_and_samples_that_cannot_be_used_are_named(tmp_path: Path, places: Callable[..., dict[str, str]]) -> None:
    from hupai.checks.installation import check_installation
    from hupai.store.files.sets import FolderSets
    from scoring.tiles import TILES
    from vision.learn.tileset import TileSet
    from vision.models.zoo import list_models

    sets, samples = tmp_path / "data" / "sets", tmp_path / "data" / "samples"
    samples.mkdir(parents=True)
    vectors = ((1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
    for name, model in (("home", list_models()["classifier"].sha256[:12]), ("elsewhere", "0" * 12)):
        FolderSets(sets).save(TileSet(name, model, tuple(TILES[:3]), vectors, (1, 1, 1)))
    (samples / "20260101-000000-aaaaaaaa.json").write_text('{"tiles": [], "saved": "2026-01-01"}')
    bad = places()
    assert set(bad) == {"sets"}
    assert "elsewhere: It was learned with another classifier" in bad["sets"]
    assert "home" not in bad["sets"]
    (sets / "elsewhere.npz").write_bytes(b"no set")
    (samples / "20260101-000000-bbbbbbbb.json").write_text('{"ti')
    bad = places()
    assert set(bad) == {"sets", "samples"}
    assert "elsewhere" in bad["sets"]
    assert "bbbbbbbb" in bad["samples"] and "aaaaaaaa" not in bad["samples"]
    (sets / "elsewhere.npz").unlink()
    (samples / "20260101-000000-bbbbbbbb.json").unlink()
    assert places() == {}
    config = tmp_path / "my.toml"
    config.write_text(f'data_folder = "{tmp_path / "data"}"')
    told = {f.name: f.message for f in check_installation(config, (), places_only=True)}
    assert told["sets"] == "home can be used"
    assert told["samples"] == "1 are whole"
    assert str(config) in told["settings"]


def test_files_where_folders_belong(tmp_path: Path, places: Callable[..., dict[str, str]]) -> None:
    (tmp_path / "data").mkdir()
    names = {"sets", "samples", "certificates"}
    for name in names:
        (tmp_path / "data" / name).write_text("")
    assert places().keys() == names


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root and setpriv")
def test_what_this_user_may_not_read_or_write_is_told_and_what_is_his_is_mended(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    open_store(f"sqlite:///{data / 'hupai.db'}", ()).dispose()
    (data / "hupai.db").chmod(0o444)
    bad = places_without_powers(tmp_path)
    assert set(bad) == {"database"}
    assert "cannot be written by this user" in bad["database"]
    assert_one_sentence(serve(tmp_path, before=WITHOUT_POWERS), "hupai.db cannot be written by this user")
    (data / "hupai.db").chmod(0o600)
    (data / "sets").mkdir(exist_ok=True)
    (data / "sets").chmod(0)
    assert set(places_without_powers(tmp_path)) == {"sets"}
    photo = str(ROOT / "examples" / "hand-riichi.jpg")
    for command in (["sets", "list"], ["read", photo, "--set", "home", "--json"]):
        done = run_hupai(*command, before=WITHOUT_POWERS, home=tmp_path)
        assert_one_sentence(done, "Permission denied")
        assert ("--json" in command) is bool(done.stdout)
        if done.stdout:
            assert json.loads(done.stdout)["error"]["code"] == "set_corrupt"
    (data / "sets").chmod(0o700)
    data.chmod(0)
    assert "data folder" in places_without_powers(tmp_path)
    found = check(tmp_path, "--mend", before=WITHOUT_POWERS)
    assert found["bad"] == {}
    assert found["mended"] == ["data folder"]


@pytest.mark.parametrize(
    ("package", "parts"),
    [
        ("uvicorn", {"serving"}),
        ("sqlalchemy", {"serving", "database"}),
        ("onnxruntime", {"reading", "serving", "labelling"}),
    ],
)
def test_a_package_that_is_gone_is_named_and_the_rest_is_still_looked_at(
    tmp_path: Path, package: str, parts: set[str]
) -> None:
    (tmp_path / "gone").mkdir()
    (tmp_path / "gone" / f"{package}.py").write_text(f"raise ModuleNotFoundError('is gone', name={package!r})")
    (tmp_path / "data" / "sets").mkdir(parents=True)
    (tmp_path / "data" / "sets" / "home.npz").write_bytes(b"no set")
    missing = f"{tmp_path / 'gone'}{os.pathsep}{ROOT}"
    found = check(tmp_path, variables={"PYTHONPATH": missing})
    assert set(found["bad"]) - {"sets"} == parts
    assert all("install hupai again" in found["bad"][part] for part in parts)
    if package == "uvicorn":
        assert_one_sentence(
            serve(tmp_path, variables={"PYTHONPATH": missing}), "uvicorn cannot be loaded", "hupai check"
        )
    if package == "onnxruntime":
        labels = [ROOT / "examples" / "hand-self-draw.jpg", "--out", tmp_path / "labels"]
        done = run_hupai("label", *labels, home=tmp_path, variables={"PYTHONPATH": missing})
        last = done.stderr.splitlines()[-1]
        assert "onnxruntime cannot be loaded" in last and "hupai check" in last, done.stderr


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (
            "opencv_contrib_python-5.1.0.dist-info/METADATA",
            "Name: opencv-contrib-python\nVersion: 5.1.0\n",
            "overwrite",
        ),
        ("cv2.py", "__version__ = '4.13.0'\n", "pip install 'opencv-python>=5'"),
    ],
)
def test_an_opencv_that_does_not_work_is_named(tmp_path: Path, name: str, content: str, said: str) -> None:
    path = tmp_path / "more" / name
    path.parent.mkdir(parents=True)
    path.write_text(content, encoding="utf-8")
    found = check(tmp_path, variables={"PYTHONPATH": f"{tmp_path / 'more'}{os.pathsep}{ROOT}"})
    assert said in found["bad"]["opencv"]


WITHOUT_LIBGL = """
library=$(ldconfig -p | sed -n 's/.*libGL.so.1 .*=> //p' | head -n 1)
libraries=$(readlink -f "$(dirname "$library")")
kept=$1; shown=$2; shift 2
mount --bind "$libraries" "$kept" && mount -t tmpfs none "$shown"
for file in "$kept"/*; do case $file in */libGL.so*) ;; *) ln -s "$file" "$shown/" ;; esac; done
mount --bind "$shown" "$libraries" && exec "$@"
"""


@pytest.mark.skipif(
    os.geteuid() != 0
    or subprocess.run(["unshare", "-m", "sh", "-c", "ldconfig -p | grep -q libGL"], check=False).returncode != 0,
    reason="needs root, and a libGL to hide",
)
def test_a_linux_without_libgl_is_told_what_to_install(tmp_path: Path) -> None:
    folders = [tmp_path / "kept", tmp_path / "shown"]
    for folder in folders:
        folder.mkdir()
    before = ["unshare", "-m", "sh", "-c", WITHOUT_LIBGL, "sh", *map(str, folders)]
    bad = check(tmp_path, before=before)["bad"]
    assert {"opencv", "reading"} <= set(bad)
    assert "no libGL.so.1; on Debian and Ubuntu: apt-get install libgl1" in bad["opencv"]
    photo = str(ROOT / "examples" / "hand-self-draw.jpg")
    assert_one_sentence(run_hupai("read", photo, before=before, home=tmp_path), "apt-get install libgl1")
    typed = ["--hand", "234m567p345s88s67m", "--winning", "8m", "--seat", "E", "--win", "self_draw"]
    done = run_hupai("score", *typed, before=before, home=tmp_path)
    assert done.returncode == 0, done.stderr


def test_every_package_hupai_needs_is_looked_at() -> None:
    from hupai.checks.installation import needed_packages

    needed = needed_packages()
    assert {"numpy", "onnxruntime", "fastapi"} <= set(needed) and not {"torch", "ray", "pytest"} & set(needed)


def test_whatever_stops_a_look_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    from datetime import UTC, datetime

    from hupai.checks import installation
    from hupai.checks.result import run_check

    def broken() -> list[Any]:
        raise TypeError("nobody thought of this")

    (found,) = run_check("part", broken)
    assert not found.ok
    assert "nobody thought of this" in found.message
    monkeypatch.setattr(installation, "_FIRST_COMMIT", datetime(3000, 1, 1, tzinfo=UTC))
    (found,) = run_check("clock", installation._check_clock)
    assert "set it" in found.message


@pytest.mark.parametrize(
    ("variables", "name", "said"),
    [
        ({"HUPAI_PROT": "80"}, "settings", "HUPAI_PORT"),
        ({"HUPAI_PORT": "eighty"}, "settings", "HUPAI_PORT"),
        ({"HUPAI_DATA_FOLDER": "/dev/null"}, "data folder", "is not a folder"),
        ({"HUPAI_DATA_FOLDER": "/dev/null/x"}, "data folder", "cannot be made"),
        ({"HUPAI_DATA_FOLDER": "~nobody-of-that-name/x"}, "settings", "HUPAI_DATA_FOLDER"),
        ({"HUPAI_DATABASE": "postgresql://me:hunter2@127.0.0.1:1/x"}, "database", "see that it runs"),
        ({"HUPAI_DATABASE": "postgresql://me:hunter2@host:port/x"}, "database", "not a database URL"),
        ({"HUPAI_DATABASE": "postgresql+nodriver://me:hunter2@host/x"}, "settings", "postgresql://"),
        ({"HUPAI_DATABASE": "sqlite:////dev/null/x/hupai.db"}, "database", "cannot be made"),
    ],
)
def test_settings_that_make_no_sense(
    places: Callable[..., dict[str, str]], variables: dict[str, str], name: str, said: str
) -> None:
    bad = places(**variables)
    assert said in bad[name]
    assert "hunter2" not in str(bad)


def test_a_settings_file_is_looked_at(tmp_path: Path, places: Callable[..., dict[str, str]]) -> None:
    (tmp_path / "h.toml").write_text("prot = 1")
    assert "prot" in places(tmp_path / "h.toml")["settings"]


def test_where_the_server_would_listen(places: Callable[..., dict[str, str]]) -> None:
    assert places(HUPAI_PORT="0") == {}
    with socket.create_server(("127.0.0.1", 0)) as other:
        threading.Thread(target=lambda: [other.accept()[0].close() for _ in range(2)], daemon=True).start()
        bad = places(HUPAI_HOST="127.0.0.1", HUPAI_PORT=str(other.getsockname()[1]))
    assert "give another --host or --port" in bad["port"]
    assert "cannot listen on 192.0.2.1" in places(HUPAI_HOST="192.0.2.1")["port"]


@pytest.mark.parametrize("https", [False, True])
def test_a_server_that_runs_is_no_fault(
    tmp_path: Path, places: Callable[..., dict[str, str]], https: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hupai.web.listen.listening import serves_already

    monkeypatch.setattr("hupai.web.listen.listening.ANSWER_SECONDS", 30)
    with running(tmp_path, https=https) as server:
        port = urlsplit(server.url).port
        assert serves_already("0.0.0.0", port or 0)
        assert places(HUPAI_HOST="127.0.0.1", HUPAI_PORT=str(port), http_proxy="http://127.0.0.1:1") == {}
    assert not serves_already("0.0.0.0", port or 0)


def test_a_server_in_trouble_is_one_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    from http.server import BaseHTTPRequestHandler, HTTPServer

    from hupai.web.listen.listening import serves_already

    monkeypatch.setattr("hupai.web.listen.listening.ANSWER_SECONDS", 30)

    class Troubled(BaseHTTPRequestHandler):
        said = b'{"ready": false, "troubles": ["the store does not answer"]}'

        def do_GET(self) -> None:
            self.send_response(503)
            self.end_headers()
            self.wfile.write(self.said)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Troubled) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert serves_already("127.0.0.1", server.server_port)
        Troubled.said = b'{"message": "another program"}'
        assert not serves_already("127.0.0.1", server.server_port)
        server.shutdown()


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hupai.checks import places

    monkeypatch.setattr(places, "MIN_FREE_BYTES", 1 << 60)
    with pytest.raises(HupaiError, match="make room"):
        places._check_disk(tmp_path / "not" / "yet")


def test_a_copy_of_the_installation_with_parts_missing(tmp_path: Path) -> None:
    root = tmp_path / "copy"
    for package in ("scoring", "vision", "hupai", "models"):
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "models" / "classifier.onnx").write_bytes(b"not a model")
    # A package that cannot be loaded: a module of its name that breaks stands before it.
    (root / "pi_heif.py").write_text("raise ImportError('libheif is gone')")
    bad = check(tmp_path, root=root)["bad"]
    assert set(bad) == {"models", "reading", "heic"}
    assert "sha256" in bad["models"] and "libheif is gone" in bad["heic"]
