"""What every value pays under given house rules, by how the hand was won and who pays: computed by scoring results.

Nothing here depends on a rule system: each row is the score of a result without tiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

from scoring.errors import InvalidRequest
from scoring.options import options_of
from scoring.payments import plain_amount
from scoring.request import respond
from scoring.seats import Seat
from scoring.system import RuleSystem

_LADDERS: Final = {
    "points": (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 25, 30, 32, 40, 48, 60, 64, 80, 88, 100, 120, 160, 200, 240,
               320, 480),
    "factor": (1, 2, 4, 8, 16, 32, 64),
}  # fmt: skip
"""The values of a table for units that are not counted one by one."""
_FU: Final = (20, 25, 30, 40, 50, 60, 70)
_APART: Final = " / "
"""Separates the two figures of a label: han and fu."""
_LAST: Final = 13
"""The largest value of a table for units that are counted one by one."""
_BEYOND: Final = 1 << 10
"""A value above all tables; if another value pays as much, that is the limit."""
YAKUMAN: Final = "yakuman"
"""The label of a row without a number."""
STREAKS: Final = (1, 2, 3)
"""The dealer's consecutive hands that have a table of their own, where they matter."""
NO_WIN: Final = ""
"""The figure where nobody can win this way."""
Figures = tuple[tuple[str, ...], ...]
"""For each column, what each of its roles pays."""


@dataclass(frozen=True, slots=True)
class Column:
    """One way to win: ``how`` names it, ``roles`` who pays, each with an example seat."""

    how: str
    roles: tuple[tuple[str, str], ...]
    context: tuple[tuple[str, str], ...]


_DISCARD: Final = (("seat", "S"), ("win", "discard"), ("from", "W"))
_DRAWN: Final = (("seat", "S"), ("win", "self_draw"))
_BY_SEAT: Final = (
    Column("player_discard", (("giver", "W"), ("dealer", "E"), ("other", "N")), _DISCARD),
    Column("player_dealers", (("dealer", "E"), ("others", "W")), (("seat", "S"), ("win", "discard"), ("from", "E"))),
    Column("dealer_discard", (("giver", "W"), ("others", "S")), (("seat", "E"), ("win", "discard"), ("from", "W"))),
    Column("player_draws", (("dealer", "E"), ("others", "W")), _DRAWN),
    Column("dealer_draws", (("each", "S"),), (("seat", "E"), ("win", "self_draw"))),
)
_ALIKE: Final = (
    Column("discard", (("giver", "W"), ("others", "N")), _DISCARD),
    Column("draws", (("each", "W"),), _DRAWN),
)


@dataclass(frozen=True, slots=True)
class Amounts:
    """A table: the columns, and rows of a label (``7-9``, ``10+``) with a figure for each role of each column.

    Figures are exact amounts as text; :data:`NO_WIN` where nobody can win this way.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, Figures], ...]


class Instant(NamedTuple):
    """What each other player pays at once for an event, and for the same event when dealt; None if that is the same."""

    event: str
    amount: str
    dealt: str | None


def instant_of(system: RuleSystem[Any], options: dict[str, Any]) -> Iterator[Instant]:
    """Yield everything that is paid at once, whoever wins; nothing in most rules."""
    pay = system.conventions.instant
    if pay is None:
        return
    house = options_of(system.option_class, options, system.name)
    for event in system.conventions.events:
        amount = str(plain_amount(pay(Seat.S, event, house, False).transfers[0].amount))
        try:
            dealt = str(plain_amount(pay(Seat.S, event, house, True).transfers[0].amount))
        except InvalidRequest:  # dealt or not, it pays the same
            yield Instant(event, amount, None)
        else:
            yield Instant(event, amount, dealt)


class _House(NamedTuple):
    """The house rules whose table is made."""

    system: RuleSystem[Any]
    options: dict[str, Any]
    streak: int


def amounts_of(system: RuleSystem[Any], options: dict[str, Any], streak: int = 1) -> Amounts:
    """Return what each value pays under these house rules.

    Args:
        options: house rules as JSON, those that differ from the defaults.
        streak: the dealer's consecutive hands, if the rules ask for them.
    """
    house = _House(system, options, streak)
    columns: tuple[Column, ...] = _BY_SEAT
    rows = _rows(house, columns)
    if all(_alike(figures) for _, figures in rows):
        columns = _ALIKE
        rows = _rows(house, columns)
    most = tuple(_figures(house, column, {"value": _BEYOND}) for column in columns)
    counted = [*_merge([row for row in rows if row[0] != YAKUMAN], most), *(row for row in rows if row[0] == YAKUMAN)]
    return _without_idle(Amounts(columns, tuple(counted)))


def streaks_of(system: RuleSystem[Any]) -> tuple[int, ...]:
    """Return the numbers of consecutive dealer's hands that change payments; only the first if none does."""
    return STREAKS if "streak" in system.asks else STREAKS[:1]


def _results(system: RuleSystem[Any]) -> Iterator[tuple[str, dict[str, int]]]:
    if system.unit == "han":
        for han in range(1, 5):
            yield from ((f"{han}{_APART}{fu}", {"value": han, "fu": fu}) for fu in _FU)
        yield from ((str(han), {"value": han}) for han in range(5, _LAST + 1))
        yield YAKUMAN, {"yakuman": 1}
        return
    yield from ((str(value), {"value": value}) for value in _LADDERS.get(system.unit, range(_LAST + 1)))


def _rows(house: _House, columns: Sequence[Column]) -> list[tuple[str, Figures]]:
    """Return a row for each result that exists in these rules."""
    rows = []
    for label, result in _results(house.system):
        paid = [_figures(house, column, result) for column in columns]
        wins = any(one is not None and any(one) for one in paid)
        # If values have gaps between them, those below the minimum would not show where it is.
        if wins or (any(one is not None for one in paid) and house.system.unit not in _LADDERS):
            full = (one or (NO_WIN,) * len(column.roles) for one, column in zip(paid, columns, strict=True))
            rows.append((label, tuple(full)))
    return rows


def _figures(house: _House, column: Column, result: dict[str, int]) -> tuple[str, ...] | None:
    """Return what each role pays; None for a result that no hand has."""
    context: dict[str, Any] = dict(column.context)
    if "streak" in house.system.asks:
        context["streak"] = house.streak
    answer = respond({"rules": house.system.id, "result": result, "context": context, "options": house.options})
    if "error" in answer:
        return None
    if not answer["legal"]:
        return (NO_WIN,) * len(column.roles)
    return tuple(str(answer["payments"][seat]).removeprefix("-") for _, seat in column.roles)


def _alike(figures: tuple[tuple[str, ...], ...]) -> bool:
    """Whether the dealer pays and receives the same as everybody else."""
    (giver, dealer, other), *discards, drawn, drawn_by_dealer = figures
    return dealer == other and all(d == (giver, other) for d in discards) and {*drawn} == {*drawn_by_dealer}


def _merge(rows: list[tuple[str, Figures]], most: tuple[tuple[str, ...] | None, ...]) -> Iterator[tuple[str, Figures]]:
    """Merge adjacent rows with equal payments, except pairs of figures; the last row is open if more pays no more."""
    for (_, figures), alike in groupby(rows, key=_apart):
        labels = [label for label, _ in alike]
        if labels[-1] == rows[-1][0] and figures == most:
            yield f"{labels[0]}+", figures
        else:
            yield "-".join(dict.fromkeys((labels[0], labels[-1]))), figures


def _apart(row: tuple[str, Figures]) -> tuple[str, Figures]:
    return (row[0] if _APART in row[0] else "", row[1])


def _without_idle(amounts: Amounts) -> Amounts:
    """Drop roles that never pay and columns in which nobody ever wins."""
    kept = []
    for i, column in enumerate(amounts.columns):
        used = [
            r for r in range(len(column.roles)) if any(figures[i][r] not in ("", "0") for _, figures in amounts.rows)
        ]
        if used:
            kept.append((i, used))
    columns = tuple(
        Column(amounts.columns[i].how, tuple(amounts.columns[i].roles[r] for r in used), amounts.columns[i].context)
        for i, used in kept
    )
    rows = tuple(
        (label, tuple(tuple(figures[i][r] for r in used) for i, used in kept)) for label, figures in amounts.rows
    )
    return Amounts(columns, rows)
