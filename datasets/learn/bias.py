"""Biases of eight-bit layers that make up for the mean shift caused by rounding their weights.

Bias correction (Nagel et al. 2019, "Data-Free Quantization Through Weight Equalization and Bias Correction", 4.2), with
the inputs' means measured. Neighbouring inputs are much alike, so the rounding errors of a layer's weights do not
cancel out but shift its output.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

from datasets.learn.pixels import session_showing

Means = dict[str, npt.NDArray[np.float64]]


def correct_biases(small: onnx.ModelProto, exact: onnx.ModelProto, batches: list[npt.NDArray[np.uint8]]) -> int:
    """Correct the biases of a quantised network in place.

    Args:
        small: layers as onnxruntime writes them: weights and bias through DequantizeLinear, the bias in 32 bits.
        exact: the same network before, its layers under the same names.
        batches: uint8 pictures to measure the inputs' means on.

    Returns:
        How many layers were corrected.
    """
    stored = {t.name: t for t in small.graph.initializer}
    weights_of = {t.name: numpy_helper.to_array(t) for t in exact.graph.initializer}
    unpacked = {n.output[0]: n for n in small.graph.node if n.op_type == "DequantizeLinear" and n.input[0] in stored}
    layers = {node.name: node for node in exact.graph.node if node.op_type == "Conv"}
    means = input_means(exact, [node.input[0] for node in layers.values()], batches)
    corrected = 0
    for node in small.graph.node:
        if node.op_type != "Conv" or node.input[1] not in unpacked or node.input[2] not in unpacked:
            continue
        weight, scale = (numpy_helper.to_array(stored[name]) for name in unpacked[node.input[1]].input[:2])
        before = layers[node.name]
        off = weight * scale.astype(np.float64).reshape(-1, 1, 1, 1) - weights_of[before.input[1]]
        mean = means[before.input[0]]
        # (outputs, inputs of each): grouped layers read the channels of their group.
        groups = len(mean) // weight.shape[1]
        read = np.repeat(mean.reshape(groups, -1), len(weight) // groups, axis=0)
        shift = (off.sum(axis=(2, 3)) * read).sum(axis=1)
        bias, bias_scale = (stored[name] for name in unpacked[node.input[2]].input[:2])
        # In channels that do hardly anything, the bias fills its 32 bits.
        steps = numpy_helper.to_array(bias) - np.rint(shift / numpy_helper.to_array(bias_scale))
        limits = np.iinfo(np.int32)
        bias.CopyFrom(numpy_helper.from_array(steps.clip(limits.min, limits.max).astype(np.int32), bias.name))
        corrected += 1
    return corrected


def input_means(model: onnx.ModelProto, names: list[str], batches: list[npt.NDArray[np.uint8]]) -> Means:
    """The mean of every channel of the named (n, c, h, w) tensors over pictures and places."""
    wanted = sorted(set(names))
    session = session_showing(model, wanted)
    source = session.get_inputs()[0].name
    sums: Means = {}
    for batch in batches:
        for name, values in zip(wanted, session.run(wanted, {source: batch}), strict=True):
            sums[name] = sums.get(name, 0.0) + values.mean(axis=(0, 2, 3), dtype=np.float64)
    return {name: total / len(batches) for name, total in sums.items()}
