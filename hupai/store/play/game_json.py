"""Games and hands as in the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from hupai.basics.timestamps import format_time, format_time_or_none
from hupai.ledger.confirmed import GameRules, amounts_json, table_context
from hupai.ledger.ending import ENDINGS
from hupai.ledger.settlement import settlement
from hupai.ledger.state import TableState
from hupai.store.tables import Game, GameHand
from scoring.payments import plain_amount

_ONLY_WHOLE: Final = ("after", "request", "scores", "rules", "options", "version", "models")


def game_json(
    game: Game,
    house: GameRules,
    state: TableState,
    totals: Mapping[str, Decimal],
    fines: Sequence[int],
    next_number: int,
    last_change: tuple[int, datetime],
    hands: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return a game: its state since its last change (number, time), who sits where, and these hands."""
    by_player, pot = amounts_json(totals)
    revision, changed_at = last_change
    return {
        "id": game.id,
        "name": game.name,
        "rules": game.rules,
        "options": game.options,
        "rotation": game.rotation,
        "created": format_time(game.created),
        "version": game.version,
        "starting_points": plain_amount(game.starting_points),
        "course": game.course,
        "play": asdict(house.play),
        "players": [{"number": p.number, "name": p.name, "total": by_player[p.number]} for p in game.players],
        "pot": pot,
        "state": state.to_json(),
        "first_dealer": house.first_dealer,
        "seats": state.seats,
        "context": table_context(house, state),
        "ended": None if state.ended is None else {"reason": state.ended, "message": ENDINGS[state.ended]},
        "settlement": [share.to_json() for share in settlement(house, totals, fines)],
        "next_hand": next_number,
        "revision": revision,
        "changed_at": format_time(changed_at),
        "hands": hands,
    }


def hand_json(hand: GameHand) -> dict[str, Any]:
    """Return a hand in short."""
    before = TableState.from_json(hand.before)
    payments, pot = amounts_json({p.account: p.amount for p in hand.payments})
    return {
        "number": hand.number,
        "key": hand.key,
        "outcome": hand.outcome,
        "confirmed_at": format_time(hand.confirmed_at),
        "undone_at": format_time_or_none(hand.undone_at),
        "state": hand.before,
        "seats": before.seats,
        "wins": hand.summary,
        "payments": payments,
        "pot": pot,
    }


def whole_hand_json(hand: GameHand) -> dict[str, Any]:
    """Return a hand with everything that was confirmed and scored, and the versions and models involved."""
    return {**hand_json(hand), **{name: getattr(hand, name) for name in _ONLY_WHOLE}}


def short_hand_json(whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return in short a hand that was shown whole."""
    return {name: value for name, value in whole.items() if name not in _ONLY_WHOLE}
