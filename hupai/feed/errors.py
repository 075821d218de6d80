"""What can go wrong with watching."""

from __future__ import annotations

from datetime import datetime

from scoring.errors import HupaiError


class FeedError(HupaiError):
    """A table cannot be watched. Codes: ``bad_source``, ``bad_tables``, ``bad_corners``, ``no_picture``."""

    code = "bad_source"
    exit_status = 3


class Displaced(HupaiError):
    """Another process watches this table now; this one must stop.

    Attributes:
        beat: when the other one was last heard of, as far as that is known.
    """

    code = "table_taken"
    exit_status = 3
    beat: datetime | None = None
