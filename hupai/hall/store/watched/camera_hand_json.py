"""A laid hand as in the API."""

from __future__ import annotations

from typing import Any

from hupai.basics.timestamps import format_time, format_time_or_none
from hupai.hall.tables import ENTERED, FeedHand


def camera_hand_json(hand: FeedHand, *, whole: bool = False) -> dict[str, Any]:
    """Return a laid hand as in the API; ``whole`` includes the reading."""
    found = {
        "id": hand.id,
        "table": hand.table_name,
        "settled_at": format_time(hand.settled_at),
        "gone_at": format_time_or_none(hand.gone_at),
        "entered": hand.token.startswith(ENTERED),
        "status": hand.status,
        "version": hand.version,
        "hand": hand.hand,
        "context": hand.context,
        "frame": hand.frame_id,
        "game_id": hand.game_id,
        "hand_number": hand.hand_number,
    }
    return {**found, "reading": hand.reading} if whole else found
