"""The convolutions of a quantised network, beside the same ones in full precision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import helper, numpy_helper

from datasets.learn.eight_bits.pixels import session_showing

ImageBatch = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Layer:
    """A convolution with weights and bias in whole steps.

    Attributes:
        reads: name of the tensor that it takes, in both networks.
        weights: (outputs, inputs of a group, height, width) in full precision.
        kernel, bias: the tensors that the quantised network stores: steps, int8 and int32.
        kernel_scale, bias_scale: (outputs,) what a step is.
        attributes: of the operator, by name.
    """

    reads: str
    weights: npt.NDArray[np.float64]
    kernel: onnx.TensorProto
    bias: onnx.TensorProto
    kernel_scale: npt.NDArray[np.float64]
    bias_scale: npt.NDArray[np.float64]
    attributes: dict[str, Any]

    @property
    def groups(self) -> int:
        """In how many groups the outputs are, each of which reads inputs of its own."""
        return int(self.attributes["group"])

    @property
    def steps(self) -> npt.NDArray[np.float64]:
        """The stored kernel, (outputs, inputs of a group, height, width)."""
        return numbers_of(self.kernel)


def numbers_of(tensor: onnx.TensorProto) -> npt.NDArray[np.float64]:
    """The numbers that a tensor stores."""
    return numpy_helper.to_array(tensor).astype(np.float64)


def quantized_layers(small: onnx.ModelProto, exact: onnx.ModelProto) -> list[Layer]:
    """The quantised convolutions of ``small``, which are named as in ``exact``.

    Args:
        small: layers as onnxruntime writes them: weights and bias through DequantizeLinear.
        exact: the same network before.
    """
    stored = {t.name: t for t in small.graph.initializer}
    weights_of = {t.name: t for t in exact.graph.initializer}
    unpacked = {n.output[0]: n for n in small.graph.node if n.op_type == "DequantizeLinear" and n.input[0] in stored}
    before = {node.name: node for node in exact.graph.node if node.op_type == "Conv"}
    found = []
    for node in small.graph.node:
        if node.op_type == "Conv" and node.input[1] in unpacked and node.input[2] in unpacked:
            was = before[node.name]
            weights = numbers_of(weights_of[was.input[1]])
            (kernel, kernel_scale), (bias, bias_scale) = (
                [stored[name] for name in unpacked[end].input[:2]] for end in node.input[1:]
            )
            said = {one.name: helper.get_attribute_value(one) for one in was.attribute}
            usual = {"group": 1, "pads": [0, 0, 0, 0], "strides": [1, 1], "kernel_shape": [*weights.shape[2:]]}
            scales = numbers_of(kernel_scale), numbers_of(bias_scale)
            found.append(Layer(was.input[0], weights, kernel, bias, *scales, usual | said))
    return found


def read_inputs(
    layers: list[Layer], exact: onnx.ModelProto, batches: list[ImageBatch]
) -> Iterator[dict[str, npt.NDArray[np.float32]]]:
    """What the layers read in full precision, (n, c, h, w) by tensor, batch by batch."""
    wanted = sorted({layer.reads for layer in layers})
    session = session_showing(exact, wanted)
    source = session.get_inputs()[0].name
    for batch in batches:
        yield dict(zip(wanted, session.run(wanted, {source: batch}), strict=True))
