"""Operators of eight bits in a network, replaced by others that give the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import onnx
from onnx import helper, numpy_helper

from datasets.learn.graphs.writer import UINT8, Graph, Value


@dataclass(frozen=True, slots=True)
class Quantized:
    """An operator whose inputs and output are of eight bits.

    Attributes:
        node: the operator. given: what dequantizes each of its inputs. quantize: what quantizes its output.
        values: the network's constants, by name.
    """

    node: onnx.NodeProto
    given: list[onnx.NodeProto]
    quantize: onnx.NodeProto
    values: dict[str, npt.NDArray[Any]]

    @property
    def attributes(self) -> dict[str, Any]:
        """The operator's, by name."""
        return {one.name: helper.get_attribute_value(one) for one in self.node.attribute}

    def grid(self, end: onnx.NodeProto) -> tuple[np.float32, np.float32]:
        """Return the scale of what an end quantizes or dequantizes, and the step that stands for 0."""
        return np.float32(self.values[end.input[1]]), np.float32(self.values[end.input[2]])

    def convolution(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """Return weights (out, in, height, width) and bias (out,) in steps, and what scales their sums (out,)."""
        pixels, kernels, _ = self.given
        weights, bias = (self.values[one.input[0]].astype(np.int64) for one in self.given[1:])
        scale = self.grid(pixels)[0] * self.values[kernels.input[1]] / self.grid(self.quantize)[0]
        return weights, bias, np.asarray(scale, np.float32)  # in float32, as onnxruntime computes it


Replace: TypeAlias = Callable[[Quantized, Graph], Value | None]
"""Writes what takes an operator's place into a graph, and returns its steps; or None: the operator stays."""


def replace_quantized(data: bytes, replace: Replace) -> bytes:
    """Return a network, as ONNX, with operators of eight bits replaced; others stay the same."""
    model = onnx.load_from_string(data)
    nodes = list(model.graph.node)
    values = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    made = {name: node for node in nodes for name in node.output if node.op_type == "DequantizeLinear"}
    quantized = {node.input[0]: node for node in nodes if node.op_type == "QuantizeLinear"}
    kept: list[onnx.NodeProto] = []
    replaced: set[str] = set()
    for node in nodes:
        if node.output[0] in replaced:
            continue
        quantize, given = quantized.get(node.output[0]), [made[name] for name in node.input if name in made]
        if quantize is not None and len(given) == len(node.input):
            graph = Graph(f"{quantize.output[0]}.")
            steps = replace(Quantized(node, given, quantize, values), graph)
            if steps is not None:
                graph.give(quantize.output[0], steps, UINT8, [])
                added = graph.body("replaced")
                kept.extend(added.node)
                model.graph.initializer.extend(added.initializer)
                replaced.add(quantize.output[0])
                continue
        kept.append(node)
    used = {one.name for one in model.graph.output}
    needed: list[onnx.NodeProto] = []
    for node in reversed(kept):  # what read the weights of operators that were replaced is left out, and the weights
        if used.intersection(node.output):
            needed.insert(0, node)
            used.update(node.input)
    constants = [one for one in model.graph.initializer if one.name in used]
    del model.graph.node[:], model.graph.initializer[:]
    model.graph.node.extend(needed)
    model.graph.initializer.extend(constants)
    return model.SerializeToString()
