"""Networks as browsers run them give what they gave."""

from __future__ import annotations

import platform
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto
from onnx.helper import make_graph, make_model, make_tensor_value_info

from scripts.wasm.fitted_sums import fit_sums
from scripts.wasm.fused_codes import fuse_codes
from scripts.wasm.matrix_products import multiply_matrices
from scripts.wasm.whole_floats import convolve_in_floats
from vision.io.photo import Photo
from vision.models.opencv import WEAK
from vision.models.zoo import list_models

HAND = Path(__file__).resolve().parents[2] / "examples" / "hand-riichi.jpg"
on_x86 = pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="other processors round other sums")


def sessions(*networks: bytes) -> list[ort.InferenceSession]:
    options = ort.SessionOptions()
    options.log_severity_level = 3
    return [ort.InferenceSession(one, options, providers=["CPUExecutionProvider"]) for one in networks]


@on_x86
@pytest.mark.parametrize(
    ("rewrite", "role"),
    [
        (fit_sums, "detector"),
        (fit_sums, "classifier"),
        (fit_sums, "bonus"),
        (convolve_in_floats, "detector"),
        (multiply_matrices, "detector"),
    ],
)
def test_they_give_the_same_to_the_bit(rewrite: Callable[[bytes], bytes], role: str) -> None:
    data = list_models()[role].data()
    made = rewrite(data)
    assert made != data and rewrite(made) == made
    before, after = sessions(data, made)
    (given,) = before.get_inputs()
    shape = (1, 192, 256, 3) if role == "detector" else (6, 96, 64, 3)
    pixels = np.random.default_rng(5).integers(0, 256, shape, np.uint8)
    for one, other in zip(before.run(None, {given.name: pixels}), after.run(None, {given.name: pixels}), strict=True):
        assert np.array_equal(one, other)


@on_x86
@pytest.mark.parametrize("role", ["detector", "classifier", "bonus"])
def test_sums_of_every_two_steps_are_the_same(role: str) -> None:
    """Few are halfway between two steps; no picture has them all."""
    model = onnx.load_from_string(list_models()[role].data())
    made = {name: node for node in model.graph.node for name in node.output}
    steps = np.arange(256, dtype=np.uint8)
    for quantize in (node for node in model.graph.node if node.op_type == "QuantizeLinear"):
        add = made[quantize.input[0]]
        if add.op_type != "Add":
            continue
        nodes = [*(made[name] for name in add.input), add, quantize]
        terms = [node.input[0] for node in nodes[:2]]
        known = [one for one in model.graph.initializer if any(one.name in node.input for node in nodes)]
        ends = [make_tensor_value_info(name, TensorProto.UINT8, [65536]) for name in (*terms, quantize.output[0])]
        graph = make_graph(nodes, "sum", ends[:2], ends[2:], known)
        data = make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version).SerializeToString()
        given = dict(zip(terms, (np.repeat(steps, 256), np.tile(steps, 256)), strict=True))
        one, other = (session.run(None, given)[0] for session in sessions(data, fit_sums(data)))
        assert np.array_equal(one, other)


@on_x86
@pytest.mark.parametrize("light", [1, 0])
def test_codes_are_the_same_to_the_bit_wherever_a_tile_may_be(light: int) -> None:
    data = list_models()["detector"].data()
    pixels = Photo(HAND).view(640)[None, :256, :512] * np.uint8(light)
    (chances, codes), (same, found) = (
        one.run(["kernel", "geo"], {one.get_inputs()[0].name: pixels}) for one in sessions(data, fuse_codes(data))
    )
    assert (chances > WEAK).any() == bool(light)
    assert np.array_equal(chances, same) and np.array_equal(np.where(chances > WEAK, codes, 0), found)


def test_a_network_without_sums_convolutions_or_codes_stays_as_it_is() -> None:
    data = list_models()["scene"].data()
    for rewrite in (fit_sums, multiply_matrices, convolve_in_floats, fuse_codes):
        assert len(rewrite(data)) == len(data)


def test_sums_that_floats_do_not_hold_are_refused() -> None:
    model = onnx.load_from_string(list_models()["detector"].data())
    for one in model.graph.initializer:
        if one.data_type == onnx.TensorProto.INT32 and one.dims:
            one.CopyFrom(onnx.numpy_helper.from_array(np.full(one.dims, 2**24, np.int32), one.name))
    with pytest.raises(ValueError, match="exactly"):
        convolve_in_floats(model.SerializeToString())
