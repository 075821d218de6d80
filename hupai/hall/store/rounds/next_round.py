"""How the next round of a tournament is seated: by plan, balanced, Swiss or as a final."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict, NotFound
from hupai.hall.seating.planning import (
    NEW_FACES,
    Tie,
    count_repeats,
    find_ties,
    order_finalists,
    plan_balanced,
    seat_by_standing,
    seat_final,
    team_mates,
)
from hupai.hall.seating.seating import EMPTY_CHAIR, Seating, seat
from hupai.hall.seating.standings import standings
from hupai.hall.store.state.entrants import check_plan, entrants_of
from hupai.hall.store.state.played_tables import played_tables
from hupai.hall.store.state.tournament_log import (
    TournamentState,
    state_of,
)
from hupai.hall.store.state.tournament_terms import scoring_of, table_size_of
from hupai.hall.store.watched.watched_tables import free_tables
from hupai.hall.tables import Entrant, RoundSeat, Tournament
from scoring.errors import Fault, InvalidRequest
from scoring.words.sentence import say

METHODS: Final = ("plan", "balanced", "swiss", "final")


_NO_SEAT: Final = "The plan has no seat for {names}: plan the coming rounds again, or seat this one without the plan."


_NO_SUBSTITUTE: Final = (
    "The plan seats {names}, with no substitute left for them: plan the coming rounds again, or seat this one without "
    "the plan."
)


@dataclass(frozen=True, slots=True)
class SeatingOptions:
    """How a round is to be seated.

    Attributes:
        method: of :data:`METHODS`; if None, the plan if it has this round, otherwise balanced.
        seed: random if None. tables: names to use first, "1", "2" and so on after them; without any, those of the plan,
            or of the tables with a camera.
        size: of a final; a single table if None.
        first: who goes first of players who are equal at a cut of the final, in order.
        number: of the round that the caller wants to seat; None if nobody was shown any.
        new_faces: ranks that a repeat meeting weighs as much as, in a Swiss round.
        over_unfinished: seat it although games of the round before have not ended.
        minutes: its timer starts with so many; None for no timer yet.
        players: who plays, as on a day of a league; everybody who has not left if empty.
    """

    method: str | None = None
    seed: int | None = None
    tables: Sequence[str] = ()
    size: int | None = None
    number: int | None = None
    new_faces: int = NEW_FACES
    over_unfinished: bool = True
    minutes: int | None = None
    first: Sequence[int] = ()
    players: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class NextRound:
    """A round that may be seated: who sits where, the tables' names, the players by rank, equals at a final's cut."""

    number: int
    method: str
    seed: int
    seating: Seating
    tables: Sequence[str]
    order: Sequence[int]
    ties: Sequence[Tie]


def choose_seating(session: Session, row: Tournament, wanted: SeatingOptions) -> NextRound:
    """Return how the next round is seated.

    Raises:
        NotFound, InvalidRequest, Conflict: as :func:`hupai.hall.store.rounds.rounds.seat_round`.
    """
    entrants, table_size = entrants_of(session, row.id), table_size_of(row)
    state = state_of(session, row.id)
    before = past_seatings(session, row.id, entrants, state)
    number = len(before) + 1
    if wanted.number not in (None, number):
        raise Conflict(
            say("Round {n} is the next, not round {m}; look again.", n=number, m=wanted.number), field="round"
        )
    _check_players(wanted, entrants)
    method = wanted.method or ("plan" if number in state.plan and not wanted.players else "balanced")
    seed = secrets.randbelow(2**31) if wanted.seed is None else wanted.seed
    ranks = _ranks(session, row, entrants, state)
    order = [*ranks, *(e.number for e in entrants if e.substitute)]
    planned: Sequence[str] = ()
    ties: Sequence[Tie] = ()
    if method == "final":
        gone = {e.number for e in entrants if e.left_after is not None}
        chosen = wanted.players or list(ranks)
        here = {p: rank for p, rank in ranks.items() if p not in gone and p in chosen}
        _check_first(wanted.first, here)
        size = wanted.size or table_size
        made = seat_final(order_finalists(here, wanted.first), size, before, seed, table_size)
        ties = find_ties(here, size, wanted.first, table_size)
    else:
        coming = [e for e in entrants if not wanted.players or e.number in wanted.players]
        playing = players_of_next_round(coming, before, table_size, threes=row.threes is not None)
        made, planned = _seat(method, seed, table_size, wanted.new_faces, entrants, before, state, order, playing)
    called = _table_names(wanted.tables or planned or free_tables(session, row.id), len(made.tables))
    return NextRound(number, method, seed, made, called, order, ties)


def players_of_next_round(
    entrants: Sequence[Entrant], before: Sequence[Seating], table_size: int, *, threes: bool
) -> list[int]:
    """Return who plays the next round: everybody who has not left, and enough substitutes to fill the last table.

    Where one table may have three, the empty chair takes the place of the last.
    """
    here = [e for e in entrants if e.left_after is None]
    playing = [e.number for e in here if not e.substitute]
    lacking = -len(playing) % table_size
    free = _free_substitutes(entrants, before)
    if len(free) >= lacking:
        return [*playing, *free[:lacking]]
    return [*playing, *free, EMPTY_CHAIR] if threes and len(free) == lacking - 1 else playing


def _check_players(wanted: SeatingOptions, entrants: Sequence[Entrant]) -> None:
    """Refuse chosen players who cannot play, or a plan, which has its own."""
    here = {e.number for e in entrants if e.left_after is None}
    if len(set(wanted.players)) < len(wanted.players) or not set(wanted.players) <= here:
        message = "Those chosen for a round are players who have not left, each named once."
        raise InvalidRequest.of([Fault("bad_value", message, "players")])
    if wanted.players and wanted.method == "plan":
        message = "A planned round has its own players: seat one for chosen players without the plan."
        raise InvalidRequest.of([Fault("contradiction", message, "players")])


def _check_first(first: Sequence[int], ranks: Mapping[int, int]) -> None:
    if len(set(first)) < len(first) or not set(first) <= ranks.keys():
        message = "Those who go first are players who have not left, each named once."
        raise InvalidRequest.of([Fault("bad_value", message, "first")])


def _ranks(session: Session, row: Tournament, entrants: Sequence[Entrant], state: TournamentState) -> dict[int, int]:
    """Return the players' ranks, the leader first."""
    results = [p.result for p in played_tables(session, row)]
    people = [e.number for e in entrants if not e.substitute]
    ranked = standings(people, results, scoring_of(row), state.standing_penalties())
    return {s.entrant: s.rank for s in ranked}


def _seat(
    method: str,
    seed: int,
    table_size: int,
    new_faces: int,
    entrants: Sequence[Entrant],
    before: Sequence[Seating],
    state: TournamentState,
    order: Sequence[int],
    playing: Sequence[int],
) -> tuple[Seating, Sequence[str]]:
    """Return who sits where, but for a final, and the tables' names if a plan contains them."""
    if method == "plan":
        planned = state.plan.get(len(before) + 1)
        if planned is None:
            raise NotFound(say("There is no plan for round {n}.", n=len(before) + 1), field="method")
        return _seating_from_plan(planned, entrants, before)
    if method == "balanced":
        mates = team_mates({e.number: e.team for e in entrants})
        if mates:
            return plan_balanced(playing, 1, before, seed, table_size, mates)[0], ()
        return seat(playing, before, seed, table_size), ()
    here = [p for p in [*order, EMPTY_CHAIR] if p in set(playing)]
    return seat_by_standing(here, before, seed, table_size, new_faces), ()


def _free_substitutes(entrants: Sequence[Entrant], before: Sequence[Seating]) -> list[int]:
    """Return the free substitutes, those who have played least first."""
    often = {
        e.number: sum(e.number in t for r in before for t in r.tables)
        for e in entrants
        if e.substitute and e.left_after is None
    }
    return sorted(often, key=lambda n: (often[n], n))


def _seating_from_plan(
    planned: Mapping[str, Any], entrants: Sequence[Entrant], before: Sequence[Seating]
) -> tuple[Seating, Sequence[str]]:
    """Return a planned round, with substitutes in the seats of those who have left."""
    found = check_plan(planned, entrants)
    if not found.fits:
        names = ", ".join(e.name for e in found.late or found.gone)
        raise Conflict(say(_NO_SEAT if found.late else _NO_SUBSTITUTE, names=names))
    gone = sorted(e.number for e in found.gone)
    instead = dict(zip(gone, _free_substitutes(found.spare, before), strict=False))
    seated = tuple(tuple(instead.get(p, p) for p in t["players"]) for t in planned["tables"])
    (made,) = count_repeats([Seating(seated, tuple(planned["resting"]), 0)], before)
    return made, [t["table"] for t in planned["tables"] if t["table"]]


def _table_names(given: Sequence[str], count: int) -> list[str]:
    if len(set(given)) != len(given):
        raise InvalidRequest.of([Fault("bad_value", "Every table has a name of its own.", "tables")])
    names = list(given)[:count]
    number = 1
    while len(names) < count:
        if str(number) not in names:
            names.append(str(number))
        number += 1
    return names


def past_seatings(
    session: Session, tournament_id: str, entrants: Sequence[Entrant], state: TournamentState
) -> list[Seating]:
    """Return the rounds so far; players without a table in a round rested, but for those it was not for."""
    rows = session.scalars(
        select(RoundSeat).where(RoundSeat.tournament_id == tournament_id).order_by(RoundSeat.round, RoundSeat.seat)
    ).all()
    numbers = [e.number for e in entrants if not e.substitute]
    chosen = {n: seated["players"] for n, seated in state.rounds.items() if "players" in seated}
    rounds: dict[int, dict[str, list[int]]] = {}
    for r in rows:
        rounds.setdefault(r.round, {}).setdefault(r.table_name, []).append(r.entrant)
    return [
        Seating(
            tuple(tuple(t) for t in tables.values()),
            tuple(e for e in numbers if e in chosen.get(n, numbers) and not any(e in t for t in tables.values())),
            0,
        )
        for n, tables in sorted(rounds.items())
    ]
