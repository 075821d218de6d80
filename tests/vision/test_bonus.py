"""Flowers, seasons and animals are looked at again, both ways up, by a second network."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import pytest

from scoring.tiles import PLAIN
from vision.classify.classifier import MIN_BONUS_CHANCE, name_bonus_tiles
from vision.device import finish
from vision.errors import ModelError
from vision.metadata import BonusMetadata, Metadata
from vision.models.network import describe_models
from vision.onnx_device import OnnxCrops

BONUS = [tile.code for tile in PLAIN if tile.is_bonus]
ALL = ["1m", *BONUS[::-1], "none"]


@dataclass
class Network:
    """Answers with fixed logits: ``upright`` for crops whose first pixel is dark, ``turned`` for the others."""

    labels: list[str]
    upright: dict[str, float]
    turned: dict[str, float] = field(default_factory=dict)
    asked: int = 0

    def run(self, batch: npt.NDArray[np.uint8], outputs: list[str]) -> list[npt.NDArray[np.float32]]:
        assert outputs == ["face"]
        self.asked += len(batch)
        told = [self.upright if crop[0, 0, 0] < 128 else self.turned for crop in batch]
        return [np.array([[logits.get(label, 0.0) for label in self.labels] for logits in told], np.float32)]


def look_again(
    network: Network, count: int, before: npt.NDArray[np.float32], temperature: float = 1.0
) -> npt.NDArray[np.float64]:
    """The rows of probabilities after a look at so many crops."""
    shown = OnnxCrops(SimpleNamespace(models={"bonus": network}), crops(count))  # type: ignore[arg-type]
    rows, columns = before.tolist(), tuple(map(ALL.index, network.labels))
    finish(name_bonus_tiles(shown, rows, [0] * count, BonusMetadata(columns, temperature)))
    return np.array(rows).reshape(-1, len(ALL))


def crops(count: int) -> npt.NDArray[np.uint8]:
    """Dark above, light below."""
    made = np.zeros((count, 6, 4, 3), np.uint8)
    made[:, 3:] = 255
    return made


def chances(**given: float) -> npt.NDArray[np.float32]:
    row = np.array([given.get(label, 0.0) for label in ALL], np.float32)
    row[0] = 1 - row.sum()
    return row[None]


def test_a_second_network_names_what_the_first_one_took_for_another_season() -> None:
    network = Network(BONUS, {"g4": 6.0}, {"g4": 6.0})
    before = chances(g2=0.7, g4=0.2)
    after = look_again(network, 1, before)
    assert ALL[after[0].argmax()] == "g4"
    assert after[0, 0] == before[0, 0], "the chance of being no bonus tile stays"
    assert after.sum() == pytest.approx(1)


def test_a_crop_is_seen_both_ways_up() -> None:
    network = Network(BONUS, {"g2": 3.0}, {"g3": 9.0})
    after = look_again(network, 1, chances(g2=0.5, g3=0.3))
    assert ALL[after[0].argmax()] == "g3"
    assert network.asked == 2
    logits = np.array([{"g2": 1.5, "g3": 4.5}.get(label, 0.0) for label in BONUS])
    share = np.exp(4.5) / np.exp(logits).sum()
    assert after[0, ALL.index("g3")] == pytest.approx(0.8 * share, rel=1e-5), "the mean of both looks"


def test_faces_that_are_hardly_bonus_tiles_are_not_looked_at_again() -> None:
    network = Network(BONUS, {"f1": 9.0})
    before = np.concatenate([chances(f1=0.9 * MIN_BONUS_CHANCE), chances(f2=0.5), chances()])
    after = look_again(network, 3, before)
    assert network.asked == 2, "one crop, both ways up"
    assert np.array_equal(after[[0, 2]], before[[0, 2]]) and not np.array_equal(after[1], before[1])
    assert look_again(network, 0, before[:0]).shape == (0, len(ALL))


def test_networks_that_know_other_tiles_are_refused() -> None:
    said = describe_models()
    said["bonus"]["labels"] = BONUS[:8]
    with pytest.raises(ModelError, match="same flowers") as caught:
        Metadata.from_json(said)
    assert caught.value.code == "model_unsuitable"


def test_its_temperature_says_how_sure_both_looks_are() -> None:
    def most(temperature: float) -> float:
        network = Network(BONUS, {"f1": 2.0}, {"f1": 2.0})
        return float(look_again(network, 1, chances(f1=0.5, f2=0.4), temperature).max())

    assert most(0.5) > most(1.0) > most(2.0)
