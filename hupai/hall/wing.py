"""What the hall adds to hupai."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hupai.wing import Wing

if TYPE_CHECKING:
    from hupai.settings import Settings
    from hupai.store.wing import StoreWing
    from hupai.web.wing import WebWing


def _store() -> StoreWing:
    from hupai.hall.store import STORE

    return STORE


def _web(_: Settings) -> WebWing:
    from hupai.hall.web import WEB

    return WEB


WING: Final = Wing(store=_store, web=_web)
