from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.classify.classifier import classify
from vision.device import finish
from vision.errors import ModelError
from vision.models import zoo
from vision.models.network import Model
from vision.onnx_device import OnnxCrops
from vision.pipeline import TileReader


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the models that a test may spoil."""
    folder = tmp_path / "models"
    shutil.copytree(zoo.models_folder(), folder)
    return folder


def test_the_models_are_whole_and_say_what_they_are() -> None:
    for role, entry in zoo.list_models().items():
        said = Model(entry, 1).describe()
        assert said["role"] == role and said["origin"]
        assert entry.card.is_file()


def test_the_classifier_knows_the_tiles_of_a_riichi_and_a_flower_set(reader: TileReader) -> None:
    classifier = reader.device.metadata.classifier
    known = {t.code for t in classifier.tiles if t is not None}
    assert {*(f"{n}{s}" for s in "mps" for n in range(10)), *(f"{n}z" for n in range(1, 8))} <= known
    assert {"f1", "f4", "g1", "g4", "back"} <= known
    assert classifier.tiles[classifier.columns.none] is None


def test_probabilities_sum_to_one_in_batches_of_any_size(reader: TileReader) -> None:
    width, height = reader.device.metadata.classifier.crop
    crops = np.random.default_rng(0).integers(0, 255, (35, height, width, 3), dtype=np.uint8)

    def read(some: np.ndarray) -> list[list[float]]:
        made = finish(classify(OnnxCrops(reader.device, some), len(some), reader.device.metadata))
        assert {one.turns for one in made} <= {0, 1, 2, 3}
        return [one.probabilities for one in made]

    every = np.array(read(crops))
    assert every.sum(axis=1) == pytest.approx(1)
    assert np.allclose(read(crops[33:]), every[33:], atol=1e-4)
    assert read(crops[:0]) == []


def test_a_folder_without_a_scene_classifier_takes_the_one_that_ships(copy: Path) -> None:
    change_list(copy, lambda listed: listed["models"].pop("scene"))
    found = zoo.list_models(copy)
    assert found["scene"] == zoo.list_models()["scene"]
    assert found["detector"].path.parent == copy


def test_a_folder_may_lack_the_reader_of_bonus_tiles(copy: Path) -> None:
    change_list(copy, lambda listed: listed["models"].pop("bonus"))
    assert "bonus" in zoo.list_models() and zoo.list_models(copy).keys() == zoo.list_models().keys() - {"bonus"}


def change_list(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    listed = json.loads((folder / "zoo.json").read_text())
    change(listed)
    (folder / "zoo.json").write_text(json.dumps(listed))


def put_in_place(folder: Path, data: bytes) -> None:
    """Put these bytes in place of the classifier, hash and all."""
    (folder / "classifier.onnx").write_bytes(data)
    sha256 = hashlib.sha256(data).hexdigest()
    change_list(folder, lambda listed: listed["models"]["classifier"].update(sha256=sha256))


def flip_byte(file: Path) -> None:
    """In the middle of the weights, so that the file can still be loaded."""
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


DAMAGES: dict[str, tuple[str, Callable[[Path], object]]] = {
    "no file": ("model_missing", lambda folder: (folder / "classifier.onnx").unlink()),
    "no list": ("model_missing", lambda folder: (folder / "zoo.json").unlink()),
    "half a list": ("model_corrupt", lambda folder: (folder / "zoo.json").write_text("{")),
    "another list": ("model_corrupt", lambda folder: (folder / "zoo.json").write_text("[]")),
    "an empty list": ("model_corrupt", lambda folder: change_list(folder, lambda listed: listed["models"].clear())),
    "a list of the future": ("model_unsuitable", lambda folder: change_list(folder, lambda x: x.update(format=99))),
    "one other byte": ("model_corrupt", lambda folder: flip_byte(folder / "classifier.onnx")),
    "not a model": ("model_corrupt", lambda folder: put_in_place(folder, b"not a model at all")),
    "another model": ("model_unsuitable", lambda folder: put_in_place(folder, (folder / "detector.onnx").read_bytes())),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_models_that_cannot_be_used_are_refused(what: str, copy: Path) -> None:
    code, damage = DAMAGES[what]
    damage(copy)
    with pytest.raises(ModelError) as caught:
        Model(zoo.list_models(copy)["classifier"], 1)
    assert (caught.value.code, caught.value.exit_status) == (code, 3)
