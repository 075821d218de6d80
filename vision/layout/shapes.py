"""Winning shapes on bare counts: which hands a rule system lets win, wild tiles included.

The shapes themselves come from the scoring core; this module does not deal with what a hand is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Final

from scoring.arrangements.arrange import is_seven_pairs, is_standard, is_thirteen_orphans
from scoring.arrangements.splits import has_knitted_straight, is_eight_pairs, is_knitted
from scoring.arrangements.wild import whole_pairs, whole_sets
from scoring.rulebook.shapes import Shapes as Special
from scoring.rules import system_named
from scoring.tiles import KINDS, WHITE

MOST_WILD: Final = 3
"""Tiles of the wild kind that a hand can hold: the fourth is the indicator."""


@dataclass(frozen=True, slots=True)
class Shapes(Special):
    """Which hands a rule system lets win, and which tiles it plays with.

    Attributes:
        bonus: letters of the bonus tiles in use, of ``fga``.
        reds: red fives are tiles of their own.
        wild: one kind may stand for any tile, the white dragon for that kind (Hangzhou).
        indicators: tiles may lie open in the wall that say something about the hand.
    """

    bonus: str = ""
    reds: bool = False
    wild: bool = False
    indicators: bool = False


ANY: Final = Shapes(bonus="fga", reds=True, indicators=True)
"""No rules named: every usual shape and every tile of all systems, without wild tiles."""
_INDICATORS: Final = {"indicator", "dora_indicators"}


@lru_cache(maxsize=64)
def shapes_of(rules: str | None) -> Shapes:
    """The shapes of a rule system by its name or an alias; None gives :data:`ANY`.

    Raises:
        InvalidRequest: an unknown rule system.
    """
    if rules is None:
        return ANY
    system = system_named(rules)
    return Shapes(
        **asdict(system.shapes),
        bonus=system.bonus_letters,
        reds=system.red_fives,
        wild=system.stand_ins,
        indicators=not _INDICATORS.isdisjoint(system.reads),
    )


def wins(counts: Sequence[int], size: int, shapes: Shapes) -> bool:
    """True when the concealed tiles of a hand (winning tile included) make a winning shape.

    Args:
        counts: of the 34 kinds.
        size: how many tiles they are; ``shapes.size`` without melds, 3 fewer for each meld.
        shapes: of the rule system. Wild tiles are not looked at: see :func:`wins_with_wild`.
    """
    if size % 3 == 2 and (is_standard(counts) or (shapes.knitted and size > 9 and has_knitted_straight(counts))):
        return True
    if size != shapes.size:
        return False
    if shapes.eight_pairs and is_eight_pairs(counts):
        return True
    if shapes.knitted and is_knitted(counts):
        return True
    return (shapes.seven_pairs and is_seven_pairs(counts, distinct=not shapes.quad_pairs)) or (
        shapes.orphans and is_thirteen_orphans(counts)
    )


def wins_with_wild(counts: Sequence[int], size: int, shapes: Shapes, wild: int) -> bool:
    """As :func:`wins` where tiles of kind ``wild`` stand for anything.

    The white dragons stand for the wild kind's face, unless they are wild themselves.
    """
    rest = list(counts)
    wilds, rest[wild] = rest[wild], 0
    if wild != WHITE:
        rest[wild], rest[WHITE] = rest[WHITE], 0
    if size % 3 == 2 and whole_sets(rest, wilds, pair=True, free=wild) is not None:
        return True
    return size == shapes.size and shapes.seven_pairs and whole_pairs(rest, wilds, free=wild) is not None


def wilds_that_win(counts: Sequence[int], size: int, shapes: Shapes) -> tuple[int, ...]:
    """The kinds any of which must be wild for these tiles to win; lowest first, empty where none helps."""
    held = [kind for kind in range(KINDS) if kind == WHITE or counts[kind] <= MOST_WILD]
    useful = [kind for kind in held if counts[kind] or (kind != WHITE and counts[WHITE])]
    return tuple(kind for kind in useful if wins_with_wild(counts, size, shapes, kind))
