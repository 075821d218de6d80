"""The layouts of FiftyOne and Hugging Face datasets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import yaml

from hupai.batch.classes import ALL, PRESETS
from hupai.batch.formats import WRITERS, Target
from hupai.batch.records import Box, Record
from scoring.tiles import tile
from tests.hupai.test_batch.batch_photos import hupai, write_photos

QUAD = ((10.0, 20.0), (40.0, 25.0), (35.0, 60.0), (-5.0, 55.0))
RECORDS = [
    Record("a/one.jpg", 100, 200, (Box(tile("0m"), QUAD, 0.75), Box(tile("back"), QUAD, None, origin="confirmed"))),
    Record("a/one.png", 100, 200),
]


def write(folder: Path, name: str, **more: object) -> Path:
    writer = WRITERS[name](Target(folder, **more))  # type: ignore[arg-type]
    for record in RECORDS:
        writer.add(record)
    writer.close()
    return folder / name


def lines(folder: Path) -> dict[str, dict[str, object]]:
    """file_name -> line of both parts."""
    found = [json.loads(line) for path in folder.rglob("metadata.jsonl") for line in path.read_text().splitlines()]
    return {line["file_name"]: line for line in found}


def test_fiftyone_gets_names_and_boxes_as_shares(tmp_path: Path) -> None:
    put = []
    folder = write(tmp_path, "fiftyone", put=lambda name, place: put.append((name, place.name)))
    told = json.loads((folder / "labels.json").read_text())
    assert "classes" not in told and set(told["labels"]) == {"a/one", "a/one_png"}
    red, back = told["labels"]["a/one"]
    assert (red["label"], back["label"]) == ("0m", "back") and told["labels"]["a/one_png"] == []
    assert red["bounding_box"] == [0.0, 0.1, 0.4, 0.2] and red["confidence"] == 0.75 and back["confidence"] is None
    assert red["attributes"]["corners"][1] == [0.4, 0.125]
    assert put == [("a/one.jpg", "one.jpg"), ("a/one.png", "one_png.png")]


def test_classes_are_merged_and_left_out_as_asked(tmp_path: Path) -> None:
    folder = write(tmp_path, "fiftyone", classes=PRESETS["34"])
    assert [d["label"] for d in json.loads((folder / "labels.json").read_text())["labels"]["a/one"]] == ["5m"]
    folder = write(tmp_path, "huggingface", classes=PRESETS["34"])
    assert lines(folder)["a/one.jpg"]["objects"]["categories"] == [PRESETS["34"].names.index("5m")]


def test_hugging_face_gets_a_line_a_picture_and_a_card(tmp_path: Path) -> None:
    folder = write(tmp_path, "huggingface")
    assert set(lines(folder)) == {"a/one.jpg", "a/one_png.png"}
    told = lines(folder)["a/one.jpg"]["objects"]
    assert told["bbox"][0] == [0.0, 20.0, 40.0, 40.0] and told["confidence"] == [0.75, None]
    assert told["categories"] == [ALL.names.index("0m"), ALL.names.index("back")]
    assert told["corners"][0] == [10.0, 20.0, 40.0, 25.0, 35.0, 60.0, 0.0, 55.0]
    header, text = (folder / "README.md").read_text().removeprefix("---\n").split("---\n", 1)
    assert yaml.safe_load(header)["task_categories"] == ["object-detection"]
    assert "2 pictures" in text and "with 2 tiles" in text and "looked at 1 of the tiles" in text
    assert f"{ALL.names.index('0m')} 0m" in text and "license" not in yaml.safe_load(header)


@pytest.mark.slow
def test_the_pictures_lie_where_the_layouts_want_them(tmp_path: Path) -> None:
    write_photos(tmp_path / "photos", 3)
    out, formats = tmp_path / "labels", "fiftyone,huggingface"
    status, _, told = hupai("label", tmp_path / "photos", "--out", out, "--format", formats, "--images", "copy")
    assert status == 0, told
    labels = json.loads((out / "fiftyone" / "labels.json").read_text())["labels"]
    assert {p.stem for p in (out / "fiftyone" / "data").iterdir()} == set(labels) == {"0000", "0001", "0002"}
    parts = [p for p in (out / "huggingface").iterdir() if p.is_dir()]
    for part in parts:
        named = {json.loads(line)["file_name"] for line in (part / "metadata.jsonl").read_text().splitlines()}
        assert named == {p.name for p in part.glob("*.jpg")}
    python = os.environ.get("HUPAI_READERS", sys.executable)
    loaded = "import datasets, sys; d = datasets.load_dataset('imagefolder', data_dir=sys.argv[1]); "
    loaded += "print([(len(r['objects']['labels']), r['image'].size) for s in sorted(d) for r in d[s]])"
    # Not from here: a folder of this project is called so, too.
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    env |= {"HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1"}
    run = partial(subprocess.run, capture_output=True, check=False, env=env, cwd=tmp_path)
    if run([python, "-c", "from datasets import load_dataset"]).returncode:
        pytest.skip("datasets is not installed (HUPAI_READERS may name the Python of an environment that has it)")
    done = run([python, "-c", loaded, str(out / "huggingface")])
    assert done.returncode == 0, done.stderr.decode()
    counts = sorted(len(v) for v in labels.values())
    assert sorted(n for n, _ in eval(done.stdout.decode())) == counts
