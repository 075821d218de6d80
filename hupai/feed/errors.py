"""What can go wrong with watching."""

from __future__ import annotations

from datetime import datetime

from scoring.errors import HupaiError


class FeedError(HupaiError):
    """A table cannot be watched. Codes: ``bad_source``, ``bad_tables``, ``bad_corners``, ``no_picture``."""

    code = "bad_source"
    exit_status = 3


class BadPlan(FeedError):
    """What was asked for makes no sense. Codes: ``usage``, ``bad_tables``, ``bad_corners``, ``bad_source``."""

    exit_status = 2


class Displaced(HupaiError):
    """Another process watches this table now; this one must stop.

    Attributes:
        beat: when the other one was last heard of, as far as that is known.
    """

    code = "table_taken"
    exit_status = 3
    beat: datetime | None = None
