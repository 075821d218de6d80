"""How far each webhook and broker has been told; of several processes one tells."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Engine, func, select, update

from hupai.store.clock import now as now_in
from hupai.store.database import reading, writing
from hupai.store.feed_tables import FeedDelivery, FeedEvent
from scoring.words.sentence import table_of

LEASE: Final = timedelta(seconds=45)


def hold(engine: Engine, target: str, shown: str, holder: str) -> int | None:
    """The number of the last event told, when this process may tell; None when another one does.

    A new target begins with what happens from now on.
    """
    with writing(engine) as session:
        now = now_in(session)
        row = session.get(FeedDelivery, target, with_for_update=True)
        if row is None:
            last = session.scalar(select(func.max(FeedEvent.number))) or 0
            row = FeedDelivery(target=target, shown=shown, number=last)
            session.add(row)
        elif row.holder not in (None, holder) and row.until is not None and row.until > now:
            return None
        row.holder, row.until = holder, now + LEASE
        session.flush()
        return row.number


def delivered(engine: Engine, target: str, holder: str, number: int) -> None:
    """An event was taken."""
    with writing(engine) as session:
        session.execute(
            update(FeedDelivery)
            .where(FeedDelivery.target == target, FeedDelivery.holder == holder, FeedDelivery.number < number)
            .values(number=number, until=now_in(session) + LEASE, trouble=None)
        )


def refused(engine: Engine, target: str, why: str) -> None:
    """An event was not taken; what the sentence is made of is kept with it."""
    made = {"trouble": why[:500], "sentences": table_of(why)}
    with writing(engine) as session:
        session.execute(update(FeedDelivery).where(FeedDelivery.target == target).values(**made))


def undelivered(engine: Engine) -> list[dict[str, Any]]:
    """The targets that take no events though somebody tries: which, why not, how many events wait."""
    with reading(engine) as session:
        # Counted one by one: events of tables that were dropped are gone.
        waiting = select(func.count()).where(FeedEvent.number > FeedDelivery.number).scalar_subquery()
        trying = (FeedDelivery.trouble.is_not(None), FeedDelivery.until > now_in(session))
        rows = session.execute(select(FeedDelivery, waiting).where(*trying).order_by(FeedDelivery.shown))
        return [_told(row, count) for row, count in rows]


def _told(row: FeedDelivery, waiting: int) -> dict[str, Any]:
    return {"target": row.shown, "trouble": row.trouble, "sentences": row.sentences or {}, "waiting": waiting}
