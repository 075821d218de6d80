"""Networks in eight bits: the inner layers only, the same answers, and nothing written where they differ."""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest

from datasets.learn.eight_bits.biases import correct_biases
from datasets.learn.eight_bits.network import agreement, eight_bits, fold_constants
from datasets.learn.eight_bits.pixels import GREY, PIXELS, fold_preparation
from datasets.learn.eight_bits.weights import round_together, round_weights
from scripts.train.onnx import quantize
from vision.pipeline import TileReader

pytestmark = pytest.mark.release

ROOT = Path(__file__).parents[2]
FLOAT = ROOT / "models/float"


def answers(model: onnx.ModelProto, picture: np.ndarray) -> list[np.ndarray]:
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    found: list[np.ndarray] = session.run(None, {session.get_inputs()[0].name: picture})
    return found


def layer_of(weights: onnx.TensorProto, bias: onnx.TensorProto) -> onnx.ModelProto:
    """uint8 (1, h, w, 3) -> one layer of one pixel."""
    helper = onnx.helper
    nodes = [
        helper.make_node("Cast", ["image"], ["cast"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Transpose", ["cast"], ["x"], perm=[0, 3, 1, 2]),
        helper.make_node("Conv", ["x", weights.name, bias.name], ["y"], name="layer"),
    ]
    image = helper.make_tensor_value_info("image", onnx.TensorProto.UINT8, [1, "h", "w", 3])
    out = helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "layer", [image], [out], [weights, bias])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def test_inner_layers_are_in_eight_bits_and_outer_ones_are_not() -> None:
    model = onnx.load(FLOAT / "classifier.onnx")
    crops = [np.random.default_rng(k).integers(0, 256, (2, 96, 64, 3), np.uint8) for k in range(3)]
    level = logging.getLogger().level
    small = eight_bits(model, crops)
    assert logging.getLogger().level == level, "what others have to say is heard again"
    assert [(p.key, p.value) for p in small.metadata_props] == [(p.key, p.value) for p in model.metadata_props]
    made = {output: node.op_type for node in small.graph.node for output in node.output}
    layers = [node for node in small.graph.node if node.op_type == "Conv"]
    assert all(made.get(node.input[1]) == "DequantizeLinear" for node in layers)
    for node in small.graph.node:
        if node.op_type == "Gemm":
            assert made.get(node.input[1]) != "DequantizeLinear"
    weights = [t for t in small.graph.initializer if t.data_type == onnx.TensorProto.INT8 and len(t.dims) == 4]
    assert len(weights) == len(layers)
    for tensor in weights:
        assert np.abs(onnx.numpy_helper.to_array(tensor).astype(int)).max() <= 64, "seven bits: no sum overflows"


def test_layers_of_single_channels_use_all_eight_bits() -> None:
    pictures = [np.random.default_rng(k).integers(0, 256, (1, 64, 96, 3), np.uint8) for k in range(2)]
    small = eight_bits(onnx.load(FLOAT / "detector.onnx"), pictures)
    stored = {t.name: onnx.numpy_helper.to_array(t) for t in small.graph.initializer}
    made = {output: node for node in small.graph.node for output in node.output}
    most: dict[bool, int] = {False: 0, True: 0}
    for node in small.graph.node:
        if node.op_type == "Conv" and node.input[1] in made:
            single = any(a.name == "group" and a.i > 1 for a in node.attribute)
            weights = stored[made[node.input[1]].input[0]].astype(int)
            most[single] = max(most[single], int(np.abs(weights).max()))
    assert most == {False: 64, True: 127}


def test_pixels_reach_the_first_layer_as_they_are() -> None:
    """Folding changes nothing but what lies beyond the border, and the eight-bit network has no float in between."""
    model = fold_constants(onnx.load(FLOAT / "detector.onnx"))
    folded = onnx.ModelProto()
    folded.CopyFrom(model)
    assert fold_preparation(folded) == PIXELS
    grey = np.full((1, 96, 96, 3), GREY, np.uint8)
    picture = np.random.default_rng(0).integers(0, 256, (1, 96, 96, 3), np.uint8)
    grey[:, 32:64, 32:64] = picture[:, 32:64, 32:64]
    (before, after) = (answers(m, grey) for m in (model, folded))
    assert np.abs(before[0] - after[0])[..., 8:16, 8:16].max() < 0.01
    small = eight_bits(onnx.load(FLOAT / "detector.onnx"), [picture])
    assert not {"Cast", "Sub", "Mul"} & {node.op_type for node in small.graph.node}
    first = next(node for node in small.graph.node if "image" in node.input)
    assert first.op_type == "Transpose"


def rounded_layer(weights: np.ndarray, scale: float) -> tuple[onnx.ModelProto, onnx.ModelProto]:
    """A layer of one pixel, (outputs, inputs) weights, as it is and with each weight at its nearest step."""
    outputs = len(weights)
    kernel = weights.astype(np.float32).reshape(outputs, -1, 1, 1)
    exact = layer_of(
        onnx.numpy_helper.from_array(kernel, "w"), onnx.numpy_helper.from_array(np.zeros(outputs, np.float32), "b")
    )
    small = onnx.ModelProto()
    small.CopyFrom(exact)
    tensors = {
        "w.q": np.rint(kernel / scale).astype(np.int8), "w.scale": np.full(outputs, scale, np.float32),
        "w.zero": np.zeros(outputs, np.int8), "b.q": np.zeros(outputs, np.int32),
        "b.scale": np.full(outputs, 1e-3, np.float32), "b.zero": np.zeros(outputs, np.int32),
    }  # fmt: skip
    del small.graph.initializer[:]
    small.graph.initializer.extend(onnx.numpy_helper.from_array(v, k) for k, v in tensors.items())
    for name in ("b", "w"):
        parts = [f"{name}.q", f"{name}.scale", f"{name}.zero"]
        small.graph.node.insert(0, onnx.helper.make_node("DequantizeLinear", parts, [name], axis=0))
    return exact, small


def test_biases_take_back_what_rounding_shifts() -> None:
    """A layer of equal weights that all round the same way: its answer is off by a known share of the mean."""
    exact, small = rounded_layer(np.array([[1.0, 0.5, 0.5]] * 2), 1 / 3)  # 1 is three steps, 0.5 one and a half
    picture = np.random.default_rng(0).integers(0, 256, (1, 16, 16, 3), np.uint8)
    off = np.abs(answers(small, picture)[0] - answers(exact, picture)[0]).mean()
    assert correct_biases(small, exact, [picture]) == 1
    assert np.abs((answers(small, picture)[0] - answers(exact, picture)[0]).mean()) < 1e-3 * off


def test_weights_are_rounded_so_that_their_errors_cancel_out() -> None:
    """Of a grey picture a layer sees one number three times: only the sum of its weights counts."""
    exact, small = rounded_layer(np.array([[1.0, 0.5, 0.5], [0.2, 0.2, 0.2]]), 1 / 3)
    grey = np.random.default_rng(0).integers(0, 256, (1, 16, 16, 1), np.uint8).repeat(3, axis=3)
    assert np.abs(answers(small, grey)[0] - answers(exact, grey)[0]).max() > 10
    round_weights(small, exact, [grey])
    after = np.abs(answers(small, grey)[0] - answers(exact, grey)[0])
    assert after[:, 0].max() < 0.01, "six steps are 2.0"
    assert after[:, 1].max() < 0.1 * 255, "two steps, not three, are .667 for .6"


def test_weights_whose_inputs_have_nothing_in_common_take_the_nearest_step() -> None:
    weights = np.random.default_rng(1).normal(0, 30, (4, 5, 6))
    alone = np.broadcast_to(np.diag(np.arange(1.0, 7)), (4, 6, 6))
    assert np.array_equal(round_together(weights, alone, 64), np.rint(weights).clip(-64, 64))


def test_rounding_together_is_nearer_and_stays_within_the_limit() -> None:
    random = np.random.default_rng(2)
    weights = random.normal(0, 40, (2, 8, 24))
    mixed = random.normal(size=(2, 24, 3)) @ random.normal(size=(2, 3, 400)) + 0.1 * random.normal(size=(2, 24, 400))
    covariance = mixed @ mixed.transpose(0, 2, 1) / 400

    def error(steps: np.ndarray) -> float:
        off = steps - weights.clip(-64, 64)
        return float(np.einsum("gok,gkl,gol->", off, covariance, off))

    together = round_together(weights.clip(-64, 64), covariance, 64)
    assert np.abs(together).max() <= 64
    assert error(together) < 0.25 * error(np.rint(weights.clip(-64, 64)))


def test_agreement_is_measured_on_answers() -> None:
    data = (FLOAT / "classifier.onnx").read_bytes()
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
    monkeypatch.setattr(quantize, "LEAST_AGREED", {"face": 0.9, "kernel": 0.8})
    quantize.main(FLOAT, out, photos=[photos], scenes=3)
    exact, small = TileReader(models=FLOAT), TileReader(models=out)
    photo = next(photos.iterdir())
    assert sorted(s.tile.code for s in small.find_tiles(photo)) == sorted(s.tile.code for s in exact.find_tiles(photo))
    assert (out / "classifier.onnx").stat().st_size < 0.7 * (FLOAT / "classifier.onnx").stat().st_size
    listed = json.loads((out / "zoo.json").read_text(encoding="utf-8"))["models"]
    assert listed["classifier"]["bytes"] == (out / "classifier.onnx").stat().st_size


def test_one_network_is_made_small_beside_those_that_lie_there(tmp_path: Path) -> None:
    learned, out = tmp_path / "learned", shutil.copytree(ROOT / "models", tmp_path / "out")
    learned.mkdir()
    shutil.copyfile(FLOAT / "classifier.onnx", learned / "classifier.onnx")
    before = TileReader(models=out).models
    quantize.main(learned, out, role=["classifier"], scenes=3)
    after = TileReader(models=out).models
    assert {role for role in before if before[role] != after[role]} == {"classifier"}
    with pytest.raises(ValueError, match="--role takes detector, classifier, bonus, not scene"):
        quantize.main(learned, out, role=["scene"])
    with pytest.raises(SystemExit, match="no network in"):
        quantize.main(tmp_path, out)


def test_what_answers_otherwise_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noise = [np.zeros((1, 64, 64, 3), np.uint8)]
    monkeypatch.setattr(quantize, "rendered_batches", lambda role, metadata, seed, scenes: noise)
    with pytest.raises(SystemExit, match="answers otherwise"):
        quantize.main(FLOAT, tmp_path / "out")
    assert not (tmp_path / "out").exists()
