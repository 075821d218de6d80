"""Hands: recorded once, taken back, shown. Every operation is one transaction."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from hupai.ledger import entering
from hupai.ledger.entering import NewHand
from hupai.ledger.expected_revision import ExpectedRevision
from hupai.ledger.game_json import history_json, whole_hand_json
from hupai.store.clock import now as now_in
from hupai.store.database import reading, writing
from hupai.store.play.game_rows import find_game
from hupai.store.play.histories import change_game, load_history
from hupai.store.play.turns import turns_of


def get_hand(engine: Engine, game_id: str, number: int) -> dict[str, Any]:
    """Return one hand with its requests and scores.

    Raises:
        NotFound: no such game or hand.
    """
    with reading(engine) as session:
        return whole_hand_json(load_history(session, find_game(session, game_id)).hand(number))


def record_hand(
    engine: Engine, game_id: str, record: NewHand, last_hands: int | None = None
) -> tuple[dict[str, Any], dict[str, Any], bool]:
    """Settle and store a confirmed hand.

    Returns:
        The hand, the game after it, and whether the hand had been recorded before under the same key.

    Raises:
        NotFound: no such game. Conflict, MovedOn, InvalidRequest: as :func:`~hupai.ledger.entering.enter_hand`.
    """
    with turns_of(engine).take(game_id, record.key), writing(engine) as session:
        return record_in(session, game_id, record, last_hands)


def record_in(
    session: Session, game_id: str, record: NewHand, last_hands: int | None = None
) -> tuple[dict[str, Any], dict[str, Any], bool]:
    """Do the same as :func:`record_hand` within a writing transaction."""
    was, now = change_game(session, game_id, lambda game, at: entering.enter_hand(game, record, at, last_hands))
    return whole_hand_json(entering.entered_hand(now, record)), history_json(now, last_hands), now is was


def try_hand(engine: Engine, game_id: str, record: NewHand, last_hands: int | None = None) -> dict[str, Any]:
    """Return what recording would result in, see :func:`~hupai.ledger.entering.try_hand`. Nothing is written.

    Raises:
        NotFound, Conflict, MovedOn, InvalidRequest: as :func:`record_hand`.
    """
    with reading(engine) as session:
        history = load_history(session, find_game(session, game_id))
        return entering.try_hand(history, record, now_in(session), last_hands)


def undo_hand(
    engine: Engine,
    game_id: str,
    number: int | None,
    last_hands: int | None = None,
    seen: ExpectedRevision | None = None,
    by: str | None = None,
) -> dict[str, Any]:
    """Take back the last hand that counts; it stays in the history, marked. Returns the game as JSON.

    Raises:
        NotFound: no such game or hand. Conflict, MovedOn: as :func:`~hupai.ledger.entering.undo_hand`.
    """
    with writing(engine) as session:
        return undo_in(session, game_id, number, last_hands, seen, by)


def undo_in(
    session: Session,
    game_id: str,
    number: int | None,
    last_hands: int | None = None,
    seen: ExpectedRevision | None = None,
    by: str | None = None,
) -> dict[str, Any]:
    """Do the same as :func:`undo_hand` within a writing transaction."""
    _, now = change_game(session, game_id, lambda game, at: entering.undo_hand(game, number, at, seen, by, last_hands))
    return history_json(now, last_hands)
