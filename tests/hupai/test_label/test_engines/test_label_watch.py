"""A folder that fills up while it is watched."""

from __future__ import annotations

import shutil
import signal
import subprocess
import threading
import time

import pytest
from watchfiles import Change

from hupai.label.engines import folder_watch
from hupai.label.engines.folder_watch import SETTLED_SECONDS, CompleteFiles, watch_sources
from hupai.label.engines.pictures import LabelOptions
from hupai.label.engines.run import Job
from hupai.label.inputs.sources import Item
from hupai.label.outputs.derive import OutputOptions
from hupai.label.progress import Progress
from tests.hupai.test_label.batch_photos import command, environment, hupai, records, write_photos
from tests.waiting import until

pytestmark = pytest.mark.slow
CONSTANTS = {
    "hupai.label.engines.folder_watch.SETTLED_SECONDS": 0.2,
    "hupai.label.engines.folder_watch.DERIVE_SECONDS": 0.2,
}
"""Shorter than usual, so that the test is quick: every file appears whole, by a renaming."""


def put(source, place):
    """Copy a file so that it is there whole or not at all."""
    part = place.with_name(".part")
    shutil.copy(source, part)
    part.replace(place)


def test_new_files_are_labelled_when_they_are_complete_and_bad_ones_do_no_harm(tmp_path):
    folder, out, stock = tmp_path / "in", tmp_path / "out", tmp_path / "stock"
    paths = write_photos(stock, 5)
    folder.mkdir()
    put(paths[0], folder / "0000.jpg")
    running = subprocess.Popen(
        command("label", folder, "--watch", "--workers", 1, "--out", out, "--format", "csv", hurried=CONSTANTS),
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert until(lambda: "0000.jpg" in records(out))
        (folder / "bad.jpg").write_text("no picture")
        (folder / "new").mkdir()
        put(paths[1], folder / "new" / "0001.jpg")
        for number in (2, 3):
            put(paths[number], folder / f"000{number}.jpg")
        assert until(lambda: {"bad.jpg", "new/0001.jpg", "0002.jpg", "0003.jpg"} <= set(records(out)))
        assert "error" in records(out)["bad.jpg"]
        assert not any("error" in r for n, r in records(out).items() if n != "bad.jpg")
        put(paths[4], folder / "bad.jpg")  # the bad one is replaced by a good one
        (folder / "0000.jpg").unlink()
        replaced = {"error": "its failure is forgotten, the new one not read yet"}
        assert until(lambda: "error" not in records(out).get("bad.jpg", replaced))
        assert until(lambda: "0000.jpg" in (out / "kept.csv").read_text())
    finally:
        running.send_signal(signal.SIGTERM)
        stdout, stderr = running.communicate(timeout=300)
    assert running.returncode == 0, stderr.decode()
    assert b"5 pictures" in stdout and b"watching" in stderr and b"labels are kept" in stdout
    assert "0000.jpg" in records(out)  # whoever moves a picture away keeps its labels
    assert hupai("labels", "forget", out, "--yes")[0] == 0
    again = tmp_path / "again"
    assert hupai("label", folder, "--out", again, "--format", "csv")[0] == 0
    for name in ("labels.jsonl", "labels.csv", "summary.json", "worst.csv"):
        assert (out / name).read_bytes() == (again / name).read_bytes()


def test_labels_within_the_watched_folder_do_not_wake_it(tmp_path, monkeypatch):
    folder, heard = tmp_path / "in", []
    write_photos(folder, 1)
    names = ("a.jpg", "labels.jpg", "labels/coco.json", "labels/crops/5m/a.png")

    def noted(*roots, watch_filter, **how):
        heard.extend(name for name in names if watch_filter(Change.added, str(folder / name)))
        yield set()

    monkeypatch.setattr(folder_watch, "watch", noted)
    monkeypatch.setattr(folder_watch, "SETTLED_SECONDS", 0.0)
    labels = folder / "labels"
    job = Job((str(folder),), labels, OutputOptions(("coco", "yolo")), LabelOptions(), crops=True, workers=1)
    watch_sources(job, Progress(), threading.Event())
    assert heard == ["a.jpg", "labels.jpg"]
    assert (labels / "coco.json").is_file() and set(records(labels)) == {"0000.jpg"}


def test_a_file_counts_as_complete_when_it_stays_as_it_is(tmp_path, monkeypatch):
    path = tmp_path / "a.jpg"
    path.write_bytes(b"1")
    clock = [1000.0]
    monkeypatch.setattr("hupai.label.engines.folder_watch.time.monotonic", lambda: clock[0])
    monkeypatch.setattr("hupai.label.engines.folder_watch.time.time", lambda: path.stat().st_mtime + 0.1)
    settled = CompleteFiles()

    def look():
        known = path.stat()
        return [e.name for _, e in settled(iter([(0, Item("a.jpg", path, f"{known.st_size}"))]))]

    assert look() == [] and settled.waiting == 1
    clock[0] += SETTLED_SECONDS - 0.5
    path.write_bytes(b"12")
    assert look() == []
    clock[0] += SETTLED_SECONDS - 0.5
    assert look() == []
    clock[0] += 1
    assert look() == ["a.jpg"] and settled.waiting == 0
    path.unlink()
    monkeypatch.setattr("hupai.label.engines.folder_watch.time.time", lambda: 0.0)
    assert not list(settled(iter([(0, Item("a.jpg", path, "2"))])))


@pytest.mark.parametrize("age", [3600, SETTLED_SECONDS + 1])
def test_an_old_file_needs_no_waiting(tmp_path, age):
    import os

    path = tmp_path / "a.jpg"
    path.write_bytes(b"1")
    os.utime(path, (time.time() - age,) * 2)
    assert [e.name for _, e in CompleteFiles()(iter([(0, Item("a.jpg", path, "1"))]))] == ["a.jpg"]
