"""The fan of the tiles of the whole hand, whatever sets they make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from scoring.arrangements.arrange import Arrangement, Shape
from scoring.arrangements.units import Unit, UnitType
from scoring.basics.counts import kind_bits
from scoring.system import Case
from scoring.tiles import DRAGONS, GREENS, WHITE, WINDS

_ALL_GREEN: Final = kind_bits(*GREENS)
_REVERSIBLE: Final = kind_bits(
    *(9 + n - 1 for n in (1, 2, 3, 4, 5, 8, 9)), *(18 + n - 1 for n in (2, 4, 5, 6, 8, 9)), WHITE
)
_WINDS: Final = kind_bits(*WINDS)
_DRAGONS: Final = kind_bits(*DRAGONS)


def _numbers(low: int, high: int) -> int:
    return kind_bits(*(9 * suit + n - 1 for suit in range(3) for n in range(low, high + 1)))


_SPANS: Final = (  # the narrower first: it implies the wider
    ("upper_tiles", _numbers(7, 9)),
    ("middle_tiles", _numbers(4, 6)),
    ("lower_tiles", _numbers(1, 3)),
    ("upper_four", _numbers(6, 9)),
    ("lower_four", _numbers(1, 4)),
)


def tile_fans(case: Case[Any], a: Arrangement) -> Iterator[str]:
    """Every fan of the tiles; a name for each time that it counts."""
    kinds, suits, honours = case.hand.kinds, case.suit_count, case.has_honours
    if not kinds & ~_ALL_GREEN:
        yield "all_green"
    if not case.has_simples:
        yield "all_honors" if not suits else "all_terminals_and_honors" if honours else "all_terminals"
    if suits == 1:
        yield "half_flush" if honours else "full_flush"
    elif suits == 2:
        yield "one_voided_suit"
    elif suits == 3 and kinds & _WINDS and kinds & _DRAGONS:
        yield "all_types"
    if not honours:
        yield "no_honors"
        if not case.has_terminals:
            yield "all_simples"
    yield from (name for name, span in _SPANS if not kinds & ~span)
    if not kinds & ~_REVERSIBLE:
        yield "reversible_tiles"
    if a.shape is Shape.STANDARD:
        yield from _in_every_set(a)
    kongs = {m.kind for m in case.hand.melds if m.type.is_kong}
    yield from ("tile_hog" for k, n in enumerate(case.counts) if n == 4 and k not in kongs)


def _in_every_set(a: Arrangement) -> Iterator[str]:
    if all(_has_outer(unit) for unit in a.units):
        yield "outside_hand"
    if all(any(k < 27 and k % 9 == 4 for k in unit.kinds) for unit in a.units):
        yield "all_fives"


def _has_outer(unit: Unit) -> bool:
    return any(k >= 27 or k % 9 in (0, 8) for k in (unit.kinds if unit.type is UnitType.CHOW else (unit.kind,)))
