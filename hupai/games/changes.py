"""The changes of a game as in the API, each with its hand as the change left it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from hupai.basics.errors import NotFound
from hupai.basics.timestamps import format_time
from hupai.games.game_json import hand_json, short_hand_json
from hupai.games.history import UNDONE, WITHDRAWN, Change, History
from hupai.games.state import TableState
from scoring.words.sentence import say

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
