"""Tournaments: players, rounds with a game of the ledger a table, results. One transaction each."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import Engine, delete, func, select, update
from sqlalchemy.orm import Session

from hupai.store.database import reading, writing
from hupai.store.directing import give_game, natural, set_strays_aside
from hupai.store.errors import Conflict, NotFound
from hupai.store.feed_tables import Entrant, FeedHand, RoundSeat, Tournament, WatchedTable
from hupai.store.games import NewGame, begun
from hupai.store.standing import ID_LENGTH, ID_LETTERS, totals_of
from hupai.store.tables import Game, Hand
from hupai.timestamps import shown
from hupai.tournament.seating import Seating, seat
from hupai.tournament.standings import Scoring, TableResult, standings
from scoring.errors import Fault, InvalidRequest
from scoring.payments import plain
from scoring.rules import system_named
from scoring.version import version

OPEN_COURSE: Final[Mapping[str, Any]] = {"rounds": None, "out_of_points": "owes", "dealer_ends": "off"}
"""A table's game ends when its director says so: events set their own time, and points below zero count in full."""


@dataclass(frozen=True, slots=True)
class NewTournament:
    """A tournament to begin: checked names, parsed rules; ``players`` are (name, club)."""

    name: str
    rules: str
    options: Mapping[str, Any]
    players: Sequence[tuple[str, str]] = ()
    scoring: Scoring = field(default_factory=Scoring)


def create_tournament(engine: Engine, new: NewTournament) -> dict[str, Any]:
    """Begin a tournament; it as JSON."""
    row = Tournament(
        id="".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH)),
        name=new.name,
        created=datetime.now(UTC),
        version=version(),
        rules=new.rules,
        options=dict(new.options),
        starting_points=new.scoring.start,
        places=[format(p, "f") for p in new.scoring.places],
        divide=new.scoring.divide,
    )
    with writing(engine) as session:
        session.add(row)
        session.flush()
        _add(session, row.id, new.players)
        return tournament_json(session, row)


def list_tournaments(engine: Engine) -> list[dict[str, Any]]:
    """The tournaments, latest first, in short."""
    players = select(func.count()).where(Entrant.tournament_id == Tournament.id).scalar_subquery()
    rounds = select(func.max(RoundSeat.round)).where(RoundSeat.tournament_id == Tournament.id).scalar_subquery()
    with reading(engine) as session:
        query = select(Tournament, players, rounds).order_by(Tournament.created.desc(), Tournament.id)
        return [
            {"id": t.id, "name": t.name, "rules": t.rules, "created": shown(t.created), "players": n, "rounds": r or 0}
            for t, n, r in session.execute(query)
        ]


def get_tournament(engine: Engine, tournament_id: str) -> dict[str, Any]:
    """A tournament: players, rounds, standings.

    Raises:
        NotFound: there is none.
    """
    with reading(engine) as session:
        return tournament_json(session, _tournament(session, tournament_id))


def add_players(engine: Engine, tournament_id: str, players: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Add players (name, club); they play from the next round on.

    Raises:
        NotFound: no such tournament. Conflict: a name that is taken.
    """
    with writing(engine) as session:
        row = _tournament(session, tournament_id, lock=True)
        _add(session, row.id, players)
        return tournament_json(session, row)


def let_go(engine: Engine, tournament_id: str, number: int, *, back: bool = False) -> dict[str, Any]:
    """A player leaves after the rounds seated so far (or is ``back``); what he won stays.

    Raises:
        NotFound: no such tournament or player.
    """
    with writing(engine) as session:
        row = _tournament(session, tournament_id, lock=True)
        entrant = session.get(Entrant, (row.id, number))
        if entrant is None:
            raise NotFound(f"This tournament has no player {number}.", field="player")
        entrant.left_after = None if back else _last_round(session, row.id)
        session.flush()
        return tournament_json(session, row)


def seat_round(
    engine: Engine, tournament_id: str, *, seed: int | None = None, tables: Sequence[str] = ()
) -> dict[str, Any]:
    """Seat the next round and begin its games; watched tables of the same names get theirs.

    Hands that wait there stay with the game they were laid in; those that were laid in none are set aside.

    Args:
        engine, tournament_id: where. seed: of the seating; by chance if None.
        tables: names to use first; "1", "2" and so on beside them.

    Raises:
        NotFound: no such tournament. InvalidRequest: fewer than four players, a table named twice.
    """
    with writing(engine) as session:
        row = _tournament(session, tournament_id, lock=True)
        entrants = _entrants(session, row.id)
        playing = [e.number for e in entrants if e.left_after is None]
        before = _seatings(session, row.id, [e.number for e in entrants])
        made = seat(playing, before, secrets.randbelow(2**31) if seed is None else seed)
        names = {e.number: e.name for e in entrants}
        number = len(before) + 1
        called = _table_names(tables, len(made.tables))
        system = system_named(row.rules)
        for table, seated in zip(called, made.tables, strict=True):
            game = begun(
                NewGame(
                    players=tuple(names[n] for n in seated),
                    system=system,
                    options=row.options,
                    rotation=system.custom.rotation,
                    starting_points=row.starting_points,
                    course=OPEN_COURSE,
                    name=f"{row.name} {number}/{table}"[:200],
                )
            )
            session.add(game)
            session.flush()
            session.add_all(
                RoundSeat(tournament_id=row.id, round=number, entrant=n, table_name=table, seat=i, game_id=game.id)
                for i, n in enumerate(seated)
            )
            watched = session.get(WatchedTable, table, with_for_update=True)
            if watched is not None:
                give_game(session, watched, game.id)
        set_strays_aside(session, called)
        session.flush()
        return {**tournament_json(session, row), "repeats": made.repeats}


def drop_round(engine: Engine, tournament_id: str) -> dict[str, Any]:
    """Take the last round back, as long as nothing was played in it.

    Raises:
        NotFound: no such tournament, no round. Conflict: hands were recorded.
    """
    with writing(engine) as session:
        row = _tournament(session, tournament_id, lock=True)
        number = _last_round(session, row.id)
        seats = session.scalars(
            select(RoundSeat).where(RoundSeat.tournament_id == row.id, RoundSeat.round == number)
        ).all()
        if not seats:
            raise NotFound("No round is seated.", field="round")
        games = {s.game_id for s in seats}
        if session.scalar(select(func.count()).where(Hand.game_id.in_(games))):
            raise Conflict(f"Hands were recorded in round {number}; it stays.", field="round")
        for s in seats:
            session.delete(s)
        session.flush()
        session.execute(update(FeedHand).where(FeedHand.game_id.in_(games)).values(game_id=None))
        session.execute(delete(Game).where(Game.id.in_(games)))
        session.flush()
        return tournament_json(session, row)


def tournament_json(session: Session, row: Tournament) -> dict[str, Any]:
    """A tournament as the API tells it."""
    entrants = _entrants(session, row.id)
    played = _played(session, row)
    results = [r for _, r in played]
    by_number = {e.number: e for e in entrants}
    ranks = standings([e.number for e in entrants], results, scoring_of(row))
    last = max((r.round for r in results), default=0)
    return {
        "id": row.id,
        "name": row.name,
        "created": shown(row.created),
        "rules": row.rules,
        "options": row.options,
        "starting_points": plain(row.starting_points),
        "divide": plain(row.divide),
        "places": [plain(Decimal(p)) for p in row.places],
        "players": [
            {"number": e.number, "name": e.name, "club": e.club, "left": e.left_after is not None} for e in entrants
        ],
        "rounds": [
            {"round": n, "tables": [_table_json(g, r, by_number) for g, r in played if r.round == n]}
            for n in range(1, last + 1)
        ],
        "standings": [s.to_json(by_number[s.entrant].name, by_number[s.entrant].club) for s in ranks],
    }


def _played(session: Session, row: Tournament) -> list[tuple[str, TableResult]]:
    """Every table of every round as it stands, with the id of its game."""
    seats = session.scalars(
        select(RoundSeat)
        .where(RoundSeat.tournament_id == row.id)
        .order_by(RoundSeat.round, RoundSeat.table_name, RoundSeat.seat)
    ).all()
    games: dict[str, list[RoundSeat]] = {}
    for s in seats:
        games.setdefault(s.game_id, []).append(s)
    rows = {g.id: g for g in session.scalars(select(Game).where(Game.id.in_(games)))}
    standing = (
        select(Hand.game_id, func.count().label("count"), func.max(Hand.number).label("number"))
        .where(Hand.game_id.in_(games), Hand.undone_at.is_(None))
        .group_by(Hand.game_id)
        .subquery()
    )
    last = (Hand.game_id == standing.c.game_id) & (Hand.number == standing.c.number)
    ends = {h.game_id: (h, int(n)) for h, n in session.execute(select(Hand, standing.c.count).join(standing, last))}
    found = []
    for game_id, seated in games.items():
        hand, count = ends.get(game_id, (None, 0))
        totals = totals_of(rows[game_id], hand)
        entrants, points = tuple(s.entrant for s in seated), tuple(totals[str(i)] for i in range(4))
        found.append((game_id, TableResult(seated[0].round, seated[0].table_name, entrants, points, count)))
    return sorted(found, key=lambda played: (played[1].round, natural(played[1].table)))


def scoring_of(row: Tournament) -> Scoring:
    """How its tables count."""
    return Scoring(row.starting_points, row.divide, tuple(Decimal(p) for p in row.places))


def _table_json(game_id: str, result: TableResult, entrants: Mapping[int, Entrant]) -> dict[str, Any]:
    return {
        "table": result.table,
        "game_id": game_id,
        "hands": result.hands,
        "players": [
            {"number": n, "name": entrants[n].name, "total": plain(total)}
            for n, total in zip(result.entrants, result.totals, strict=True)
        ],
    }


def _add(session: Session, tournament_id: str, players: Sequence[tuple[str, str]]) -> None:
    taken = {e.name.casefold() for e in _entrants(session, tournament_id)}
    number = session.scalar(select(func.max(Entrant.number)).where(Entrant.tournament_id == tournament_id)) or 0
    for name, club in players:
        if name.casefold() in taken:
            raise Conflict(f"There is a player {name!r} already; add something that tells them apart.", field="players")
        taken.add(name.casefold())
        number += 1
        session.add(Entrant(tournament_id=tournament_id, number=number, name=name, club=club, left_after=None))
    session.flush()


def _tournament(session: Session, tournament_id: str, *, lock: bool = False) -> Tournament:
    row = session.get(Tournament, tournament_id, with_for_update=True if lock else None)
    if row is None:
        raise NotFound(f"There is no tournament {tournament_id!r:.40}.", field="tournament_id")
    return row


def _entrants(session: Session, tournament_id: str) -> list[Entrant]:
    query = select(Entrant).where(Entrant.tournament_id == tournament_id).order_by(Entrant.number)
    return list(session.scalars(query))


def _last_round(session: Session, tournament_id: str) -> int:
    return session.scalar(select(func.max(RoundSeat.round)).where(RoundSeat.tournament_id == tournament_id)) or 0


def _seatings(session: Session, tournament_id: str, entrants: Sequence[int]) -> list[Seating]:
    """The rounds so far; who had no table in a round rested."""
    rows = session.scalars(
        select(RoundSeat).where(RoundSeat.tournament_id == tournament_id).order_by(RoundSeat.round, RoundSeat.seat)
    ).all()
    rounds: dict[int, dict[str, list[int]]] = {}
    for r in rows:
        rounds.setdefault(r.round, {}).setdefault(r.table_name, []).append(r.entrant)
    return [
        Seating(
            tuple(tuple(t) for t in tables.values()),
            tuple(e for e in entrants if not any(e in t for t in tables.values())),
            0,
        )
        for _, tables in sorted(rounds.items())
    ]


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
