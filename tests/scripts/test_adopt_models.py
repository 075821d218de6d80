from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper

from scripts.adopt_models import LABELS, adopt
from vision import zoo
from vision.classify import Reader


def network(outputs: list[str], path: Path) -> Path:
    """A network that gives its input back under every name asked for."""
    shape = ["n", 3, "h", "w"]
    graph = helper.make_graph(
        [helper.make_node("Identity", ["x"], [name]) for name in outputs],
        "echo",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in outputs],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10), path)
    return path


@pytest.mark.parametrize("bgr", [True, False])
def test_preprocessing_moves_into_the_graph(tmp_path: Path, bgr: bool) -> None:
    finder = network(["kernel", "geo"], tmp_path / "f.onnx")
    reader = network(["face", "turn", "emb"], tmp_path / "r.onnx")
    labels = ["1m", "back", "joker", "none"]
    adopt(
        finder, reader, tmp_path / "out", origin="a test", version="9", bgr=bgr, temperature=0.5, labels=labels,
        tile_px=(20, 100),
    )  # fmt: skip
    listed = zoo.entries(tmp_path / "out")
    image = np.random.default_rng(0).integers(0, 255, (1, 64, 32, 3), dtype=np.uint8)
    model = zoo.Model(listed["finder"], 1)
    (made,) = model.run(image, ["kernel"])
    expected = ((image[..., ::-1] if bgr else image).transpose(0, 3, 1, 2) / 255 - 0.5) / 0.25
    assert np.abs(made - expected).max() < 1e-5
    assert model.value("tile_px") == [20, 100] and model.value("origin") == "a test" and model.value("version") == 9
    taken = Reader(zoo.Model(listed["reader"], 1))
    assert taken.labels == tuple(labels) and taken.temperature == 0.5
    assert [t and t.code for t in taken.tiles] == ["1m", "back", None, None]


def test_the_models_of_the_repository_are_the_ones_listed() -> None:
    folder = zoo.models_folder()
    listed = json.loads((folder / "zoo.json").read_text())["models"]
    for entry in listed.values():
        assert (folder / entry["file"]).stat().st_size == entry["bytes"]
    session = ort.InferenceSession((folder / "reader.onnx").read_bytes())
    count = session.get_outputs()[0].shape[1]
    labels = json.loads(session.get_modelmeta().custom_metadata_map["labels"])
    assert count == len(labels) == len(set(labels))
    assert set(LABELS) < set(labels), "what the prototype's reader knew and more"
