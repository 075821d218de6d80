"""Games: created, listed, shown, deleted. Every operation is one transaction."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import selectinload

from hupai.basics.errors import Conflict
from hupai.basics.ids import new_id
from hupai.basics.timestamps import format_time
from hupai.ledger.beginning import NewGame, begin_game
from hupai.ledger.changes import change_json, changes_after
from hupai.ledger.exchange import export_history
from hupai.ledger.expected_revision import ExpectedRevision, check_revision
from hupai.ledger.game_json import history_json, whole_hand_json
from hupai.ledger.history import History
from hupai.store.clock import now as now_in
from hupai.store.database import advisory_lock, reading, writing
from hupai.store.feed_tables import RoundSeat
from hupai.store.play.game_rows import find_game
from hupai.store.play.histories import add_game, load_history
from hupai.store.tables import Game, GameHand


def create_game(engine: Engine, new: NewGame) -> dict[str, Any]:
    """Create a game, or find the one created with the same key; return the game as JSON.

    Raises:
        Conflict: the key was used for another game.
    """
    with writing(engine) as session:
        if new.key is not None:
            advisory_lock(session, new.key)
            known = session.scalar(select(Game).where(Game.key == new.key))
            if known is not None and known.key_hash != new.content_hash:
                raise Conflict(
                    "This Idempotency-Key was used for another game; give a new one.", field="Idempotency-Key"
                )
            if known is not None:
                return history_json(load_history(session, known))
        history = begin_game(new, new_id(), now_in(session))
        add_game(session, history)
        return history_json(history)


def import_game(engine: Engine, history: History) -> dict[str, Any]:
    """Store a game that was read from a file; return it as JSON.

    Raises:
        Conflict: it is here already.
    """
    with writing(engine) as session:
        advisory_lock(session, history.terms.id)
        if session.get(Game, history.terms.id) is not None:
            raise Conflict("This game is here already: go on with it, or delete it first.", field="game")
        add_game(session, history)
        return history_json(history)


def list_games(engine: Engine, limit: int, offset: int = 0) -> list[dict[str, Any]]:
    """Return the games, latest first, with the number of hands that count and the time of the last one."""
    standing = (
        select(GameHand.game_id, func.count().label("hands"), func.max(GameHand.confirmed_at).label("last"))
        .where(GameHand.undone_at.is_(None))
        .group_by(GameHand.game_id)
        .subquery()
    )
    query = (
        select(Game, standing.c.hands, standing.c.last)
        .outerjoin(standing, standing.c.game_id == Game.id)
        .options(selectinload(Game.players))
        .order_by(Game.created.desc(), Game.id)
        .limit(limit)
        .offset(offset)
    )
    with reading(engine) as session:
        return [
            {
                "id": game.id,
                "name": game.name,
                "rules": game.rules,
                "players": [p.name for p in game.players],
                "created": format_time(game.created),
                "hands": hands or 0,
                "last": format_time(last) if last else None,
            }
            for game, hands, last in session.execute(query)
        ]


def get_game(engine: Engine, game_id: str, last_hands: int | None = None) -> dict[str, Any]:
    """Return a game with its last hands.

    Raises:
        NotFound: no such game.
    """
    with reading(engine) as session:
        return history_json(load_history(session, find_game(session, game_id)), last_hands)


def all_hands(engine: Engine, game_id: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return a game with its ``history``, and every hand of it with requests, scores and running totals.

    Raises:
        NotFound: no such game.
    """
    with reading(engine) as session:
        history = load_history(session, find_game(session, game_id))
        hands = [{**whole_hand_json(hand), "totals": hand.totals} for hand in history.hands]
        return {**history_json(history, 0), "history": export_history(history)}, hands


def list_changes(engine: Engine, game_id: str, after: int) -> dict[str, Any]:
    """Return the last changes of a game after this revision, in order, each with its hand.

    Raises:
        NotFound: no such game.
    """
    with reading(engine) as session:
        history = load_history(session, find_game(session, game_id))
        return {"revision": history.revision, "changes": changes_after(history, after)}


def get_change(engine: Engine, game_id: str, revision: int) -> dict[str, Any]:
    """Return one change with all its details: what the hand was before, and what was settled again.

    Raises:
        NotFound: no such game or change.
    """
    with reading(engine) as session:
        return change_json(load_history(session, find_game(session, game_id)), revision)


def delete_game(engine: Engine, game_id: str, seen: ExpectedRevision | None = None) -> None:
    """Delete a game and its history.

    Raises:
        NotFound: no such game. Conflict: it belongs to a tournament's round. MovedOn: it has changed since it was seen.
    """
    with writing(engine) as session:
        game = find_game(session, game_id, lock=True)
        check_revision(load_history(session, game), seen)
        if session.scalar(select(RoundSeat.game_id).where(RoundSeat.game_id == game_id).limit(1)) is not None:
            raise Conflict("This game belongs to a tournament's round; cancel the round instead.", field="game_id")
        session.delete(game)
