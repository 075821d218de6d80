"""The photos that programs are compared on: their truth, their archive, the commands of their card."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from hupai.batch.formats import read_labels
from scripts.accuracy.scenes import FIRST_SEED, PARTS
from scripts.train.render_validation import FIRST_SEED as OF_VALIDATION
from tests.hupai.test_batch.batch_photos import hupai
from tests.repository import ROOT

pytestmark = pytest.mark.release


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("made") / "scenes"
    command = [sys.executable, "-m", "scripts.accuracy.scenes", "--out", folder, "--each", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_there_are_500_and_none_is_rendered_for_anything_else() -> None:
    assert sum(PARTS.values()) == 500
    assert FIRST_SEED + 1000 * len(PARTS) < 1_000_000 and OF_VALIDATION + 10_000 < FIRST_SEED


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


def test_the_commands_of_its_card_compare_programs(made: tuple[Path, str], tmp_path: Path) -> None:
    folder = made[0]
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "5 rendered photos" in card
    labelling, first, second = re.findall(r"^    hupai (\w+ .*)$", card, re.MULTILINE)
    results = [
        {"image_id": a["image_id"], "category_id": a["category_id"], "bbox": a["bbox"], "score": 0.9}
        for a in json.loads((folder / "coco.json").read_text())["annotations"]
        if not a["iscrowd"]
    ]
    (tmp_path / "results.json").write_text(json.dumps(results))
    places = {"photos": folder / "photos", "coco.json": folder / "coco.json", "labels": tmp_path / "labels"}
    for line in (labelling, first.replace("yours=coco-with-scores.json", ""), second):
        words = line.split()
        for name, place in places.items():
            words = [re.sub(rf"^((?:\w+=)?){re.escape(name)}$", rf"\g<1>{place}", word) for word in words]
        words = [word.replace("results.json", str(tmp_path / "results.json")) for word in words]
        status, said, problem = hupai(*words)
        assert status == 0, problem
    assert "5 of 5" in said, "the truth's own boxes are exact"


def test_what_is_there_is_not_written_over(made: tuple[Path, str]) -> None:
    command = [sys.executable, "-m", "scripts.accuracy.scenes", "--out", made[0], "--each", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "not empty" in re.sub(r"[\s│]+", " ", done.stderr)
