"""Running again never takes finished labels away: vanished sources, moved and touched files, spoilt pictures."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from hupai.label.engines.run import Job
from hupai.label.outputs.derive import OutputOptions
from scoring.errors import HupaiError
from tests.hupai.test_label.batch_photos import contents, hupai, records, rows, run_here, write_photos

pytestmark = pytest.mark.slow


def kept(out):
    return {r["image"]: r["why"] for r in rows(out / "kept.csv")}


def crops(out):
    return {p.relative_to(out / "crops").as_posix(): p.read_bytes() for p in (out / "crops").rglob("*.png")}


def job(out: Path, *sources: Path) -> Job:
    return Job(tuple(map(str, sources)), out, OutputOptions(("csv",)), crops=True, workers=1)


@pytest.fixture(scope="module")
def stock(tmp_path_factory):
    """Two folders of pictures."""
    place = tmp_path_factory.mktemp("stock")
    write_photos(place / "one", 3, size=(320, 240))
    write_photos(place / "two", 2, start=3, size=(320, 240))
    return place


@pytest.fixture
def place(stock, tmp_path):
    for name in ("one", "two"):
        shutil.copytree(stock / name, tmp_path / name)
    finished = run_here(job(tmp_path / "out", tmp_path / "one", tmp_path / "two"))
    assert finished.counts.labelled == 5
    return tmp_path


def again(place: Path):
    return run_here(job(place / "out", place / "one", place / "two"))


def test_copies_of_pictures_that_are_gone_stay_beside_their_labels(place):
    asked = replace(
        job(place / "out", place / "one", place / "two"), wanted=OutputOptions(("yolo", "labelme")), images="copy"
    )
    run_here(asked)
    before = contents(place / "out")
    copies = {name for name in before if name.endswith(".jpg")}
    assert len(copies) == 2 * 5
    for path in (place / "two").iterdir():
        path.unlink()
    (place / "one" / "0000.jpg").write_bytes(b"spoilt")
    run_here(asked)
    after = contents(place / "out")
    assert {name: after.get(name) for name in copies} == {name: before[name] for name in copies}
    assert hupai("labels", "forget", place / "out", "--yes")[0] == 0
    assert sum(name.endswith(".jpg") for name in contents(place / "out")) == 2 * 3


def test_an_empty_source_takes_nothing_away(place):
    before = contents(place / "out")
    shutil.move(place / "two", place / "elsewhere")
    (place / "two").mkdir()  # an unmounted disk leaves its empty folder behind
    finished = again(place)
    assert (finished.counts.labelled, finished.counts.kept, finished.pace) == (5, 2, None)
    assert kept(place / "out") == {"two/0003.jpg": "gone", "two/0004.jpg": "gone"}
    for name, data in before.items():
        if name.startswith(("crops/", "labels.")):
            assert contents(place / "out")[name] == data, name
    (place / "two").rmdir()
    shutil.move(place / "elsewhere", place / "two")
    assert again(place).pace is None  # nothing was read a second time
    assert contents(place / "out") == before


def test_all_sources_empty_is_refused_and_takes_nothing_away(place):
    before = contents(place / "out")
    for name in ("one", "two"):
        shutil.rmtree(place / name)
        (place / name).mkdir()
    for fresh in (False, True):
        with pytest.raises(HupaiError) as told:
            run_here(replace(job(place / "out", place / "one", place / "two"), fresh=fresh))
        assert told.value.code == "no_pictures"
        assert contents(place / "out") == before


def test_moved_renamed_touched_and_swapped_pictures_are_not_read_again(place):
    one, two = place / "one", place / "two"
    before, cut = records(place / "out"), crops(place / "out")
    (one / "later").mkdir()
    (one / "0000.jpg").rename(one / "later" / "moved.jpg")
    (one / "0001.jpg").rename(two / "0001.jpg")
    os.utime(one / "0002.jpg", (1, 1))
    finished = again(place)
    assert (finished.pace, finished.recalled, finished.counts.kept) == (None, 3, 0)
    names = {"one/0000.jpg": "one/later/moved.jpg", "one/0001.jpg": "two/0001.jpg"}
    now = records(place / "out")
    assert {names.get(n, n): r["tiles"] for n, r in before.items()} == {n: r["tiles"] for n, r in now.items()}
    assert sorted(crops(place / "out").values()) == sorted(cut.values())
    assert contents(place / "out") == contents(read_anew(place))


def read_anew(place: Path) -> Path:
    run_here(job(place / "anew", place / "one", place / "two"))
    return place / "anew"


def test_names_that_change_places_are_recognised_too(place, tmp_path):
    one = place / "one"
    out = tmp_path / "plain"
    plain = Job((str(one),), out, OutputOptions(("csv",)), workers=1)
    run_here(plain)
    (one / "0000.jpg").rename(one / "x")
    (one / "0001.jpg").rename(one / "0000.jpg")
    (one / "x").rename(one / "0001.jpg")
    finished = run_here(plain)
    assert (finished.pace, finished.recalled) == (None, 2)
    again(place)  # with crops the second of the two is read again
    run_here(replace(plain, out=tmp_path / "plainly"))
    assert contents(out) == contents(tmp_path / "plainly")
    assert contents(place / "out") == contents(read_anew(place))


def test_a_picture_that_is_spoilt_later_keeps_its_labels_and_is_told(place):
    one, before = place / "one", records(place / "out")
    whole = (one / "0000.jpg").read_bytes()
    (one / "0000.jpg").write_bytes(whole[: len(whole) // 2])
    write_photos(one, 1, start=50, size=(320, 240))
    (one / "0050.jpg").replace(one / "0001.jpg")  # another picture under an old name is read
    finished = again(place)
    now = records(place / "out")
    assert now["one/0000.jpg"] == before["one/0000.jpg"] and now["one/0001.jpg"] != before["one/0001.jpg"]
    assert kept(place / "out") == {"one/0000.jpg": "image_truncated"}
    assert (finished.pace.pictures, finished.counts.failed, finished.exit_status) == (2, 1, 1)
    assert finished.summary["failures"] == {"image_truncated": 1}
    assert again(place).pace is None
    (one / "0000.jpg").write_bytes(whole)
    assert again(place).recalled == 1
    assert contents(place / "out") == contents(read_anew(place))


@pytest.mark.parametrize("moment", ["Journal.adopt", "clear_litter"])
def test_a_run_killed_while_it_takes_over_a_moved_picture_leaves_no_crop_behind(place, monkeypatch, moment):
    (place / "one" / "0000.jpg").rename(place / "one" / "9999.jpg")
    calls = []

    def dies(*_):
        calls.append(moment)
        if moment == "Journal.adopt" or len(calls) == 2:  # the first sweep is that of the start
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(f"hupai.label.{'engines.run' if moment == 'clear_litter' else 'journal'}.{moment}", dies)
        with pytest.raises(KeyboardInterrupt):
            again(place)
    again(place)
    assert contents(place / "out") == contents(read_anew(place))


def test_labels_are_removed_by_a_command_of_its_own_that_counts_and_asks(place):
    out = place / "out"
    shutil.rmtree(place / "two")
    (place / "two").mkdir()
    again(place)
    before = contents(out)
    tiles = sum(len(r["tiles"]) for n, r in records(out).items() if n.startswith("two/"))
    status, stdout, stderr = hupai("labels", "forget", out)
    assert status == 2 and "add --yes" in stderr and contents(out) == before
    assert f"2 pictures, {tiles} tiles, {tiles} crops" in stdout and "two: 2 of 2" in stdout and "mounted?" in stdout
    status, stdout, _ = hupai("labels", "forget", out, "--json")
    assert json.loads(stdout) | {"pictures": 2, "removed": False} == json.loads(stdout) and contents(out) == before
    status, stdout, _ = hupai("labels", "forget", out, "two/0003.jpg", "--yes")
    assert status == 0 and sorted(records(out))[3:] == ["two/0004.jpg"]
    assert not any("0003.jpg" in name for name in contents(out))
    assert hupai("labels", "forget", out, "one/*", "--yes")[1].startswith("Nothing to remove")
    hupai("labels", "forget", out, "--yes")
    assert sorted(records(out)) == ["one/0000.jpg", "one/0001.jpg", "one/0002.jpg"] and not kept(out)
    status, _, stderr = hupai("labels", "forget", place / "one")
    assert status == 2 and "holds no labels" in stderr


def test_journals_of_the_version_before_go_on(place):
    with closing(sqlite3.connect(place / "out" / ".hupai" / "journal.sqlite", isolation_level=None)) as db:
        for table in ("faults", "former", "litter"):
            db.execute(f"drop table {table}")
        db.execute("delete from about where key = 'order'")
    assert hupai("labels", "forget", place / "out", "--yes")[0] == 0
    assert again(place).counts.labelled == 5
