"""Tiles seen so steeply that their crops lie across are looked at turned by a quarter."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from datasets.labels import TURN_SYMMETRIC
from vision.classify.classifier import Classifier
from vision.io.photo import Photo
from vision.models import zoo
from vision.models.opencv import rectify_all, turn_by_quarter
from vision.pipeline import TileReader
from vision.reading import SURE

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LABELS = ["1m", "2m", "none"]
Crops = npt.NDArray[np.uint8]


def logits(**given: float) -> list[float]:
    return [given.get(label, 0.0) for label in LABELS]


@dataclass
class Network:
    """Answers by a crop's first pixel: as ``dark`` says, or as ``light`` does; each a face's and a turn's logits."""

    dark: tuple[list[float], list[float]]
    light: tuple[list[float], list[float]]
    asked: int = 0

    def value(self, key: str) -> Any:
        return {"labels": LABELS, "none": "none", "crop": [4, 6], "margin": 0.1, "temperature": 1.0}[key]

    def run(self, batch: Crops, outputs: list[str]) -> list[npt.NDArray[np.float32]]:
        assert outputs == ["face", "turn", "emb"]
        self.asked += len(batch)
        dark = batch[:, 0, 0, 0] < 128
        faces, turns = ([(self.dark if d else self.light)[k] for d in dark] for k in (0, 1))
        return [np.array(faces, np.float32), np.array(turns, np.float32), np.where(dark, 1, 2)[:, None]]


def crops(count: int) -> Crops:
    """Dark on the left, light on the right: turned by a quarter, light above."""
    made = np.zeros((count, 6, 4, 3), np.uint8)
    made[:, :, 2:] = 255
    return made


def test_a_crop_turned_by_a_quarter_has_its_second_corner_first() -> None:
    crop = np.zeros((1, 96, 64, 3), np.uint8)
    crop[0, 6:18, 48:60] = 255
    turned = turn_by_quarter(crop)
    assert turned.shape == crop.shape and turned.dtype == np.uint8
    rows, columns = np.nonzero(turned[0, :, :, 0] > 128)
    assert rows.max() < 32 and columns.max() < 24
    assert np.array_equal(turn_by_quarter(crop[:0]), crop[:0])


def test_a_crop_that_lies_across_is_read_as_it_stands() -> None:
    network = Network((logits(), [0, 3, 0, 0]), (logits(**{"2m": 9.0}), [0, 0, 5, 0]))
    given = crops(1)
    read = Classifier(network)(given)  # type: ignore[arg-type]
    assert LABELS[read.probabilities[0].argmax()] == "2m" and read.probabilities[0].max() > SURE
    assert read.turns.tolist() == [3], "the third corner of the turned crop is the fourth of the crop"
    assert read.embeddings.tolist() == [[2]]
    assert np.array_equal(given, crops(1)), "what was given stays as it is"


def test_what_stands_already_keeps_its_name_however_sure_the_other_way_is() -> None:
    network = Network((logits(**{"1m": 1.0}), [4, 0, 0, 0]), (logits(**{"2m": 9.0}), [0, 4, 0, 0]))
    read = Classifier(network)(crops(1))  # type: ignore[arg-type]
    assert network.asked == 2
    assert LABELS[read.probabilities[0].argmax()] == "1m"
    assert read.turns.tolist() == [0] and read.embeddings.tolist() == [[1]]


def test_bonus_tiles_are_looked_at_again_as_they_stand() -> None:
    network = Network((logits(), [0, 3, 0, 0]), (logits(**{"2m": 9.0}), [5, 0, 0, 0]))
    seen: list[Crops] = []

    def again(given: Crops, probabilities: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        seen.append(given)
        return probabilities

    Classifier(network, again)(crops(2))  # type: ignore[arg-type]
    assert (seen[0][:, 0, 0, 0] > 128).all()


def test_tiles_of_a_photo_cut_across_are_named_as_before(reader: TileReader) -> None:
    photo = Photo(EXAMPLES / "hand-self-draw.jpg")
    seen, _ = reader.detect(photo)
    classifier = Classifier(zoo.Model(zoo.list_models()["classifier"], 1))
    across = rectify_all(photo.view(10_000), np.roll(seen.quads, -1, axis=1), classifier.crop, classifier.margin)
    read = classifier(across)
    names = seen.probabilities.argmax(axis=1)
    assert (read.probabilities.argmax(axis=1) == names).mean() > 0.9
    tells = [n for n, name in enumerate(names) if classifier.labels[name] not in TURN_SYMMETRIC]
    assert len(tells) > 5
    assert np.array_equal((read.turns[tells] + 1) % 4, seen.turns[tells]), "the same corner is the picture's first"


def test_a_sure_face_that_stands_is_looked_at_once() -> None:
    network = Network((logits(**{"1m": 9.0}), [0, 0, 3, 0]), (logits(**{"2m": 9.0}), [9, 0, 0, 0]))
    read = Classifier(network)(crops(3))  # type: ignore[arg-type]
    assert network.asked == 3 and read.turns.tolist() == [2, 2, 2]
