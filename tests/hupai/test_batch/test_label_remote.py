"""The engine of one machine with pictures and labels at addresses: the same files as with folders of this machine."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from hupai.batch.inputs.filesystems import Folder, shown
from hupai.batch.inputs.sources import Item, UnreadableItem, sources_of
from scoring.errors import InvalidRequest
from tests.hupai.test_batch.batch_photos import ROOT, command, contents, environment, hupai, write_photos
from tests.hupai.test_batch.stores import on_the_web, store_in

KILLED = """
import os, signal
from hupai.batch.journal import Journal
from hupai.cli import main

add_line, left = Journal.add_line, [1, 2]

def dies(*record):
    add_line(*record)
    left.pop() if left else os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":  # and not in a worker
    Journal.add_line = dies
    main()
"""
"""A command that is killed when it has three records."""
FORMATS = ("--format", "coco,yolo,csv,parquet", "--crops", "--images", "copy", "--workers", "1")


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    folder = tmp_path_factory.mktemp("photos")
    write_photos(folder, 5, size=(320, 240))
    (folder / "sub").mkdir()
    (folder / "0004.jpg").rename(folder / "sub" / "last one.jpg")
    (folder / "bad.jpg").write_text("no picture")
    (folder / "notes.txt").write_text("0000.jpg\nsub/last one.jpg\n")
    return folder


@pytest.fixture(scope="module")
def local(photos, tmp_path_factory):
    out = tmp_path_factory.mktemp("local") / "out"
    assert hupai("label", photos, "--out", out, *FORMATS)[0] == 1  # of the bad picture
    return out


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with store_in(tmp_path_factory.mktemp("store")) as address:
        yield address


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HUPAI_DATA_FOLDER", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def web(photos):
    with on_the_web(photos) as address:
        yield address


def put(photos: Path, address: str) -> None:
    folder = Folder(address)
    for path in photos.rglob("*"):
        if path.is_file():
            folder.put(path.relative_to(photos).as_posix(), path)


def fetched(address: str, place: Path) -> dict[str, bytes]:
    """What lies below an address, but the journal."""
    folder = Folder(address)
    for name in folder.files():
        folder.fetch(name, place / name)
    found = contents(place)
    shutil.rmtree(place)
    return found


def unlike(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


@pytest.mark.slow
def test_from_a_store_to_a_store_every_file_is_the_one_of_this_machine(photos, local, store, tmp_path, data_folder):
    pictures, out = store("in"), store("out")
    put(photos, pictures)
    put(photos, store("in/sub/.hidden"))
    status, said, told = hupai("label", pictures, "--out", out, *FORMATS)
    assert status == 1 and "1 failed" in told, told
    assert f"{shown(store('out'))}/summary.html" in said and "endpoint_override" not in said + told
    assert unlike(fetched(out, tmp_path / "got"), contents(local)) == []
    # Again: nothing is read, nothing changes. Without the copy on this machine, neither.
    for _ in range(2):
        status, said, _ = hupai("label", pictures, "--out", out, *FORMATS)
        assert status == 1 and "This run" not in said
        assert unlike(fetched(out, tmp_path / "got"), contents(local)) == []
        shutil.rmtree(data_folder)
    # What is no longer asked for goes; what is none of ours stays.
    Folder(out).write("mine.txt", b"x")
    assert hupai("label", pictures, "--out", out, "--format", "csv", "--crops", "--workers", "1")[0] == 1
    names = set(Folder(out).files())
    assert {"mine.txt", "labels.csv", "worst.csv", "summary.html"} < names
    assert not any(name.startswith(("yolo/", "coco.json", "labels.parquet")) for name in names)
    # A picture that is gone from the store keeps its labels until they are forgotten.
    Folder(pictures).remove("0001.jpg")
    status, said, _ = hupai("label", pictures, "--out", out, "--format", "csv", "--crops")
    assert status == 1 and "1 pictures are no longer there" in said
    status, said, _ = hupai("labels", "forget", out, "--yes", "--json")
    assert status == 0 and json.loads(said)["pictures"] == 1 and json.loads(said)["removed"]
    crops = [name for name in Folder(out).files() if name.startswith("crops/")]
    assert crops and not any("0001.jpg" in name for name in crops)


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on_here_and_nothing_was_put(photos, local, store, tmp_path, data_folder):
    out = store("killed")
    killed = [sys.executable, "-c", KILLED, "label", *map(str, (photos, "--out", out, *FORMATS))]
    done = subprocess.run(killed, cwd=ROOT, env=environment(), capture_output=True, check=False, timeout=300)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert list(data_folder.rglob("crops/*/*.png")) and not Folder(out).files()
    assert hupai("label", photos, "--out", out, *FORMATS)[0] == 1
    assert unlike(fetched(out, tmp_path / "got"), contents(local)) == []


@pytest.mark.slow
def test_what_another_machine_wrote_is_not_written_over(photos, store, tmp_path, monkeypatch):
    few, out = tmp_path / "few", store("shared")
    shutil.copytree(photos / "sub", few)
    assert hupai("label", few, "--out", out, "--workers", 1)[0] == 0
    monkeypatch.setenv("HUPAI_DATA_FOLDER", str(tmp_path / "other"))
    shutil.copy(photos / "0000.jpg", few)
    assert hupai("label", few, "--out", out, "--workers", 1)[0] == 0
    # The first machine has nothing of its own: it takes what lies there and goes on.
    monkeypatch.setenv("HUPAI_DATA_FOLDER", str(tmp_path / "data"))
    status, said, _ = hupai("label", few, "--out", out)
    assert status == 0 and "2 pictures" in said and "This run" not in said
    # Had it something of its own, somebody has to decide.
    (journal,) = (tmp_path / "other").rglob("journal.sqlite")
    (journal.parent / "put").write_bytes(b"older")
    os.utime(journal, (time.time() + 1, time.time() + 1))
    monkeypatch.setenv("HUPAI_DATA_FOLDER", str(tmp_path / "other"))
    before = Folder(out).files()
    status, _, told = hupai("label", few, "--out", out)
    assert status == 2 and "written by another run" in told and str(journal.parent.parent) in " ".join(told.split())
    assert Folder(out).files() == before


@pytest.mark.slow
def test_a_folder_of_something_else_is_left_alone(photos, local, store):
    Folder(store("foreign")).write("thesis.docx", b"x")
    for arguments in (("label", photos), ("labels", "import", local / "labels.jsonl")):
        status, _, told = hupai(*arguments, "--out", store("foreign"))
        assert status == 2 and f"{shown(store('foreign'))} is" in " ".join(told.split()) and "not empty" in told
    status, _, told = hupai("label", photos, "--out", store("x"), "--images", "link", "--format", "yolo")
    assert status == 2 and "A store holds no links" in told
    status, _, told = hupai("label", store("in"), "--out", "here", "--watch")
    assert status == 2 and "--watch" in told
    status, _, told = hupai("label", photos, "--out", "https://host/labels")
    assert status == 2 and "Nothing can be written to https://host/labels" in told
    assert list(Folder(store("foreign")).files()) == ["thesis.docx"]


@pytest.mark.slow
def test_labels_in_a_store_are_imported_split_and_reviewed_with_pictures_there(photos, local, store, tmp_path):
    put(photos, store("pictures"))
    Folder(store("made")).put("labels.jsonl", local / "labels.jsonl")
    yolo = local / "yolo"
    status, _, told = hupai("labels", "import", yolo, "--images", store("pictures"), "--out", store("imported"))
    assert status == 0, told
    assert Folder(store("imported")).read("labels.jsonl").count(b"\n") == 5
    parts = ("--by", "photo", "--format", "yolo", "--images", store("pictures"), "--out", store("parts"))
    status, _, told = hupai("labels", "split", store("made"), *parts)
    assert status == 0, told
    names = set(Folder(store("parts")).files())
    assert {"split.csv", "yolo.yaml"} < names
    assert sum(name.endswith(".jpg") for name in names) == 5
    assert Folder(store("parts")).read("split.csv").count(b"\n") == 6
    status, said, _ = hupai("labels", "compare", store("imported"), store("made"), "--json")
    assert status == 0 and json.loads(said)["label_agreement"] == 1
    reviewing = subprocess.Popen(
        command("review", store("made"), "--images", store("pictures"), "--no-browser"), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=environment(),
    )  # fmt: skip
    address = next(word for word in reviewing.stdout.readline().split() if word.startswith("http://"))
    with urlopen(f"{address}pictures/0/photo") as reply:
        assert reply.read()[:2] == b"\xff\xd8"
    with urlopen(f"{address}pictures/0") as reply:
        first = json.load(reply)
    from urllib.request import Request

    tiles = [{"tile": t["tile"], "corners": t["corners"]} for t in first["tiles"]]
    said = json.dumps({"tiles": tiles, "seen": first["times"]}).encode()
    urlopen(Request(f"{address}pictures/0", said, {"Content-Type": "application/json"}, method="PUT")).close()
    reviewing.send_signal(signal.SIGINT)
    text, told = reviewing.communicate(timeout=30)
    assert "1 of 5 pictures are looked through" in text and f"{shown(store('made'))}/corrections.jsonl" in text, told
    (line,) = Folder(store("made")).read("corrections.jsonl").splitlines()
    assert json.loads(line)["image"] == first["image"]


@pytest.mark.slow
def test_pictures_that_a_server_lists_or_a_list_names_are_read(photos, local, web, tmp_path):
    assert hupai("label", web, "--out", tmp_path / "listed", *FORMATS)[0] == 1
    named = ("labels.jsonl", "coco.json", "labels.csv", "worst.csv", "summary.html", "failures.csv")
    for name in named:
        assert (tmp_path / "listed" / name).read_bytes() == (local / name).read_bytes(), name
    lines = [f"{web}/0000.jpg", f"{web}/sub/last%20one.jpg", f"{web}/none.jpg", f"{web}/0000.jpg?other=1"]
    (tmp_path / "list.txt").write_text("\n".join(lines))
    status, _, told = hupai("label", tmp_path / "list.txt", "--out", tmp_path / "some", "--workers", 1)
    assert status == 1 and "1 image_missing, 1 name_twice" in told, told
    host = web.removeprefix("http://")
    records = [json.loads(line) for line in (tmp_path / "some" / "labels.jsonl").read_text().splitlines()]
    assert [r["image"] for r in records if "error" not in r] == [f"{host}/0000.jpg", f"{host}/sub/last%20one.jpg"]
    assert hupai("label", f"{web}/notes.txt", "--out", tmp_path / "theirs", "--workers", 1)[0] == 1  # a space is none


def test_a_list_on_the_web_names_files_beside_it(web):
    (source,) = sources_of([f"{web}/notes.txt"])
    assert [e.name for e in source.items()] == ["0000.jpg", "sub/last one.jpg"]


def test_an_address_named_twice_is_one_picture_and_a_file_of_its_name_is_told(tmp_path):
    lines = ["https://host/a.jpg", "https://host/a.jpg", "host/a.jpg", "https://host/a.jpg?key=2", "b.jpg", "b.jpg"]
    (tmp_path / "l.txt").write_text("\n".join(lines))
    found = list(sources_of([str(tmp_path / "l.txt")])[0].items())
    assert [(e.name, isinstance(e, Item)) for e in found] == [
        ("host/a.jpg", True), ("host/a.jpg#3", False), ("host/a.jpg#4", False), ("b.jpg", True),
    ]  # fmt: skip


def test_what_a_server_does_not_list_is_said(web):
    with pytest.raises(Exception, match=r"/sub/none cannot be listed \(it answers 404\)"):
        list(sources_of([f"{web}/sub/none"])[0].items())


def test_labels_within_an_address_are_no_pictures_of_it_and_bad_names_are_refused(store):
    folder = Folder(store("mixed"))
    for name in ("a.jpg", "labels/crops/1m/a.jpg-00.png", "labels-2/b.png"):
        folder.write(name, b"x")
    (source,) = sources_of([store("mixed")])
    assert sorted(e.name for e in source.items([store("mixed/labels")])) == ["a.jpg", "labels-2/b.png"]
    (entry,) = (e for e in source.items() if e.name == "a.jpg")
    assert isinstance(entry, Item) and entry.stamp.startswith("1-") and entry.place.read() == b"x"
    names = {s.prefix for s in sources_of([store("mixed"), store("mixed/labels"), store("other/labels")])}
    assert names == {"mixed/", "labels/", "labels~2/"}


@pytest.mark.parametrize("address", ["s3://b/photos.zip", "https://host/x/*.jpg"])
def test_archives_and_wildcards_are_for_this_machine(address):
    with pytest.raises(InvalidRequest, match="this machine"):
        sources_of([address])


def test_a_name_in_a_list_that_leads_elsewhere_is_refused(tmp_path):
    (tmp_path / "l.txt").write_text("https://host/a/..%2f/../b.jpg\nhttps://host/a\\b.jpg\n")
    found = list(sources_of([str(tmp_path / "l.txt")])[0].items())
    assert [type(e) for e in found] == [UnreadableItem, UnreadableItem]
