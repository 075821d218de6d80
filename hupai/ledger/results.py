"""A settled hand as it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from hupai.ledger.confirmed import HandResult, score_json
from scoring.version import version


def result_fields(settled: HandResult, totals: Mapping[str, Decimal], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a :class:`~hupai.ledger.history.WholeHand` that a result has.

    Args:
        settled: the result. totals: by account, before it. body: what was confirmed, as it is kept.
    """
    amounts = settled.by_account
    scores = score_json(settled)
    return {
        "before": settled.before.to_json(),
        "after": settled.after.to_json(),
        "totals": {account: format(total + amounts[account], "f") for account, total in totals.items()},
        "summary": _summary(settled, scores),
        "payments": amounts,
        "request": {**body, "scored": list(settled.requests)},
        "scores": scores,
        "version": version(),
    }


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
