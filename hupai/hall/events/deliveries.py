"""The delivery state of each webhook and broker; of several processes only one delivers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Engine, func, select, update

from hupai.hall.tables import FeedDelivery, FeedEvent
from hupai.store.clock import now as now_in
from hupai.store.database import reading, writing
from scoring.words.sentence import parts_of

LEASE: Final = timedelta(seconds=45)


def claim_target(engine: Engine, target: str, shown: str, holder: str) -> int | None:
    """Return the number of the last event delivered if this process may deliver; None if another process does.

    A new target begins with the next event.
    """
    with writing(engine) as session:
        now = now_in(session)
        row = session.get(FeedDelivery, target, with_for_update=True)
        if row is None:
            last = session.scalar(select(func.max(FeedEvent.number))) or 0
            row = FeedDelivery(target=target, shown=shown, number=last)
            session.add(row)
        # A lease that is too long is from before the clock was set back.
        elif row.holder not in (None, holder) and row.until is not None and now < row.until <= now + LEASE:
            return None
        row.holder, row.until = holder, now + LEASE
        session.flush()
        return row.number


def mark_delivered(engine: Engine, target: str, holder: str, number: int) -> None:
    """Note that an event was accepted."""
    with writing(engine) as session:
        session.execute(
            update(FeedDelivery)
            .where(FeedDelivery.target == target, FeedDelivery.holder == holder, FeedDelivery.number < number)
            .values(number=number, until=now_in(session) + LEASE, trouble=None)
        )


def mark_refused(engine: Engine, target: str, why: str) -> None:
    """Note that an event was refused; its parts are stored, so that it can be worded."""
    made = {"trouble": why[:500], "sentences": parts_of(why)}
    with writing(engine) as session:
        session.execute(update(FeedDelivery).where(FeedDelivery.target == target).values(**made))


def list_undelivered(engine: Engine) -> list[dict[str, Any]]:
    """Return the targets that accept no events in spite of tries: which, why, and how many events wait."""
    with reading(engine) as session:
        # Counted one by one, because the events of dropped tables are gone.
        waiting = select(func.count()).where(FeedEvent.number > FeedDelivery.number).scalar_subquery()
        trying = (FeedDelivery.trouble.is_not(None), FeedDelivery.until > now_in(session))
        rows = session.execute(select(FeedDelivery, waiting).where(*trying).order_by(FeedDelivery.shown))
        return [_delivery_json(row, count) for row, count in rows]


def _delivery_json(row: FeedDelivery, waiting: int) -> dict[str, Any]:
    return {"target": row.shown, "trouble": row.trouble, "trouble_parts": row.sentences, "waiting": waiting}
