"""Weights in whole steps whose rounding errors cancel out in the sums that a layer makes of photographs.

Weights are rounded one after the other; those that are left make up for what that changed, as far as the inputs go
together in photographs (GPTQ: Frantar et al. 2022, "Accurate Post-Training Quantization for Generative Pre-trained
Transformers", after Hassibi and Stork 1993, "Second Order Derivatives for Network Pruning"). What all inputs share
shifts a sum by its mean alone, which the bias takes back (``biases.py``).
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt
import onnx
from numpy.lib.stride_tricks import sliding_window_view
from onnx import numpy_helper

from datasets.learn.eight_bits.layers import ImageBatch, Layer, quantized_layers, read_inputs

PLACES: Final = 40_000
"""Places in all pictures together at which a layer's inputs are looked at."""
MOST_PLACES: Final = 1000
"""Most places of one batch."""
DAMPING: Final = 0.01
"""Share of the inputs' mean variance that is added to each, as the paper does."""
LEAST_VARIANCE: Final = 1e-9
"""Added, too: inputs that never change vary by what was rounded, which may be less than nothing."""
SEED: Final = 0
Matrices = npt.NDArray[np.float64]


def round_weights(small: onnx.ModelProto, exact: onnx.ModelProto, batches: list[ImageBatch]) -> None:
    """Round the weights of a quantised network anew, in place; its scales stay.

    Args:
        small, exact: as for :func:`quantized_layers`.
        batches: pictures to measure on how the inputs of each layer go together.
    """
    layers = quantized_layers(small, exact)
    for layer, covariance in zip(layers, measure_covariances(layers, exact, batches), strict=True):
        wanted = layer.weights / layer.kernel_scale.reshape(-1, 1, 1, 1)
        limit = np.abs(layer.steps).max()  # of the steps that the layer's scales were made for
        steps = round_together(wanted.reshape(layer.groups, -1, covariance.shape[-1]), covariance, limit)
        stored = steps.reshape(wanted.shape).astype(np.int8)
        layer.kernel.CopyFrom(numpy_helper.from_array(stored, layer.kernel.name))


def measure_covariances(layers: list[Layer], exact: onnx.ModelProto, batches: list[ImageBatch]) -> list[Matrices]:
    """(groups, k, k) of each layer: how the k inputs of a group's sums vary together."""
    random, places = np.random.default_rng(SEED), min(MOST_PLACES, math.ceil(PLACES / len(batches)))
    products: list[Matrices | float] = [0.0] * len(layers)
    sums: list[Matrices | float] = [0.0] * len(layers)
    for inputs in read_inputs(layers, exact, batches):
        for k, layer in enumerate(layers):
            seen = sample_inputs(inputs[layer.reads], layer, places, random)
            products[k] += seen.transpose(0, 2, 1) @ seen
            sums[k] += seen.sum(axis=1)
    count = places * len(batches)
    means = [np.asarray(total) / count for total in sums]
    return [total / count - mean[:, :, None] * mean[:, None] for total, mean in zip(products, means, strict=True)]


def sample_inputs(given: npt.NDArray[np.float32], layer: Layer, places: int, random: np.random.Generator) -> Matrices:
    """(groups, places, k) what the layer's sums are made of at places drawn by chance, of (n, c, h, w)."""
    said = layer.attributes
    top, left, bottom, right = said["pads"]
    down, across = said["strides"]
    padded = np.pad(given, ((0, 0), (0, 0), (top, bottom), (left, right)))
    windows = sliding_window_view(padded, said["kernel_shape"], axis=(2, 3))[:, :, ::down, ::across]
    n, _, height, width = windows.shape[:4]
    picture, y, x = np.unravel_index(random.integers(0, n * height * width, places), (n, height, width))
    seen = windows[picture, :, y, x].astype(np.float64)
    return seen.reshape(places, layer.groups, -1).transpose(1, 0, 2)


def round_together(weights: Matrices, covariance: Matrices, limit: float) -> Matrices:
    """Whole numbers for (groups, outputs, k) weights, within ``limit``, by the (groups, k, k) covariance of inputs."""
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    order = np.argsort(-variance, axis=1, kind="stable")  # the most important first, while others can make up for it
    left = np.take_along_axis(weights, order[:, None], axis=2)
    damped = np.take_along_axis(np.take_along_axis(covariance, order[:, :, None], axis=1), order[:, None], axis=2)
    size = damped.shape[-1]
    damped += np.eye(size) * (DAMPING * variance.mean(axis=1) + LEAST_VARIANCE)[:, None, None]
    # Row by row of this factor: how the weights after one make up for its error.
    spread = np.linalg.cholesky(np.linalg.inv(damped)).transpose(0, 2, 1)
    steps = np.zeros_like(left)
    for k in range(size):
        steps[:, :, k] = np.rint(left[:, :, k]).clip(-limit, limit)
        error = (left[:, :, k] - steps[:, :, k]) / spread[:, k, k, None]
        left[:, :, k:] -= error[:, :, None] * spread[:, None, k, k:]
    return np.take_along_axis(steps, np.argsort(order, axis=1)[:, None], axis=2)
