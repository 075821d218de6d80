"""What every table brought -> who leads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from scoring.payments import plain


@dataclass(frozen=True, slots=True)
class TableResult:
    """A game of a round as it stands.

    Attributes:
        round, table: where. entrants: player numbers in seat order. totals: points in the same order.
        hands: how many stand.
    """

    round: int
    table: str
    entrants: tuple[int, ...]
    totals: tuple[Decimal, ...]
    hands: int


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a table counts.

    Attributes:
        start: points everybody begins with. divide: what is won is divided by it (1000 turns points into thousands).
        places: what the first to the fourth get for their place; equal players share what their places bring.
    """

    start: Decimal = Decimal(0)
    divide: Decimal = Decimal(1)
    places: tuple[Decimal, ...] = (Decimal(0),) * 4


@dataclass(frozen=True, slots=True)
class Standing:
    """One player.

    Attributes:
        rank: equal ones share the better rank. score: everything. won: points of the tables alone, divided.
        placed: how often first, second, third, fourth (of the tables with hands; equal ones count the better place).
    """

    rank: int
    entrant: int
    score: Fraction
    won: Fraction
    tables: int
    placed: tuple[int, int, int, int]

    def to_json(self, name: str, club: str) -> dict[str, object]:
        """As the API tells it; thirds are rounded to two decimals."""
        return {
            "rank": self.rank,
            "player": self.entrant,
            "name": name,
            "club": club,
            "score": shown(self.score),
            "won": shown(self.won),
            "tables": self.tables,
            "placed": list(self.placed),
        }


def standings(entrants: Sequence[int], results: Sequence[TableResult], scoring: Scoring) -> list[Standing]:
    """The players, the leader first; tables without a hand do not count.

    Equal scores are told apart by first, second and third places, then by points won; what is equal then shares a rank.
    """
    won = dict.fromkeys(entrants, Fraction(0))
    extra = dict.fromkeys(entrants, Fraction(0))
    placed = {e: [0, 0, 0, 0] for e in entrants}
    for result in results:
        if not result.hands:
            continue
        for entrant, total in zip(result.entrants, result.totals, strict=True):
            won[entrant] += Fraction(total - scoring.start) / Fraction(scoring.divide)
        for entrant, (place, share) in _places(result, scoring).items():
            placed[entrant][place] += 1
            extra[entrant] += share
    keys = {e: (won[e] + extra[e], *placed[e][:3], won[e]) for e in entrants}
    order = sorted(entrants, key=lambda e: (*(-k for k in keys[e]), e))
    found: list[Standing] = []
    for i, e in enumerate(order):
        same = i > 0 and keys[order[i - 1]] == keys[e]
        first, second, third, fourth = placed[e]
        found.append(
            Standing(
                found[-1].rank if same else i + 1,
                e,
                won[e] + extra[e],
                won[e],
                first + second + third + fourth,
                (first, second, third, fourth),
            )
        )
    return found


def _places(result: TableResult, scoring: Scoring) -> Mapping[int, tuple[int, Fraction]]:
    """Player -> place (from 0) and what it brings."""
    points = dict(zip(result.entrants, result.totals, strict=True))
    found = {}
    for entrant, total in points.items():
        better = sum(1 for other in points.values() if other > total)
        equal = sum(1 for other in points.values() if other == total)
        share = sum((Fraction(p) for p in scoring.places[better : better + equal]), Fraction(0)) / equal
        found[entrant] = (better, share)
    return found


def shown(value: Fraction) -> int | str:
    """An exact number as JSON: whole, or decimal text; what has no end is rounded to two decimals."""
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    if Fraction(exact) != value:
        exact = round(exact, 2)
    return plain(exact)
