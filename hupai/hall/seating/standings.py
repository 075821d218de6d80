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
class Threes:
    """What is different at a table of three in a tournament of fours; see :class:`Scoring`."""

    start: Decimal
    places: tuple[Decimal, ...]
    returned: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a table's result is scored.

    Attributes:
        start: points everybody begins with. divide: divisor of the points won (1000 turns points into thousands);
            0 if only places count (table points), in which case points won can only break ties.
        returned: if given, points won are counted from it instead of from ``start``; the difference of all players
            (oka) goes to the first. places: what the first to the last of a table get for their place; equal players
            share what their places bring.
        tie_breaks: of :data:`TIE_BREAKS`, in order. threes: where one table of three may be among the fours.

    Raises:
        InvalidRequest: an invalid divisor or tie-break; neither points nor places count.
    """

    start: Decimal = Decimal(0)
    divide: Decimal = Decimal(1)
    places: tuple[Decimal, ...] = (Decimal(0),) * 4
    returned: Decimal | None = None
    tie_breaks: tuple[str, ...] = ("places", "won")
    threes: Threes | None = None

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
        self.at(3)

    def at(self, players: int) -> Scoring:
        """How a table of so many players counts."""
        if self.threes is None or players != 3:
            return self
        mine = {name: getattr(self.threes, name) for name in ("start", "places", "returned")}
        return replace(self, threes=None, **mine)

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
    counted = [_count_table(result, scoring.at(len(result.entrants))) for result in results if result.hands]
    given = [(penalty.entrant, Fraction(penalty.amount)) for penalty in penalties]
    # Whole numbers are added and compared many times faster than fractions.
    scale = math.lcm(*{table.scale for table in counted}, *(amount.denominator for _, amount in given))
    for table in counted:
        times = scale // table.scale
        for entrant, (place, amounts) in table.shares.items():
            tallies[entrant].take(place, *(times * amount for amount in amounts))
    for entrant, amount in given:
        tallies[entrant].penalties += amount.numerator * (scale // amount.denominator)
    keys = {e: [-k for k in tallies[e].key(scoring.tie_breaks)] for e in entrants}
    order = sorted(entrants, key=lambda e: (keys[e], e))
    found: list[Standing] = []
    for i, e in enumerate(order):
        same = i > 0 and keys[order[i - 1]] == keys[e]
        mine = tallies[e]
        rank = found[-1].rank if same else i + 1
        exact = [Fraction(k, scale) for k in (mine.score, mine.won, mine.penalties)]
        found.append(Standing(rank, e, exact[0], exact[1], len(mine.tables), tuple(mine.placed), exact[2]))
    return found


def rank_without(found: Sequence[Standing], absent: Collection[int]) -> list[Standing]:
    """Rank the same players without those who are absent; who was equal stays equal."""
    if not absent:
        return list(found)
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
    """Running totals of a player, as multiples of what all of them are multiples of."""

    placed: list[int]
    won: int = 0
    penalties: int = 0
    tables: list[int] = field(default_factory=list)

    def take(self, place: int, won: int, counts: int, fine: int) -> None:
        self.won += won
        self.tables.append(counts)
        self.placed[place] += 1
        self.penalties -= fine

    @property
    def score(self) -> int:
        return sum(self.tables) + self.penalties

    def key(self, tie_breaks: Sequence[str]) -> list[int]:
        found = [self.score]
        for name in tie_breaks:
            if name == "places":
                found += self.placed[:-1]
            elif name == "won":
                found.append(self.won)
            elif name == "penalties":
                found.append(self.penalties)
            else:
                found.append(max(self.tables, default=0) if name == "best" else (self.tables or [0])[-1])
        return found


@dataclass(frozen=True, slots=True)
class _CountedTable:
    """What a table brings.

    Attributes:
        scale: amounts are multiples of 1 / scale.
        shares: player -> place (from 0), and points won, what they count with the place's, fine.
    """

    scale: int
    shares: Mapping[int, tuple[int, list[int]]]


@functools.lru_cache(maxsize=4096)  # a standing is asked for again after every hand of one of many tables
def _count_table(result: TableResult, scoring: Scoring) -> _CountedTable:
    points = dict(zip(result.entrants, result.totals, strict=True))
    fines = dict(zip(result.entrants, result.fines, strict=True)) if scoring.divide and result.fines else {}
    places, brought, base = [], scoring.brought, scoring.base
    amounts: dict[int, tuple[Fraction, Fraction, Fraction]] = {}
    for entrant, total in points.items():
        better = sum(1 for other in points.values() if other > total)
        equal = sum(1 for other in points.values() if other == total)
        share = sum(brought[better : better + equal], Fraction(0)) / equal
        sticks = Fraction(result.sticks) / equal if better == 0 else 0
        won = (Fraction(total) + sticks - base) / Fraction(scoring.divide or 1)
        fine = Fraction(fines.get(entrant, 0)) / Fraction(scoring.divide or 1)
        places.append(better)
        amounts[entrant] = won, share + (won if scoring.divide else 0), fine
    scale = math.lcm(*(amount.denominator for each in amounts.values() for amount in each))
    whole = ([a.numerator * (scale // a.denominator) for a in each] for each in amounts.values())
    return _CountedTable(scale, dict(zip(amounts, zip(places, whole, strict=True), strict=True)))


def format_score(value: Fraction) -> int | str:
    """Return an exact number as JSON: whole, or decimal text; non-terminating decimals are rounded to two places."""
    return _format_ratio(value.numerator, value.denominator)  # whose hash takes a tenth of the fraction's


@functools.lru_cache(maxsize=4096)
def _format_ratio(numerator: int, denominator: int) -> int | str:
    exact = Decimal(numerator) / Decimal(denominator)
    if Fraction(exact) != Fraction(numerator, denominator):
        exact = round(exact, 2)
    return plain_amount(exact)
