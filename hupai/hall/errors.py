"""Errors of the hall."""

from __future__ import annotations

from datetime import datetime

from scoring.errors import HupaiError


class Displaced(HupaiError):
    """Another process watches this table now; this one must stop.

    Attributes:
        beat: the last heartbeat of the other process, if known.
    """

    code = "table_taken"
    exit_status = 3
    beat: datetime | None = None
