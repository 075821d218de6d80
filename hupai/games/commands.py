"""What is done in a game: one kind of command for all of it, told by people or read from a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hupai.basics.errors import Conflict
from hupai.games.confirmed import Confirmed, HandResult, payments_differ
from hupai.games.expected_revision import ExpectedRevision
from hupai.games.history import Amendment, History
from scoring.words.sentence import say


@dataclass(frozen=True, slots=True)
class NewHand:
    """A confirmed hand to record, or to put in the place of another.

    Attributes:
        confirmed: what is recorded. body: the request as received, stored for the history.
        key: idempotency key, or None. expected: payments the players saw, by seat, or None.
        models: those that read the photo; empty for a hand that was typed.
    """

    confirmed: Confirmed
    body: Mapping[str, Any]
    key: str | None = None
    expected: Mapping[str, Any] | None = None
    models: Mapping[str, str] | None = None

    @property
    def body_hash(self) -> str:
        """Identifies the content for retries; a retry may have seen more of the game than the first try."""
        said = {name: value for name, value in self.body.items() if name != "seen"}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Command:
    """What somebody does in a game; :func:`hupai.games.apply.apply` does it.

    Attributes:
        kind: the change that it makes, one of :data:`~hupai.games.history.KINDS`; who ends a game that is over settles
            it. amendment: who, and why, if known. seen: the game as they saw it; None if nobody was shown any.
        number: of a hand that is there; in taking back, None is the last one. hand: a new one. course: options agreed
            on anew.
    """

    kind: str
    amendment: Amendment | None = None
    seen: ExpectedRevision | None = None
    number: int | None = None
    hand: NewHand | None = None
    course: Mapping[str, Any] = field(default_factory=dict)

    @property
    def new_hand(self) -> NewHand:
        """Its hand, where it must have one."""
        assert self.hand is not None
        return self.hand


def check_payments(hand: NewHand, settled: HandResult) -> None:
    """Check that the hand's payments are those that were seen, if any were.

    Raises:
        Conflict: they are not.
    """
    if hand.expected is not None and payments_differ(hand.expected, settled.payments):
        net = ", ".join(f"{account} {amount}" for account, amount in settled.payments.to_json().items())
        raise Conflict(
            say("The payments come to {a}, not to what was confirmed; look again.", a=net),
            code="payments_differ",
            field="expected_payments",
        )


def require_reason(history: History, amendment: Amendment | None = None) -> None:
    """Refuse to change a signed result without a reason.

    Raises:
        Conflict: ``result_signed``: the game is over and was signed, and the amendment, if any, gives no reason.
    """
    if not (amendment and amendment.reason) and history.has_signed_result:
        message = "This result is signed: withdraw or correct the hand, with a reason."
        raise Conflict(message, code="result_signed", field="reason" if amendment else "hand")
