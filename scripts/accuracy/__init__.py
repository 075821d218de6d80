"""Accuracy: of tiles in annotated photos, of hands in rendered and real ones, and what a learned set is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def shares(count: Counter[str], names: Iterable[str]) -> dict[str, float]:
    """How many were counted (``n``), and in which share of them each of these was true; what never was is left out."""
    return {"n": count["n"]} | {name: round(count[name] / count["n"], 5) for name in names if name in count}
