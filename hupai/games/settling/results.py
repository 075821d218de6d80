"""A settled hand as it is kept, and the one that two phones have photographed: the ledger has it already."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from hupai.games.history import History
from hupai.games.terms.confirmed import HandResult, score_json
from scoring.errors import NotationError
from scoring.fields.table import all_context_fields
from scoring.tiles import format_tiles, parse_tiles
from scoring.version import version
from scoring.written import read_tile, read_tiles


def result_fields(settled: HandResult, totals: Mapping[str, Decimal], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a :class:`~hupai.games.history.WholeHand` that a result has.

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
        "request": _in_notation({**body, "scored": list(settled.requests)}),
        "scores": scores,
        "version": version(),
    }


def _in_notation(request: dict[str, Any]) -> dict[str, Any]:
    """Return what was confirmed with all tiles in the notation, which the page reads; they may be written otherwise."""
    kept: dict[str, Any] = {
        name: [_hand_in_notation(win) for win in request[name]] for name in ("wins", "scored") if name in request
    }
    return {**request, **kept}


def _hand_in_notation(win: Mapping[str, Any]) -> dict[str, Any]:
    fields = {name: win[name] for name in ("concealed", "winning_tile", "bonus") if win.get(name)}
    found = {**win, **{name: _codes(tiles) for name, tiles in fields.items()}}
    if win.get("melds"):
        found["melds"] = [{**meld, "tiles": _codes(meld["tiles"])} for meld in win["melds"]]
    if win.get("context"):
        asked = all_context_fields().items()
        tiles = {name for name, ask in asked if ask.kind in ("tile", "tiles") and win["context"].get(name)}
        found["context"] = {n: _codes(value) if n in tiles else value for n, value in win["context"].items()}
    return found


def _codes(tiles: Any) -> Any:
    """Return a run, or a list of tiles, in the notation; as it is where it is in it, or a word in place of a tile."""
    if not isinstance(tiles, str):
        return [read_tile(code).code for code in tiles]
    with suppress(NotationError):
        parse_tiles(tiles)
        return tiles
    with suppress(NotationError):
        return format_tiles(read_tiles(tiles))
    return tiles


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
