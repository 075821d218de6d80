"""Accuracy: of tiles in annotated photos, of hands in rendered and real ones."""

from __future__ import annotations

from collections import Counter


def shares(count: Counter[str]) -> dict[str, float]:
    """How many were counted (``n``), and in which share of them each of the other things was true."""
    return {name: number if name == "n" else round(number / count["n"], 5) for name, number in count.items()}
