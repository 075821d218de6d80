"""Rounds of a tournament: planned, seated with a game of the ledger per table, taken back. One transaction each."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Engine, delete, func, select, update
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict, NotFound
from hupai.basics.ids import new_id
from hupai.games.apply import begin_game
from hupai.games.commands import NewGame
from hupai.games.history import Amendment
from hupai.hall.events.feed import CLAIMS
from hupai.hall.seating.importing import parse_schedule
from hupai.hall.seating.planning import (
    Tie,
    count_repeats,
    plan_balanced,
    rank_spread,
    team_mates,
)
from hupai.hall.seating.seating import Seating
from hupai.hall.store.rounds.next_round import SeatingOptions, choose_seating, past_seatings, players_of_next_round
from hupai.hall.store.state.entrants import entrants_of
from hupai.hall.store.state.played_tables import last_round, played_tables
from hupai.hall.store.state.tournament_json import tournament_json
from hupai.hall.store.state.tournament_log import (
    DIRECTOR,
    ChangeKind,
    find_tournament,
    lock_tournament,
    log_change,
    state_of,
    timer_detail,
)
from hupai.hall.store.state.tournament_terms import agreed_at, table_size_of
from hupai.hall.store.watched.laid_hands import dismiss_stray_hands
from hupai.hall.store.watched.watched_tables import assign_game, free_tables
from hupai.hall.tables import Entrant, FeedHand, RoundSeat, Tournament, WatchedTable
from hupai.store.clock import now as now_in
from hupai.store.database import advisory_lock, reading, writing
from hupai.store.play.game_rows import find_game
from hupai.store.play.histories import add_game
from hupai.store.tables import Game, GameHand
from scoring.errors import Fault, InvalidRequest
from scoring.words.sentence import say

_UNFINISHED: Final = (
    "The game has not ended at these tables of round {n}: {names}. End them, or seat the next round anyway."
)
_TIED: Final = "Equal at the cut of the final, for {n} places: {names}. Say who goes first."


def plan_rounds(
    engine: Engine, tournament_id: str, count: int, seed: int | None = None, who: Amendment = DIRECTOR
) -> dict[str, Any]:
    """Plan the next rounds so that as few players as possible meet again; an existing plan is replaced.

    Raises:
        NotFound: no such tournament. InvalidRequest: too few players for a table, an impossible number of rounds.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        entrants = entrants_of(session, row.id)
        before = past_seatings(session, row.id, entrants, state_of(session, row.id))
        mates = team_mates({e.number: e.team for e in entrants})
        chosen = secrets.randbelow(2**31) if seed is None else seed
        table_size = table_size_of(row)
        playing = players_of_next_round(entrants, before, table_size, threes=row.threes is not None)
        made = plan_balanced(playing, count, before, chosen, table_size, mates)
        return _save_plan(session, row, [(m, ()) for m in made], len(before), who)


def import_plan(engine: Engine, tournament_id: str, text: str, who: Amendment = DIRECTOR) -> dict[str, Any]:
    """Import another program's schedule for the rounds to come, in order; an existing plan is replaced.

    Raises:
        NotFound: no such tournament. InvalidRequest: see :func:`hupai.hall.seating.importing.parse_schedule`; a player
            has no seat in any round.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        entrants = entrants_of(session, row.id)
        schedule = parse_schedule(text, {e.number: e.name for e in entrants}, table_size_of(row))
        before = past_seatings(session, row.id, entrants, state_of(session, row.id))
        _refuse_left_out(entrants, [made for made, _ in schedule])
        counted = count_repeats([made for made, _ in schedule], before)
        named = [(made, names) for made, (_, names) in zip(counted, schedule, strict=True)]
        return _save_plan(session, row, named, len(before), who)


def _refuse_left_out(entrants: Sequence[Entrant], plan: Sequence[Seating]) -> None:
    """Refuse a plan in which somebody who plays has no seat at all; whoever rests in some rounds plays in others."""
    seated = {p for made in plan for t in made.tables for p in t}
    names = [e.name for e in entrants if e.left_after is None and not e.substitute and e.number not in seated]
    if names:
        message = say("This schedule has no seat for {names} in any round.", names=", ".join(names))
        raise InvalidRequest.of([Fault("bad_value", message, "csv")])


def seat_round(
    engine: Engine, tournament_id: str, wanted: SeatingOptions | None = None, who: Amendment = DIRECTOR
) -> dict[str, Any]:
    """Seat the next round and create its games; watched tables of the same names get theirs.

    Waiting hands stay with the game they were laid in; those that were laid in none are dismissed. Substitutes
    fill the last table if players are missing.

    Raises:
        NotFound: no such tournament. InvalidRequest: too few players, a table named twice, unknown method.
        Conflict: the plan has no seat for somebody, or seats somebody who has left; another round comes next;
            ``tables_unfinished``: games of the round before have not ended; ``final_tied``: equals at a final's cut.
    """
    wanted = wanted or SeatingOptions()
    with writing(engine) as session:
        advisory_lock(session, CLAIMS)
        row = lock_tournament(session, tournament_id, who)
        next_ = choose_seating(session, row, wanted)
        if not wanted.over_unfinished:
            _refuse_unfinished(session, row, next_.number - 1)
        names = {e.number: e.name for e in entrants_of(session, row.id)}
        _refuse_tied(next_.ties, names)
        for table, seated in zip(next_.tables, next_.seating.tables, strict=True):
            _begin_table(session, row, next_.number, table, seated, names)
        dismiss_stray_hands(session, next_.tables)
        repeats = next_.seating.repeats
        detail = {"round": next_.number, "method": next_.method, "repeats": repeats}
        if wanted.players:
            detail["players"] = sorted(wanted.players)
        if wanted.first:
            detail["first"] = list(wanted.first)
        if wanted.minutes is not None:
            detail["timer"] = timer_detail(
                next_.number, "running", wanted.minutes, 60 * wanted.minutes, now_in(session)
            )
        log_change(session, row, ChangeKind.SEATED, who, detail)
        return {**tournament_json(session, row), "repeats": repeats}


def try_round(engine: Engine, tournament_id: str, wanted: SeatingOptions) -> dict[str, Any]:
    """Return how the next round would be seated; with the ``seed`` of the answer it is seated so.

    Returns:
        ``round``, ``method``, ``seed``, ``tables`` (name and players), ``resting``, ``repeats``, and ``rank_spread``:
        how many ranks lie between the best and the last player of a table, the mean; and ``ties`` at the cuts of a
        final, each with its ``players`` and ``places``, that nobody has decided.

    Raises:
        NotFound, InvalidRequest, Conflict: as :func:`seat_round`, but for unfinished tables.
    """
    with reading(engine) as session:
        row = find_tournament(session, tournament_id)
        next_ = choose_seating(session, row, wanted)
        made = next_.seating
        tables = [{"table": t, "players": list(p)} for t, p in zip(next_.tables, made.tables, strict=True)]
        return {
            "round": next_.number,
            "method": next_.method,
            "seed": next_.seed,
            "tables": tables,
            "resting": list(made.resting),
            "repeats": made.repeats,
            "rank_spread": round(rank_spread(made, next_.order), 1),
            "ties": [{"players": list(tie.players), "places": tie.places} for tie in next_.ties],
        }


def _refuse_unfinished(session: Session, row: Tournament, number: int) -> None:
    """Refuse to seat a round while games of the one before it go on.

    Raises:
        Conflict: ``tables_unfinished``.
    """
    played = [p for p in played_tables(session, row) if p.result.round == number]
    open_tables = [p.result.table for p in played if not p.ended]
    if open_tables:
        message = say(_UNFINISHED, n=number, names=", ".join(open_tables))
        raise Conflict(message, code="tables_unfinished", field="over_unfinished")


def _refuse_tied(ties: Sequence[Tie], names: Mapping[int, str]) -> None:
    """Refuse to seat a final while equals at its cuts are not decided.

    Raises:
        Conflict: ``final_tied``.
    """
    messages = [say(_TIED, n=t.places, names=", ".join(names[p] for p in t.players)) for t in ties]
    if messages:
        raise Conflict.of([Fault("final_tied", message, "first") for message in messages])


def drop_round(
    engine: Engine, tournament_id: str, seen: int | None = None, who: Amendment = DIRECTOR
) -> dict[str, Any]:
    """Take the last round back, whichever it is or the one that was seen, if nothing was played in it.

    Raises:
        NotFound: no such tournament, no round. Conflict: hands were recorded, or another round is the last.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        number = last_round(session, row.id)
        seats = session.scalars(
            select(RoundSeat).where(RoundSeat.tournament_id == row.id, RoundSeat.round == number)
        ).all()
        if not seats:
            raise NotFound("No round is seated.", field="round")
        if seen not in (None, number):
            raise Conflict(say("Round {n} is the last, not round {m}; look again.", n=number, m=seen), field="round")
        delete_seats(session, seats)
        log_change(session, row, ChangeKind.DROPPED, who, {"round": number})
        return tournament_json(session, row)


def move_match(
    engine: Engine, tournament_id: str, number: int, table: str, to: str, who: Amendment = DIRECTOR
) -> dict[str, Any]:
    """Move the match at a table of the last round to another table, whose own match, if it has one, takes its place.

    Cameras over the two get the games that are there now. Laid hands stay with the game they were laid in.

    Raises:
        NotFound: no such tournament, round or table. Conflict: another round is the last; a game of another tournament
            goes on at the other table.
    """
    with writing(engine) as session:
        advisory_lock(session, CLAIMS)
        row = lock_tournament(session, tournament_id, who)
        swap_tables(session, row, number, table, to)
        log_change(session, row, ChangeKind.MOVED, who, {"round": number, "table": table, "to": to})
        return tournament_json(session, row)


def swap_tables(session: Session, row: Tournament, number: int, table: str, to: str) -> None:
    """Do the same as :func:`move_match` within a writing transaction, but log nothing.

    Raises:
        NotFound, Conflict: as :func:`move_match`.
    """
    mine = (RoundSeat.tournament_id == row.id, RoundSeat.round == number)
    query = select(RoundSeat.table_name, RoundSeat.game_id).where(*mine, RoundSeat.seat == 0)
    games = {seat.table_name: seat.game_id for seat in session.execute(query)}
    if table not in games:
        raise NotFound(say("Round {n} has no table {a}.", n=number, a=f"{table!r:.80}"), field="table")
    if number != last_round(session, row.id):
        raise Conflict("Only matches of the last round move to another table.", field="round")
    filmed = select(WatchedTable).where(WatchedTable.name.in_((table, to))).order_by(WatchedTable.name)
    watched = {camera.name: camera for camera in session.scalars(filmed.with_for_update())}
    if to in watched and to not in {*games, *free_tables(session, row.id)}:
        raise Conflict(say("A game of another tournament goes on at table {a}.", a=f"{to!r:.80}"), field="to")
    now = {to: games[table], **({table: games[to]} if to in games else {})}
    for name, game_id in (("", games[table]), *reversed(now.items())):  # no two have one seat meanwhile
        session.execute(update(RoundSeat).where(*mine, RoundSeat.game_id == game_id).values(table_name=name))
    for name, game_id in now.items():
        find_game(session, game_id, lock=True).name = _name_of(row, number, name)
    for name, camera in watched.items():
        assign_game(session, camera, now.get(name))


def _name_of(row: Tournament, number: int, table: str) -> str:
    return f"{row.name} {number}/{table}"[:200]


def delete_seats(session: Session, seats: Sequence[RoundSeat]) -> None:
    """Delete a round's seats and games, within a writing transaction.

    Raises:
        Conflict: hands were recorded in it.
    """
    games = {s.game_id for s in seats}
    if session.scalar(select(func.count()).where(GameHand.game_id.in_(games))):
        raise Conflict(say("Hands were recorded in round {n}; it stays.", n=seats[0].round), field="round")
    for s in seats:
        session.delete(s)
    session.flush()
    session.execute(update(FeedHand).where(FeedHand.game_id.in_(games)).values(game_id=None))
    session.execute(delete(Game).where(Game.id.in_(games)))
    session.flush()


def _begin_table(
    session: Session, row: Tournament, number: int, table: str, seated: Sequence[int], names: Mapping[int, str]
) -> None:
    new = NewGame(tuple(names[n] for n in seated), agreed_at(row, len(seated), _name_of(row, number, table)))
    game = add_game(session, begin_game(new, new_id(), now_in(session)))
    session.add_all(
        RoundSeat(tournament_id=row.id, round=number, entrant=n, table_name=table, seat=i, game_id=game.id)
        for i, n in enumerate(seated)
    )
    watched = session.get(WatchedTable, table, with_for_update=True)
    if watched is not None:
        assign_game(session, watched, game.id)
    session.flush()


def _save_plan(
    session: Session, row: Tournament, made: Sequence[tuple[Seating, Sequence[str]]], played: int, who: Amendment
) -> dict[str, Any]:
    plan = {}
    for number, (seating, names) in enumerate(made, played + 1):
        called = [*names, *[None] * (len(seating.tables) - len(names))]
        plan[str(number)] = {
            "tables": [{"table": t, "players": list(p)} for t, p in zip(called, seating.tables, strict=True)],
            "resting": list(seating.resting),
            "repeats": seating.repeats,
        }
    log_change(session, row, ChangeKind.PLANNED, who, {"rounds": plan})
    return tournament_json(session, row)
