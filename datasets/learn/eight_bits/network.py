"""Eight-bit networks: a third of the time on a processor with integer dot products, half the file size.

Post-training quantisation by onnxruntime: weights per channel, activations over the range they take on the pictures
given. Weights use seven of their eight bits, because processors without VNNI add pairs of products in sixteen, but all
eight in depthwise layers, and are rounded together (``weights.py``); the mean shift that is left is corrected in the
biases (``biases.py``). The output layers stay in full precision; the first one takes the pixels as they are
(``pixels.py``).
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import onnxruntime as ort
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from datasets.learn.eight_bits.biases import correct_biases
from datasets.learn.eight_bits.layers import ImageBatch
from datasets.learn.eight_bits.pixels import GREY, fold_preparation, remove_casts
from datasets.learn.eight_bits.weights import round_weights

INNER: Final = ("Conv", "Relu", "Clip", "Add", "Resize")
"""Operators that run in eight bits."""
OWN_SCALE: Final = {"scale": np.array(1, np.float32), "zero_point": np.array(GREY, np.uint8)}
"""The quantisation of pixels, which are in eight bits already."""
LAYERS: Final = ("Conv", "Gemm")


class _Pictures(CalibrationDataReader):  # type: ignore[misc]
    """Batches in the form onnxruntime asks for."""

    def __init__(self, name: str, batches: list[ImageBatch]) -> None:
        self.name = name
        self.left: Iterator[ImageBatch] = iter(batches)

    def get_next(self) -> dict[str, ImageBatch] | None:
        """The next batch by the input's name; None at the end."""
        batch = next(self.left, None)
        return None if batch is None else {self.name: batch}


def outer_nodes(model: onnx.ModelProto) -> list[str]:
    """Names of the nodes that stay in full precision: before the first layer, and from the last layers on."""
    nodes = list(model.graph.node)
    first = next(k for k, node in enumerate(nodes) if node.op_type == "Conv")
    kept = set(range(first))
    wanted = {output.name for output in model.graph.output}
    for k in reversed(range(first + 1, len(nodes))):
        if wanted & set(nodes[k].output):
            kept.add(k)
            if nodes[k].op_type not in LAYERS:
                wanted |= set(nodes[k].input)
    return [nodes[k].name for k in sorted(kept)]


def fold_constants(model: onnx.ModelProto) -> onnx.ModelProto:
    """The network in full precision, its constants folded, every node with a name."""
    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    with tempfile.TemporaryDirectory() as folder:
        options.optimized_model_filepath = str(Path(folder) / "plain.onnx")
        ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        found = onnx.load(options.optimized_model_filepath)
    for k, node in enumerate(found.graph.node):
        node.name = f"n{k}"
    return found


def whole_bytes(model: onnx.ModelProto) -> dict[str, list[dict[str, Any]]]:
    """Settings that give depthwise layers weights of all eight bits: they add no pairs of products."""
    return {
        node.input[1]: [{"quant_type": QuantType.QInt8, "axis": 0, "symmetric": True, "reduce_range": False}]
        for node in model.graph.node
        if node.op_type == "Conv" and any(a.name == "group" and a.i > 1 for a in node.attribute)
    }


def eight_bits(model: onnx.ModelProto, batches: list[ImageBatch]) -> onnx.ModelProto:
    """A network with its inner layers in eight bits and the same metadata.

    Args:
        model: takes one uint8 batch; halved or full precision.
        batches: pictures whose activations set the ranges, and on which rounding is measured.
    """
    with tempfile.TemporaryDirectory() as folder, _silence_warnings():
        raw, ready, small = (Path(folder) / f"{name}.onnx" for name in ("raw", "ready", "small"))
        named = fold_constants(model)
        pixels = fold_preparation(named)
        onnx.save(named, raw)
        quant_pre_process(str(raw), str(ready), skip_symbolic_shape=True)
        exact = onnx.load(ready)
        quantize_static(
            str(ready),
            str(small),
            _Pictures(model.graph.input[0].name, batches),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=list(INNER),
            nodes_to_exclude=outer_nodes(exact),
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            extra_options={"TensorQuantOverrides": {pixels: [OWN_SCALE], **whole_bytes(exact)}},
        )
        result = onnx.load(small)
    round_weights(result, exact, batches)
    correct_biases(result, exact, batches)
    remove_casts(result)
    del result.metadata_props[:]
    result.metadata_props.extend(model.metadata_props)
    return result


@contextmanager
def _silence_warnings() -> Iterator[None]:
    """Silence a library's warnings that recommend what is done here already."""
    root = logging.getLogger()
    before = root.level
    root.setLevel(logging.ERROR)
    try:
        yield
    finally:
        root.setLevel(before)


def agreement(model: bytes, other: bytes, batches: list[ImageBatch], output: str) -> float:
    """Share of answers in which two classifiers, or two detectors, agree.

    Args:
        output: ``face`` counts crops with the same top label; ``kernel`` counts cells on the same side of one half, as
            a share of those that either calls a tile.
    """
    found: list[list[Any]] = []
    for data in (model, other):
        session = ort.InferenceSession(data, providers=["CPUExecutionProvider"])
        name = session.get_inputs()[0].name
        found.append([session.run([output], {name: batch})[0] for batch in batches])
    if output == "face":
        pairs = [(a.argmax(axis=1) == b.argmax(axis=1)) for a, b in zip(*found, strict=True)]
        return float(np.concatenate(pairs).mean())
    both = sum(int(((a > 0.5) & (b > 0.5)).sum()) for a, b in zip(*found, strict=True))
    either = sum(int(((a > 0.5) | (b > 0.5)).sum()) for a, b in zip(*found, strict=True))
    return both / max(1, either)
