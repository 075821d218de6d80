"""Games of a tournament's round: no file changes them, nobody deletes them, and their players sign them."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict
from hupai.games.parting import FILE_REFUSED
from hupai.hall.store.state.tournament_log import ChangeKind
from hupai.hall.tables import RoundSeat, TournamentChange


def check_import(session: Session, game_id: str) -> None:
    """See :class:`~hupai.store.wing.StoreWing`."""
    if _is_in_round(session, game_id):
        refusal = "This game belongs to a tournament's round: no file changes it."
        raise Conflict(refusal, code=FILE_REFUSED, field="game")


def check_deletion(session: Session, game_id: str) -> None:
    """See :class:`~hupai.store.wing.StoreWing`."""
    if _is_in_round(session, game_id):
        raise Conflict("This game belongs to a tournament's round; cancel the round instead.", field="game_id")


def is_signed(session: Session, game_id: str) -> bool:
    """See :class:`~hupai.store.wing.StoreWing`."""
    tournament = select(RoundSeat.tournament_id).where(RoundSeat.game_id == game_id).limit(1).scalar_subquery()
    mine = (TournamentChange.tournament_id == tournament, TournamentChange.kind == ChangeKind.SIGNED)
    here = TournamentChange.detail["game_id"].as_string() == game_id
    return session.scalar(select(TournamentChange.revision).where(*mine, here).limit(1)) is not None


def _is_in_round(session: Session, game_id: str) -> bool:
    return session.scalar(select(RoundSeat.game_id).where(RoundSeat.game_id == game_id).limit(1)) is not None
