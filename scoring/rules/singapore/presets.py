"""Singapore under the names people use."""

from __future__ import annotations

from typing import Final

from scoring.rulebook.presets import Preset

_BLOG: Final = "mahjongsingapore, Rules of Singapore Style Mahjong: Scoring (2011)"

PRESETS: Final = (
    Preset(
        *("sg-usual", "0.5/1, five tai", "五台"),
        f"{_BLOG}: the commonest base and limit, and those for tournaments",
        {"base": "0.5", "limit": 5, "rounding": "none", "shooter": False},
    ),
    Preset(
        *("sg-shooter", "Shooter pays", "放铳全包"),
        f"{_BLOG}: the discarder pays for all; five tai",
        {"base": "0.5", "limit": 5, "shooter": True},
    ),
    Preset(
        *("sg-six", "0.5/1, six tai", "六台"),
        f"{_BLOG}: the other usual limit",
        {"base": "0.5", "limit": 6},
    ),
    Preset(
        *("sg-0.3", "0.3/0.6, rounded up", "三角六角"),
        f"{_BLOG}: its second base, with every figure rounded up",
        {"base": "0.3", "limit": 5, "rounding": "up"},
    ),
    Preset(
        *("sg-bonus", "Five tai and 10 for each more", "五台加台"),
        f"{_BLOG}: each double over the limit adds 10 points",
        {"base": "0.5", "limit": 5, "over_bonus": "10"},
    ),
    Preset(
        *("sg-unlimited", "Unlimited", "不封顶"),
        f"{_BLOG}: its table without a limit",
        {"base": "0.5", "limit": None},
    ),
)
"""In the order they are listed to people. The text knows no limit of ten tai, so there is no preset of it."""
