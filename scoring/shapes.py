"""Which shapes beside sets and a pair let a hand win under a rule system."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shapes:
    """The special shapes of a rule system, house rules at their most generous.

    Attributes:
        seven_pairs: seven pairs win; ``quad_pairs``: four equal tiles may be two of the pairs.
        orphans: thirteen orphans win.
        knitted: honours and knitted tiles win, and a knitted straight beside a set and a pair.
    """

    seven_pairs: bool = True
    quad_pairs: bool = True
    orphans: bool = True
    knitted: bool = False
