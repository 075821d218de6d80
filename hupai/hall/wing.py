"""What the hall adds to hupai."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hupai.wing import Wing

if TYPE_CHECKING:
    from hupai.store.wing import StoreWing


def _store() -> StoreWing:
    from hupai.hall.event_numbers import mark_copy
    from hupai.hall.retention import find_expired, keep_games
    from hupai.hall.round_games import check_deletion, check_import, is_signed
    from hupai.store.play.camera_hands import follow_changes
    from hupai.store.wing import StoreWing

    return StoreWing(
        check_import=check_import,
        check_deletion=check_deletion,
        is_signed=is_signed,
        follow=follow_changes,
        keep_games=keep_games,
        find_expired=find_expired,
        mark_copy=mark_copy,
    )


WING: Final = Wing(store=_store)
