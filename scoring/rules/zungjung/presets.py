"""Zung Jung under the names people use."""

from __future__ import annotations

from typing import Final

from scoring.rulebook.presets import Preset

PRESETS: Final = (
    Preset(
        *("mahjong-australia", "Mahjong Australia", "中庸（澳洲）"),
        "Mahjong Australia, Traditional Mahjong Scoring Pattern",
        {"values": "seed", "standard_score": 30, "minimum": 5},
    ),
    Preset(
        *("zung-jung-3.3", "Zung Jung, the published system", "中庸麻雀"),
        "Alan Kwan, Zung Jung Mahjong Scoring System v3.3 (zj-mahjong.info)",
        {"values": "official", "standard_score": 25, "minimum": 0},
    ),
)
"""In the order they are listed to people."""
