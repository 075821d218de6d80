"""Detectors for browsers, whose codes of quads are a server's to the bit.

They are sums of floats, not of eight bits. A server's processor multiplies and adds at once and rounds once, but
WebAssembly twice: quads lie a hundred-thousandth of a pixel apart, a few pixels of their crops one grey level, which
the classifier takes for more. In float64 a product of float32 is exact, and its sum, rounded to a float32, a server's.
"""

from __future__ import annotations

import onnx
from onnx import TensorProto, numpy_helper

from datasets.learn.graphs.writer import FLOAT, Graph, Value
from vision.models.opencv import WEAK


def fuse_codes(data: bytes) -> bytes:
    """Return a detector, as ONNX, whose ``geo`` is 0 where ``kernel`` is not above ``WEAK``; others stay the same."""
    model = onnx.load_from_string(data)
    graph = model.graph
    for layer in [node for node in graph.node if "geo" in node.output and node.op_type == "Conv"]:
        weights, bias = (one for name in layer.input[1:] for one in graph.initializer if one.name == name)
        added = _sum(layer.input[0], weights, bias)
        graph.node.remove(layer)
        graph.node.extend(added.node)
        graph.initializer.extend(added.initializer)
    return model.SerializeToString()


def _sum(given: str, of: onnx.TensorProto, bias: onnx.TensorProto) -> onnx.GraphProto:
    """Return what gives ``geo`` in the place of a 1 x 1 convolution: only where needed, one channel after the other."""
    weights = numpy_helper.to_array(of)[:, :, 0, 0]
    codes, channels = weights.shape
    graph = Graph("codes_")
    kernel = Value(graph, "kernel")
    on = graph.found((kernel > WEAK).reshape(-1))
    seen = Value(graph, given).reshape(channels, -1).at(on, axis=1).cast(TensorProto.DOUBLE)
    total = graph.full(0.0, codes, graph.Size(on))
    for k in range(channels):
        product = seen.at([k]) * graph.value(weights[:, k : k + 1]).cast(TensorProto.DOUBLE)
        total = (product + total.cast(TensorProto.DOUBLE)).cast(FLOAT)
    total = total + numpy_helper.to_array(bias)[:, None]
    nothing = graph.full(0.0, codes, graph.Size(kernel))
    found = graph.ScatterElements(nothing, graph.Expand(on, [codes, 1]), total, axis=1)
    graph.give("geo", found.reshape(1, codes, kernel.size(2), kernel.size(3)), FLOAT, [])
    return graph.body("codes")
