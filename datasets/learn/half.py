"""Weights in half precision: half the file, the same speed once loaded."""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LEAST_HALVED: Final = 256
"""Tensors with fewer numbers stay in full precision: they take no room to speak of."""


def halve(model: onnx.ModelProto) -> None:
    """Store large float32 constants as float16 with a cast after each; runtimes undo it once, on loading the file."""
    casts = []
    for tensor in model.graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < LEAST_HALVED:
            continue
        name = tensor.name
        small = numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), f"{name}.half")
        casts.append(helper.make_node("Cast", [small.name], [name], to=TensorProto.FLOAT))
        tensor.CopyFrom(small)
    for node in reversed(casts):
        model.graph.node.insert(0, node)
