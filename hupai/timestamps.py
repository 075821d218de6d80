"""Points in time as text: UTC, ISO 8601, to the millisecond."""

from __future__ import annotations

from datetime import UTC, datetime


def shown(moment: datetime) -> str:
    """Return a text such as ``2026-01-31T20:15:00.123Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def shown_or_none(moment: datetime | None) -> str | None:
    """As :func:`shown`, or None."""
    return None if moment is None else shown(moment)
