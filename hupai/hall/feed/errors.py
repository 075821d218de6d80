"""Errors of watching tables."""

from __future__ import annotations

from scoring.errors import HupaiError


class FeedError(HupaiError):
    """A table cannot be watched. Codes: ``bad_source``, ``bad_tables``, ``bad_corners``, ``no_picture``."""

    code = "bad_source"
    exit_status = 3


class BadPlan(FeedError):
    """The request makes no sense. Codes: ``usage``, ``bad_tables``, ``bad_corners``, ``bad_source``."""

    exit_status = 2
