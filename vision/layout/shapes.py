"""Winning shapes on bare counts: which hands a rule system lets win and what tiles wait for, wild tiles included.

The shapes themselves come from the scoring core; this module does not deal with what a hand is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from typing import Final

from scoring.arrangements.splits import (
    has_knitted_straight,
    is_eight_pairs,
    is_knitted,
    is_seven_pairs,
    is_standard,
    is_thirteen_orphans,
)
from scoring.arrangements.wild import complete_pairs, complete_sets
from scoring.rulebook.shapes import Shapes
from scoring.rules import system_named, systems
from scoring.tiles import KINDS, WHITE


@dataclass(frozen=True, slots=True)
class HandRules(Shapes):
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


ANY: Final = HandRules(bonus="fga", reds=True, indicators=True)
"""No rules named: every usual shape and every tile of all systems, without wild tiles."""


@lru_cache(maxsize=64)
def shapes_of(rules: str | None) -> HandRules:
    """The shapes of a rule system by its name or an alias; None gives :data:`ANY`.

    Raises:
        InvalidRequest: an unknown rule system.
    """
    if rules is None:
        return ANY
    system = system_named(rules)
    return HandRules(
        **asdict(system.shapes),
        bonus=system.bonus_letters,
        reds=system.red_fives,
        wild=system.stand_ins,
        indicators=not {"indicator", "dora_indicators"}.isdisjoint(system.reads),
    )


@cache
def max_tiles() -> int:
    """Tiles of a hand that wins, kongs counted as three, under the rules that play with most (Taiwanese)."""
    return max(system.shapes.size for system in systems().values())


def is_winning(counts: Sequence[int], shapes: HandRules, wild: int | None = None) -> bool:
    """Whether the concealed tiles of a hand (winning tile included) make a winning shape.

    Args:
        counts: of the 34 kinds; ``shapes.size`` tiles without melds, 3 fewer for each meld.
        shapes: of the rule system.
        wild: the kind whose tiles stand for anything, where there is one. The white dragons then stand for its face,
            unless they are wild themselves.
    """
    size = sum(counts)
    sets_and_pair, whole = size % 3 == 2, size == shapes.size
    if wild is not None:
        rest = list(counts)
        wilds, rest[wild] = rest[wild], 0
        if wild != WHITE:
            rest[wild], rest[WHITE] = rest[WHITE], 0
        return (sets_and_pair and complete_sets(rest, wilds, pair=True, free=wild) is not None) or (
            whole and shapes.seven_pairs and complete_pairs(rest, wilds, free=wild) is not None
        )
    return (
        (sets_and_pair and (is_standard(counts) or (shapes.knitted and size > 9 and has_knitted_straight(counts))))
        or (whole and shapes.seven_pairs and is_seven_pairs(counts, distinct=not shapes.quad_pairs))
        or (whole and shapes.orphans and is_thirteen_orphans(counts))
        or (whole and shapes.eight_pairs and is_eight_pairs(counts))
        or (whole and shapes.knitted and is_knitted(counts))
    )


def waiting_kinds(
    counts: Sequence[int], shapes: HandRules, wild: int | None = None, shown: Sequence[int] = (0,) * KINDS
) -> tuple[int, ...]:
    """The kinds that complete concealed tiles one short of a winning hand, lowest first.

    Args:
        counts, shapes, wild: as for :func:`is_winning`.
        shown: counts of the kinds in the hand's melds; a kind of which all four are held is not a wait.
    """
    more = ([*counts[:kind], counts[kind] + 1, *counts[kind + 1 :]] for kind in range(KINDS))
    return tuple(
        kind for kind, held in enumerate(more) if held[kind] + shown[kind] <= 4 and is_winning(held, shapes, wild)
    )


def winning_wilds(counts: Sequence[int], shapes: HandRules) -> tuple[int, ...]:
    """The kinds any of which must be wild for these tiles to win; lowest first, empty where none helps.

    The fourth tile of the wild kind is the indicator.
    """
    held = [kind for kind in range(KINDS) if kind == WHITE or counts[kind] < 4]
    useful = [kind for kind in held if counts[kind] or (kind != WHITE and counts[WHITE])]
    return tuple(kind for kind in useful if is_winning(counts, shapes, kind))
