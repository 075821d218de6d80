"""`hupai label` as a user runs it: interrupted, resumed, on bad pictures, with every option."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from hupai.label.engines.run import Job, open_journal
from hupai.label.inputs.sources import sources_of
from hupai.label.outputs.derive import OutputOptions
from scoring.version import version
from tests.hupai.test_label.batch_photos import (
    command,
    contents,
    environment,
    hupai,
    hupai_process,
    records,
    rows,
    write_photos,
)
from tests.waiting import until
from vision.pipeline import TileReader

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    folder = tmp_path_factory.mktemp("photos")
    write_photos(folder, 8)
    write_photos(folder / "sub", 6, start=8)
    return folder


@pytest.fixture(scope="module")
def labelled(photos, tmp_path_factory):
    """Eight photos and six below, a copy, a bad one, labelled with every option that adds files."""
    folder = tmp_path_factory.mktemp("all") / "photos"
    shutil.copytree(photos, folder)
    shutil.copy(folder / "0003.jpg", folder / "sub" / "again.jpg")
    pixels = cv2.imread(str(folder / "0001.jpg"))
    cv2.imwrite(str(folder / "sub" / "smaller.jpg"), cv2.resize(pixels, (320, 240), interpolation=cv2.INTER_AREA))
    (folder / "bad.jpg").write_text("no picture")
    whole = (folder / "0000.jpg").read_bytes()
    (folder / "sub" / "broken.jpg").write_bytes(whole[: len(whole) // 2])
    out = folder.parent / "out"
    formats = "coco,yolo,yolo-obb,labelstudio,voc,csv,annotations"
    status, stdout, stderr = hupai_process(
        "label", folder, "--out", out, "--format", formats, "--crops", "--images", "link", "--hands", "--json",
        "--workers", 2, "--boxes",
    )  # fmt: skip
    return folder, out, status, stdout, stderr


def test_failures_are_listed_and_the_rest_is_done(labelled):
    folder, out, status, stdout, stderr = labelled
    assert status == 1
    summary = json.loads(stdout)
    assert (summary["pictures"], summary["pictures_failed"]) == (16, 2) and summary["tiles"] > 40
    assert {r["image"]: r["code"] for r in rows(out / "failures.csv")} == {
        "bad.jpg": "image_unreadable",
        "sub/broken.jpg": "image_truncated",
    }
    assert "2 failed (1 image_truncated, 1 image_unreadable)" in stderr
    assert summary == json.loads((out / "summary.json").read_text())
    assert str(folder).encode() not in b"".join(contents(out).values())  # the same on every machine


def test_the_labels_say_what_they_were_made_with(labelled):
    _, out, *_ = labelled
    found = records(out)
    assert {(r["version"], str(r["options"])) for r in found.values()} == {
        (version(), "{'hands': True, 'boxes': True}")
    }
    (model,) = json.loads((out / "summary.json").read_text())["models"]
    coco = json.loads((out / "coco.json").read_text())
    assert coco["info"]["models"] == [model] and not any(a["segmentation"] for a in coco["annotations"])
    head = (out / "yolo" / "data.yaml").read_text().splitlines()[0]
    assert head == f'# Made with hupai {version()} {model} {{"hands":true,"boxes":true}}'


def test_the_labels_are_what_the_reader_sees_one_picture_at_a_time(labelled):
    """Grouping pictures and crops changes nothing, to the last digit that is kept."""
    folder, out, *_ = labelled
    found = records(out)
    for path in sorted(folder.rglob("0*.jpg")):
        told = TileReader(threads=2).read(path).to_json("")
        record = found[path.relative_to(folder).as_posix()]
        assert (record["width"], record["height"]) == (told["width"], told["height"])
        for mine, plain in zip(record["tiles"], told["tiles"], strict=True):
            assert {k: mine[k] for k in plain} == plain
        for key in ("hand", "doubts", "repairs", "models"):
            assert record[key] == told[key]


def test_copies_are_found(labelled):
    _, out, *_ = labelled
    told = {r["image"]: (r["same_as"], r["same_bytes"]) for r in rows(out / "duplicates.csv")}
    assert told == {"sub/again.jpg": ("0003.jpg", "yes"), "sub/smaller.jpg": ("0001.jpg", "no")}


def test_the_worst_come_first(labelled):
    listed = rows(labelled[1] / "worst.csv")
    doubts = [float(r["probably_wrong"]) for r in listed]
    assert len(listed) == 16 and doubts == sorted(doubts, reverse=True) and doubts[0] > doubts[-1]


def test_every_tile_has_its_crop_upright(labelled):
    folder, out, *_ = labelled
    found = records(out)
    paths = {p.relative_to(out / "crops").as_posix() for p in (out / "crops").rglob("*.png")}
    wanted = {f"{t['tile']}/{n}-{i:02d}.png" for n, r in found.items() for i, t in enumerate(r.get("tiles", ()))}
    assert paths == wanted
    checked = 0
    for name in ("0000.jpg", "0001.jpg", "0002.jpg"):
        photo = cv2.imread(str(folder / name))
        for i, t in enumerate(found[name]["tiles"]):
            crop = cv2.imread(str(out / "crops" / t["tile"] / f"{name}-{i:02d}.png"))
            # The face itself is the crop without its margin of 6 % on each side.
            inner = np.array([[0, 0], [64, 0], [64, 96], [0, 96]]) / 1.12 + [64 * 0.06 / 1.12, 96 * 0.06 / 1.12]
            matrix = cv2.getPerspectiveTransform(np.float32(t["corners"]), np.float32(inner))
            plain = cv2.warpPerspective(photo, matrix, (64, 96), borderMode=cv2.BORDER_REPLICATE)
            mine, plain = (cv2.GaussianBlur(c, (0, 0), 2).astype(float) for c in (crop, plain))
            turned = np.abs(mine - plain[::-1, ::-1]).mean()
            if turned > 25:  # the face tells which way is up
                checked += 1
                assert np.abs(mine - plain).mean() < 0.4 * turned, (name, i)
    assert checked >= 4


def test_pictures_lie_beside_their_yolo_labels(labelled):
    folder, out, *_ = labelled
    for kind in ("yolo", "yolo-obb"):
        labels = {p.relative_to(out / kind / "labels").with_suffix("") for p in (out / kind / "labels").rglob("*.txt")}
        images = {p.relative_to(out / kind / "images").with_suffix("") for p in (out / kind / "images").rglob("*.jpg")}
        assert labels == images and len(images) == 16
    assert (out / "yolo" / "images" / "sub" / "again.jpg").samefile(folder / "sub" / "again.jpg")


def test_other_options_are_refused_and_other_formats_are_not(labelled, tmp_path):
    folder, out, *_ = labelled
    copy = tmp_path / "out"
    shutil.copytree(out, copy, symlinks=True)
    status, _, stderr = hupai("label", folder, "--out", copy, "--hands")
    assert status == 2 and "--crops: on, now off" in stderr and "--fresh" in stderr
    assert contents(copy) == contents(out)
    status, *_ = hupai("label", folder, "--out", copy, "--hands", "--crops", "--boxes", "--format", "csv,yolo")
    assert status == 1
    assert (copy / "labels.csv").read_bytes() == (out / "labels.csv").read_bytes()
    assert not (copy / "coco.json").exists() and not (copy / "voc").exists()
    assert not (copy / "yolo" / "images").exists()


def test_new_and_changed_pictures_are_seen_at_the_next_run(photos, tmp_path):
    folder, out = tmp_path / "photos", tmp_path / "out"
    shutil.copytree(photos, folder)
    hupai("label", folder, "--out", out, "--crops")
    first = records(out)
    (folder / "sub" / "0009.jpg").replace(folder / "0001.jpg")
    write_photos(folder, 1, start=90)
    status, stdout, _ = hupai("label", folder, "--out", out, "--crops")
    assert status == 0 and "Recognised by content, not read again: 1 picture." in stdout and "This run: 1 in" in stdout
    fresh = tmp_path / "fresh"
    hupai("label", folder, "--out", fresh, "--crops")
    assert contents(out) == contents(fresh)
    assert records(out)["0001.jpg"]["sha256"] == first["sub/0009.jpg"]["sha256"]


def test_uncertain_tiles_and_copies_can_be_left_out_of_the_label_files(labelled, tmp_path):
    folder, out, *_ = labelled
    other = tmp_path / "out"
    options = ("--format", "csv", "--min-confidence", 0.95, "--drop-duplicates", "--json")
    _, stdout, _ = hupai("label", folder, "--out", other, *options)
    want = [
        (r["image"], t["tile"])
        for r in records(out).values() if r["image"] not in ("sub/again.jpg", "sub/smaller.jpg")
        for t in r.get("tiles", ()) if t["confidence"] >= 0.95
    ]  # fmt: skip
    found = [(r["image"], r["tile"]) for r in rows(other / "labels.csv") if r["tile"]]
    assert found == want
    told = json.loads(stdout)
    assert 0 < told["tiles_left_out"] == told["tiles"] - len(want)
    assert set(records(other)) == set(records(out))


def test_a_failure_is_tried_again_when_asked(tmp_path):
    folder, out = tmp_path / "photos", tmp_path / "out"
    write_photos(folder, 1)
    (folder / "list.txt").write_text("0000.jpg\nlater.jpg\n")
    assert hupai("label", folder / "list.txt", "--out", out)[0] == 1
    assert hupai("label", folder / "list.txt", "--out", out, "--retry")[0] == 1
    shutil.copy(folder / "0000.jpg", folder / "later.jpg")
    assert hupai("label", folder / "list.txt", "--out", out)[0] == 0  # it has come: its stamp has changed


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (["{photos}", "--out", "{out}", "--images", "move", "--engine", "spark"], 2, "--engine spark: give local"),
        (["{photos}", "--out", "{out}", "--images", "link"], 2, "a format that takes pictures: yolo"),
        (["{photos}", "--out", "{out}", "--rules", "riichi"], 2, "give --hands"),
        (["{photos}", "--out", "{out}", "--hands", "--rules", "bridge"], 2, "bridge"),
        (["{photos}", "--out", "{photos}"], 2, "is not empty and holds no labels"),
        (["{empty}", "--out", "{out}"], 2, "no pictures in"),
        (["{photos}", "--out", "{out}", "--set", "nobody"], 3, "nobody"),
        (["{photos}", "--out", "{out}", "--watch", "--engine", "ray"], 2, "--watch works on this machine"),
    ],
)
def test_wrong_usage_is_told_in_a_sentence_and_writes_nothing(photos, tmp_path, arguments, status, told):
    (tmp_path / "empty").mkdir()
    where = {"photos": photos, "out": tmp_path / "out", "empty": tmp_path / "empty"}
    found, stdout, stderr = hupai("label", *(a.format(**where) for a in arguments))
    assert (found, stdout) == (status, "")
    assert told in stderr and "Traceback" not in stderr
    assert not (tmp_path / "out" / "labels.jsonl").exists()


def test_nothing_readable_is_status_3(tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.jpg").write_text("x")
    status, _, stderr = hupai("label", tmp_path / "photos", "--out", tmp_path / "out")
    assert status == 3 and "1 failed" in stderr


def test_two_runs_into_one_folder_do_not_mix(photos, tmp_path):
    job = Job((str(photos),), tmp_path / "out", OutputOptions(("jsonl",)))
    with open_journal(job, sources_of(job.sources)) as journal:
        status, _, stderr = hupai_process("label", photos, "--out", tmp_path / "out")
        assert status == 2 and "Another run is writing" in stderr
        assert journal.counts().listed == 0
    assert hupai("label", photos, "--out", tmp_path / "out")[0] == 0


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(photos, tmp_path):
    out = tmp_path / "out"
    pipe = subprocess.PIPE
    running = subprocess.Popen(command("label", photos, "--out", out), env=environment(), stdout=pipe, stderr=pipe)
    assert until((out / ".hupai" / "journal.sqlite").exists, every=0.005)
    time.sleep(0.3)
    running.send_signal(signal.SIGINT)
    stdout, stderr = running.communicate(timeout=300)
    if b"labelled in" not in stdout:  # it was quicker than the signal otherwise
        # Interrupted within exec(), as where a dataclass is made, python -m ends by the signal: 130 to a shell, too.
        assert running.returncode in (130, -signal.SIGINT)
        assert "run the same command to go on" in stderr.decode()
    status, *_ = hupai("label", photos, "--out", out)
    assert status == 0 and len(records(out)) == 14


def test_killed_at_any_moment_the_resumed_labels_are_the_same_bytes(tmp_path):
    """kill -9 of the command and of everything it started: while it starts, labels, or writes the files."""
    count, kills = 12, 5
    folder, out = tmp_path / "photos", tmp_path / "killed"
    write_photos(folder, count, size=(320, 240))
    (folder / "bad.jpg").write_text("no picture")
    arguments = ["label", folder, "--format", "coco,yolo,csv,labelstudio", "--crops", "--workers", 1, "--out"]
    whole = subprocess.Popen(command(*arguments, tmp_path / "whole"), env=environment(), stderr=subprocess.DEVNULL)
    assert whole.wait(3000) == 1
    all_crops = len(crops(tmp_path / "whole"))
    rng = random.Random(8)
    progress, killed = [], 0
    for i in range(kills):
        before = len(crops(out))
        running = subprocess.Popen(
            command(*arguments, out), env=environment(), start_new_session=True, stderr=subprocess.DEVNULL
        )
        if i % 4 == 0:  # while it starts
            time.sleep(rng.uniform(0, 3))
        elif i < kills - 2:  # while it labels: some of the crops that were missing are there, however fast that goes
            enough = before + rng.uniform(0.1, 0.6) * (all_crops - before)
            assert until(
                lambda enough=enough, p=running: len(crops(out)) > enough or p.poll() is not None, 600, every=0.005
            )
        else:  # while it writes the files
            assert until(lambda p=running: (out / ".hupai" / "new").exists() or p.poll() is not None, 600, every=0.005)
            time.sleep(rng.uniform(0, 0.1))
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            killed += 1
        running.wait(120)
        progress.append(done_so_far(out))
    assert killed >= kills // 2, (killed, progress)
    assert any(0 < n < count for n in progress), progress
    status, _, stderr = hupai_process(*arguments, out, timeout=3000)
    assert status == 1, stderr
    assert contents(out) == contents(tmp_path / "whole")


def crops(out):
    return list((out / "crops").rglob("*.png"))


def done_so_far(out):
    """Pictures in the journal of a run that was killed."""
    journal = out / ".hupai" / "journal.sqlite"
    if not journal.exists():
        return 0
    with closing(sqlite3.connect(journal)) as db:  # else this process would hold a lock on it
        try:
            return db.execute("select count(*) from records").fetchone()[0]
        except sqlite3.OperationalError:
            return 0  # killed before the first table was made


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_only_the_command_killed_its_workers_end_by_themselves(photos, tmp_path):
    running = subprocess.Popen(command("label", photos, "--out", tmp_path / "out"), env=environment())
    assert until(lambda: len(children(running.pid)) >= 2, every=0.005)
    mine = children(running.pid)
    running.kill()
    running.wait(120)
    assert until(lambda: not any(map(is_alive, mine)), every=0.005)


def children(pid):
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
