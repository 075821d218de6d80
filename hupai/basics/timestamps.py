"""Points in time as text: UTC, ISO 8601, to the millisecond."""

from __future__ import annotations

from datetime import UTC, datetime


def format_time(moment: datetime) -> str:
    """Return a text such as ``2026-01-31T20:15:00.123Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def format_time_or_none(moment: datetime | None) -> str | None:
    """As :func:`format_time`, or None."""
    return None if moment is None else format_time(moment)


def parse_time(text: str) -> datetime:
    """The inverse of :func:`format_time`.

    Raises:
        ValueError: it is no such text.
    """
    return datetime.fromisoformat(text).astimezone(UTC)
