"""What machines do to hupai: full disks, missing files, locks, kills, clocks; the table of docs/errors.md by row."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from hupai.store.database import open_store
from tests.hupai.postgres import cluster
from tests.hupai.serving import OPEN, ROOT, problem, running
from tests.trust.process import WITHOUT_POWERS, assert_one_sentence, run_hupai

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="faults are brought about with Linux's means"),
]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to mount a small disk")
GAME = {"players": ["Ann", "Bo", "Chi", "Dee"], "rules": "hk"}
DRAW = {"outcome": "draw", "seen": {"players": {"E": "Ann", "S": "Bo", "W": "Chi", "N": "Dee"}}}
SMALL = 2 << 20
"""Bytes of the disk that is filled."""
WON = ["--seat", "S", "--win", "self_draw", "--hand", "234m567p345s88s67s", "--winning", "8s"]
REQUEST = {
    "rules": "hongkong",
    "concealed": "234m567p345s88s67s",
    "winning_tile": "8s",
    "context": {"seat": "S", "win": "self_draw"},
}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes in memory."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "hupai-test", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """Take all the room there is, of a small disk and of no other."""
    room = os.statvfs(disk)
    assert room.f_blocks * room.f_frsize <= SMALL, f"{disk} is no small disk"
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return filler


# ---- the disk ----


@as_root
def test_a_full_disk_loses_nothing_and_is_over_when_there_is_room(small_disk: Path) -> None:
    with running(small_disk, **OPEN) as server, server.client() as client:
        game = client.post("/games", json=GAME).json()["id"]
        assert client.post(f"/games/{game}/hands", json=DRAW).status_code == 201
        filler = fill(small_disk)
        key, refused = {"Idempotency-Key": "k1"}, 0
        for _ in range(200):  # the write-ahead log has some pages to spare
            reply = client.post(f"/games/{game}/hands", json=DRAW, headers=key if refused else {})
            if reply.status_code != 201:
                refused += 1
                assert "full" in problem(reply, 507, "store_full")["detail"]
                if refused == 2:
                    break
        assert refused == 2
        assert httpx.get(f"{server.url}/readyz").status_code == 503
        standing = client.get(f"/games/{game}").json()["next_hand"]
        assert client.post("/score", json=REQUEST).status_code == 200
        filler.unlink()
        assert httpx.get(f"{server.url}/readyz").status_code == 200
        reply = client.post(f"/games/{game}/hands", json=DRAW, headers=key)
        assert reply.status_code == 201
        assert reply.json()["hand"]["number"] == standing
        assert client.post(f"/games/{game}/hands", json=DRAW, headers=key).status_code == 200


@as_root
def test_a_backup_that_finds_no_room_says_where(small_disk: Path, tmp_path: Path) -> None:
    open_store(f"sqlite:///{tmp_path / 'hupai.db'}", ()).dispose()
    fill(small_disk)
    done = run_hupai("backup", small_disk / "cup.zip", "--data-folder", tmp_path)
    assert_one_sentence(done, f"{small_disk / 'cup.zip'} cannot be written", "make room")
    assert [path.name for path in small_disk.iterdir()] == ["filler"]


@as_root
def test_a_marked_photo_that_finds_no_room(small_disk: Path) -> None:
    fill(small_disk)
    target = small_disk / "marked.png"
    done = run_hupai("read", ROOT / "examples" / "hand-riichi.jpg", "--annotate", target)
    assert_one_sentence(done, "cannot be written")
    assert not target.exists() or not target.stat().st_size


def test_answers_that_find_no_room(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text(json.dumps(REQUEST) + "\n")
    with Path("/dev/full").open("w") as full:
        for arguments in (["score", "--jsonl", tmp_path / "r.jsonl"], ["rules"], ["rules", "--json"], ["score", *WON]):
            assert_one_sentence(run_hupai(*arguments, stdout=full), "cannot be written", "No space left")


def test_the_reader_of_the_answers_goes_away(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text((json.dumps(REQUEST) + "\n") * 3000)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = f"{sys.executable} -m hupai.cli score --jsonl {tmp_path / 'r.jsonl'} | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=env, check=True, timeout=300)
    assert json.loads(done.stdout)["legal"] is True
    assert done.stderr == ""


@as_root
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs setpriv, to be a root who may not do everything")
@pytest.mark.parametrize(
    ("data", "home", "status", "part"),
    [
        ("file/data", ".", 2, "--data-folder"),
        ("theirs", ".", 3, "cannot be used"),
        ("theirs/deeper", ".", 2, "cannot be made"),
        ("mine", "locked", 2, "--config"),
    ],
)
def test_folders_that_cannot_be_used(tmp_path: Path, data: str, home: str, status: int, part: str) -> None:
    (tmp_path / "file").write_text("")
    for name, mode in (("theirs", 0o755), ("locked", 0o700)):
        (tmp_path / name).mkdir(mode=mode)
        os.chown(tmp_path / name, 65534, 65534)
    serve = ("serve", "--port", 0, "--data-folder", tmp_path / data)
    done = run_hupai(*serve, before=WITHOUT_POWERS, home=tmp_path / home)
    assert_one_sentence(done, part, status=status)


# ---- the models ----


def test_a_damaged_model_stops_reading_and_nothing_else(tmp_path: Path) -> None:
    for package in ("scoring", "vision", "hupai", "models"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    detector = tmp_path / "models" / "detector.onnx"
    detector.write_bytes(detector.read_bytes()[:-1])
    done = run_hupai("read", ROOT / "examples" / "hand-riichi.jpg", root=tmp_path)
    assert_one_sentence(done, str(detector), "install hupai again")
    assert run_hupai("score", *WON, root=tmp_path).returncode == 0


# ---- the database ----


def test_a_database_that_is_damaged_while_the_server_runs(tmp_path: Path) -> None:
    with running(tmp_path, **OPEN) as server, server.client() as client:
        client.post("/games", json=GAME)
        for name in ("hupai.db-wal", "hupai.db"):
            size = (tmp_path / name).stat().st_size
            with (tmp_path / name).open("r+b") as file:
                file.write(os.urandom(size))
        # What SQLite holds in memory may still answer; whatever it says, it is no mistake of ours.
        seen = [client.get("/games"), client.post("/games", json=GAME)]
        assert {r.status_code for r in seen} <= {200, 201, 503}
        assert client.post("/score", json=REQUEST).status_code == 200
        server.kill()
    assert_one_sentence(run_hupai("serve", "--data-folder", tmp_path, "--port", 0), "hupai.db")


def test_a_postgresql_that_is_not_there() -> None:
    pytest.importorskip("psycopg")
    done = run_hupai("serve", "--database", "postgresql://me:hunter2@127.0.0.1:1/none", "--port", 0)
    assert_one_sentence(done, "cannot be used")
    assert "hunter2" not in done.stderr


def test_a_postgresql_that_stops_and_starts_again(tmp_path: Path) -> None:
    """A database server that goes down under a running hupai, and comes back: all goes on, nothing is doubled."""
    pytest.importorskip("psycopg")
    with cluster() as it, running(tmp_path, database=it.url, **OPEN) as server, server.client() as client:
        game = client.post("/games", json=GAME).json()["id"]
        assert client.post(f"/games/{game}/hands", json=DRAW).status_code == 201
        it.stop()
        again = {"Idempotency-Key": "k"}
        for _ in range(2):
            reply = client.post(f"/games/{game}/hands", json=DRAW, headers=again)
            problem(reply, 503, "store_unavailable")
            assert int(reply.headers["Retry-After"]) > 0
        spectators = client.get(f"/games/{game}")
        problem(spectators, 503, "store_unavailable")
        ready = httpx.get(f"{server.url}/readyz")
        assert ready.status_code == 503
        assert str(it.folder) not in spectators.text + ready.text, "where the database is concerns only who runs it"
        assert client.post("/score", json=REQUEST).status_code == 200
        it.start()
        reply = client.post(f"/games/{game}/hands", json=DRAW, headers=again)
        assert (reply.status_code, reply.json()["hand"]["number"]) == (201, 2)
        assert client.post(f"/games/{game}/hands", json=DRAW, headers=again).status_code == 200
        assert httpx.get(f"{server.url}/readyz").status_code == 200
        assert len(client.get(f"/games/{game}").json()["hands"]) == 2


def test_a_ledger_that_is_moved_away_under_a_running_server(tmp_path: Path) -> None:
    """SQLite would go on confirming hands into a file that has no name any more."""
    ledger = [tmp_path / name for name in ("hupai.db", "hupai.db-wal", "hupai.db-shm")]
    with running(tmp_path, **OPEN) as server, server.client() as client:
        game = client.post("/games", json=GAME).json()["id"]
        assert client.post(f"/games/{game}/hands", json=DRAW).status_code == 201
        (tmp_path / "away").mkdir()
        for file in ledger:
            file.rename(tmp_path / "away" / file.name)
        again = {"Idempotency-Key": "k"}
        for _ in range(2):
            said = problem(client.post(f"/games/{game}/hands", json=DRAW, headers=again), 503, "store_unavailable")
            assert "gone" in said["detail"]
        problem(client.get(f"/games/{game}"), 503, "store_unavailable")
        assert httpx.get(f"{server.url}/readyz").status_code == 503
        assert client.post("/score", json=REQUEST).status_code == 200
        assert not ledger[0].exists(), "an empty one was made in its place"
        for file in ledger:
            (tmp_path / "away" / file.name).rename(file)
        reply = client.post(f"/games/{game}/hands", json=DRAW, headers=again)
        assert (reply.status_code, reply.json()["hand"]["number"]) == (201, 2)
        assert httpx.get(f"{server.url}/readyz").status_code == 200


def test_a_copy_of_the_ledger_put_in_its_place_is_taken_up(tmp_path: Path) -> None:
    with running(tmp_path, **OPEN) as server, server.client() as client:
        game = client.post("/games", json=GAME).json()["id"]
        with sqlite3.connect(tmp_path / "hupai.db") as source, sqlite3.connect(tmp_path / "copy.db") as copy:
            source.backup(copy)
        assert client.post(f"/games/{game}/hands", json=DRAW).status_code == 201
        for name in ("hupai.db-wal", "hupai.db-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / "copy.db").replace(tmp_path / "hupai.db")
        assert client.get(f"/games/{game}").json()["hands"] == []
        assert client.post(f"/games/{game}/hands", json=DRAW).json()["hand"]["number"] == 1


def test_a_sample_whose_labels_are_damaged_hides_no_others_and_half_a_sample_is_cleared_away(
    tmp_path: Path, photo: bytes
) -> None:
    draft = tmp_path / "samples" / "20260101-000000-bbbbbbbb.jpg.new"
    draft.parent.mkdir()
    draft.write_bytes(b"half")
    tiles = [{"label": "1m", "corners": [[1, 1], [20, 1], [20, 30], [1, 30]]}]
    form = {"consent": "true", "annotation": json.dumps({"tiles": tiles})}
    with running(tmp_path, **OPEN) as server, server.client() as client:
        assert not draft.exists()
        good = client.post("/corrections", data=form, files={"photo": ("a.jpg", photo)}).json()["id"]
        (tmp_path / "samples" / "20260101-000000-aaaaaaaa.json").write_text('{"ima')
        listed = client.get("/corrections")
        assert listed.status_code == 200, listed.text
        assert good in [c["id"] for c in listed.json()["corrections"]]
        assert client.delete("/corrections/20260101-000000-aaaaaaaa").status_code == 204


# ---- killed processes ----


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_command_leaves_whole_lines(tmp_path: Path, sent: signal.Signals) -> None:
    (tmp_path / "r.jsonl").write_text((json.dumps(REQUEST) + "\n") * 200_000)
    command = [sys.executable, "-m", "hupai.cli", "score", "--jsonl", str(tmp_path / "r.jsonl")]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with (tmp_path / "out").open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, env=env)
        while not (tmp_path / "out").stat().st_size:
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(sent)
        _, said = process.communicate(timeout=300)
    assert process.returncode != 0
    assert b"Traceback" not in said
    *lines, rest = (tmp_path / "out").read_bytes().split(b"\n")
    assert lines and all(json.loads(line)["legal"] for line in lines)
    # All are alike. The system may end a write where a page of memory ends, but not for Ctrl-C, which Python catches.
    assert lines[0].startswith(rest) and not (rest and sent is signal.SIGINT)


# ---- the clock ----


def test_a_clock_that_is_set_back_locks_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from limits import parse

    from hupai.web.middleware.limits import SteadyWindow

    real = time.time
    shift = [365 * 86400.0]
    monkeypatch.setattr(time, "time", lambda: real() + shift[0])
    window, rate = SteadyWindow(), parse("3/minute")
    assert [window.hit(rate, "a") for _ in range(4)] == [True, True, True, False]
    shift[0] = 0.0
    assert window.test(rate, "a")
    assert [window.hit(rate, "a") for _ in range(4)] == [True, True, True, False], "and counts as before"


def test_hands_keep_their_order_when_the_clock_goes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import datetime as real

    from fastapi.testclient import TestClient

    from hupai.settings import Settings
    from hupai.store import clock
    from hupai.web.app import create_app
    from hupai.web.services import build_services
    from hupai.wing import web_wings

    class Clock(real.datetime):
        shift = real.timedelta(days=400)

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return real.datetime.now(tz) + cls.shift

    monkeypatch.setattr(clock, "datetime", Clock)
    settings = Settings(data_folder=tmp_path)
    app = create_app(settings, build_services(settings, web_wings(settings)))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        game = client.post("/api/v1/games", json=GAME).json()["id"]
        for shift in (400, 0, -400):
            Clock.shift = real.timedelta(days=shift)
            assert client.post(f"/api/v1/games/{game}/hands", json=DRAW).status_code == 201
        found = client.get(f"/api/v1/games/{game}").json()["hands"]
        assert sorted(h["number"] for h in found) == [h["number"] for h in sorted(found, key=lambda h: h["number"])]
        undone = client.post(f"/api/v1/games/{game}/undo", json={"hand": 3, "seen": {"revision": 3}})
        assert undone.status_code == 200, undone.text
        confirmed = [h["confirmed_at"] for h in sorted(found, key=lambda h: h["number"])]
        assert confirmed == sorted(confirmed, reverse=True), "the clock did go back"


def test_a_certificate_of_another_time_is_made_anew(tmp_path: Path) -> None:
    from datetime import UTC, datetime, timedelta

    from cryptography import x509

    from hupai.web.listen.certificates import lan_certificate

    then = datetime.now(UTC) + timedelta(days=800)
    first = lan_certificate(tmp_path, ["localhost"], now=then).chain.read_bytes()
    now = datetime.now(UTC)
    second = lan_certificate(tmp_path, ["localhost"], now=now)
    found = x509.load_pem_x509_certificate(second.chain.read_bytes())
    assert second.chain.read_bytes() != first
    assert found.not_valid_before_utc <= now <= found.not_valid_after_utc
