"""What watchers store: who watches which table, settled hands, numbered events. One transaction each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Engine, delete, func, select, update
from sqlalchemy.orm import Session

from hupai.basics.errors import NotFound
from hupai.hall.tables import (
    ENTERED,
    FeedEvent,
    FeedFrame,
    FeedHand,
    RoundSeat,
    Tournament,
    WatchedTable,
)
from hupai.store.clock import now as now_in
from hupai.store.database import advisory_lock, reading, writing
from hupai.store.tables import Game
from scoring.errors import HupaiError
from scoring.version import version
from scoring.words.sentence import parts_of

LEASE: Final = timedelta(seconds=15)
"""A worker without a heartbeat for this long has lost its table."""
SETTLED: Final = "hand.settled"
CONFIRMED: Final = "hand.confirmed"
CORRECTED: Final = "hand.corrected"
TABLE_STATE: Final = "table.state"
_NUMBERS: Final = "event numbers"
CLAIMS: Final = "claimed tables"
"""Whoever claims or seats tables takes turns under this key, before any row is locked and before event numbers: a table
claimed for the first time and a round seated at the same moment do not see each other, and the table would be left
without its game."""


class Displaced(HupaiError):
    """Another process watches this table now; this one must stop.

    Attributes:
        beat: the last heartbeat of the other process, if known.
    """

    code = "table_taken"
    exit_status = 3
    beat: datetime | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A table to watch.

    Attributes:
        table, source: names, the source without secrets. worker: names the process; unique.
        rules: the rule system asked for, or None.
    """

    table: str
    source: str
    worker: str
    rules: str | None = None


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a worker is given with a table: the last hand (its token and tiles) if it may still lie there."""

    corners: list[Any] | None
    rules: str | None
    options: dict[str, Any]
    token: str | None
    tiles: tuple[str, ...]


def emit(session: Session, kind: str, table: str, body: Mapping[str, Any], hand_id: int | None = None) -> FeedEvent:
    """Add an event within a writing transaction; numbers follow the order of commits: no consumer misses one."""
    advisory_lock(session, _NUMBERS)
    number = 1 + (session.scalar(select(func.max(FeedEvent.number))) or 0)
    event = FeedEvent(
        number=number,
        kind=kind,
        table_name=table,
        at=now_in(session),
        hand_id=hand_id,
        body=dict(body),
        version=version(),
    )
    session.add(event)
    session.flush()
    return event


def claim(engine: Engine, wanted: Claim) -> Claimed:
    """Claim a table, if no other live worker has it.

    Raises:
        Displaced: another process watches it.
    """
    with writing(engine) as session:
        advisory_lock(session, CLAIMS)
        now = now_in(session)
        table = session.get(WatchedTable, wanted.table, with_for_update=True)
        if table is None:
            table = WatchedTable(
                name=wanted.table, source=wanted.source, state="starting", since=now, health={}, rules=None
            )
            table.game_id, table.rules = _seated_game(session, wanted.table)
            session.add(table)
        elif table.worker not in (None, wanted.worker) and not is_silent(table, now):
            taken = Displaced(
                f"Table {wanted.table!r} is being watched by {table.worker}; stop that one, or give another --table."
            )
            taken.beat = table.beat
            raise taken
        table.source, table.worker, table.beat = wanted.source, wanted.worker, now
        table.rules = wanted.rules or table.rules
        _set_state(session, table, "starting", {})
        last, options = _last_hand(session, wanted.table), _house_rules(session, table)
        if last is None or last.gone_at is not None:
            return Claimed(table.corners, table.rules, options, None, ())
        return Claimed(table.corners, table.rules, options, last.token, tuple(tiles_in(last.reading["hand"])))


def is_silent(table: WatchedTable, now: datetime) -> bool:
    """Whether a process has the table but has stopped reporting.

    A heartbeat that lies ahead is from before the clock was set back: whoever lives has reported again since.
    """
    return table.worker is not None and (table.beat is None or abs(now - table.beat) >= LEASE)


def release(engine: Engine, table: str, worker: str, state: str) -> None:
    """Release a table, if it still belongs to this worker."""
    with writing(engine) as session:
        row = session.get(WatchedTable, table, with_for_update=True)
        if row is None or row.worker != worker:
            return
        row.worker, row.beat = None, None
        _set_state(session, row, state, {})


def beat(
    engine: Engine, table: str, worker: str, health: Mapping[str, Any], preview: bytes | None = None
) -> tuple[list[Any] | None, str | None, dict[str, Any]]:
    """Record a worker's heartbeat and health; return the table's corners, rules and house rules as they are now.

    Raises:
        Displaced: another worker has the table.
    """
    with writing(engine) as session:
        row = _lock_table(session, table, worker)
        row.beat, row.health = now_in(session), {**health, "trouble_parts": parts_of(health.get("trouble"))}
        if preview is not None:
            row.preview = preview
        return row.corners, row.rules, _house_rules(session, row)


def set_state(engine: Engine, table: str, worker: str, state: str, more: Mapping[str, Any]) -> None:
    """Set the state of a table.

    Raises:
        Displaced: another worker has the table.
    """
    with writing(engine) as session:
        _set_state(session, _lock_table(session, table, worker), state, more)


def add_settled_hand(
    engine: Engine, table: str, worker: str, token: str, read: Mapping[str, Any], jpeg: bytes, more: Mapping[str, Any]
) -> int:
    """Store a settled hand with its picture and its event, all or nothing. Returns the hand's id.

    Args:
        engine, table, worker: who. token: the worker's name for this hand; a second write with it changes nothing.
        read: the read response. jpeg: the picture. more: goes into the event.

    Raises:
        Displaced: another worker has the table.
    """
    with writing(engine) as session:
        row, now = _lock_table(session, table, worker), now_in(session)
        known = session.scalar(select(FeedHand.id).where(FeedHand.token == token))
        if known is not None:
            return known
        frame = FeedFrame(table_name=table, taken=now, jpeg=jpeg)
        session.add(frame)
        session.flush()
        hand = add_hand(session, row, token, now, read, frame_id=frame.id)
        row.state, row.since = "hand", now
        body = {"hand": hand.hand, "doubts": read["doubts"], "repairs": read["repairs"], "frame": frame.id, **more}
        emit(session, SETTLED, table, body, hand.id)
        return hand.id


def add_hand(
    session: Session,
    table: WatchedTable,
    token: str,
    now: datetime,
    read: Mapping[str, Any],
    *,
    frame_id: int | None = None,
    gone_at: datetime | None = None,
) -> FeedHand:
    """Add a hand that waits for the director, in the table's game, within a writing transaction."""
    hand = FeedHand(
        token=token,
        table_name=table.name,
        settled_at=now,
        gone_at=gone_at,
        status="settled",
        version=1,
        reading=dict(read),
        hand=dict(read["hand"]),
        context={},
        frame_id=frame_id,
        game_id=table.game_id,
        hand_number=None,
    )
    session.add(hand)
    session.flush()
    return hand


def revise_hand(engine: Engine, table: str, worker: str, token: str, read: Mapping[str, Any], jpeg: bytes) -> None:
    """Store a better reading of the hand of this name; one that was confirmed or corrected is unchanged.

    Raises:
        Displaced: another worker has the table.
    """
    with writing(engine) as session:
        _lock_table(session, table, worker)
        hand = _find_hand(session, token)
        if hand is None or hand.status != "settled" or hand.version != 1:
            return
        frame = FeedFrame(table_name=table, taken=now_in(session), jpeg=jpeg)
        session.add(frame)
        session.flush()
        hand.reading, hand.hand, hand.frame_id = dict(read), dict(read["hand"]), frame.id
        hand.version += 1
        body = {"by": "camera", "hand": hand.hand, "doubts": read["doubts"], "repairs": read["repairs"]}
        emit(session, CORRECTED, table, {**body, "status": hand.status, "frame": frame.id}, hand.id)


def mark_hand_gone(engine: Engine, table: str, worker: str, token: str) -> None:
    """Note that the hand of this name has left the table.

    Raises:
        Displaced: another worker has the table.
    """
    with writing(engine) as session:
        row = _lock_table(session, table, worker)
        hand = _find_hand(session, token)
        if hand is not None and hand.gone_at is None:
            hand.gone_at = now_in(session)
            _set_state(session, row, "watching", {"gone": hand.id})


def prune_frames(engine: Engine, table: str, keep: int) -> None:
    """Drop the oldest audit frames of a table beyond this number."""
    with writing(engine) as session:
        oldest = session.scalar(
            select(FeedFrame.id)
            .where(FeedFrame.table_name == table)
            .order_by(FeedFrame.id.desc())
            .offset(keep)
            .limit(1)
        )
        if oldest is not None:
            dropped = select(FeedFrame.id).where(FeedFrame.table_name == table, FeedFrame.id <= oldest)
            session.execute(update(FeedHand).where(FeedHand.frame_id.in_(dropped)).values(frame_id=None))
            session.execute(delete(FeedFrame).where(FeedFrame.table_name == table, FeedFrame.id <= oldest))


def find_frame(engine: Engine, frame_id: int) -> FeedFrame:
    """Return the picture of an event, with when it was taken.

    Raises:
        NotFound: it does not exist, or was dropped.
    """
    with reading(engine) as session:
        frame = session.get(FeedFrame, frame_id)
        if frame is None:
            raise NotFound("This picture is not kept any more.", field="frame")
        session.expunge(frame)  # it is read when this transaction is over
        return frame


def events_after(engine: Engine, number: int, limit: int = 200, table: str | None = None) -> list[dict[str, Any]]:
    """Return the events after this number in order, for one table if it is given."""
    query = select(FeedEvent).where(FeedEvent.number > number).order_by(FeedEvent.number).limit(limit)
    if table is not None:
        query = query.where(FeedEvent.table_name == table)
    with reading(engine) as session:
        return [event_json(e) for e in session.scalars(query)]


def last_number(engine: Engine) -> int:
    """Return the number of the last event, 0 if there is none."""
    with reading(engine) as session:
        return session.scalar(select(func.max(FeedEvent.number))) or 0


def event_json(event: FeedEvent) -> dict[str, Any]:
    """Return an event as it is sent."""
    return {
        "number": event.number,
        "event": event.kind,
        "table": event.table_name,
        "at": event.at.isoformat(),
        "hand_id": event.hand_id,
        **event.body,
    }


def tiles_in(hand: Mapping[str, Any]) -> list[str]:
    """Return every tile of a ``hand`` object, without indicators."""
    found = [*hand["concealed"], *hand["bonus"], *(t for m in hand["melds"] for t in m["tiles"])]
    return [*found, hand["winning_tile"]] if hand["winning_tile"] else found


def _seated_game(session: Session, table: str) -> tuple[str | None, str | None]:
    """Return game and rules of a table in the last round: rounds may be seated before cameras are switched on."""
    newest = select(Tournament.id).order_by(Tournament.created.desc(), Tournament.id).limit(1).scalar_subquery()
    last = select(func.max(RoundSeat.round)).where(RoundSeat.tournament_id == newest).scalar_subquery()
    here = (RoundSeat.tournament_id == newest, RoundSeat.round == last, RoundSeat.table_name == table)
    game_id = session.scalar(select(RoundSeat.game_id).where(*here).limit(1))
    return game_id, session.scalar(select(Game.rules).where(Game.id == game_id))


def _house_rules(session: Session, table: WatchedTable) -> dict[str, Any]:
    """Return the house rules of the table's game, if it is one of the table's rules."""
    mine = select(Game.options).where(Game.id == table.game_id, Game.rules == table.rules)
    return session.scalar(mine) or {}


def _find_hand(session: Session, token: str) -> FeedHand | None:
    """Return the hand that its worker calls so, locked."""
    return session.scalar(select(FeedHand).where(FeedHand.token == token).with_for_update())


def _last_hand(session: Session, table: str) -> FeedHand | None:
    seen = (FeedHand.table_name == table, FeedHand.token.not_like(f"{ENTERED}%"))
    return session.scalar(select(FeedHand).where(*seen).order_by(FeedHand.id.desc()).limit(1))


def _lock_table(session: Session, table: str, worker: str) -> WatchedTable:
    row = session.get(WatchedTable, table, with_for_update=True)
    if row is None or row.worker != worker:
        taker = row.worker if row is not None else None
        raise Displaced(f"Table {table!r} is watched by {taker or 'nobody'} now; this process stops.")
    return row


def _set_state(session: Session, table: WatchedTable, state: str, more: Mapping[str, Any]) -> None:
    table.state, table.since = state, now_in(session)
    session.flush()
    emit(session, TABLE_STATE, table.name, {"state": state, **more})
