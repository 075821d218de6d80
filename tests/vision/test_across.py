"""Tiles seen so steeply that their crops lie across are looked at turned by a quarter."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from datasets.labels import TURN_SYMMETRIC
from vision.classify.classifier import Classification, classify
from vision.device import finish
from vision.io.photo import Photo
from vision.metadata import BonusMetadata, ClassifierMetadata, Columns
from vision.models.opencv import turn_by_quarter
from vision.onnx_device import OnnxCrops, OnnxView
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

    def run(self, batch: Crops, outputs: list[str]) -> list[npt.NDArray[np.float32]]:
        assert outputs == ["face", "turn", "emb"]
        self.asked += len(batch)
        dark = batch[:, 0, 0, 0] < 128
        faces, turns = ([(self.dark if d else self.light)[k] for d in dark] for k in (0, 1))
        return [np.array(faces, np.float32), np.array(turns, np.float32), np.where(dark, 1, 2)[:, None]]


def look(network: Network, given: Crops, bonus: object = None) -> list[Classification]:
    """What is made of crops; ``bonus``: the network that looks at what may be a bonus tile, here 1m."""
    device: Any = SimpleNamespace(models={"classifier": network, "bonus": bonus})
    of = ClassifierMetadata(tuple(LABELS), Columns.from_labels(tuple(LABELS), 2), (4, 6), 0.1, 1.0)
    networks: Any = SimpleNamespace(classifier=of, bonus=BonusMetadata((0,), 1.0) if bonus else None)
    return finish(classify(OnnxCrops(device, given), len(given), networks))


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
    (read,) = look(network, given)
    assert read.probabilities[LABELS.index("2m")] > SURE
    assert read.turns == 3, "the third corner of the turned crop is the fourth of the crop"
    assert read.embedding == [2]
    assert np.array_equal(given, crops(1)), "what was given stays as it is"


def test_what_stands_already_keeps_its_name_however_sure_the_other_way_is() -> None:
    network = Network((logits(**{"1m": 1.0}), [4, 0, 0, 0]), (logits(**{"2m": 9.0}), [0, 4, 0, 0]))
    (read,) = look(network, crops(1))
    assert network.asked == 2
    assert max(read.probabilities) == read.probabilities[LABELS.index("1m")]
    assert read.turns == 0 and read.embedding == [1]


def test_bonus_tiles_are_looked_at_again_as_they_stand() -> None:
    network = Network((logits(), [0, 3, 0, 0]), (logits(**{"1m": 9.0}), [5, 0, 0, 0]))
    seen: list[int] = []

    def run(given: Crops, _: list[str]) -> list[npt.NDArray[np.float32]]:
        seen.extend(given[:, 0, 0, 0].tolist())
        return [np.zeros((len(given), 1), np.float32)]

    look(network, crops(2), SimpleNamespace(run=run))
    assert seen == [255, 255, 0, 0], "as they stand, and upside down"


def test_tiles_of_a_photo_cut_across_are_named_as_before(reader: TileReader) -> None:
    photo = Photo(EXAMPLES / "hand-self-draw.jpg")
    seen, _ = reader.detect(photo)
    networks = reader.device.metadata
    across = [side for one in seen.found for corner in (*one.quad[1:], one.quad[0]) for side in corner]
    view = OnnxView(reader.device, photo.view(10_000))
    cut = finish(view.crop(across, networks.classifier.crop, networks.classifier.margin))
    read = finish(classify(cut, len(seen), networks))
    names = [int(np.argmax(one.probabilities)) for one in seen.found]
    assert np.mean([np.argmax(one.probabilities) == name for one, name in zip(read, names, strict=True)]) > 0.9
    tells = [n for n, name in enumerate(names) if networks.classifier.labels[name] not in TURN_SYMMETRIC]
    assert len(tells) > 5
    for n in tells:
        assert (read[n].turns + 1) % 4 == seen.found[n].turns, "the same corner is the picture's first"


def test_a_sure_face_that_stands_is_looked_at_once() -> None:
    network = Network((logits(**{"1m": 9.0}), [0, 0, 3, 0]), (logits(**{"2m": 9.0}), [9, 0, 0, 0]))
    read = look(network, crops(3))
    assert network.asked == 3 and [one.turns for one in read] == [2, 2, 2]
