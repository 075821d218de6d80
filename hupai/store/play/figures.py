"""Figures about the people who play, over every game that is kept."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session, selectinload

from hupai.ledger.figures import PlayedGame, PlayerFigures, tally_figures
from hupai.store.database import reading
from hupai.store.play.game_rows import find_false_wins
from hupai.store.play.histories import short_hand, terms_of
from hupai.store.tables import Game, GameHand

_AT_ONCE: Final = 500


def list_figures(engine: Engine) -> list[PlayerFigures]:
    """Return the figures of everybody under every system they played; who played the most hands comes first."""
    with reading(engine) as session:
        return tally_figures(_played_games(session))


def _played_games(session: Session) -> Iterator[PlayedGame]:
    query = (
        select(GameHand)
        .join(Game, Game.id == GameHand.game_id)
        .where(GameHand.undone_at.is_(None))
        .order_by(Game.created, Game.id, GameHand.number)
        .options(selectinload(GameHand.payments))
        .execution_options(yield_per=_AT_ONCE)
    )
    games = {game.id: game for game in session.scalars(select(Game).options(selectinload(Game.players)))}
    for game_id, hands in groupby(session.scalars(query), key=lambda hand: hand.game_id):
        terms, names = terms_of(games[game_id]), [player.name for player in games[game_id].players]
        false_wins = find_false_wins(session, [game_id]).get(game_id, {}) if terms.house.play.after_placing else {}
        yield PlayedGame(terms, names, [short_hand(hand) for hand in hands], terms.fines(list(false_wins.values())))
