"""Networks of eight bits for browsers, whose sums are a server's.

onnxruntime adds two quantized tensors in float32, and a sum halfway between two steps is rounded otherwise in
WebAssembly than by the vectors of an x86 server. One such bit in a hundred thousand grows, layer by layer, until one
corner in ten moves by a pixel; all else that eight bits do is exact everywhere. Most sums have no such case among their
65,536, or none any more once a scale is changed by its last digit; the few others are looked up in a table of them all.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from onnx import TensorProto

from datasets.learn.graphs.writer import Graph, Value
from scripts.wasm.quantized_operators import Quantized, replace_quantized

Grid: TypeAlias = tuple[np.float32, np.float32]
"""A scale, and the step that stands for 0."""
_TRIES: Final = 100
_NUDGE: Final = 3e-7
"""By how much scales are changed: a few times the last digit of a float32."""
_STEPS: Final = np.arange(256, dtype=np.float32)


def fit_sums(data: bytes) -> bytes:
    """Return a network, as ONNX, whose quantized sums a browser rounds as a server does."""
    return replace_quantized(data, _replace)


def _replace(found: Quantized, graph: Graph) -> Value | None:
    if found.node.op_type != "Add":
        return None
    one, other, total = (found.grid(end) for end in (*found.given, found.quantize))
    first, second = (Value(graph, term.input[0]) for term in found.given)
    sums = _add_on_x86(one, other, total)
    random = np.random.default_rng(0)
    for nudge in [0.0, *[_NUDGE] * _TRIES]:
        near, far = ((np.float32(scale * random.normal(1, nudge)), zero) for scale, zero in (one, other))
        if all(np.array_equal(add(near, far, total), sums) for add in (_add_in_wasm, _add_on_x86)):
            terms = [(scale, np.uint8(zero)) for scale, zero in (near, far, total)]
            return graph.QLinearAdd(first, *terms[0], second, *terms[1], *terms[2], domain="com.microsoft")
    place = first.cast(TensorProto.INT32) * np.array(256, np.int32) + second.cast(TensorProto.INT32)
    return graph.value(sums.reshape(-1)).at(place)


def _add_on_x86(one: Grid, other: Grid, total: Grid) -> npt.NDArray[np.uint8]:
    """Return (256, 256) sums of every step of one with every step of the other, as onnxruntime's vectors add them.

    By fused multiplication and addition (``qladd.cpp``): products in float64 are exact, and each sum is rounded to a
    float32.
    """
    ratio, by = one[0] / total[0], other[0] / total[0]
    fixed = total[1] - np.float32(np.float64(ratio) * one[1] + by * other[1])
    steps = _STEPS.astype(np.float64)
    inner = (steps * by + fixed).astype(np.float32)
    sums = (steps[:, None] * ratio + inner).astype(np.float32)
    return np.asarray(np.rint(sums).clip(0, 255), np.uint8)


def _add_in_wasm(one: Grid, other: Grid, total: Grid) -> npt.NDArray[np.uint8]:
    """The same as it adds them without vectors: everything is rounded to a float32."""
    first, second = (scale * (_STEPS - zero) for scale, zero in (one, other))
    sums = ((first[:, None] + second) / total[0]).clip(-total[1], 255 - total[1])
    return np.asarray(np.rint(sums + total[1]), np.uint8)
