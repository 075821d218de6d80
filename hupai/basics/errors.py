"""Errors that every part of the application may raise."""

from __future__ import annotations

from scoring.errors import HupaiError


class NotFound(HupaiError):
    """There is nothing with this name."""

    code = "not_found"


class Conflict(HupaiError):
    """What the caller saw is not what is kept.

    Codes: ``conflict``, ``file_refused``, ``payments_differ``, ``name_taken``, ``result_signed``,
    ``tables_unfinished``, ``final_tied``.
    """

    code = "conflict"
