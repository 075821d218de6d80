"""Winning shapes on bare counts: which hands a rule system lets win and what tiles wait for, wild tiles included.

The shapes themselves come from the scoring core; this module does not deal with what a hand is worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Final, TypeAlias

from scoring.arrangements.splits import is_complete
from scoring.arrangements.wild import complete_pairs, complete_sets
from scoring.errors import Fault, InvalidRequest, choice_message
from scoring.options import options_of, parse_options
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
        left_out: kinds of suits and honours that are not played with. kita: norths may be set aside as bonus tiles.
        players: how many; three claim no chows.
        claims_lie_across: a claimed tile lies across in its set.
    """

    bonus: str = ""
    reds: bool = False
    wild: bool = False
    indicators: bool = False
    left_out: frozenset[int] = frozenset()
    kita: bool = False
    players: int = 4
    claims_lie_across: bool = False


Rules: TypeAlias = HandRules | str | None
"""The rules of a hand: what its shapes and tiles are, or a rule system by name; None: any."""
ANY: Final = HandRules(bonus="fga", reds=True, indicators=True)
"""No rules named: every usual shape and every tile of all systems, without wild tiles."""


def shapes_of(rules: Rules, options: Mapping[str, object] | None = None) -> HandRules:
    """The shapes of a rule system by its name or an alias, or as given; None gives :data:`ANY`.

    Args:
        options: house rules by name; those that the system does not have are ignored.

    Raises:
        InvalidRequest: an unknown rule system.
    """
    if isinstance(rules, HandRules):
        return rules
    if rules is None:
        return ANY
    system = system_named(rules)
    house, _ = parse_options(system.option_class, options or {}, system.name)
    return HandRules(
        **asdict(system.shapes_played(house)),
        bonus=system.bonus_letters,
        reds=system.red_fives,
        wild=system.stand_ins,
        indicators=not {"indicator", "dora_indicators"}.isdisjoint(system.reads),
        left_out=system.kinds_left_out(house),
        kita=system.sets_norths_aside(house),
        players=system.players(house),
        claims_lie_across=system.claims_lie_across,
    )


def checked_shapes(rules: str | None, options: Mapping[str, object]) -> HandRules:
    """The same, but refuse house rules that are not of the system.

    Raises:
        InvalidRequest: unknown rules or house rules; house rules without rules.
    """
    if rules is None and options:
        raise InvalidRequest.of([Fault("unknown_rules", choice_message("rules", systems(), None), "rules")])
    if rules is not None:
        system = system_named(rules)
        options_of(system.option_class, options, system.name)
    return shapes_of(rules, options)


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
    return is_complete(counts, shapes)


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
        kind
        for kind, held in enumerate(more)
        if kind not in shapes.left_out and held[kind] + shown[kind] <= 4 and is_winning(held, shapes, wild)
    )


def winning_wilds(counts: Sequence[int], shapes: HandRules) -> tuple[int, ...]:
    """The kinds any of which must be wild for these tiles to win; lowest first, empty where none helps.

    The fourth tile of the wild kind is the indicator.
    """
    held = [kind for kind in range(KINDS) if kind == WHITE or counts[kind] < 4]
    useful = [kind for kind in held if counts[kind] or (kind != WHITE and counts[WHITE])]
    return tuple(kind for kind in useful if is_winning(counts, shapes, kind))
