"""What a tournament has agreed on: how its tables count, how its games begin."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from hupai.games.apply import begin_game
from hupai.games.commands import NewGame
from hupai.games.terms.agreed import Agreed, agree
from hupai.hall.seating.standings import Scoring, Threes
from hupai.hall.tables import Tournament
from scoring.errors import Fault, InvalidRequest
from scoring.payments import plain_amount
from scoring.rules import system_named
from scoring.words.sentence import say

OPEN_COURSE: Final[Mapping[str, Any]] = {"rounds": None, "out_of_points": "owes", "dealer_ends": "off"}
"""A table's game ends when its director ends it: events set their own time, and points below zero count in full."""


_AMOUNTS: Final = {"starting_points": "start", "return_points": "returned", "divide": "divide"}
_START_OF_THREE: Final = Decimal(35_000)
"""What the three begin with where nobody says anything else."""


def table_size_of(row: Tournament) -> int:
    """Return how many sit at a table by its rules, which never change."""
    return system_named(row.rules).table_size(row.options)


def scoring_of(row: Tournament) -> Scoring:
    """Return how its tables count."""
    return Scoring(**read_counting(settings_json(row)))


def read_counting(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of :class:`Scoring` that JSON says anything of; of a table of three, of its :class:`Threes`."""
    found: dict[str, Any] = {
        field: None if said[name] is None else Decimal(str(said[name]))
        for name, field in _AMOUNTS.items()
        if name in said
    }
    if said.get("places") is not None:
        found["places"] = tuple(Decimal(str(place)) for place in said["places"])
    if "tie_breaks" in said:
        found["tie_breaks"] = tuple(said["tie_breaks"])
    if said.get("threes") is not None:
        found["threes"] = Threes(**{"start": _START_OF_THREE, **read_counting(said["threes"])})
    elif "threes" in said:
        found["threes"] = None
    return found


def agreed_at(row: Tournament, players: int, name: str = "") -> Agreed:
    """Return what the players of a table agree on, as many as they are.

    Raises:
        InvalidRequest: the rules or the course are not for so many.
    """
    threes = scoring_of(row).at(players)
    smaller = {"players": players} if players < table_size_of(row) else {}
    return agree(
        row.rules,
        options={**row.options, **smaller},
        start={"players": players},
        starting_points=threes.start,
        course={**OPEN_COURSE, **row.course},
        name=name,
    )


def set_scoring(row: Tournament, scoring: Scoring) -> None:
    """Let a tournament's tables count so.

    Raises:
        InvalidRequest: not for as many places as a table has, or games of three could not begin so.
    """
    if len(scoring.places) != table_size_of(row):
        message = say("A table of {n} players has {n} places, not {m}.", n=table_size_of(row), m=len(scoring.places))
        raise InvalidRequest.of([Fault("bad_value", message, "places")])
    row.starting_points, row.divide, row.return_points = scoring.start, scoring.divide, scoring.returned
    row.places = [format(p, "f") for p in scoring.places]
    row.tie_breaks = list(scoring.tie_breaks)
    row.threes = None if scoring.threes is None else _threes_json(scoring.threes)
    if scoring.threes is not None:
        if table_size_of(row) != 4 or len(scoring.threes.places) != 3:
            message = "A table of three, with three places, is for tournaments of tables of four."
            raise InvalidRequest.of([Fault("bad_value", message, "threes")])
        begin_game(NewGame(("East", "South", "West"), agreed_at(row, 3)), row.id, row.created)  # whether one can


def set_settings(row: Tournament, was: Mapping[str, Any]) -> None:
    """Give a tournament the settings back that were logged."""
    set_scoring(row, Scoring(**read_counting(was)))
    row.name = was["name"]


def settings_json(row: Tournament) -> dict[str, Any]:
    """Return what a director can change of a tournament, as in the API and the log."""
    return {
        "name": row.name,
        "starting_points": plain_amount(row.starting_points),
        "return_points": None if row.return_points is None else plain_amount(row.return_points),
        "divide": plain_amount(row.divide),
        "places": [plain_amount(Decimal(p)) for p in row.places],
        "tie_breaks": row.tie_breaks,
        "threes": row.threes,
    }


def _threes_json(threes: Threes) -> dict[str, Any]:
    back = threes.returned
    return {
        "starting_points": plain_amount(threes.start),
        "return_points": None if back is None else plain_amount(back),
        "places": [plain_amount(p) for p in threes.places],
    }
