"""Networks of eight bits for browsers, whose depthwise convolutions are computed in floats, to the bit.

In WebAssembly onnxruntime computes those of eight bits one by one, but of floats four at once. A float32 holds every
whole number below 2**24: sums of products of eight bits that stay below are exact in it, in any order, and what is then
rounded to eight bits is the same. All other convolutions are about as fast in eight bits, and take less memory.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

_EXACT: Final = 2**24
_STEPS: Final = 255


def convolve_in_floats(data: bytes) -> bytes:
    """Return a network, as ONNX, that computes its quantized depthwise convolutions of stride 1 in floats.

    Raises:
        ValueError: one of them is not followed by a rectifier, or its sums grow too large.
    """
    model = onnx.load_from_string(data)
    graph = model.graph
    values = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    made = {name: node for node in graph.node for name in node.output}
    quantized = {node.input[0]: node for node in graph.node if node.op_type == "QuantizeLinear"}
    nodes: list[onnx.NodeProto] = []
    replaced: set[str] = set()
    for node in graph.node:
        quantize = quantized.get(node.output[0]) if _is_depthwise(node) else None
        if quantize is not None:
            nodes += _convolve(node, [made[name] for name in node.input], quantize, values)
            replaced.add(quantize.output[0])
        elif node.op_type != "QuantizeLinear" or node.output[0] not in replaced:
            nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)
    return model.SerializeToString()


def _attributes(node: onnx.NodeProto) -> dict[str, Any]:
    return {one.name: helper.get_attribute_value(one) for one in node.attribute}


def _is_depthwise(node: onnx.NodeProto) -> bool:
    said = _attributes(node)
    return node.op_type == "Conv" and said["group"] > 1 and said["strides"] == [1, 1]


def _convolve(
    node: onnx.NodeProto,
    given: list[onnx.NodeProto],
    quantize: onnx.NodeProto,
    values: dict[str, npt.NDArray[Any]],
) -> list[onnx.NodeProto]:
    """Return what takes the place of a convolution, of what gives its pixels, weights and bias, and of its rounding."""
    (pixels, zero), (kernels, middle), (total, least) = (
        (np.float32(values[one.input[1]]), values[one.input[2]]) for one in (given[0], given[1], quantize)
    )
    weights, bias = (values[one.input[0]].astype(np.int64) for one in given[1:])
    scale = pixels * kernels / total  # in float32, as onnxruntime computes it
    reach = _STEPS * np.abs(weights).sum(axis=(1, 2, 3))
    dark = (bias + reach) * scale < 0.5  # whatever is seen; such a channel may have a huge bias
    weights[dark], bias[dark] = 0, 0
    if middle.any() or least.any() or (np.abs(bias) + reach)[~dark].max() >= _EXACT:
        raise ValueError(f"{node.name}: a convolution that floats cannot compute exactly.")
    out = quantize.output[0]
    make, name = helper.make_node, f"{out}.{{}}".format
    numbers = {"zero": zero, "weights": weights, "bias": bias, "scale": scale.reshape(-1, 1, 1), "one": 1}
    return [
        *(
            make("Constant", [], [name(key)], value=numpy_helper.from_array(np.asarray(value, np.float32)))
            for key, value in numbers.items()
        ),
        make("Cast", [given[0].input[0]], [name("seen")], to=TensorProto.FLOAT),
        make("Sub", [name("seen"), name("zero")], [name("from_zero")]),
        make("Conv", [name("from_zero"), name("weights"), name("bias")], [name("sums")], **_attributes(node)),
        make("Relu", [name("sums")], [name("lit")]),  # without it onnxruntime would multiply the weights by the scale
        make("Mul", [name("lit"), name("scale")], [name("scaled")]),
        make("QuantizeLinear", [name("scaled"), name("one"), quantize.input[2]], [out]),
    ]
