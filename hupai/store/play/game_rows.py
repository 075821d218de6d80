"""Rows of games and of false wins."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from hupai.basics.ids import is_id
from hupai.games.games import no_game
from hupai.games.history import offender
from hupai.store.tables import Game, GameHand


def find_game(session: Session, game_id: str, *, lock: bool = False) -> Game:
    """Return the game with this id; ``lock`` keeps others from changing it until the transaction ends.

    Raises:
        NotFound: no such game.
    """
    game = session.get(Game, game_id, with_for_update=True if lock else None) if is_id(game_id) else None
    if game is None:
        raise no_game(game_id)
    return game


def find_false_wins(session: Session, game_ids: Collection[str]) -> dict[str, dict[int, int]]:
    """Return game -> number of the hand -> player of each false win that counts."""
    counted = (GameHand.game_id.in_(game_ids), GameHand.undone_at.is_(None), GameHand.outcome == "false_win")
    query = select(GameHand).where(*counted).order_by(GameHand.number).options(undefer(GameHand.request))
    found: dict[str, dict[int, int]] = {}
    for hand in session.scalars(query):
        found.setdefault(hand.game_id, {})[hand.number] = offender(hand.before, hand.request)
    return found
