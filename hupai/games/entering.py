"""Hands confirmed and entered, once each, and taken back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from hupai.basics.errors import Conflict
from hupai.games.confirmed import Confirmed, GameState, HandResult, payments_differ, score_json
from hupai.games.duplicates import find_duplicate
from hupai.games.ending import ENDINGS
from hupai.games.expected_revision import ExpectedRevision, check_revision
from hupai.games.history import RECORDED, UNDONE, Amendment, History, WholeHand, amendment_by
from hupai.games.results import result_fields
from hupai.games.settle import settle
from hupai.games.state import TableState
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


def enter_hand(history: History, record: NewHand, now: datetime) -> History:
    """Return the game with a confirmed hand; the same game if it was recorded before with this key.

    Args:
        history, record: what, and where. now: the time.

    Raises:
        Conflict: the key was used for something else, the game is over, or the players saw other payments.
        MovedOn: the game has changed since it was seen. InvalidRequest: what was confirmed is invalid.
    """
    if _find_recorded(history, record) is not None:
        return history
    check_revision(history, record.seen)
    settled = settle_next(history, record.confirmed, now)
    check_payments(record, settled)
    hand = WholeHand(
        number=history.next_number,
        key=record.key,
        body_hash=record.body_hash,
        outcome=record.confirmed.outcome,
        confirmed_at=now,
        undone_at=None,
        models=dict(record.models or {}),
        rules=history.terms.rules,
        options=dict(history.terms.options),
        **result_fields(settled, history.terms.totals_after(history.last), record.body),
    )
    after = history.with_hands([hand])
    return after.changed(RECORDED, now, settled.before, number=hand.number, amendment=amendment_by(record.by))


def entered_hand(history: History, record: NewHand) -> WholeHand:
    """Return the hand of a record that was entered just now, or before with its key."""
    return _find_recorded(history, record) or history.hands[-1]


def try_hand(history: History, record: NewHand, now: datetime) -> dict[str, Any]:
    """Return what entering would result in: scores, payments by seat, all transfers, the table after it.

    ``same_as`` is the number of the hand that seems to be this one, if another phone has just recorded it.

    Raises:
        Conflict, MovedOn, InvalidRequest: as :func:`enter_hand`, whatever payments were seen.
    """
    check_revision(history, record.seen)
    settled = settle_next(history, record.confirmed, now)
    return {
        "scores": score_json(settled),
        "payments": settled.payments.to_json(),
        "transfers": settled.payments.transfers_json,
        "after": settled.after.to_json(),
        "revision": history.revision,
        "same_as": find_duplicate(history, settled, now),
    }


def settle_next(history: History, confirmed: Confirmed, at: datetime) -> HandResult:
    """Return the result of the next hand, confirmed at this time.

    Raises:
        Conflict: the game is over. InvalidRequest: what was confirmed is invalid.
    """
    terms, last, state = history.terms, history.last, history.state
    if state.ended is not None:
        raise Conflict(say("The game is over: {a}. Reopen it to go on.", a=say(ENDINGS[state.ended])), code="game_over")
    dealt = sum(hand.dealt_out for hand in history.counting)
    return settle(terms.house, GameState(state, terms.totals_after(last), dealt, terms.seconds_until(at)), confirmed)


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


def undo_hand(
    history: History,
    number: int | None,
    now: datetime,
    seen: ExpectedRevision | None = None,
    by: str | None = None,
) -> History:
    """Return the game without the last hand that counts; it stays in the history, marked.

    Args:
        history, now: the game and the time. number: the hand the caller means: for one that was already taken back
            the game is the same. seen: the game as the caller saw it. by: who undoes it, if known.

    Raises:
        NotFound: no such hand. Conflict: another hand is the last one, there is none, or the result is signed.
        MovedOn: the game has changed since it was seen.
    """
    meant = None if number is None else history.hand(number, "hand")
    if meant is not None and meant.undone_at is not None:
        return history
    check_revision(history, seen)
    last = history.last
    if meant is not None and meant is not last:
        raise Conflict(say("Hand {n} is not the last one: undo the later ones first.", n=number), field="hand")
    if last is None:
        raise Conflict("There is no hand to undo.", field="hand")
    require_reason(history)
    before = TableState.from_json(last.after)
    undone = history.with_hands([replace(last, undone_at=now)])
    return undone.changed(UNDONE, now, before, number=last.number, amendment=amendment_by(by))


def require_reason(history: History, amendment: Amendment | None = None) -> None:
    """Refuse to change a signed result without a reason.

    Raises:
        Conflict: ``result_signed``: the game is over and was signed, and the amendment, if any, gives no reason.
    """
    if not (amendment and amendment.reason) and history.has_signed_result:
        message = "This result is signed: withdraw or correct the hand, with a reason."
        raise Conflict(message, code="result_signed", field="reason" if amendment else "hand")


def _find_recorded(history: History, record: NewHand) -> WholeHand | None:
    known = next((hand for hand in history.hands if hand.key == record.key), None) if record.key is not None else None
    if known is not None and known.body_hash != record.body_hash:
        raise Conflict("This Idempotency-Key was used for another hand; give a new one.", field="Idempotency-Key")
    return known
