"""Hands of a game corrected, withdrawn and restored, games ended and reopened. Every operation is one transaction.

They raise NotFound if there is no such game, and what the functions of the same names in
:mod:`hupai.ledger.amendments` raise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Engine

from hupai.ledger import amendments as ledger
from hupai.ledger.changes import again_json
from hupai.ledger.entering import NewHand
from hupai.ledger.expected_revision import ExpectedRevision
from hupai.ledger.game_json import history_json, whole_hand_json
from hupai.ledger.history import Amendment, History
from hupai.store.database import reading, writing
from hupai.store.play.game_rows import find_game
from hupai.store.play.histories import change_game, load_history


def correct_hand(
    engine: Engine, game_id: str, number: int, record: NewHand, amendment: Amendment, last_hands: int | None = None
) -> dict[str, Any]:
    """Replace a hand that counts by another one; returns ``hand`` and what :func:`withdraw_hand` does."""
    now = _change(engine, game_id, lambda was, at: ledger.correct_hand(was, number, record, amendment, at, last_hands))
    return {"hand": whole_hand_json(now.hand(number)), **_amended_json(now, last_hands)}


def try_correction(
    engine: Engine, game_id: str, number: int, record: NewHand, last_hands: int | None = None
) -> dict[str, Any]:
    """Return what :func:`correct_hand` would result in; nothing is written."""
    with reading(engine) as session:
        history = load_history(session, find_game(session, game_id))
        return ledger.try_correction(history, number, record, last_hands)


def withdraw_hand(
    engine: Engine,
    game_id: str,
    number: int,
    amendment: Amendment,
    seen: ExpectedRevision | None,
    last_hands: int | None = None,
) -> dict[str, Any]:
    """Withdraw any hand that counts; it stays in the history, marked.

    Returns:
        ``game``, and ``settled_again`` (the later hands whose payments or seats changed).
    """
    now = _change(engine, game_id, lambda was, at: ledger.withdraw_hand(was, number, amendment, at, seen, last_hands))
    return _amended_json(now, last_hands)


def restore_hand(
    engine: Engine,
    game_id: str,
    number: int,
    amendment: Amendment,
    seen: ExpectedRevision | None,
    last_hands: int | None = None,
) -> dict[str, Any]:
    """Restore a hand that was taken back in its old place; returns what :func:`withdraw_hand` does.

    Raises:
        Conflict: also if what was laid down for it was confirmed as another hand meanwhile.
    """
    now = _change(engine, game_id, lambda was, at: ledger.restore_hand(was, number, amendment, at, seen, last_hands))
    return _amended_json(now, last_hands)


def end_game(
    engine: Engine,
    game_id: str,
    course: Mapping[str, Any],
    amendment: Amendment,
    seen: ExpectedRevision | None,
    last_hands: int | None = None,
) -> dict[str, Any]:
    """End the game at its players' wish, or settle a finished one in another way. Returns the game as JSON."""
    now = _change(engine, game_id, lambda was, at: ledger.end_game(was, course, amendment, at, seen, last_hands))
    return history_json(now, last_hands)


def reopen_game(
    engine: Engine,
    game_id: str,
    course: Mapping[str, Any],
    amendment: Amendment,
    seen: ExpectedRevision | None,
    last_hands: int | None = None,
) -> dict[str, Any]:
    """Continue a game ended by its players or, with another course, by its course. Returns the game as JSON."""
    now = _change(engine, game_id, lambda was, at: ledger.reopen_game(was, course, amendment, at, seen, last_hands))
    return history_json(now, last_hands)


def _change(engine: Engine, game_id: str, change: Callable[[History, datetime], History]) -> History:
    with writing(engine) as session:
        return change_game(session, game_id, change)[1]


def _amended_json(history: History, last_hands: int | None) -> dict[str, Any]:
    return {"game": history_json(history, last_hands), "settled_again": again_json(history.changes[-1].settled_again)}
