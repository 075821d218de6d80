"""Networks of eight bits for browsers, whose depthwise convolutions are computed in floats, to the bit.

In WebAssembly onnxruntime computes those of eight bits one by one, but of floats four at once. A float32 holds every
whole number below 2**24: sums of products of eight bits that stay below are exact in it, in any order, and what is then
rounded to eight bits is the same. All other convolutions are about as fast in eight bits, and take less memory.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from datasets.learn.graphs.writer import FLOAT, Graph, Value
from scripts.wasm.quantized_operators import Quantized, replace_quantized

_EXACT: Final = 2**24
_STEPS: Final = 255
_PARTS: Final = 4
"""Of the channels, one after the other: floats of all at once would take much memory."""


def convolve_in_floats(data: bytes) -> bytes:
    """Return a network, as ONNX, that computes its quantized depthwise convolutions of stride 1 in floats.

    Raises:
        ValueError: one of them is not followed by a rectifier, or its sums grow too large.
    """
    return replace_quantized(data, _replace)


def _replace(found: Quantized, graph: Graph) -> Value | None:
    said = found.attributes
    if found.node.op_type != "Conv" or said["group"] == 1 or said["strides"] != [1, 1]:
        return None
    weights, bias, scale = found.convolution()
    reach = _STEPS * np.abs(weights).sum(axis=(1, 2, 3))
    dark = (bias + reach) * scale < 0.5  # whatever is seen; such a channel may have a huge bias
    weights[dark], bias[dark] = 0, 0
    (_, zero), (_, least) = (found.grid(end) for end in (found.given[0], found.quantize))
    middle = found.values[found.given[1].input[2]]
    if middle.any() or least or (np.abs(bias) + reach)[~dark].max() >= _EXACT:
        raise ValueError(f"{found.node.name}: a convolution that floats cannot compute exactly.")
    steps = []
    for start, end in pairwise(np.linspace(0, len(bias), _PARTS + 1, dtype=int)):
        part, group = slice(start, end), int(end - start)
        seen = graph.Slice(Value(graph, found.given[0].input[0]), [start], [end], [1]).cast(FLOAT) - np.asarray(zero)
        numbers = (one[part].astype(np.float32) for one in (weights, bias))
        lit = graph.Relu(graph.Conv(seen, *numbers, **said | {"group": group}))  # else weights would take the scale in
        steps.append(graph.QuantizeLinear(lit * scale[part].reshape(-1, 1, 1), np.float32(1), np.uint8(least)))
    return graph.joined(*steps, axis=1)
