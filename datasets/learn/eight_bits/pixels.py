"""Feed raw pixels to the first layer: their preprocessing becomes part of its weights.

``prepare`` of :mod:`datasets.learn.nets` subtracts a mean from every channel and divides by a standard deviation, in
full precision at full size: a seventh of the detector's time. Raw pixels are eight bits, with one zero for them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

Array = npt.NDArray[np.float32]
GREY: Final = 116
"""The pixel value that counts as zero, also beyond the border: the nearest to ImageNet's means (124, 116, 104)."""
PIXELWISE: Final = {"Cast", "Sub", "Mul", "Add", "Transpose", "Gather"}
"""The operators with which exported networks prepare pixels."""
PIXELS: Final = "pixels"


def session_showing(model: onnx.ModelProto, names: Iterable[str]) -> ort.InferenceSession:
    """A session that also outputs the named tensors; the model itself stays as it is."""
    shown = onnx.ModelProto()
    shown.CopyFrom(model)
    given = {output.name for output in shown.graph.output}
    shown.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names if name not in given)
    return ort.InferenceSession(shown.SerializeToString(), providers=["CPUExecutionProvider"])


def measure_preparation(model: onnx.ModelProto) -> tuple[Array, Array]:
    """What the first convolution gets for an RGB colour: (3, 3) matrix and (3,) offset of the affine map."""
    first = next(n for n in model.graph.node if n.op_type == "Conv").input[0]
    session = session_showing(model, [first])
    fixed = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
    size = [1, *(d or 64 for d in fixed[1:3]), 3]

    def seen(colour: tuple[int, int, int]) -> Array:
        picture = np.broadcast_to(np.array(colour, np.uint8), size)
        (found,) = session.run([first], {model.graph.input[0].name: np.ascontiguousarray(picture)})
        return np.asarray(found[0, :, 0, 0], np.float32)

    black = seen((0, 0, 0))
    return np.stack([(seen(c) - black) / 255 for c in ((255, 0, 0), (0, 255, 0), (0, 0, 255))], axis=1), black


def change_preparation(
    weight: Array, bias: Array, before: tuple[Array, Array], mean: Array, deviation: Array
) -> tuple[Array, Array]:
    """A first convolution's weight and bias, adapted to RGB pixels less ``mean``, divided by ``deviation``.

    Args:
        weight, bias: of the convolution as it is.
        before: what it gets now, as :func:`measure_preparation` gives it.
        mean, deviation: (3,) of the pixels it is to get.
    """
    matrix, offset = before
    moved = np.einsum("oihw,i->o", weight, matrix @ mean + offset)
    return np.einsum("oihw,ij->ojhw", weight, matrix * deviation[None, :]), bias + moved


def fold_preparation(model: onnx.ModelProto) -> str:
    """Let the first layer do the scaling: whatever prepares pixels becomes Cast, Transpose, Sub.

    Padding then stands for ``GREY`` instead of each channel's mean; all else is the same.

    Args:
        model: in full precision, its constants as initializers; changed in place.

    Returns:
        Name of the tensor the first layer reads: pixels less ``GREY``, (n, 3, h, w).

    Raises:
        ValueError: the network begins with something else.
    """
    graph = model.graph
    first = next(k for k, node in enumerate(graph.node) if node.op_type == "Conv")
    layer, before = graph.node[first], list(graph.node[:first])
    begins = [node.op_type for node in before]
    if not set(begins) <= PIXELWISE or "Mul" not in begins:
        raise ValueError(f"expected a network that begins with Cast, Sub, Mul or the like, not {begins}")
    constants = {t.name: t for t in graph.initializer}
    weight, bias = (numpy_helper.to_array(constants[name]) for name in layer.input[1:3])
    grey = np.full(3, GREY, np.float32)
    folded = change_preparation(weight, bias, measure_preparation(model), grey, np.ones(3, np.float32))
    for name, values in zip(layer.input[1:3], folded, strict=True):
        constants[name].CopyFrom(numpy_helper.from_array(values.astype(np.float32), name))
    cast, turned, zero = (f"{PIXELS}.{part}" for part in ("cast", "turned", "grey"))
    graph.initializer.append(numpy_helper.from_array(np.array(GREY, np.float32), zero))
    nodes = (
        helper.make_node("Cast", [graph.input[0].name], [cast], name=cast, to=TensorProto.FLOAT),
        helper.make_node("Transpose", [cast], [turned], name=turned, perm=[0, 3, 1, 2]),
        helper.make_node("Sub", [turned, zero], [PIXELS], name=PIXELS),
    )
    layer.input[0] = PIXELS
    _replace_nodes(graph, before, nodes)
    return PIXELS


def remove_casts(model: onnx.ModelProto) -> None:
    """Make the picture itself the first layer's eight-bit input, in a quantised network from :func:`fold_preparation`.

    Cast, Transpose, Sub and QuantizeLinear only convert a picture to full precision and back.

    Raises:
        ValueError: the network begins otherwise, or gives pixels another scale than their own.
    """
    graph = model.graph
    nodes = [node for node in graph.node if not _is_constant(node, graph)][:5]
    if [node.op_type for node in nodes] != ["Cast", "Transpose", "Sub", "QuantizeLinear", "DequantizeLinear"]:
        raise ValueError(f"expected a network that turns pixels to eight bits, not {[n.op_type for n in nodes]}")
    cast, turn, less, down, up = nodes
    constants = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    if constants[down.input[1]] != 1 or constants[down.input[2]] != GREY:
        raise ValueError("expected pixels to keep their scale")
    turned = helper.make_node("Transpose", [cast.input[0]], [down.output[0]], name=turn.name, perm=[0, 3, 1, 2])
    _replace_nodes(graph, (cast, turn, less, down), (turned,))
    up.input[0] = turned.output[0]


def _is_constant(node: onnx.NodeProto, graph: onnx.GraphProto) -> bool:
    """Whether a node only unpacks weights."""
    stored = {t.name for t in graph.initializer}
    return all(name in stored for name in node.input)


def _replace_nodes(graph: onnx.GraphProto, old: Sequence[onnx.NodeProto], new: Sequence[onnx.NodeProto]) -> None:
    """Put nodes where others were, at the graph's beginning, and drop the constants that nothing reads any more."""
    gone = {node.name for node in old}
    rest = [node for node in graph.node if node.name not in gone]
    del graph.node[:]
    graph.node.extend([*new, *rest])
    read = {name for node in graph.node for name in node.input}
    kept = [tensor for tensor in graph.initializer if tensor.name in read]
    del graph.initializer[:]
    graph.initializer.extend(kept)
