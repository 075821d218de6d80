"""Games, hands and changes as in the API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, Final

from hupai.basics.errors import NotFound
from hupai.basics.timestamps import format_time, format_time_or_none
from hupai.games.history import UNDONE, WITHDRAWN, Change, Hand, History, WholeHand
from hupai.games.settling.ending import ENDINGS, final_result
from hupai.games.terms.agreed import agreed_json
from hupai.games.terms.confirmed import amounts_json, table_context
from hupai.games.terms.state import TableState
from scoring.payments import POT, plain_amount
from scoring.words.sentence import say

_ONLY_WHOLE: Final = ("after", "request", "scores", "rules", "options", "version", "models")


def history_json(history: History, last_hands: int | None = None) -> dict[str, Any]:
    """Return a game: its state, who sits where, and its last hands (all if None)."""
    terms, state = history.terms, history.state
    house, totals = terms.house, terms.totals_after(history.last)
    first_shown = 0 if last_hands is None else max(len(history.hands) - last_hands, 0)
    return {
        "id": terms.id,
        **{name: value for name, value in agreed_json(terms).items() if name != "start"},
        "created": format_time(terms.created),
        "version": terms.version,
        "play": asdict(house.play),
        "players": players_json(history),
        "pot": plain_amount(totals[POT]),
        "state": state.to_json(),
        "first_dealer": house.first_dealer,
        "seats": state.seats,
        "context": table_context(house, state),
        "ended": None if state.ended is None else {"reason": state.ended, "message": ENDINGS[state.ended]},
        "settlement": [share.to_json() for share in final_result(house, totals, history.fines)],
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


MAX_CHANGES: Final = 50
"""Maximum number of changes in one answer."""


def changes_after(history: History, revision: int) -> list[dict[str, Any]]:
    """Return the last changes after this one, in order."""
    return _changes(history, max(revision, history.revision - MAX_CHANGES))


def change_json(history: History, revision: int) -> dict[str, Any]:
    """Return one change with all its details: what the hand was before, and what was settled again.

    Raises:
        NotFound: no such change.
    """
    if not 1 <= revision <= history.revision:
        raise NotFound(say("This game has no change {n}.", n=revision), field="revision")
    return {**_changes(history, revision - 1)[0], "detail": history.changes[revision - 1].detail}


def last_revision_with_seats(history: History, seats: dict[str, int]) -> int:
    """Return the latest revision with these players in these seats; 0 if there is none."""
    for change in reversed(history.changes[-MAX_CHANGES:]):
        if TableState.from_json(change.before).seats == seats:
            return change.revision - 1
    return 0


def _changes(history: History, after: int) -> list[dict[str, Any]]:
    hands = {hand.number: hand_json(hand) for hand in history.hands}
    told = []
    for change in reversed(history.changes[after:]):  # from the present state back
        hand = hands.get(change.hand_number)
        if hand is not None and change.kind in (UNDONE, WITHDRAWN):
            hands[change.hand_number] = {**hand, "undone_at": None}
            hand = {**hand, "undone_at": hand["undone_at"] or format_time(change.at)}
        told.append(_change_json(change, hand))
        hands |= {was["number"]: short_hand_json(was) for was in states_before(change)}
    return told[::-1]


def states_before(change: Change) -> list[dict[str, Any]]:
    """Return the whole hands as they were before a change that settled them again."""
    again = [hand["was"] for hand in change.settled_again]
    return [change.detail["was"], *again] if "was" in change.detail else again


def entry_json(change: Change) -> dict[str, Any]:
    """Return what was done, when, by whom and why."""
    return {
        "revision": change.revision,
        "kind": change.kind,
        "at": format_time(change.at),
        "by": change.by,
        "reason": change.reason,
    }


def again_json(changed: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return in short the hands that were settled again with other payments or seats."""
    return [{name: hand[name] for name in ("number", "was_paid", "payments")} for hand in changed]


def _change_json(change: Change, hand: dict[str, Any] | None) -> dict[str, Any]:
    return {**entry_json(change), "hand": hand, "settled_again": again_json(change.settled_again)}
