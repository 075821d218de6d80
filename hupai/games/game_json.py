"""Games and hands as in the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from hupai.basics.timestamps import format_time, format_time_or_none
from hupai.games.confirmed import amounts_json, table_context
from hupai.games.ending import ENDINGS
from hupai.games.history import Hand, History, WholeHand
from hupai.games.settlement import settlement
from hupai.games.state import TableState
from scoring.payments import POT, plain_amount

_ONLY_WHOLE: Final = ("after", "request", "scores", "rules", "options", "version", "models")


def history_json(history: History, last_hands: int | None = None) -> dict[str, Any]:
    """Return a game: its state, who sits where, and its last hands (all if None)."""
    terms, state = history.terms, history.state
    house, totals = terms.house, terms.totals_after(history.last)
    first_shown = 0 if last_hands is None else max(len(history.hands) - last_hands, 0)
    return {
        "id": terms.id,
        "name": terms.name,
        "rules": terms.rules,
        "options": terms.options,
        "rotation": terms.rotation,
        "created": format_time(terms.created),
        "version": terms.version,
        "starting_points": plain_amount(terms.starting_points),
        "course": terms.course,
        "play": asdict(house.play),
        "players": players_json(history),
        "pot": plain_amount(totals[POT]),
        "state": state.to_json(),
        "first_dealer": house.first_dealer,
        "seats": state.seats,
        "context": table_context(house, state),
        "ended": None if state.ended is None else {"reason": state.ended, "message": ENDINGS[state.ended]},
        "settlement": [share.to_json() for share in settlement(house, totals, history.fines)],
        "next_hand": history.next_number,
        "revision": history.revision,
        "changed_at": format_time(max((change.at for change in history.changes), default=terms.created)),
        "hands": [hand_json(hand) for hand in history.hands[first_shown:]],
    }


def players_json(history: History) -> list[dict[str, Any]]:
    """Return the players with their totals, by number."""
    totals = history.terms.totals_after(history.last)
    return [
        {"number": number, "name": name, "total": plain_amount(totals[str(number)])}
        for number, name in enumerate(history.players)
    ]


def hand_json(hand: Hand) -> dict[str, Any]:
    """Return a hand in short."""
    payments, pot = amounts_json(hand.payments)
    return {
        "number": hand.number,
        "key": hand.key,
        "outcome": hand.outcome,
        "confirmed_at": format_time(hand.confirmed_at),
        "undone_at": format_time_or_none(hand.undone_at),
        "state": hand.before,
        "seats": TableState.from_json(hand.before).seats,
        "wins": hand.summary,
        "payments": payments,
        "pot": pot,
    }


def whole_hand_json(hand: WholeHand) -> dict[str, Any]:
    """Return a hand with everything that was confirmed and scored, and the versions and models involved."""
    return {**hand_json(hand), **{name: getattr(hand, name) for name in _ONLY_WHOLE}}


def short_hand_json(whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return in short a hand that was shown whole."""
    return {name: value for name, value in whole.items() if name not in _ONLY_WHOLE}
