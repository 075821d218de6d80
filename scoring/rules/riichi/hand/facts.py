"""What all arrangements of one hand share, worked out once for the case."""

from __future__ import annotations

from typing import NamedTuple

from scoring.rules.riichi.options import RiichiOptions
from scoring.system import Case, Line

RiichiCase = Case[RiichiOptions]


class Facts(NamedTuple):
    """A case as the arrangements of its hand look at it; a named tuple, for one is made for every score.

    Attributes:
        options: the house rules.
        opened: something was claimed. claimed: the winning tile was another player's. dealer: the winner is east.
        kinds: a bit for each kind present, as in ``Hand.kinds``.
        seat_wind, round_wind, winning: tile kinds.
        yaku, yakuman: those that no arrangement changes: how it was won, kinds of tiles.
    """

    options: RiichiOptions
    opened: bool
    claimed: bool
    dealer: bool
    kinds: int
    seat_wind: int
    round_wind: int
    winning: int
    yaku: list[Line]
    yakuman: list[Line]


def norths_count(facts: Facts) -> bool:
    """Whether norths are a value for everybody, as some tables of three have it."""
    return facts.options.north_value and facts.options.players == 3
