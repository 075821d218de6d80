"""The store's clock."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session


def now(session: Session) -> datetime:
    """Return the store's time, in UTC: hosts that share a PostgreSQL agree on it whatever their own clocks say."""
    if session.get_bind().dialect.name == "postgresql":
        moment: datetime = session.scalars(select(func.clock_timestamp())).one()
        return moment.astimezone(UTC)
    return datetime.now(UTC)
