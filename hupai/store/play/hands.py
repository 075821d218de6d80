"""Hands: recorded once, taken back, shown. Every operation is one transaction."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict, NotFound
from hupai.ledger.confirmed import Confirmed, HandResult, payments_differ, score_json
from hupai.ledger.state import TableState
from hupai.store.database import reading, writing
from hupai.store.play.camera_hands import reopen_camera_hands
from hupai.store.play.changes import RECORDED, UNDONE, amendment_by, record_change, revision_of
from hupai.store.play.duplicates import find_duplicate
from hupai.store.play.expected_revision import ExpectedRevision, check_revision
from hupai.store.play.game_json import whole_hand_json
from hupai.store.play.game_state import find_game, last_counting_hand, load_game_json, settle_next, totals_of
from hupai.store.play.hand_result import write_result
from hupai.store.play.signatures import require_reason
from hupai.store.play.turns import turns_of
from hupai.store.tables import Game, GameHand
from scoring.words.sentence import say


@dataclass(frozen=True, slots=True)
class NewHand:
    """A confirmed hand to record.

    Attributes:
        confirmed: what is recorded. body: the request as received, stored for the history.
        key: idempotency key, or None. expected: payments the players saw, by seat, or None.
        models: those that read the photo; empty for a hand that was typed.
        seen: the game as the players saw it; None if nobody was shown any. by: who recorded it, if known.
    """

    confirmed: Confirmed
    body: Mapping[str, Any]
    key: str | None = None
    expected: Mapping[str, Any] | None = None
    models: Mapping[str, str] | None = None
    seen: ExpectedRevision | None = None
    by: str | None = None

    @property
    def body_hash(self) -> str:
        """Identifies the content for retries; a retry may have seen more of the game than the first try."""
        said = {name: value for name, value in self.body.items() if name != "seen"}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def hand_of(session: Session, game_id: str, number: int) -> GameHand:
    """Return the hand with this number.

    Raises:
        NotFound: the game has none.
    """
    found = session.scalar(select(GameHand).where(GameHand.game_id == game_id, GameHand.number == number))
    if found is None:
        raise NotFound(say("This game has no hand {n}.", n=number), field="number")
    return found


def get_hand(engine: Engine, game_id: str, number: int) -> dict[str, Any]:
    """Return one hand with its requests and scores.

    Raises:
        NotFound: no such game or hand.
    """
    with reading(engine) as session:
        find_game(session, game_id)
        return whole_hand_json(hand_of(session, game_id, number))


def record_hand(
    engine: Engine, game_id: str, record: NewHand, last_hands: int | None = None
) -> tuple[dict[str, Any], dict[str, Any], bool]:
    """Settle and store a confirmed hand.

    Returns:
        The hand, the game after it, and whether the hand had been recorded before under the same key.

    Raises:
        NotFound: no such game. Conflict: the key was used for something else, or the players saw other payments.
        MovedOn: the game has changed since it was seen. InvalidRequest: what was confirmed is invalid.
    """
    with turns_of(engine).take(game_id, record.key), writing(engine) as session:
        return record_in(session, game_id, record, last_hands)


def record_in(
    session: Session, game_id: str, record: NewHand, last_hands: int | None = None
) -> tuple[dict[str, Any], dict[str, Any], bool]:
    """Do the same as :func:`record_hand` within a writing transaction."""
    game = find_game(session, game_id, lock=True)
    known = _find_recorded(session, game_id, record)
    if known is not None:
        return whole_hand_json(known), load_game_json(session, game, last_hands), True
    check_revision(session, game, record.seen, last_hands)
    now = datetime.now(UTC)
    settled = settle_next(session, game, record.confirmed, now)
    check_payments(record, settled)
    hand = _new_row(game, now, record)
    write_result(hand, totals_of(game, last_counting_hand(session, game_id)), settled, record.body)
    hand.number = 1 + (session.scalar(select(func.max(GameHand.number)).where(GameHand.game_id == game_id)) or 0)
    session.add(hand)
    session.flush()
    record_change(session, RECORDED, hand, settled.before, amendment=amendment_by(record.by))
    return whole_hand_json(hand), load_game_json(session, game, last_hands), False


def check_payments(record: NewHand, settled: HandResult) -> None:
    """Check that the hand's payments are those that were seen, if any were.

    Raises:
        Conflict: they are not.
    """
    if record.expected is not None and payments_differ(record.expected, settled.payments):
        net = ", ".join(f"{account} {amount}" for account, amount in settled.payments.to_json().items())
        raise Conflict(
            say("The payments come to {a}, not to what was confirmed; look again.", a=net),
            code="payments_differ",
            field="expected_payments",
        )


def try_hand(engine: Engine, game_id: str, record: NewHand, last_hands: int | None = None) -> dict[str, Any]:
    """Return what recording would result in: scores, payments by seat, the table after it. Nothing is written.

    ``same_as`` is the number of the hand that seems to be this one, if another phone has just recorded it.

    Raises:
        NotFound, MovedOn, InvalidRequest: as :func:`record_hand`.
    """
    with reading(engine) as session:
        game = find_game(session, game_id)
        check_revision(session, game, record.seen, last_hands)
        now = datetime.now(UTC)
        settled = settle_next(session, game, record.confirmed, now)
        return {
            "scores": score_json(settled),
            "payments": settled.payments.to_json(),
            "after": settled.after.to_json(),
            "revision": revision_of(session, game_id),
            "same_as": find_duplicate(session, game_id, settled, now),
        }


def undo_hand(
    engine: Engine,
    game_id: str,
    number: int | None,
    last_hands: int | None = None,
    seen: ExpectedRevision | None = None,
    by: str | None = None,
) -> dict[str, Any]:
    """Take back the last hand that counts; it stays in the history, marked. Returns the game as JSON.

    Args:
        engine, game_id: where. number: the hand the caller means: one that was already taken back changes nothing.
        last_hands: how many to show. seen: the game as the caller saw it. by: who undoes it, if known.

    Raises:
        NotFound: no such game or hand. Conflict: another hand is the last one, there is none, or the result is signed.
        MovedOn: the game has changed since it was seen.
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
    game = find_game(session, game_id, lock=True)
    standing = last_counting_hand(session, game_id)
    meant = None
    if number is not None:
        meant = session.scalar(select(GameHand).where(GameHand.game_id == game_id, GameHand.number == number))
        if meant is None:
            raise NotFound(say("This game has no hand {n}.", n=number), field="hand")
        if meant.undone_at is not None:
            return load_game_json(session, game, last_hands)
    check_revision(session, game, seen, last_hands)
    if meant is not None and (standing is None or meant.id != standing.id):
        raise Conflict(say("Hand {n} is not the last one: undo the later ones first.", n=number), field="hand")
    if standing is None:
        raise Conflict("There is no hand to undo.", field="hand")
    require_reason(session, game)
    standing.undone_at = datetime.now(UTC)
    session.flush()
    record_change(session, UNDONE, standing, TableState.from_json(standing.after), amendment=amendment_by(by))
    found = load_game_json(session, game, last_hands)
    reopen_camera_hands(session, standing, found["players"])
    return found


def _find_recorded(session: Session, game_id: str, record: NewHand) -> GameHand | None:
    if record.key is None:
        return None
    known = session.scalar(select(GameHand).where(GameHand.game_id == game_id, GameHand.key == record.key))
    if known is not None and known.body_hash != record.body_hash:
        raise Conflict("This Idempotency-Key was used for another hand; give a new one.", field="Idempotency-Key")
    return known


def _new_row(game: Game, now: datetime, record: NewHand) -> GameHand:
    return GameHand(
        game_id=game.id,
        key=record.key,
        body_hash=record.body_hash,
        outcome=record.confirmed.outcome,
        confirmed_at=now,
        undone_at=None,
        models=dict(record.models or {}),
        rules=game.rules,
        options=dict(game.options),
        payments=[],
    )
