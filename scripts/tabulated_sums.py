"""Networks of eight bits for browsers, whose sums are looked up in tables.

onnxruntime adds two quantized tensors in float32, and a sum halfway between two steps is rounded otherwise in
WebAssembly than by the vectors of an x86 server. One such bit in a hundred thousand grows, layer by layer, until one
corner in ten moves by a pixel; all else that eight bits do is exact everywhere. From a table of all 65,536 sums a
browser takes what a server gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper


def tabulate_sums(data: bytes) -> bytes:
    """Return a network, as ONNX, that takes its quantized sums from tables; one that has none is the same."""
    model = onnx.load_from_string(data)
    graph = model.graph
    made = {name: node for node in graph.node for name in node.output}
    values = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    quantized = {node.input[0]: node for node in graph.node if node.op_type == "QuantizeLinear"}
    nodes: list[onnx.NodeProto] = []
    done: set[str] = set()
    for node in graph.node:
        quantize = quantized.get(node.output[0]) if node.op_type == "Add" else None
        terms = [made[name] for name in node.input if name in made and made[name].op_type == "DequantizeLinear"]
        if quantize is not None and len(terms) == 2:
            table = _tabulate(*(_scale_of(one, values) for one in (*terms, quantize)))
            nodes += _look_up(table, terms[0].input[0], terms[1].input[0], quantize.output[0])
            done.add(quantize.output[0])
        elif node.output[0] not in done:
            nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)
    return model.SerializeToString()


def _scale_of(node: onnx.NodeProto, values: dict[str, npt.NDArray[Any]]) -> tuple[np.float32, np.float32]:
    """Return the scale of what a node quantizes or dequantizes, and the step that stands for 0."""
    return np.float32(values[node.input[1]]), np.float32(values[node.input[2]])


def _tabulate(
    one: tuple[np.float32, np.float32], other: tuple[np.float32, np.float32], total: tuple[np.float32, np.float32]
) -> npt.NDArray[np.uint8]:
    """Return (256, 256) sums of every step of one with every step of the other, each with its scale and zero.

    By fused multiplication and addition, as onnxruntime's vectors on x86 do (``qladd.cpp``): products in float64 are
    exact, and each sum is rounded to a float32.
    """
    ratio, by = one[0] / total[0], other[0] / total[0]
    fixed = total[1] - np.float32(np.float64(ratio) * one[1] + by * other[1])
    steps = np.arange(256, dtype=np.float64)
    inner = (steps * by + fixed).astype(np.float32)
    sums = (steps[:, None] * ratio + inner).astype(np.float32)
    return np.asarray(np.rint(sums).clip(0, 255), np.uint8)


def _look_up(table: npt.NDArray[np.uint8], one: str, other: str, out: str) -> list[onnx.NodeProto]:
    make = helper.make_node
    start, other_step, place = (f"{out}.{name}" for name in ("start", "other", "place"))
    return [
        make("Constant", [], [f"{out}.sums"], value=numpy_helper.from_array(table.reshape(-1))),
        make("Constant", [], [f"{out}.row"], value=numpy_helper.from_array(np.array(256, np.int32))),
        make("Cast", [one], [f"{out}.one"], to=TensorProto.INT32),
        make("Cast", [other], [other_step], to=TensorProto.INT32),
        make("Mul", [f"{out}.one", f"{out}.row"], [start]),
        make("Add", [start, other_step], [place]),
        make("Gather", [f"{out}.sums", place], [out]),
    ]
