"""What every table brought -> who leads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Final

from scoring.errors import Fault, InvalidRequest
from scoring.payments import plain
from scoring.words.sentence import say

TIE_BREAKS: Final = ("places", "won", "penalties", "best", "last")
"""What tells equal scores apart: more first, second, third places; points won at the tables; fewer penalties; the best
table; the last table."""


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
        start: points everybody begins with. divide: what is won is divided by it (1000 turns points into thousands);
            0 where only places count (table points), and what was won at most tells equal scores apart.
        returned: what a table wins or loses is reckoned from it where it is given, not from ``start``; the difference
            of all four (oka) is the first's. places: what the first to the fourth get for their place; equal players
            share what their places bring.
        tie_breaks: of :data:`TIE_BREAKS`, in order.

    Raises:
        InvalidRequest: a divisor or a tie-break that is none; neither points nor places that count.
    """

    start: Decimal = Decimal(0)
    divide: Decimal = Decimal(1)
    places: tuple[Decimal, ...] = (Decimal(0),) * 4
    returned: Decimal | None = None
    tie_breaks: tuple[str, ...] = ("places", "won")

    def __post_init__(self) -> None:
        faults = []
        if self.divide < 0:
            faults.append(Fault("bad_value", "What points are divided by is 0 or more.", "divide"))
        if self.divide == 0 and len(set(self.places)) == 1:
            message = "Where only places count, they bring different points."
            faults.append(Fault("bad_value", message, "places"))
        if self.returned is not None and self.returned < self.start:
            message = "What is brought back is at least what everybody began with."
            faults.append(Fault("bad_value", message, "return_points"))
        if set(self.tie_breaks) - set(TIE_BREAKS) or len(set(self.tie_breaks)) < len(self.tie_breaks):
            message = say("Tie-breaks are {names}, each at most once.", names=", ".join(TIE_BREAKS))
            faults.append(Fault("bad_value", message, "tie_breaks"))
        if faults:
            raise InvalidRequest.of(faults)

    @property
    def brought(self) -> tuple[Fraction, ...]:
        """What each place brings, oka included."""
        oka = 4 * (self.base - Fraction(self.start)) / Fraction(self.divide) if self.divide else 0
        return tuple(Fraction(p) + (oka if i == 0 else 0) for i, p in enumerate(self.places))

    @property
    def base(self) -> Fraction:
        """The total at which a table has neither won nor lost."""
        return Fraction(self.start if self.returned is None else self.returned)


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a director added to a player's score (mostly less than nothing), and after which round."""

    entrant: int
    round: int
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Standing:
    """One player.

    Attributes:
        rank: equal ones share the better rank. score: everything that counts. won: points of the tables alone, divided.
        penalties: what the director added.
        placed: how often first, second, third, fourth (of the tables with hands; equal ones count the better place).
    """

    rank: int
    entrant: int
    score: Fraction
    won: Fraction
    tables: int
    placed: tuple[int, int, int, int]
    penalties: Fraction = Fraction(0)

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
            "penalties": shown(self.penalties),
        }


def standings(
    entrants: Sequence[int], results: Sequence[TableResult], scoring: Scoring, penalties: Sequence[Penalty] = ()
) -> list[Standing]:
    """The players, the leader first; tables without a hand do not count.

    Others than these entrants may have sat at the tables (substitutes); they have no rank. What is equal by every
    tie-break shares a rank.

    Args:
        entrants: who is ranked. results: in the order they were played. scoring: how tables count.
        penalties: those that stand.
    """
    tallies = {e: _Tally() for e in entrants}
    for result in results:
        if result.hands:
            for entrant, (place, won, brings) in _places(result, scoring).items():
                tallies.setdefault(entrant, _Tally()).take(place, won, brings + (won if scoring.divide else 0))
    for penalty in penalties:
        tallies.setdefault(penalty.entrant, _Tally()).penalties += Fraction(penalty.amount)
    keys = {e: (tallies[e].score, *(k for t in scoring.tie_breaks for k in tallies[e].key(t))) for e in entrants}
    order = sorted(entrants, key=lambda e: (*(-k for k in keys[e]), e))
    found: list[Standing] = []
    for i, e in enumerate(order):
        same = i > 0 and keys[order[i - 1]] == keys[e]
        mine = tallies[e]
        first, second, third, fourth = mine.placed
        rank = found[-1].rank if same else i + 1
        places = (first, second, third, fourth)
        found.append(Standing(rank, e, mine.score, mine.won, len(mine.tables), places, mine.penalties))
    return found


def team_standings(members: Mapping[str, Sequence[int]], found: Sequence[Standing]) -> list[dict[str, object]]:
    """The teams, the leader first: a team's score is the sum of its players'; equal ones share a rank."""
    scores = {s.entrant: s.score for s in found}
    sums = {team: sum((scores.get(e, Fraction(0)) for e in those), Fraction(0)) for team, those in members.items()}
    return [
        {
            "rank": 1 + sum(1 for other in sums.values() if other > score),
            "team": team,
            "score": shown(score),
            "players": list(members[team]),
        }
        for team, score in sorted(sums.items(), key=lambda item: (-item[1], item[0]))
    ]


@dataclass(slots=True)
class _Tally:
    """What a player has so far."""

    won: Fraction = Fraction(0)
    penalties: Fraction = Fraction(0)
    tables: list[Fraction] = field(default_factory=list)
    placed: list[int] = field(default_factory=lambda: [0, 0, 0, 0])

    def take(self, place: int, won: Fraction, counts: Fraction) -> None:
        self.won += won
        self.tables.append(counts)
        self.placed[place] += 1

    @property
    def score(self) -> Fraction:
        return sum(self.tables, Fraction(0)) + self.penalties

    def key(self, tie_break: str) -> tuple[Fraction | int, ...]:
        if tie_break == "places":
            return tuple(self.placed[:3])
        if tie_break == "won":
            return (self.won,)
        if tie_break == "penalties":
            return (self.penalties,)
        nothing = Fraction(0)
        return (max(self.tables, default=nothing) if tie_break == "best" else (self.tables or [nothing])[-1],)


def _places(result: TableResult, scoring: Scoring) -> Mapping[int, tuple[int, Fraction, Fraction]]:
    """Player -> place (from 0), points won, what the place brings."""
    points = dict(zip(result.entrants, result.totals, strict=True))
    found = {}
    for entrant, total in points.items():
        better = sum(1 for other in points.values() if other > total)
        equal = sum(1 for other in points.values() if other == total)
        share = sum(scoring.brought[better : better + equal], Fraction(0)) / equal
        won = (Fraction(total) - scoring.base) / Fraction(scoring.divide or 1)
        found[entrant] = (better, won, share)
    return found


def shown(value: Fraction) -> int | str:
    """An exact number as JSON: whole, or decimal text; what has no end is rounded to two decimals."""
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    if Fraction(exact) != value:
        exact = round(exact, 2)
    return plain(exact)
