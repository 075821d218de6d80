"""Results of tables -> standings."""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

from scoring.errors import Fault, InvalidRequest
from scoring.payments import plain_amount
from scoring.words.sentence import say

TIE_BREAKS: Final = ("places", "won", "penalties", "best", "last")
"""Tie-breaks for equal scores: more first places, then second ones and so on; points won at the tables; fewer
penalties; the best table; the last table."""


@dataclass(frozen=True, slots=True)
class TableResult:
    """The present result of a game in a round.

    Attributes:
        round, table: where. entrants: player numbers in seat order. totals: points in the same order.
        hands: how many count. sticks: points of the riichi sticks that lie there for the first.
        fines: points that each loses after the placing; empty if nobody does.
    """

    round: int
    table: str
    entrants: tuple[int, ...]
    totals: tuple[Decimal, ...]
    hands: int
    sticks: Decimal = Decimal(0)
    fines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a table's result is scored.

    Attributes:
        start: points everybody begins with. divide: divisor of the points won (1000 turns points into thousands);
            0 if only places count (table points), in which case points won can only break ties.
        returned: if given, points won are counted from it instead of from ``start``; the difference of all players
            (oka) goes to the first. places: what the first to the last of a table get for their place; equal players
            share what their places bring.
        tie_breaks: of :data:`TIE_BREAKS`, in order.

    Raises:
        InvalidRequest: an invalid divisor or tie-break; neither points nor places count.
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
        """What each place brings, including oka."""
        oka = len(self.places) * (self.base - Fraction(self.start)) / Fraction(self.divide) if self.divide else 0
        return tuple(Fraction(p) + (oka if i == 0 else 0) for i, p in enumerate(self.places))

    @property
    def base(self) -> Fraction:
        """The total at which a table has neither won nor lost."""
        return Fraction(self.start if self.returned is None else self.returned)


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a director added to a player's score (usually a negative amount), and after which round."""

    entrant: int
    round: int
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Standing:
    """One player.

    Attributes:
        rank: equal players share the better rank. score: everything that counts. won: points from the tables, divided.
        penalties: what the director added, and false wins that are paid after the placing.
        placed: how often first, second and so on to the last (of the tables with hands; equal ones count the better
            place).
    """

    rank: int
    entrant: int
    score: Fraction
    won: Fraction
    tables: int
    placed: tuple[int, ...]
    penalties: Fraction = Fraction(0)

    def to_json(self, name: str, club: str) -> dict[str, object]:
        """For the API; thirds are rounded to two decimals."""
        return {
            "rank": self.rank,
            "player": self.entrant,
            "name": name,
            "club": club,
            "score": format_score(self.score),
            "won": format_score(self.won),
            "tables": self.tables,
            "placed": list(self.placed),
            "penalties": format_score(self.penalties),
        }


def standings(
    entrants: Sequence[int], results: Sequence[TableResult], scoring: Scoring, penalties: Sequence[Penalty] = ()
) -> list[Standing]:
    """Rank the players, the leader first; tables without a hand do not count.

    People other than these entrants (substitutes) may have sat at the tables; they have no rank. Players who are equal
    by every tie-break share a rank. Results come in the order they were played.
    """
    tallies = defaultdict[int, _Tally](lambda: _Tally([0] * len(scoring.places)))
    for result in results:
        if result.hands:
            for entrant, (place, won, brings) in _places(result, scoring).items():
                tallies[entrant].take(place, won, brings + (won if scoring.divide else 0))
            if scoring.divide and result.fines:
                for entrant, fine in zip(result.entrants, result.fines, strict=True):
                    tallies[entrant].penalties -= Fraction(fine) / Fraction(scoring.divide)
    for penalty in penalties:
        tallies[penalty.entrant].penalties += Fraction(penalty.amount)
    scores = {e: tallies[e].score for e in entrants}
    exact = {e: (scores[e], *(k for t in scoring.tie_breaks for k in tallies[e].key(t))) for e in entrants}
    # Whole numbers compare many times faster than fractions.
    scale = math.lcm(*(k.denominator for key in exact.values() for k in key))
    keys = {e: tuple(-k.numerator * (scale // k.denominator) for k in key) for e, key in exact.items()}
    order = sorted(entrants, key=lambda e: (keys[e], e))
    found: list[Standing] = []
    for i, e in enumerate(order):
        same = i > 0 and keys[order[i - 1]] == keys[e]
        mine = tallies[e]
        rank = found[-1].rank if same else i + 1
        found.append(Standing(rank, e, scores[e], mine.won, len(mine.tables), tuple(mine.placed), mine.penalties))
    return found


def rank_without(found: Sequence[Standing], absent: Collection[int]) -> list[Standing]:
    """Rank the same players without those who are absent; who was equal stays equal."""
    kept = [s for s in found if s.entrant not in absent]
    first: dict[int, int] = {}
    return [replace(s, rank=first.setdefault(s.rank, i)) for i, s in enumerate(kept, 1)]


def team_standings(members: Mapping[str, Sequence[int]], found: Sequence[Standing]) -> list[dict[str, object]]:
    """Rank the teams, the leader first: a team's score is the sum of its players'; equal teams share a rank."""
    scores = {s.entrant: s.score for s in found}
    sums = {team: sum((scores.get(e, Fraction(0)) for e in those), Fraction(0)) for team, those in members.items()}
    return [
        {
            "rank": 1 + sum(1 for other in sums.values() if other > score),
            "team": team,
            "score": format_score(score),
            "players": list(members[team]),
        }
        for team, score in sorted(sums.items(), key=lambda item: (-item[1], item[0]))
    ]


@dataclass(slots=True)
class _Tally:
    """Running totals of a player."""

    placed: list[int]
    won: Fraction = Fraction(0)
    penalties: Fraction = Fraction(0)
    tables: list[Fraction] = field(default_factory=list)

    def take(self, place: int, won: Fraction, counts: Fraction) -> None:
        self.won += won
        self.tables.append(counts)
        self.placed[place] += 1

    @property
    def score(self) -> Fraction:
        return sum(self.tables, Fraction(0)) + self.penalties

    def key(self, tie_break: str) -> tuple[Fraction | int, ...]:
        if tie_break == "places":
            return tuple(self.placed[:-1])
        if tie_break == "won":
            return (self.won,)
        if tie_break == "penalties":
            return (self.penalties,)
        nothing = Fraction(0)
        return (max(self.tables, default=nothing) if tie_break == "best" else (self.tables or [nothing])[-1],)


@functools.lru_cache(maxsize=4096)  # a standing is asked for again after every hand of one of many tables
def _places(result: TableResult, scoring: Scoring) -> Mapping[int, tuple[int, Fraction, Fraction]]:
    """Return player -> place (from 0), points won, points for the place."""
    points = dict(zip(result.entrants, result.totals, strict=True))
    found, brought, base = {}, scoring.brought, scoring.base
    for entrant, total in points.items():
        better = sum(1 for other in points.values() if other > total)
        equal = sum(1 for other in points.values() if other == total)
        share = sum(brought[better : better + equal], Fraction(0)) / equal
        sticks = Fraction(result.sticks) / equal if better == 0 else 0
        won = (Fraction(total) + sticks - base) / Fraction(scoring.divide or 1)
        found[entrant] = (better, won, share)
    return found


@functools.lru_cache(maxsize=4096)
def format_score(value: Fraction) -> int | str:
    """Return an exact number as JSON: whole, or decimal text; non-terminating decimals are rounded to two places."""
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    if Fraction(exact) != value:
        exact = round(exact, 2)
    return plain_amount(exact)
