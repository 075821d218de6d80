"""Networks in eight bits: the inner layers only, the same answers, and nothing written where they differ."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

from datasets.learn.int8 import agreement, eight_bits, outer
from scripts import quantize_models
from vision.pipeline import Eyes

ROOT = Path(__file__).parents[2]
FLOAT = ROOT / "models/float"


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["quantize_models.py", *map(str, arguments)])
    return quantize_models.main()


def test_inner_layers_are_in_eight_bits_and_outer_ones_are_not() -> None:
    model = onnx.load(FLOAT / "reader.onnx")
    crops = [np.random.default_rng(k).integers(0, 256, (2, 96, 64, 3), np.uint8) for k in range(3)]
    small = eight_bits(model, crops)
    assert [(p.key, p.value) for p in small.metadata_props] == [(p.key, p.value) for p in model.metadata_props]
    made = {output: node.op_type for node in small.graph.node for output in node.output}
    layers = [node for node in small.graph.node if node.op_type == "Conv"]
    quantized = [made.get(node.input[1]) == "DequantizeLinear" for node in layers]
    assert quantized == [False, *[True] * (len(layers) - 1)]
    for node in small.graph.node:
        if node.op_type == "Gemm":
            assert made.get(node.input[1]) != "DequantizeLinear"
    weights = [t for t in small.graph.initializer if t.data_type == onnx.TensorProto.INT8 and len(t.dims) == 4]
    assert len(weights) == len(layers) - 1
    for tensor in weights:
        assert np.abs(onnx.numpy_helper.to_array(tensor).astype(int)).max() <= 64, "seven bits: no sum overflows"


def test_outer_layers_of_the_finder() -> None:
    model = onnx.load(FLOAT / "finder.onnx")
    for k, node in enumerate(model.graph.node):
        node.name = f"n{k}"
    kept = outer(model)
    layers = [node for node in model.graph.node if node.op_type == "Conv"]
    assert [layer.name for layer in layers if layer.name in kept] == [layers[0].name, layers[-2].name, layers[-1].name]


def test_agreement_is_measured_on_answers() -> None:
    data = (FLOAT / "reader.onnx").read_bytes()
    other = onnx.load_from_string(data)
    crops = [np.random.default_rng(0).integers(0, 256, (8, 96, 64, 3), np.uint8)]
    assert agreement(data, data, crops, "face") == 1.0
    face = next(node for node in other.graph.node if "face" in node.output)
    bias = next(t for t in other.graph.initializer if t.name == face.input[2])
    shifted = onnx.numpy_helper.to_array(bias).astype(np.float32)
    shifted[3] += 1000
    bias.CopyFrom(onnx.numpy_helper.from_array(shifted, bias.name))
    assert agreement(data, other.SerializeToString(), crops, "face") < 1.0


def test_the_script_writes_models_that_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    for path in sorted((ROOT / "examples").glob("*.jpg"))[:3]:
        shutil.copyfile(path, photos / path.name)
    out = tmp_path / "out"
    # Three photos are too few for the ranges of every scene that the script checks with; what is asked here is below.
    monkeypatch.setattr(quantize_models, "LEAST_AGREED", {"face": 0.9, "kernel": 0.8})
    assert run(monkeypatch, "--models", FLOAT, "--out", out, "--photos", photos, "--scenes", 3) == 0
    exact, small = Eyes(models=FLOAT), Eyes(models=out)
    photo = next(photos.iterdir())
    assert sorted(s.tile.code for s in small.look(photo)) == sorted(s.tile.code for s in exact.look(photo))
    assert (out / "reader.onnx").stat().st_size < 0.7 * (FLOAT / "reader.onnx").stat().st_size
    listed = json.loads((out / "zoo.json").read_text(encoding="utf-8"))["models"]
    assert listed["reader"]["bytes"] == (out / "reader.onnx").stat().st_size


def test_what_answers_otherwise_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    noise = [np.zeros((1, 64, 64, 3), np.uint8)]
    monkeypatch.setattr(quantize_models, "pictures", lambda role, metadata, seed, scenes: noise)
    assert run(monkeypatch, "--models", FLOAT, "--out", tmp_path / "out") == 1
    assert "answers otherwise" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_folder_without_photographs_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "--models", FLOAT, "--out", tmp_path / "out", "--photos", tmp_path) == 1
    assert "no photographs" in capsys.readouterr().err
