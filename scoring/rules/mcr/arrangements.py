"""How an MCR hand can be read: sets and a pair, seven pairs, thirteen orphans, and the knitted hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from scoring.arrangements.arrange import Arrangement, Shape, Wait, arrangements, fixed_melds, standard_arrangements
from scoring.arrangements.splits import STRAIGHTS, is_knitted, standard_splits
from scoring.arrangements.units import PAIRS, Unit, UnitType
from scoring.hand import Hand
from scoring.rulebook.shapes import Shapes
from scoring.system import Case

_LONGEST: Final = 2
"""A knitted straight leaves room for one meld."""


def arrangements_of(case: Case[Any], shapes: Shapes) -> Iterator[Arrangement]:
    """Every arrangement that wins."""
    hand, claimed = case.hand, case.claimed
    yield from arrangements(hand, shapes, claimed=claimed)
    if shapes.knitted and not hand.melds and is_knitted(hand.held):
        unit = _knitted([k for k, n in enumerate(hand.held) if n], won=True, claimed=claimed)
        yield Arrangement(Shape.KNITTED, (unit,), (), (), (), -1, 0, Wait.SINGLE)
    if shapes.straight and len(hand.melds) < _LONGEST:
        yield from _straights(hand, claimed)


def _knitted(kinds: list[int], *, won: bool, claimed: bool) -> Unit:
    return Unit(UnitType.KNITTED, sum(1 << k for k in kinds), concealed=not (won and claimed), won=won)


def _straights(hand: Hand, claimed: bool) -> Iterator[Arrangement]:
    """A knitted straight beside a set and a pair; the winning tile may have completed either part."""
    win = hand.winning_tile.kind if hand.winning_tile else -1
    table = fixed_melds(hand.melds)
    for straight in STRAIGHTS:
        if not all(hand.held[k] for k in straight):
            continue
        rest = bytearray(hand.held)
        for k in straight:
            rest[k] -= 1
        for a in standard_arrangements(bytes(rest), hand.melds, win, claimed=claimed):
            unit = _knitted(list(straight), won=False, claimed=claimed)
            yield a._replace(shape=Shape.KNITTED_STRAIGHT, units=(*table.units, unit, *a.units[len(table.units) :]))
        if win not in straight:
            continue
        unit = _knitted(list(straight), won=True, claimed=claimed)
        for pair, chows, triplets, units in standard_splits(bytes(rest)):
            yield Arrangement(
                Shape.KNITTED_STRAIGHT,
                (*table.units, unit, *units, PAIRS[pair]),
                table.chows + chows,
                table.triplets + triplets,
                table.hidden + triplets,
                pair,
                table.kongs,
                Wait.TWO_SIDED,  # a tile of the straight is waited for in a way that scores nothing
            )
