"""Tables with a camera: shown, given a game, forgotten. One transaction each."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Engine, delete, func, select, update
from sqlalchemy.orm import Session, defer

from hupai.basics.errors import Conflict, NotFound
from hupai.basics.timestamps import format_time, format_time_or_none
from hupai.games.game_json import history_json
from hupai.hall.events.feed import TABLE_STATE, is_silent
from hupai.hall.store.game_cache import GameCache, stamp_games
from hupai.hall.tables import ENTERED, FeedEvent, FeedFrame, FeedHand, RoundSeat, WatchedTable
from hupai.store.clock import now as now_in
from hupai.store.database import reading, writing
from hupai.store.play.game_rows import find_game
from hupai.store.play.histories import load_history, present_table
from hupai.store.tables import Game
from scoring.words.sentence import say

SHOWN_HANDS: Final = 20
STRAY: Final = (FeedHand.status == "settled") & (FeedHand.game_id.is_(None) | FeedHand.game_id.not_in(select(Game.id)))
"""Hands that wait and were laid in no game, or in none that there still is."""


def list_tables(engine: Engine) -> list[dict[str, Any]]:
    """Return every table with its last hand (without the reading) and its game, by name: Table 2 before Table 10."""
    with reading(engine) as session:
        now = now_in(session)
        tables = sorted(session.scalars(select(WatchedTable)), key=lambda t: natural_sort_key(t.name))
        return _tables_json(session, tables, now, whole=False)


def get_table(engine: Engine, name: str) -> dict[str, Any]:
    """Return one table with its last hands, latest first.

    Raises:
        NotFound: no such table.
    """
    with reading(engine) as session:
        table = find_table(session, name)
        query = select(FeedHand).where(FeedHand.table_name == name).order_by(FeedHand.id.desc()).limit(SHOWN_HANDS)
        hands = [camera_hand_json(h, whole=False) for h in session.scalars(query.options(defer(FeedHand.reading)))]
        changed = format_time(_last_change_time(session, table))
        return {**_table_json(session, table, now_in(session)), "changed_at": changed, "hands": hands}


def preview(engine: Engine, name: str) -> bytes:
    """Return the latest picture of the table's camera, as JPEG.

    Raises:
        NotFound: no such table, or no picture yet.
    """
    with reading(engine) as session:
        found = session.scalar(select(WatchedTable.preview).where(WatchedTable.name == name))
        if found is None:
            raise NotFound(say("There is no picture of table {a} yet.", a=f"{name!r:.80}"), field="table")
        return found


def set_corners(engine: Engine, name: str, corners: list[Any] | None) -> dict[str, Any]:
    """Set the table's corners in the picture (as fractions of it); None finds them from the tiles. Its worker follows.

    Raises:
        NotFound: no such table.
    """
    with writing(engine) as session:
        table = find_table(session, name, lock=True)
        table.corners = corners
        return _table_json(session, table, now_in(session))


def set_game(engine: Engine, name: str, game_id: str | None) -> dict[str, Any]:
    """Set the game that the table's hands go to from now on, including those that wait; its rules help the reading.

    Raises:
        NotFound: no such table or game.
    """
    with writing(engine) as session:
        table = find_table(session, name, lock=True)
        assign_game(session, table, game_id)
        if game_id is not None:
            waiting = update(FeedHand).where(FeedHand.table_name == name, FeedHand.status == "settled")
            session.execute(waiting.values(game_id=game_id))
        return _table_json(session, table, now_in(session))


def assign_game(session: Session, table: WatchedTable, game_id: str | None) -> None:
    """Give a table its next game, within a transaction; waiting hands stay with the game they were laid in."""
    table.game_id = game_id
    if game_id is not None:
        table.rules = find_game(session, game_id).rules
    session.flush()


def free_tables(session: Session, tournament_id: str) -> list[str]:
    """Return the names of the tables with a camera that a round may get, in order.

    Those with an unfinished game of another tournament are not among them.
    """
    elsewhere = select(RoundSeat.game_id).where(RoundSeat.tournament_id != tournament_id)
    watched = select(WatchedTable.game_id).where(WatchedTable.game_id.in_(elsewhere))
    games = session.scalars(select(Game).where(Game.id.in_(watched)))
    taken = {game.id for game in games if present_table(session, game).ended is None}
    tables = [t.name for t in session.scalars(select(WatchedTable)) if t.game_id not in taken]
    return sorted(tables, key=natural_sort_key)


def forget_table(engine: Engine, name: str) -> None:
    """Drop a table, its hands, events and pictures; games stay.

    Raises:
        NotFound: no such table. Conflict: it is being watched.
    """
    with writing(engine) as session:
        table = find_table(session, name, lock=True)
        if table.worker is not None and not is_silent(table, now_in(session)):
            raise Conflict(say("Table {a} is being watched; stop that first.", a=f"{name!r:.80}"), field="table")
        # The last event stays, so that numbers continue from it.
        last = session.scalar(select(FeedEvent.number).order_by(FeedEvent.number.desc()).limit(1)) or 0
        session.execute(delete(FeedEvent).where(FeedEvent.table_name == name, FeedEvent.number < last))
        kept = session.get(FeedEvent, last)
        if kept is not None and kept.table_name == name:
            kept.kind, kept.hand_id, kept.body = TABLE_STATE, None, {"state": "forgotten"}
            session.flush()
        session.execute(delete(FeedHand).where(FeedHand.table_name == name))
        session.execute(delete(FeedFrame).where(FeedFrame.table_name == name))
        session.delete(table)


def is_directed(session: Session, game_id: str) -> bool:
    """Whether only the director may write into a game: one of a tournament, a watched table, or a hand laid on one."""
    columns = (RoundSeat.game_id, WatchedTable.game_id, FeedHand.game_id)
    return any(session.scalar(select(c).where(c == game_id).limit(1)) is not None for c in columns)


def camera_hand_json(hand: FeedHand, *, whole: bool = False) -> dict[str, Any]:
    """Return a laid hand as in the API; ``whole`` includes the reading."""
    found = {
        "id": hand.id,
        "table": hand.table_name,
        "settled_at": format_time(hand.settled_at),
        "gone_at": format_time_or_none(hand.gone_at),
        "entered": hand.token.startswith(ENTERED),
        "status": hand.status,
        "version": hand.version,
        "hand": hand.hand,
        "context": hand.context,
        "frame": hand.frame_id,
        "game_id": hand.game_id,
        "hand_number": hand.hand_number,
    }
    return {**found, "reading": hand.reading} if whole else found


def _load_games(session: Session, game_ids: Collection[str]) -> dict[str, dict[str, Any]]:
    """Return game -> its JSON without hands."""
    return {g: history_json(load_history(session, find_game(session, g)), 0) for g in game_ids}


_games: Final = GameCache(_load_games)


def natural_sort_key(name: str) -> list[tuple[int, str | int]]:
    """Return a sort key with natural order: numbers by their value."""
    return [(0, int(part)) if part.isdecimal() else (1, part.casefold()) for part in re.split(r"(\d+)", name) if part]


def _table_json(session: Session, table: WatchedTable, now: datetime) -> dict[str, Any]:
    return _tables_json(session, [table], now, whole=True)[0]


def _tables_json(
    session: Session, tables: Sequence[WatchedTable], now: datetime, *, whole: bool
) -> list[dict[str, Any]]:
    mine = FeedHand.table_name.in_([t.name for t in tables])
    latest = select(func.max(FeedHand.id)).where(mine).group_by(FeedHand.table_name)
    query = select(FeedHand).where(FeedHand.id.in_(latest))
    last = {h.table_name: h for h in session.scalars(query if whole else query.options(defer(FeedHand.reading)))}
    waiting = _count_hands(session, mine, FeedHand.status == "settled")
    stray = _count_hands(session, mine, STRAY)
    games = _games.values(session, stamp_games(session, {t.game_id for t in tables if t.game_id is not None}))
    return [
        {
            "name": table.name,
            "source": table.source,
            "rules": table.rules,
            "state": table.state,
            "since": format_time(table.since),
            "corners": table.corners,
            "watched": table.worker is not None,
            "silent": is_silent(table, now),
            "beat": format_time_or_none(table.beat),
            "health": table.health,
            "game": games.get(table.game_id or ""),
            "waiting": waiting.get(table.name, 0),
            "stray": stray.get(table.name, 0),
            "last": camera_hand_json(last[table.name], whole=whole) if table.name in last else None,
        }
        for table in tables
    ]


def _count_hands(session: Session, *which: ColumnElement[bool]) -> dict[str, int]:
    """Return table -> how many of these hands lay there."""
    query = select(FeedHand.table_name, func.count().label("hands")).where(*which).group_by(FeedHand.table_name)
    return {row.table_name: row.hands for row in session.execute(query)}


def _last_change_time(session: Session, table: WatchedTable) -> datetime:
    """Return when its state or one of its hands last changed."""
    mine = FeedEvent.table_name == table.name
    at = session.scalar(select(FeedEvent.at).where(mine).order_by(FeedEvent.number.desc()).limit(1))
    return table.since if at is None else max(table.since, at)


def find_table(session: Session, name: str, *, lock: bool = False) -> WatchedTable:
    """Return the table with this name.

    Raises:
        NotFound: there is none.
    """
    table = session.get(WatchedTable, name, with_for_update=True if lock else None)
    if table is None:
        raise NotFound(say("There is no table {a}; hupai watch makes it.", a=f"{name!r:.80}"), field="table")
    return table
