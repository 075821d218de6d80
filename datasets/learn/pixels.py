"""Pixels as they are into the first layer: what is done to them before becomes part of its weights.

``prepare`` of :mod:`datasets.learn.nets` subtracts a mean from every channel and divides it by a deviation, in full
precision at full size: a seventh of the finder's time. Pixels are eight bits already, with one zero for all channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import onnx
from onnx import helper, numpy_helper

GREY: Final = 116
"""The pixel value that counts as zero, also beyond the border: the nearest to ImageNet's means (124, 116, 104)."""
FIRST: Final = ("Cast", "Sub", "Mul", "Transpose", "Conv")
"""What an exported network begins with."""
PIXELS: Final = "pixels"


def fold_preparation(model: onnx.ModelProto) -> str:
    """Let the first layer do the scaling: Cast, Sub, Mul, Transpose, Conv -> Cast, Sub, Transpose, Conv.

    Beyond the border lies ``GREY`` afterwards, and not the mean of each channel; all else is the same.

    Args:
        model: in full precision, its constants as initializers; changed in place.

    Returns:
        Name of the tensor the first layer reads: pixels less ``GREY``, (n, 3, h, w).

    Raises:
        ValueError: the network begins otherwise.
    """
    graph = model.graph
    cast, less, times, turn, layer = _beginning(graph.node)
    constants = {t.name: t for t in graph.initializer}
    mean, scale, weights, bias = (
        numpy_helper.to_array(constants[name]).astype(np.float64)
        for name in (less.input[1], times.input[1], layer.input[1], layer.input[2])
    )
    weights = weights * scale.reshape(1, 3, 1, 1)
    bias = bias + (weights.sum(axis=(2, 3)) * (GREY - mean.reshape(1, 3))).sum(axis=1)
    for name, values in ((layer.input[1], weights), (layer.input[2], bias)):
        constants[name].CopyFrom(numpy_helper.from_array(values.astype(np.float32), name))
    zero = numpy_helper.from_array(np.array(GREY, np.float32), f"{PIXELS}.grey")
    graph.initializer.append(zero)
    less.input[1] = zero.name
    turn.input[0], turn.output[0], layer.input[0] = cast.output[0], f"{PIXELS}.turned", PIXELS
    less.input[0], less.output[0] = turn.output[0], PIXELS
    _replace(graph, (cast, less, times, turn), (cast, turn, less))
    return PIXELS


def without_casts(model: onnx.ModelProto) -> None:
    """Of a quantised network that :func:`fold_preparation` began: the picture itself is the first layer's eight bits.

    Cast, Transpose, Sub and QuantizeLinear take a picture to full precision and back to where it was.

    Raises:
        ValueError: the network begins otherwise, or gives pixels another scale than their own.
    """
    graph = model.graph
    nodes = [node for node in graph.node if not _constant(node, graph)][:5]
    if [node.op_type for node in nodes] != ["Cast", "Transpose", "Sub", "QuantizeLinear", "DequantizeLinear"]:
        raise ValueError(f"expected a network that turns pixels to eight bits, not {[n.op_type for n in nodes]}")
    cast, turn, less, down, up = nodes
    constants = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    if constants[down.input[1]] != 1 or constants[down.input[2]] != GREY:
        raise ValueError("expected pixels to keep their scale")
    turned = helper.make_node("Transpose", [cast.input[0]], [down.output[0]], name=turn.name, perm=[0, 3, 1, 2])
    _replace(graph, (cast, turn, less, down), (turned,))
    up.input[0] = turned.output[0]


def _beginning(nodes: Sequence[onnx.NodeProto]) -> Sequence[onnx.NodeProto]:
    first = list(nodes[: len(FIRST)])
    if tuple(node.op_type for node in first) != FIRST:
        raise ValueError(f"expected a network that begins with {', '.join(FIRST)}, not {[n.op_type for n in first]}")
    return first


def _constant(node: onnx.NodeProto, graph: onnx.GraphProto) -> bool:
    """Whether a node only unpacks weights."""
    stored = {t.name for t in graph.initializer}
    return all(name in stored for name in node.input)


def _replace(graph: onnx.GraphProto, old: Sequence[onnx.NodeProto], new: Sequence[onnx.NodeProto]) -> None:
    """Put nodes where others were, at the graph's beginning, and drop the constants that nothing reads any more."""
    gone = {node.name for node in old}
    copies = [_copy(node) for node in new]
    rest = [_copy(node) for node in graph.node if node.name not in gone]
    del graph.node[:]
    graph.node.extend([*copies, *rest])
    read = {name for node in graph.node for name in node.input}
    kept = [tensor for tensor in graph.initializer if tensor.name in read]
    del graph.initializer[:]
    graph.initializer.extend(kept)


def _copy(node: onnx.NodeProto) -> onnx.NodeProto:
    other = onnx.NodeProto()
    other.CopyFrom(node)
    return other
