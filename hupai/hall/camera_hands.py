"""What becomes of hands that were laid at a table when the ledger changes: each change is an event.

Called within the transaction that changes the ledger.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict
from hupai.games import history as ledger
from hupai.games.game_json import players_json, whole_hand_json
from hupai.games.history import Change, History
from hupai.hall.events.feed import CONFIRMED, CORRECTED, emit
from hupai.hall.tables import FeedEvent, FeedHand
from scoring.words.sentence import say

_COUNTS: Final = "What was laid down as hand {n} counts as hand {m} now; undo that one first."


def follow_changes(session: Session, history: History, changes: Sequence[Change]) -> None:
    """Do with laid hands what these changes of a game did with the ledger's.

    Raises:
        Conflict: what was laid down for a hand that was restored was confirmed as another hand meanwhile.
    """
    for change in changes:
        paid = {hand["number"] for hand in change.settled_again}
        if change.kind in (ledger.UNDONE, ledger.WITHDRAWN):
            _reopen(session, history, change.hand_number)
        elif change.kind == ledger.RESTORED:
            _reconfirm(session, history, change.hand_number)
        elif change.kind == ledger.CORRECTED:
            paid.add(change.hand_number)
        elif change.kind == ledger.SEATED:  # another player has what the seat has won
            paid |= {hand.number for hand in history.counting}
        if paid:
            _emit_payments(session, history, paid)


def _reopen(session: Session, history: History, undone: int) -> None:
    """Reopen the laid hands that were confirmed as this one: they wait for their director again, which is an event."""
    game_id = history.terms.id
    mine = (FeedHand.game_id == game_id, FeedHand.hand_number == undone, FeedHand.status == "confirmed")
    for laid in session.scalars(select(FeedHand).where(*mine).order_by(FeedHand.id).with_for_update()).all():
        laid.status, laid.hand_number, laid.version = "settled", None, laid.version + 1
        body = {"by": "director", "hand": laid.hand, "status": laid.status, "frame": laid.frame_id}
        event = {**body, "undone": undone, "game_id": game_id, "players": players_json(history)}
        emit(session, CORRECTED, laid.table_name, event, laid.id)


def _reconfirm(session: Session, history: History, restored: int) -> None:
    """Confirm the laid hands that were confirmed as this one, which counts again; that is an event.

    Raises:
        Conflict: one of them was confirmed as another hand meanwhile, and would count twice.
    """
    said = (
        FeedEvent.kind == CONFIRMED,
        FeedEvent.body["game_id"].as_string() == history.terms.id,
        FeedEvent.body["hand_number"].as_integer() == restored,
    )
    event = session.scalar(select(FeedEvent).where(*said).order_by(FeedEvent.number.desc()).limit(1))
    if event is None:
        return
    mine = (event.hand_id, *(other["hand_id"] for other in event.body.get("also", ())))
    found = session.scalars(select(FeedHand).where(FeedHand.id.in_(mine)).order_by(FeedHand.id).with_for_update())
    laid = {hand.id: hand for hand in found}
    for hand in laid.values():
        if hand.status == "confirmed":
            raise Conflict(say(_COUNTS, n=restored, m=hand.hand_number), field="number")
    if together := [laid[number] for number in mine if number in laid]:
        recorded = whole_hand_json(history.hand(restored))
        confirm_camera_hands(session, together, history.terms.id, recorded, players_json(history))


def confirm_camera_hands(
    session: Session,
    laid: Sequence[FeedHand],
    game_id: str,
    recorded: Mapping[str, Any],
    players: list[dict[str, Any]],
) -> None:
    """Confirm a laid hand, after it those of other winners on its tile, as one hand of the ledger: an event."""
    for hand in laid:
        hand.status, hand.game_id, hand.hand_number = "confirmed", game_id, recorded["number"]
        hand.version += 1
    emit(session, CONFIRMED, laid[0].table_name, _event_body(laid, recorded, players), laid[0].id)


def _emit_payments(session: Session, history: History, numbers: Collection[int]) -> None:
    """Emit an event for each of these hands of a game laid at a table: the ledger pays it in another way now."""
    mine = (FeedHand.game_id == history.terms.id, FeedHand.hand_number.in_(numbers), FeedHand.status == "confirmed")
    laid: dict[int, list[FeedHand]] = defaultdict(list)
    for hand in session.scalars(select(FeedHand).where(*mine).order_by(FeedHand.id)):
        laid[hand.hand_number or 0].append(hand)
    for number, hands in sorted(laid.items()):
        # What was answered about other winners on the tile is with the hand that was confirmed.
        hands.sort(key=lambda hand: "also" not in hand.context)
        paid = _event_body(hands, whole_hand_json(history.hand(number)), players_json(history))
        body = {"by": "director", "status": hands[0].status, **paid}
        emit(session, CORRECTED, hands[0].table_name, body, hands[0].id)


def _event_body(laid: Sequence[FeedHand], recorded: Mapping[str, Any], players: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what is told of laid hands that count as the recorded one."""
    first, *others = laid
    return {
        "hand": first.hand,
        "frame": first.frame_id,
        "also": [{"hand_id": o.id, "hand": o.hand, "frame": o.frame_id} for o in others],
        "game_id": first.game_id,
        "hand_number": recorded["number"],
        "request": recorded["request"],
        "scores": recorded["scores"],
        "payments": recorded["payments"],
        "players": players,
    }
