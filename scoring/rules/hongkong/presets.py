"""Hong Kong under the names people use."""

from __future__ import annotations

from typing import Final

from scoring.rulebook.presets import Preset

_ARTICLE: Final = "Wikipedia, Hong Kong mahjong scoring rules"

PRESETS: Final = (
    Preset(
        *("half-spicy", "Half spicy, 3 faan", "三番起糊半辣上"),
        f"{_ARTICLE}: the table of 0 to 13 faan (Canton); mahjongfinder.com names the style",
        {"table": "canton", "min_faan": 3, "max_faan": 13},
        unsettled=("dealer_doubling",),
    ),
    Preset(
        *("full-spicy", "Full spicy, 3 faan", "三番起糊辣辣上"),
        f"{_ARTICLE}: every faan doubles; mahjongfinder.com names the style and 8, 10 or 13 faan as its limit",
        {"table": "full_spicy", "min_faan": 3, "max_faan": 10},
        unsettled=("max_faan", "dealer_doubling"),
    ),
    Preset(
        *("hk-modern", "Modern style", "新派"),
        f"{_ARTICLE}: limits at 4, 7 and 10 faan, and one faan to win where it is played for money",
        {"table": "traditional", "min_faan": 1},
    ),
    Preset(
        *("hk-traditional", "Traditional style, 4-faan limit", "老派四番滿糊"),
        f"{_ARTICLE}: more than 4 faan pay as 4",
        {"table": "traditional4"},
    ),
    Preset(
        *("hk-simplified", "Simplified table, 3 faan", "三番起糊簡化"),
        f"{_ARTICLE}: the simplified table",
        {"table": "simplified", "min_faan": 3},
    ),
    Preset(
        *("hk-parlour", "Parlour style", "麻雀館"),
        f"{_ARTICLE}: every win pays the same",
        {"table": "parlor"},
    ),
)
"""In the order they are listed to people."""
