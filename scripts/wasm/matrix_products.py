"""Networks of eight bits for browsers, whose convolutions of 1 x 1 are products of matrices, to the bit.

In WebAssembly onnxruntime scales and rounds the sums of a quantized convolution one by one, which takes most of its
time where few inputs make many outputs; those of a product of matrices it scales four at once. Whole numbers of a bias
it does not add there: so the bias is a product, too, of weights and of inputs that are always the same.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from datasets.learn.graphs.writer import Graph, Value
from scripts.wasm.quantized_operators import Quantized, replace_quantized

_MOST: Final = 127
"""The largest weight, and the largest input that is always the same, counted from 0's step."""

_ZERO: Final = 128


def multiply_matrices(data: bytes) -> bytes:
    """Return a network, as ONNX, that multiplies matrices for convolutions of 1 x 1 with more outputs than inputs."""
    return replace_quantized(data, _replace)


def _replace(found: Quantized, graph: Graph) -> Value | None:
    said = found.attributes
    if found.node.op_type != "Conv" or said["kernel_shape"] != [1, 1] or said["strides"] != [1, 1]:
        return None
    kernels, bias, scale = found.convolution()
    weights = kernels[:, :, 0, 0].T
    inputs, outputs = weights.shape
    zero, least = (int(found.grid(end)[1]) for end in (found.given[0], found.quantize))
    ends = np.sort([-zero, 255 - zero] * weights[..., None]).sum(axis=0) + bias[:, None]
    lowest, highest = np.rint((ends.T.astype(np.float32) * scale).clip(-least, 255 - least))
    same = lowest == highest  # whatever is seen; such a channel may have a huge bias
    weights[:, same], bias[same], scale[same] = 0, lowest[same], 1

    sign = 1 if zero <= _MOST else -1  # inputs that are always the same: 1 and 127 steps from 0's
    rest = (bias + _MOST // 2) % _MOST - _MOST // 2
    whole = (bias - rest) // _MOST
    rows = np.arange(0, np.abs(whole).max(), _MOST)[:, None]
    biases = sign * np.concatenate([rest[None], np.sign(whole) * (np.abs(whole) - rows).clip(0, _MOST)])
    if outputs <= inputs or len(biases) > inputs or found.values[found.given[1].input[2]].any():
        return None
    steady = (zero + sign * np.array([1] + [_MOST] * len(rows))).astype(np.uint8)

    seen = graph.Transpose(Value(graph, found.given[0].input[0]), perm=[0, 2, 3, 1])
    places = graph.joined(graph.Shape(seen, end=3), [1])
    seen = graph.joined(seen, graph.Expand(steady.reshape(1, 1, 1, -1), places), axis=3)
    half = (seen.size(1) / np.array(2)).reshape(1)  # two halves, since sums take four times the memory of steps
    # As int8 the products of 127 would be cut off by older processors of servers.
    factors = (np.concatenate([weights, biases]) + _ZERO).astype(np.uint8)
    scales = np.float32(1), scale, np.uint8(zero), np.uint8(_ZERO)
    steps = []
    for start, end in ((np.array([0]), half), (half, np.array([np.iinfo(np.int64).max]))):
        part = graph.Slice(seen, start, end, [1])
        sums = graph.MatMulIntegerToFloat(part, factors, *scales, domain="com.microsoft")
        steps.append(graph.QuantizeLinear(sums, np.float32(1), np.uint8(least)))
    return graph.Transpose(graph.joined(*steps, axis=1), perm=[0, 3, 1, 2])
