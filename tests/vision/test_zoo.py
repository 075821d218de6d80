from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from vision.classify.classifier import Classifier
from vision.detect.detector import QuadDetector
from vision.errors import ModelError
from vision.models import zoo


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the models that a test may spoil."""
    folder = tmp_path / "models"
    shutil.copytree(zoo.models_folder(), folder)
    return folder


def refusal(folder: Path, role: str = "classifier") -> ModelError:
    with pytest.raises(ModelError) as caught:
        zoo.Model(zoo.entries(folder)[role], 1)
    assert caught.value.exit_status == 3
    return caught.value


def test_the_models_are_whole_and_say_what_they_are() -> None:
    for role, entry in zoo.entries().items():
        model = zoo.Model(entry, 1)
        assert model.role == role
        assert model.value("origin")
        assert entry.card.is_file()


def test_the_classifier_knows_the_tiles_of_a_riichi_and_a_flower_set() -> None:
    classifier = Classifier(zoo.Model(zoo.entries()["classifier"], 1))
    known = {t.code for t in classifier.tiles if t is not None}
    assert {*(f"{n}{s}" for s in "mps" for n in range(10)), *(f"{n}z" for n in range(1, 8))} <= known
    assert {"f1", "f4", "g1", "g4", "back"} <= known
    assert classifier.tiles[classifier.none] is None


def test_probabilities_sum_to_one_in_batches_of_any_size() -> None:
    classifier = Classifier(zoo.Model(zoo.entries()["classifier"], 1))
    width, height = classifier.crop
    crops = np.random.default_rng(0).integers(0, 255, (35, height, width, 3), dtype=np.uint8)
    read = classifier(crops)
    assert np.allclose(read.probabilities.sum(axis=1), 1, atol=1e-5)
    assert read.turns.shape == (35,) and set(read.turns.tolist()) <= {0, 1, 2, 3}
    assert np.allclose(classifier(crops[33:]).probabilities, read.probabilities[33:], atol=1e-4)
    assert classifier(crops[:0]).probabilities.shape == (0, len(classifier.labels))


def test_nothing_is_found_in_nothing() -> None:
    detector = QuadDetector(zoo.Model(zoo.entries()["detector"], 1))
    assert len(detector(np.full((50, 70, 3), 128, np.uint8))) == 0


def test_a_missing_file(copy: Path) -> None:
    (copy / "classifier.onnx").unlink()
    assert refusal(copy).code == "model_missing"


def test_a_missing_list(tmp_path: Path) -> None:
    assert refusal(tmp_path).code == "model_missing"


def test_a_list_that_makes_no_sense(copy: Path) -> None:
    for text in ("{", "[]", '{"format": 1, "models": {}}'):
        (copy / "zoo.json").write_text(text)
        assert refusal(copy).code == "model_corrupt"


def test_a_folder_without_a_scene_classifier_takes_the_one_that_ships(copy: Path) -> None:
    listed = json.loads((copy / "zoo.json").read_text())
    del listed["models"]["scene"]
    (copy / "zoo.json").write_text(json.dumps(listed))
    found = zoo.entries(copy)
    assert found["scene"] == zoo.entries()["scene"]
    assert found["detector"].path.parent == copy


def test_a_list_of_the_future(copy: Path) -> None:
    listed = json.loads((copy / "zoo.json").read_text())
    (copy / "zoo.json").write_text(json.dumps({**listed, "format": 99}))
    assert refusal(copy).code == "model_unsuitable"


def test_one_flipped_byte(copy: Path) -> None:
    data = bytearray((copy / "classifier.onnx").read_bytes())
    data[len(data) // 2] ^= 1
    (copy / "classifier.onnx").write_bytes(data)
    error = refusal(copy)
    assert error.code == "model_corrupt" and "sha256" in error.message


def renamed(copy: Path, role: str, data: bytes) -> None:
    """Put these bytes in place of a model, hash and all."""
    import hashlib

    listed = json.loads((copy / "zoo.json").read_text())
    listed["models"][role]["sha256"] = hashlib.sha256(data).hexdigest()
    (copy / "zoo.json").write_text(json.dumps(listed))
    (copy / listed["models"][role]["file"]).write_bytes(data)


def test_a_file_that_is_no_model(copy: Path) -> None:
    renamed(copy, "classifier", b"no model at all")
    assert refusal(copy).code == "model_corrupt"


def test_a_model_in_the_wrong_place(copy: Path) -> None:
    renamed(copy, "classifier", (copy / "detector.onnx").read_bytes())
    assert refusal(copy).code == "model_unsuitable"
