"""Tournaments: created, listed, shown, changed, deleted. One transaction each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Engine, func, select

from hupai.basics.errors import Conflict
from hupai.basics.ids import new_id
from hupai.basics.timestamps import format_time
from hupai.games.history import Amendment, RetryKey
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.seating.standings import Scoring
from hupai.hall.store.state.entrants import add_entrants, entrants_of
from hupai.hall.store.state.played_tables import last_round, played_tables
from hupai.hall.store.state.tournament_json import standings_json, tournament_json
from hupai.hall.store.state.tournament_log import (
    ChangeKind,
    find_tournament,
    lock_tournament,
    log_change,
    refuse_repeat,
    state_of,
)
from hupai.hall.store.state.tournament_terms import scoring_of, set_scoring, settings_json, table_size_of
from hupai.hall.store.tokens import forget_tournament
from hupai.hall.tables import Entrant, RoundSeat, Tournament, TournamentChange
from hupai.store.database import advisory_lock, reading, writing
from hupai.store.tables import GameChange
from scoring.version import version

MAX_PLAYERS: Final = 400
_THREES_STAY: Final = "A table of three was seated; how it began stays for the whole tournament."


@dataclass(frozen=True, slots=True)
class NewTournament:
    """A tournament to create: checked names, parsed rules, and what keeps a retry from creating a second one."""

    name: str
    rules: str
    options: Mapping[str, Any]
    players: Sequence[NewEntrant] = ()
    scoring: Scoring = field(default_factory=Scoring)
    once: RetryKey | None = None
    course: Mapping[str, Any] = field(default_factory=dict)


def create_tournament(engine: Engine, new: NewTournament) -> dict[str, Any]:
    """Create a tournament and return it as JSON.

    Raises:
        AlreadyDone: it was created with the same key. Conflict: the key was used for another one; a name occurs twice.
        InvalidRequest: its scoring is not for as many places as a table has; its games could not begin.
    """
    row = Tournament(
        id=new_id(),
        name=new.name,
        created=datetime.now(UTC),
        version=version(),
        rules=new.rules,
        options=dict(new.options),
        course=dict(new.course),
        key=new.once.key if new.once else None,
        key_hash=new.once.content_hash if new.once else None,
    )
    set_scoring(row, new.scoring)
    with writing(engine) as session:
        if new.once is not None:
            advisory_lock(session, new.once.key)
            known = session.scalar(select(Tournament).where(Tournament.key == new.once.key))
            if known is not None:
                refuse_repeat(known.id, known.key_hash, new.once, {})
        session.add(row)
        session.flush()
        add_entrants(session, row.id, new.players)
        return tournament_json(session, row)


def list_tournaments(engine: Engine) -> list[dict[str, Any]]:
    """Return the tournaments, latest first, in short."""
    players = select(func.count()).where(Entrant.tournament_id == Tournament.id).scalar_subquery()
    rounds = select(func.max(RoundSeat.round)).where(RoundSeat.tournament_id == Tournament.id).scalar_subquery()
    with reading(engine) as session:
        query = select(Tournament, players, rounds).order_by(Tournament.created.desc(), Tournament.id)
        return [
            {
                "id": t.id,
                "name": t.name,
                "rules": t.rules,
                "created": format_time(t.created),
                "players": n,
                "rounds": r or 0,
            }
            for t, n, r in session.execute(query)
        ]


def get_tournament(engine: Engine, tournament_id: str) -> dict[str, Any]:
    """Return a tournament: players, rounds, standings.

    Raises:
        NotFound: there is none.
    """
    with reading(engine) as session:
        return tournament_json(session, find_tournament(session, tournament_id))


def stamp_tournament(engine: Engine, tournament_id: str) -> tuple[str, int | None, int] | None:
    """Return what is another one after every change of a tournament or its games; None where there is none."""
    mine = TournamentChange.tournament_id == tournament_id
    games = select(RoundSeat.game_id).where(RoundSeat.tournament_id == tournament_id)
    changes = select(func.max(TournamentChange.revision)).where(mine).scalar_subquery()
    played = select(func.count()).where(GameChange.game_id.in_(games)).scalar_subquery()
    with reading(engine) as session:
        found = session.execute(select(Tournament.id, changes, played).where(Tournament.id == tournament_id)).first()
        return None if found is None else tuple(found)


def standings_after(engine: Engine, tournament_id: str, upto: int) -> dict[str, Any]:
    """Return the standings after a round, including corrections made since.

    Raises:
        NotFound: no such tournament.
    """
    with reading(engine) as session:
        row = find_tournament(session, tournament_id)
        results = [p.result for p in played_tables(session, row) if p.result.round <= upto]
        entrants, penalties = entrants_of(session, row.id), state_of(session, row.id).standing_penalties(upto)
        return {"round": upto, **standings_json(row, entrants, results, penalties)}


def change_settings(
    engine: Engine, tournament_id: str, name: str | None, scoring: Mapping[str, Any], who: Amendment
) -> dict[str, Any]:
    """Change a tournament's name or fields of its :class:`Scoring`; every round is calculated again.

    Raises:
        NotFound: no such tournament. InvalidRequest: invalid scoring, or not for as many places as a table has.
        Conflict: different starting points, though a round was seated with the present ones.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        was = settings_json(row)
        old = scoring_of(row)
        now = {f.name: scoring.get(f.name, getattr(old, f.name)) for f in fields(Scoring)}
        if now["start"] != old.start and last_round(session, row.id):
            raise Conflict("Games were begun with these points; they stay for the whole tournament.", field="start")
        begun, begins = ((s.start if s else None) for s in (old.threes, now["threes"]))
        if begun != begins and any(len(p.result.entrants) < table_size_of(row) for p in played_tables(session, row)):
            raise Conflict(_THREES_STAY, field="threes")
        set_scoring(row, Scoring(**now))
        row.name = name or row.name
        log_change(session, row, ChangeKind.SETTINGS, who, {"was": was, "now": settings_json(row)})
        return tournament_json(session, row)


def delete_tournament(engine: Engine, tournament_id: str, by: str) -> None:
    """Delete a tournament in which nothing was played; tokens to register for it are withdrawn.

    Raises:
        NotFound: no such tournament. Conflict: a round is seated.
    """
    with writing(engine) as session:
        row = find_tournament(session, tournament_id, lock=True)
        if last_round(session, row.id):
            raise Conflict(
                "A tournament with a round stays; cancel rounds in which nothing was played.", field="tournament_id"
            )
        forget_tournament(session, row.id, by)
        session.delete(row)
