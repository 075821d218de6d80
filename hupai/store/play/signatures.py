"""Signed results: from the first signature on only the director changes the result of a game that is over."""

from __future__ import annotations

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict
from hupai.store.feed_tables import RoundSeat, TournamentChange
from hupai.store.play.changes import Amendment
from hupai.store.play.game_state import current_state
from hupai.store.tables import Game

SIGNED: Final = "signed"
"""Kind of the tournament's change that is a signature."""


def has_signed_result(session: Session, game: Game) -> bool:
    """Whether a game is over and somebody has signed it, in its present state or before a change."""
    tournament = select(RoundSeat.tournament_id).where(RoundSeat.game_id == game.id).limit(1).scalar_subquery()
    mine = (TournamentChange.tournament_id == tournament, TournamentChange.kind == SIGNED)
    here = TournamentChange.detail["game_id"].as_string() == game.id
    signature = session.scalar(select(TournamentChange.revision).where(*mine, here).limit(1))
    # The state takes more queries, and hardly any game is signed.
    return signature is not None and current_state(session, game).ended is not None


def require_reason(session: Session, game: Game, amendment: Amendment | None = None) -> None:
    """Refuse to change a signed result without a reason.

    Raises:
        Conflict: ``result_signed``: the game is over and was signed, and the amendment, if any, gives no reason.
    """
    if not (amendment and amendment.reason) and has_signed_result(session, game):
        message = "This result is signed: withdraw or correct the hand, with a reason."
        raise Conflict(message, code="result_signed", field="reason" if amendment else "hand")
