"""How far stated confidence is from the share that is right, and the temperature that brings the two together."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

BINS: Final = 15
"""Bins of confidence, unless others are asked for."""
Floats = npt.NDArray[np.float64]


def fit_temperature(logits: Floats, labels: npt.NDArray[np.int64]) -> tuple[float, float, float]:
    """The temperature that makes held-out photographs likeliest (Guo et al. 2017).

    Returns:
        The temperature, and the expected calibration error before and after.
    """

    def loss(logarithm: float) -> float:
        chances = log_softmax(logits / np.exp(logarithm), axis=1)
        return -float(chances[np.arange(len(labels)), labels].mean())

    def error(scaled: Floats) -> float:
        chances = softmax(scaled, axis=1)
        return calibration_error(chances.max(axis=1), np.asarray(chances.argmax(axis=1) == labels, np.float64))

    best = float(np.exp(minimize_scalar(loss, bounds=(np.log(0.2), np.log(5.0)), method="bounded").x))
    return best, error(logits), error(logits / best)


def calibration_error(sure: Floats, right: Floats, bins: int = BINS) -> float:
    """Expected calibration error (Naeini et al., 2015) of (n,) confidences, 0-1, over so many bins of equal width.

    Args:
        right: (n,) 1 where the answer is right, else 0.
    """
    places = np.minimum((sure * bins).astype(int), bins - 1)
    return float(np.abs(np.bincount(places, sure - right)).sum() / len(sure))
