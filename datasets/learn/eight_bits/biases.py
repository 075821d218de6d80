"""Biases of eight-bit layers that make up for the mean shift caused by rounding their weights.

Bias correction (Nagel et al. 2019, "Data-Free Quantization Through Weight Equalization and Bias Correction", 4.2), with
the inputs' means measured. Neighbouring inputs are much alike, so the rounding errors of a layer's weights do not
cancel out but shift its output.
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper

from datasets.learn.eight_bits.layers import ImageBatch, numbers_of, quantized_layers, read_inputs


def correct_biases(small: onnx.ModelProto, exact: onnx.ModelProto, batches: list[ImageBatch]) -> int:
    """Correct the biases of a quantised network in place.

    Args:
        small, exact: as for :func:`quantized_layers`.
        batches: pictures to measure the inputs' means on.

    Returns:
        How many layers were corrected.
    """
    layers = quantized_layers(small, exact)
    sums = [np.zeros(1)] * len(layers)
    for inputs in read_inputs(layers, exact, batches):
        sums = [
            total + inputs[layer.reads].mean(axis=(0, 2, 3), dtype=np.float64)
            for total, layer in zip(sums, layers, strict=True)
        ]
    for layer, total in zip(layers, sums, strict=True):
        off = layer.steps * layer.kernel_scale.reshape(-1, 1, 1, 1) - layer.weights
        # (outputs, inputs of each): grouped layers read the channels of their group.
        read = np.repeat((total / len(batches)).reshape(layer.groups, -1), len(off) // layer.groups, axis=0)
        shift = (off.sum(axis=(2, 3)) * read).sum(axis=1)
        # In channels that do hardly anything, the bias fills its 32 bits.
        steps = numbers_of(layer.bias) - np.rint(shift / layer.bias_scale)
        limits = np.iinfo(np.int32)
        steps = steps.clip(limits.min, limits.max).astype(np.int32)
        layer.bias.CopyFrom(numpy_helper.from_array(steps, layer.bias.name))
    return len(layers)
