"""Writes the result of a hand into its row."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from hupai.ledger.confirmed import HandResult, score_json
from hupai.store.tables import GameHand, Payment
from scoring.version import version


def write_result(hand: GameHand, totals: Mapping[str, Decimal], settled: HandResult, body: Mapping[str, Any]) -> None:
    """Write the result of a hand.

    Args:
        hand: the row. totals: by account, before it. settled: the result. body: what was confirmed, as it is stored.
    """
    amounts = settled.by_account
    scores = score_json(settled)
    hand.before, hand.after = settled.before.to_json(), settled.after.to_json()
    hand.totals = {account: format(total + amounts[account], "f") for account, total in totals.items()}
    hand.summary = _summary(settled, scores)
    hand.request = {**body, "scored": list(settled.requests)}
    hand.scores = scores
    hand.version = version()
    kept = {payment.account: payment for payment in hand.payments}
    for account, amount in amounts.items():
        if account in kept:
            kept[account].amount = amount
        else:
            hand.payments.append(Payment(account=account, amount=amount))


def _summary(settled: HandResult, scores: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a few facts per win, for the list of hands."""
    found = []
    for score, answer in zip(settled.scores, scores, strict=True):
        seat, source = score.context.seat, score.context.source
        found.append(
            {
                "player": settled.before.player_at(seat),
                "seat": seat.value,
                "from_player": settled.before.player_at(source) if source else None,
                "win": score.context.win.value,
                "elements": [e["id"] for e in answer["elements"]],
                "total": answer["total"],
            }
        )
    return found
