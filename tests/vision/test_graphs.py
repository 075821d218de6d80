"""What a browser does by graphs is what a server does by OpenCV and numpy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.learn.scene.measures import DetectionMeasures
from datasets.learn.scene.samples import COLUMNS
from tests.vision.subset import subset
from vision import onnx_device
from vision.errors import ModelError
from vision.io.photo import Photo
from vision.models import network
from vision.models.network import load_graph
from vision.models.opencv import colour_statistics, find_cells, print_measures
from vision.models.zoo import models_folder
from vision.onnx_device import pixels_of
from vision.pipeline import TileReader
from vision.scene.detections import Detections

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.jpg"))


def run(name: str, **given: object) -> list[np.ndarray]:
    """The outputs of a graph; numbers are given in the types that it asks for."""
    graph = load_graph(name)
    kinds = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(uint8)": np.uint8}
    return list(graph.run(None, {i.name: np.asarray(given[i.name], kinds[i.type]) for i in graph.get_inputs()}))


def cells(kernel: np.ndarray, geo: np.ndarray, stride: int = 4, unit: float = 16.0) -> list[np.ndarray]:
    return run("cells", kernel=kernel, geo=geo, stride=stride, unit=unit)


GRAPHS: dict[str, Callable[..., object]] = {
    "find_cells": cells,
    "colour_statistics": lambda crops: run("colours", crops=crops)[0],
    "print_measures": lambda crops: run("prints", crops=crops)[0],
}
"""What stands in for the server's functions."""


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda path: path.stem)
def picture(request: pytest.FixtureRequest, reader: TileReader) -> tuple[Photo, Detections]:
    photo = Photo(request.param)
    return photo, reader.detect(photo)[0]


def random_outputs(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Blots of every size as a detector's outputs."""
    rng = np.random.default_rng(seed)
    h, w = rng.integers(1, 100, 2)
    noise = rng.random((h, w), np.float32)
    blots = cv2.GaussianBlur(noise, (0, 0), float(rng.uniform(0.4, 3))).reshape(h, w)
    kernel = (blots - blots.min()) / max(np.ptp(blots), 1e-6) * np.float32(rng.uniform(0.2, 1))
    return kernel[None, None], rng.normal(size=(1, 10, h, w)).astype(np.float32)


@pytest.mark.parametrize("seed", range(40))
def test_cells_are_the_same(seed: int) -> None:
    kernel, geo = random_outputs(seed)
    for one, other in zip(find_cells(kernel, geo, 4, 16.0), cells(kernel, geo), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("chance", [0.1, 0.4, 0.9])
def test_kernels_that_fill_the_picture_and_none(chance: float) -> None:
    kernel = np.full((1, 1, 5, 7), chance, np.float32)
    codes, sure, ends = cells(kernel, np.zeros((1, 10, 5, 7), np.float32))
    assert ends.tolist() == ([35] if chance > 0.3 else [])
    assert len(codes) == len(sure) == sum(ends)


def test_no_crops_have_no_colours_and_no_print() -> None:
    nothing = np.zeros((0, 96, 64, 3), np.uint8)
    assert run("colours", crops=nothing)[0].shape == colour_statistics(nothing).shape == (0, 23)
    assert run("prints", crops=nothing)[0].shape == print_measures(nothing).shape == (0, 3)


def test_colours_and_prints_are_the_same(picture: tuple[Photo, Detections]) -> None:
    shown = pixels_of(picture[1].crops)
    np.testing.assert_allclose(run("colours", crops=shown)[0], colour_statistics(shown), atol=0.01)
    np.testing.assert_allclose(run("prints", crops=shown)[0], print_measures(shown), atol=0.01)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_of_up_to_three_detections_none_has_neighbours(picture: tuple[Photo, Detections], count: int) -> None:
    """How the scene classifier has learnt it."""
    _, seen = picture
    few = DetectionMeasures.from_detections(subset(seen, range(count)))
    far = (few.to_inputs(COLUMNS)["geo"][:, 4:7] == 4).all()
    assert far == (count <= 3)


def test_photos_are_read_the_same(reader: TileReader, monkeypatch: pytest.MonkeyPatch) -> None:
    read = [reader.read(path).to_json(path.name) for path in EXAMPLES]
    for name, graph in GRAPHS.items():
        monkeypatch.setattr(onnx_device, name, graph)
    for path, one in zip(EXAMPLES, read, strict=True):
        two = reader.read(path).to_json(path.name)
        assert [t["tile"] for t in one["tiles"]] == [t["tile"] for t in two["tiles"]]
        assert one["hand"] == two["hand"] and one["doubts"] == two["doubts"]


def test_a_graph_that_is_missing_or_damaged_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load: Callable[[str], object] = load_graph.__wrapped__
    monkeypatch.setattr(network, "models_folder", lambda: tmp_path)
    with pytest.raises(ModelError, match=r"cells\.onnx cannot be read"):
        load("cells")
    (tmp_path / "graphs").mkdir()
    (tmp_path / "graphs" / "cells.onnx").write_bytes(b"no graph")
    with pytest.raises(ModelError, match=r"cells\.onnx cannot be loaded"):
        load("cells")


def test_the_graphs_are_what_the_code_writes() -> None:
    pytest.importorskip("onnx")
    from datasets.learn.graphs import files

    made = files()
    assert sorted(made) == sorted(path.stem for path in (models_folder() / "graphs").iterdir())
    for name, data in made.items():
        stored = (models_folder() / "graphs" / f"{name}.onnx").read_bytes()
        assert stored == data, f"python -m scripts.train.onnx.graphs writes another {name}.onnx"
