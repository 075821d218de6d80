"""Tournaments in a store, begun with as few words as a test needs."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine, select

from hupai.hall.seating.importing import NewEntrant
from hupai.hall.seating.standings import Scoring
from hupai.hall.store import tournaments
from hupai.hall.tables import TournamentChange
from hupai.store.database import writing
from hupai.store.tables import GameChange


def put_clock_back(store: Engine) -> None:
    """Let the host's clock be set back by an hour: all that was done so far is later than now."""
    with writing(store) as session:
        for row in (*session.scalars(select(GameChange)), *session.scalars(select(TournamentChange))):
            row.at += timedelta(hours=1)


def begin_tournament(
    engine: Engine, players: int = 16, name: str = "Cup", rules: str = "hongkong", scoring: Scoring | None = None
) -> str:
    """The id of a new tournament of so many players: P1, P2 ..."""
    people = [NewEntrant(f"P{i}") for i in range(1, players + 1)]
    new = tournaments.NewTournament(name, rules, {}, people, scoring or Scoring())
    return str(tournaments.create_tournament(engine, new)["id"])
