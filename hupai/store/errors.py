"""What can go wrong with what is kept."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from scoring.errors import HupaiError


class NotFound(HupaiError):
    """There is nothing of that name."""

    code = "not_found"


class Conflict(HupaiError):
    """What the caller saw is not what is stored. Codes: ``conflict``, ``payments_differ``, ``name_taken``."""

    code = "conflict"


class StoreError(HupaiError):
    """The store cannot be used. Codes: ``store_unavailable``, ``store_too_new``, ``store_unsuitable``."""

    code = "store_unavailable"
    exit_status = 3


class Displaced(HupaiError):
    """Another process watches this table now; this one must stop.

    Attributes:
        beat: when the other one was last heard of, as far as that is known.
    """

    code = "table_taken"
    exit_status = 3
    beat: datetime | None = None


STORE_AWAY: Final = (SQLAlchemyError, StoreError)
"""What is raised by a store that cannot be had for a while: restarted, locked, its disk unplugged. It may be back."""
