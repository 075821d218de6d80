"""What the hall does with the store."""

from __future__ import annotations

from typing import Final

from hupai.hall.camera_hands import follow_changes
from hupai.hall.event_numbers import mark_copy
from hupai.hall.retention import find_expired, keep_games
from hupai.hall.round_games import check_deletion, check_import, is_signed
from hupai.store.wing import StoreWing

STORE: Final = StoreWing(
    check_import=check_import,
    check_deletion=check_deletion,
    is_signed=is_signed,
    follow=follow_changes,
    keep_games=keep_games,
    find_expired=find_expired,
    mark_copy=mark_copy,
)
