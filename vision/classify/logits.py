"""A network's logits -> chances."""

from __future__ import annotations

import math
from collections.abc import Sequence


def softmax(logits: Sequence[float], temperature: float) -> list[float]:
    """Probabilities in proportion to the exponentials of logits divided by a temperature."""
    most = max(logits)
    shares = [math.exp((logit - most) / temperature) for logit in logits]
    whole = sum(shares)
    return [share / whole for share in shares]


def uprightness(turns: Sequence[float]) -> float:
    """Log-odds, from the logits of the four turns, that a crop is upright or upside down rather than on a side."""
    return _log_sum(turns[0], turns[2]) - _log_sum(turns[1], turns[3])


def _log_sum(a: float, b: float) -> float:
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))
