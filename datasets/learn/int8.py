"""Networks in eight bits: a third of the time on a processor with integer dot products, half the file.

Post-training quantisation by onnxruntime: weights per channel, activations over the range they take on the pictures
given. Weights use seven of their eight bits, because processors without VNNI add pairs of products in sixteen. The
layers that touch pictures and answers stay in full precision.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime as ort
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

INNER: Final = ("Conv", "Relu", "Clip", "Add", "Resize")
"""Operators that run in eight bits."""
LAYERS: Final = ("Conv", "Gemm")
Batch = npt.NDArray[np.uint8]


class _Pictures(CalibrationDataReader):  # type: ignore[misc]
    """Batches in the form onnxruntime asks for."""

    def __init__(self, name: str, batches: list[Batch]) -> None:
        self.name = name
        self.left: Iterator[Batch] = iter(batches)

    def get_next(self) -> dict[str, Batch] | None:
        """The next batch by the input's name; None at the end."""
        batch = next(self.left, None)
        return None if batch is None else {self.name: batch}


def outer(model: onnx.ModelProto) -> list[str]:
    """Names of the nodes that stay in full precision: up to the first layer, and from the last layers on."""
    nodes = list(model.graph.node)
    first = next(k for k, node in enumerate(nodes) if node.op_type == "Conv")
    kept = set(range(first + 1))
    wanted = {output.name for output in model.graph.output}
    for k in reversed(range(first + 1, len(nodes))):
        if wanted & set(nodes[k].output):
            kept.add(k)
            if nodes[k].op_type not in LAYERS:
                wanted |= set(nodes[k].input)
    return [nodes[k].name for k in sorted(kept)]


def eight_bits(model: onnx.ModelProto, batches: list[Batch]) -> onnx.ModelProto:
    """A network with its inner layers in eight bits and the same metadata.

    Args:
        model: takes one uint8 batch; halved or full precision.
        batches: pictures whose activations set the ranges.
    """
    logging.getLogger().setLevel(logging.ERROR)  # the library recommends what is done here already
    with tempfile.TemporaryDirectory() as folder:
        plain, ready, small = (Path(folder) / f"{name}.onnx" for name in ("plain", "ready", "small"))
        options = ort.SessionOptions()
        options.log_severity_level = 3
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC  # takes the halving back
        options.optimized_model_filepath = str(plain)
        ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        named = onnx.load(plain)
        for k, node in enumerate(named.graph.node):
            node.name = f"n{k}"
        onnx.save(named, plain)
        quant_pre_process(str(plain), str(ready), skip_symbolic_shape=True)
        quantize_static(
            str(ready),
            str(small),
            _Pictures(model.graph.input[0].name, batches),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=list(INNER),
            nodes_to_exclude=outer(onnx.load(ready)),
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
        result = onnx.load(small)
    del result.metadata_props[:]
    result.metadata_props.extend(model.metadata_props)
    return result


def agreement(model: bytes, other: bytes, batches: list[Batch], output: str) -> float:
    """Share of answers in which two readers, or two finders, agree.

    Args:
        output: ``face`` counts crops with the same first answer, ``kernel`` cells on the same side of one half, weighed
            against those that either calls a tile.
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
