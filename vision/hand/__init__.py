"""A layout -> the likeliest hand that is legal under the rules, and what to ask about it."""

from __future__ import annotations

from vision.hand.decoder import Decoded
from vision.hand.read import read_hand

__all__ = ["Decoded", "read_hand"]
