"""Finds the hand that two phones have photographed: the ledger has it already."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from hupai.games.confirmed import HandResult
from hupai.games.history import History
from scoring.written import read_tiles

_WITHIN: Final = timedelta(minutes=10)


def find_duplicate(history: History, settled: HandResult, now: datetime) -> int | None:
    """Return the number of the latest hand that counts, is a few minutes old at most, and has one of these wins.

    A win is the same with the same tiles, winner and payer. A result without tiles is never the same as another.
    """
    at = settled.before.player_at
    contexts = [score.context for score in settled.scores]
    wins = {
        _identity(request, at(context.seat), at(context.source) if context.source else None)
        for request, context in zip(settled.requests, contexts, strict=True)
    }
    wins.discard(None)
    if not wins:
        return None
    for hand in reversed(history.counting):
        if hand.outcome != "win" or hand.confirmed_at < now - _WITHIN:
            continue
        pairs = zip(hand.request["scored"], hand.summary, strict=True)
        if wins & {_identity(request, win["player"], win["from_player"]) for request, win in pairs}:
            return hand.number
    return None


def _identity(request: Mapping[str, Any], winner: int, payer: int | None) -> tuple[Any, ...] | None:
    """Return what makes a win itself: winner, payer, and its tiles in no order; None without tiles."""
    if "concealed" not in request:
        return None
    parts = [request["concealed"], request.get("winning_tile") or [], *(m["tiles"] for m in request.get("melds", ()))]
    tiles = [tile for part in parts for tile in read_tiles(part if isinstance(part, str) else " ".join(part))]
    return winner, payer, tuple(sorted(map(str, tiles)))
