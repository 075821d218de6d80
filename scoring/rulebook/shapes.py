"""The shapes besides sets and a pair that win under a rule system."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Self


@dataclass(frozen=True, slots=True)
class Shapes:
    """The winning shapes of a rule system under its most generous house rules.

    Attributes:
        sets: number of sets beside the pair of an ordinary hand: four nearly everywhere, five in Taiwan.
        seven_pairs: seven pairs win; ``quad_pairs``: four equal tiles may be two of the pairs.
        orphans: thirteen orphans win.
        knitted: honours and knitted tiles win. straight: a knitted straight wins beside a set and a pair.
        eight_pairs: seven pairs and a triplet win, the seven pairs of a hand of five sets.
    """

    sets: int = 4
    seven_pairs: bool = True
    quad_pairs: bool = True
    orphans: bool = True
    knitted: bool = False
    straight: bool = False
    eight_pairs: bool = False

    @property
    def size(self) -> int:
        """Number of tiles in a whole hand with the winning one; a kong counts as three."""
        return 3 * self.sets + 2

    def less(self, **played: bool) -> Self:
        """Return the shapes without those that are not played, by name."""
        off = {name: False for name, on in played.items() if not on}
        return replace(self, **off) if off else self


SETS_AND_PAIR: Final = Shapes(seven_pairs=False, orphans=False)
