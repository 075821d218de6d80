"""What the hall adds to hupai."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hupai.wing import Wing

if TYPE_CHECKING:
    from hupai.store.wing import StoreWing


def _store() -> StoreWing:
    from hupai.hall.round_games import check_deletion, check_import, is_signed
    from hupai.store.play.camera_hands import follow_changes
    from hupai.store.wing import StoreWing

    return StoreWing(check_import, check_deletion, is_signed, follow_changes)


WING: Final = Wing(store=_store)
