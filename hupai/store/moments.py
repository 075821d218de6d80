"""Moments: as text (UTC, ISO 8601, to the millisecond), and now."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session


def shown(moment: datetime) -> str:
    """Such as ``2026-01-31T20:15:00.123Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def shown_or_none(moment: datetime | None) -> str | None:
    """As :func:`shown`, or None."""
    return None if moment is None else shown(moment)


def now(session: Session) -> datetime:
    """Now by the store's clock, in UTC: hosts that share a PostgreSQL agree on it though their own clocks differ."""
    if session.get_bind().dialect.name == "postgresql":
        moment: datetime = session.scalars(select(func.clock_timestamp())).one()
        return moment.astimezone(UTC)
    return datetime.now(UTC)
