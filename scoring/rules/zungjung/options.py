"""House rules and presets of Zung Jung."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from scoring.options import decimal_option, element_values, switch, whole
from scoring.rulebook.presets import Preset
from scoring.rules.zungjung.table import OFFICIAL, SEED

MAX_POINTS: Final = 1000
"""The highest value an element may be given."""


@dataclass(frozen=True, slots=True)
class ZungJungOptions:
    """House rules; where the source text leaves something open, the default has its reason.

    - ``thirteen_terminals_mixed``: read by its words 8.1.3 is met by Thirteen Terminals, and patterns of two series add
      up. Off, since the published system, whose patterns these are, says that it is not.
    - ``discard_triplets_concealed``: the text lets a hand won on a discard be concealed and says nothing of a triplet
      that the discard completes. Off, since the published system says that such a triplet is exposed.
    - ``false_win``: the text names false wins but no amount. 30, which it calls the standard score.
    """

    values: Mapping[str, int] = element_values(
        SEED,
        MAX_POINTS,
        "points",
        {"pure_one_suit": 80, "seven_pairs": 0},
        named={"seed": {}, "official": OFFICIAL},
    )
    standard_score: int | str = whole(
        "auto",
        "up to this a discard is paid alike by all, above it the responsible player pays the rest; auto: 30, or 25 "
        "with the published system's values",
        high=100_000,
        words=("auto",),
    )
    minimum: int | str = whole(
        "auto",
        "points a win needs; auto: 5, or 0 with the published system's values; at 0 or 1 a hand without a pattern is "
        "a chicken hand of 1 point",
        high=320,
        words=("auto",),
    )
    limit: int | None = whole(
        320,
        "sums are cut to this (a pattern listed at 320 or more keeps its value); none: no limit",
        low=1,
        high=100_000,
        words=(None,),
    )
    thirteen_terminals_mixed: bool = switch(False, "Mixed Greater Terminals counts beside Thirteen Terminals")
    discard_triplets_concealed: bool = switch(False, "a triplet that another's tile completes counts for 4.2")
    false_win: int = whole(30, "points that a false win pays to each of the others", high=100_000)
    unit: Decimal = decimal_option("1", "money for one point")

    @property
    def points(self) -> Mapping[str, int]:
        """Element id -> points under these rules; 0: not played."""
        return {**SEED, **self.values} if self.values else SEED

    @property
    def shared(self) -> int:
        """What a loser who is not responsible pays at most for another's discard."""
        if isinstance(self.standard_score, int):
            return self.standard_score
        return 25 if self.values == OFFICIAL else 30

    @property
    def needed(self) -> int:
        """The points a win needs."""
        if isinstance(self.minimum, int):
            return self.minimum
        return 0 if self.values == OFFICIAL else 5


PRESETS: Final = (
    Preset(
        "mahjong-australia",
        "Mahjong Australia",
        "中庸（澳洲）",
        "Mahjong Australia, Traditional Mahjong Scoring Pattern",
        {"standard_score": 30, "minimum": 5},
    ),
    Preset(
        "zung-jung-3.3",
        "Zung Jung, the published system",
        "中庸麻雀",
        "Alan Kwan, Zung Jung Mahjong Scoring System v3.3 (zj-mahjong.info)",
        {"values": OFFICIAL, "standard_score": 25, "minimum": 0},
    ),
)
"""In the order they are listed to people."""
