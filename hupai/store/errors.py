"""Errors of the store."""

from __future__ import annotations

from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from scoring.errors import HupaiError


class StoreError(HupaiError):
    """The store cannot be used. Codes: ``store_unavailable``, ``store_too_new``, ``store_unsuitable``."""

    code = "store_unavailable"
    exit_status = 3


STORE_AWAY: Final = (SQLAlchemyError, StoreError)
"""Raised by a store that is temporarily unavailable: restarted, locked, its disk unplugged. It may come back."""
