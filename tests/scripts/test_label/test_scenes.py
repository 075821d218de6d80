"""The photos that programs are compared on: their truth, their archive, the commands of their card."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from hupai.label.formats import read_labels
from scripts.accuracy.label import models
from scripts.accuracy.label.scenes import PARTS
from tests.repository import run_script

pytestmark = pytest.mark.release


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("made") / "scenes"
    done = run_script("accuracy.label.scenes", "--out", folder, "--each", 1)
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_a_photo_of_each_kind_with_the_same_truth_in_both_forms(made: tuple[Path, str]) -> None:
    photos, coco = made[0] / "photos", made[0] / "coco.json"
    assert {path.name for path in photos.glob("*.jpg")} == {f"{part}-000.jpg" for part in PARTS}
    beside, listed = read_labels(photos), read_labels(coco)
    assert [(r.image, len(r.boxes), len(r.ignored)) for r in beside] == [
        (r.image, len(r.boxes), len(r.ignored)) for r in listed
    ]
    tiles = {r.image.partition("-")[0]: len(r.boxes) for r in beside}
    assert tiles["nothing"] == 0 and tiles["hand"] >= 13 and min(tiles[part] for part in ("scene", "black")) > 0
    crowds = [a for a in json.loads(coco.read_text())["annotations"] if a["iscrowd"]]
    assert len(crowds) == sum(len(r.ignored) for r in beside)


def test_the_archive_holds_it_all_under_the_sum_that_is_printed(made: tuple[Path, str]) -> None:
    folder, told = made
    archive = folder.with_name("scenes.zip")
    assert hashlib.sha256(archive.read_bytes()).hexdigest() in told
    with zipfile.ZipFile(archive) as packed:
        assert set(packed.namelist()) == {
            f"scenes/{path.relative_to(folder).as_posix()}" for path in folder.rglob("*") if path.is_file()
        }


def test_the_truth_is_exact_by_the_command_of_its_card(
    made: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made[0]
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "5 rendered photos" in card and "python -m scripts.accuracy.label.models photos" in card
    models.main(folder / "photos", [f"truth={folder / 'coco.json'}"])
    figures = json.loads(capsys.readouterr().out)["truth"]
    assert (figures["photos_exact"], figures["pictures"]) == (5, 5)
