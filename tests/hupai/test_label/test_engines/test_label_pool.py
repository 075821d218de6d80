"""Worker processes: one that dies, one that hangs, a picture that kills whoever reads it, a full disk."""

from __future__ import annotations

import json
import math
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from hupai.label.engines import pool as pool_module
from hupai.label.engines.labeller import Labeller, decode
from hupai.label.engines.pictures import FileImage, LabelOptions
from hupai.label.engines.pool import Pool, WorkerError
from hupai.label.outputs.crops import CropFolder
from tests.hupai.test_label.batch_photos import write_photos
from tests.hupai.test_web.test_server import assert_cheap

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Deadly:
    """A picture that kills the process that reads it, as a broken decoder may."""

    name: str

    def read(self) -> bytes:
        os.kill(os.getpid(), signal.SIGKILL)
        return b""


@dataclass(frozen=True)
class Endless:
    """A picture that never ends; the processes that read it are listed in a folder."""

    name: str
    readers: Path

    def read(self) -> bytes:
        (self.readers / str(os.getpid())).touch()
        time.sleep(3600)
        return b""


@dataclass(frozen=True)
class Faulty:
    """A picture that meets a bug."""

    name: str

    def read(self) -> bytes:
        raise ZeroDivisionError("of all things")


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    return [FileImage(p.name, p) for p in write_photos(tmp_path_factory.mktemp("photos"), 10)]


@pytest.fixture(scope="module")
def plain(photos):
    """Their records from one labeller in this process."""
    return {r.image: r.to_line() for r in Labeller(LabelOptions()).label(map(decode, photos))}


def labelled(pool, pictures):
    """Name -> line of every picture; a picture that came twice is an error."""
    found = {}
    for name, failed, line in pool.label(iter(pictures)):
        assert name not in found
        assert failed == ("error" in json.loads(line))
        found[name] = line
    return found


def code(line):
    return json.loads(line)["error"]["code"]


def test_two_workers_give_what_one_labeller_gives(photos, plain):
    with Pool(LabelOptions(), 2) as pool:
        assert labelled(pool, photos) == plain
        assert labelled(pool, reversed(photos)) == plain  # other neighbours in the batch, the same numbers


def test_a_worker_killed_in_the_middle_loses_and_doubles_nothing(photos, plain):
    with Pool(LabelOptions(), 2) as pool:
        labelled(pool, photos[:2])  # one each: both have begun
        found = {}
        for name, _, line in pool.label(iter(photos)):
            assert name not in found
            found[name] = line
            if len(found) == 1:
                os.kill(pool.pids[0], signal.SIGKILL)
        assert found == plain


def test_a_picture_that_kills_its_reader_is_listed_and_the_rest_is_done(photos, plain):
    with Pool(LabelOptions(), 2) as pool:
        found = labelled(pool, [*photos[:2], Deadly("a"), Deadly("b"), *photos[2:]])
        assert {code(found.pop("a")), code(found.pop("b"))} == {"worker_died"}
        assert found == plain
        assert labelled(pool, photos[:2]) == {n: plain[n] for n in list(plain)[:2]}  # the pool goes on working


def test_a_worker_that_hangs_is_replaced(photos, plain, monkeypatch, tmp_path):
    hours = 0

    def monotonic():
        """While the endless picture is being read, an hour passes between two looks at the clock."""
        nonlocal hours
        hours += any(int(reader.name) in pool.pids for reader in tmp_path.iterdir())
        return time.monotonic() + 3600 * hours

    monkeypatch.setattr(pool_module, "time", SimpleNamespace(monotonic=monotonic))
    monkeypatch.setattr(pool_module, "START_SECONDS", math.inf)
    monkeypatch.setattr(pool_module, "MAX_DEATHS", 1)
    with Pool(LabelOptions(), 1) as pool:
        found = labelled(pool, [Endless("endless.jpg", tmp_path), *photos[:2]])
    assert code(found.pop("endless.jpg")) == "worker_died"
    assert found == {p.name: plain[p.name] for p in photos[:2]}


def test_bad_pictures_of_every_kind_are_failures_of_their_own(photos, plain, tmp_path):
    (tmp_path / "truncated.jpg").write_bytes(photos[0].place.read_bytes()[:1500])
    (tmp_path / "text.jpg").write_bytes(b"no picture")
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "folder.jpg").mkdir()
    files = {
        "truncated.jpg": "image_truncated",
        "text.jpg": "image_unreadable",
        "empty.png": "image_truncated",
        "missing.jpg": "image_missing",
        "folder.jpg": "image_unreadable",
    }
    bad = {name: (FileImage(name, tmp_path / name), expected) for name, expected in files.items()}
    bad["bug.jpg"] = Faulty("bug.jpg"), "internal"
    with Pool(LabelOptions(), 1) as pool:
        found = labelled(pool, [photos[0], *(b for b, _ in bad.values()), photos[1]])
    for name, (_, expected) in bad.items():
        assert code(found[name]) == expected
    assert "ZeroDivisionError: of all things" in found["bug.jpg"]
    assert found[photos[0].name] == plain[photos[0].name]
    assert found[photos[1].name] == plain[photos[1].name]


def test_crops_that_cannot_be_written_stop_the_run_with_a_sentence(photos, tmp_path):
    (tmp_path / "crops").write_text("a file where the folder should be")
    with (
        Pool(LabelOptions(), 1, CropFolder(tmp_path / "crops", tmp_path / "drafts")) as pool,
        pytest.raises(WorkerError, match="cannot be written"),
    ):
        labelled(pool, photos)


def test_models_that_are_missing_stop_the_run_with_a_sentence(photos, tmp_path):
    with Pool(LabelOptions(models=tmp_path), 1) as pool, pytest.raises(WorkerError, match="no list of models") as told:
        labelled(pool, photos)
    assert told.value.exit_status == 3


def test_a_worker_at_fault_whose_parent_is_gone_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    from hupai.label.engines import worker
    from vision.errors import ModelError

    class Gone:
        def send(self, message: object) -> None:
            raise BrokenPipeError

        def recv(self) -> object:
            threading.Event().wait()
            return None

    def at_fault(*_: object) -> None:
        raise ModelError("no models")

    monkeypatch.setattr(worker, "_label", at_fault)
    monkeypatch.setattr(worker.signal, "signal", lambda *_: None)
    worker.work(Gone(), None, None)  # type: ignore[arg-type]


def test_workers_are_cheap_to_import() -> None:
    dear = ("scipy", "numpy", "cv2", "onnxruntime", "PIL")
    assert_cheap("hupai.label.commands.label, hupai.label.engines.run", dear)
