"""What a browser does by graphs is what a server does by OpenCV."""

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
from vision.io import Photo
from vision.models import load_graph, models_folder, zoo
from vision.models.opencv import (
    colour_statistics,
    find_cells,
    invert_lightness,
    print_measures,
    rectify_all,
    turn_by_quarter,
)
from vision.onnx_device import pixels_of
from vision.pipeline import TileReader
from vision.scene.detections import Detections

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.jpg"))
SIZE, MARGIN = (64, 96), 0.12


def run(name: str, **given: object) -> list[np.ndarray]:
    """The outputs of a graph; numbers are given in the types that it asks for."""
    graph = load_graph(name)
    kinds = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(uint8)": np.uint8}
    return list(graph.run(None, {i.name: np.asarray(given[i.name], kinds[i.type]) for i in graph.get_inputs()}))


def cells(kernel: np.ndarray, geo: np.ndarray, stride: int = 4, unit: float = 16.0) -> list[np.ndarray]:
    return run("cells", kernel=kernel, geo=geo, stride=stride, unit=unit)


def crops(image: np.ndarray, quads: np.ndarray, size: object = SIZE, margin: float = MARGIN) -> np.ndarray:
    return run("crops", image=image, quads=quads, size=size, margin=margin)[0]


GRAPHS: dict[str, Callable[..., object]] = {
    "find_cells": cells,
    "rectify_all": crops,
    "turn_by_quarter": lambda crops: run("turned", crops=crops)[0],
    "invert_lightness": lambda image: run("negative", image=image)[0],
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


@pytest.mark.parametrize("times", [1, 3])
def test_crops_are_the_same_within_a_grey_level(picture: tuple[Photo, Detections], times: int) -> None:
    photo, seen = picture
    image = np.repeat(np.repeat(photo.pixels, times, axis=0), times, axis=1)
    found = np.array([one.quad for one in seen.found], np.float32)
    quads = (found[:6] - found.min(axis=(0, 1)) / 2) * np.float32(times)  # some reach beyond the border
    cut = rectify_all(image, quads, SIZE, MARGIN)
    differ(cut, crops(image, quads))
    across, over = run("turned", crops=cut)
    differ(turn_by_quarter(cut), across)
    assert np.array_equal(over, cut[:, ::-1, ::-1])


def test_no_quads_give_no_crops() -> None:
    nothing = crops(np.zeros((20, 20, 3), np.uint8), np.zeros((0, 4, 2), np.float32))
    assert nothing.shape == run("turned", crops=nothing)[0].shape == (0, 96, 64, 3)
    assert run("colours", crops=nothing)[0].shape == colour_statistics(nothing).shape == (0, 23)
    assert run("prints", crops=nothing)[0].shape == print_measures(nothing).shape == (0, 2)


def test_negatives_are_the_same_within_a_grey_level() -> None:
    """But for a few of all colours, which differ by two."""
    steps = np.arange(0, 256, 3, dtype=np.uint8)
    every = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(len(steps), -1, 3)
    (inverted,) = run("negative", image=every)
    differ(invert_lightness(every), inverted, by=2)
    assert np.mean(np.abs(invert_lightness(every).astype(int) - inverted) > 1) < 1e-5


def differ(one: np.ndarray, other: np.ndarray, by: int = 1) -> None:
    """They are of one shape and nowhere further apart than ``by`` grey levels."""
    assert one.shape == other.shape
    assert np.abs(one.astype(int) - other).max(initial=0) <= by


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
    monkeypatch.setattr(zoo, "models_folder", lambda: tmp_path)
    with pytest.raises(zoo.ModelError, match=r"cells\.onnx cannot be read"):
        load("cells")
    (tmp_path / "graphs").mkdir()
    (tmp_path / "graphs" / "cells.onnx").write_bytes(b"no graph")
    with pytest.raises(zoo.ModelError, match=r"cells\.onnx cannot be loaded"):
        load("cells")


def test_the_graphs_are_what_the_code_writes() -> None:
    pytest.importorskip("onnx")
    from datasets.learn.graphs import files

    made = files()
    assert sorted(made) == sorted(path.stem for path in (models_folder() / "graphs").iterdir())
    for name, data in made.items():
        stored = (models_folder() / "graphs" / f"{name}.onnx").read_bytes()
        assert stored == data, f"python -m scripts.train.graphs writes another {name}.onnx"
