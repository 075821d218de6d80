"""What the hall does with the store; games of a tournament's round no file changes, and nobody deletes."""

from __future__ import annotations

import sqlite3
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict
from hupai.games.parting import FILE_REFUSED
from hupai.hall.camera_hands import follow_changes
from hupai.hall.retention import find_expired, keep_games
from hupai.hall.store.state.tournament_log import ChangeKind
from hupai.hall.tables import RoundSeat, TournamentChange
from hupai.store.wing import StoreWing
from scoring.version import version

_INSERT_RESTORED: Final = """
insert into feed_events (number, kind, table_name, at, body, version)
select coalesce(max(number), 0) + 1000000, 'store.restored', '', current_timestamp, '{}', ? from feed_events
"""
"""The last event of a copy. The ledger goes on counting after its copy was made, so a copy that is put back must not
give these numbers to other events: whoever remembers the last number would miss those, or take them for known."""


def _check_import(session: Session, game_id: str) -> None:
    if _is_in_round(session, game_id):
        refusal = "This game belongs to a tournament's round: no file changes it."
        raise Conflict(refusal, code=FILE_REFUSED, field="game")


def _check_deletion(session: Session, game_id: str) -> None:
    if _is_in_round(session, game_id):
        raise Conflict("This game belongs to a tournament's round; cancel the round instead.", field="game_id")


def _is_signed(session: Session, game_id: str) -> bool:
    tournament = select(RoundSeat.tournament_id).where(RoundSeat.game_id == game_id).limit(1).scalar_subquery()
    mine = (TournamentChange.tournament_id == tournament, TournamentChange.kind == ChangeKind.SIGNED)
    here = TournamentChange.detail["game_id"].as_string() == game_id
    return session.scalar(select(TournamentChange.revision).where(*mine, here).limit(1)) is not None


def _is_in_round(session: Session, game_id: str) -> bool:
    return session.scalar(select(RoundSeat.game_id).where(RoundSeat.game_id == game_id).limit(1)) is not None


def _mark_copy(copy: sqlite3.Connection) -> None:
    # A ledger from before there were events has none.
    if copy.execute("select 1 from sqlite_master where name = 'feed_events'").fetchone():
        copy.execute(_INSERT_RESTORED, (version(),))


STORE: Final = StoreWing(
    check_import=_check_import,
    check_deletion=_check_deletion,
    is_signed=_is_signed,
    follow=follow_changes,
    keep_games=keep_games,
    find_expired=find_expired,
    mark_copy=_mark_copy,
)
