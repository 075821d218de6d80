"""What a director does with laid hands: correct, confirm into the ledger, undo. One transaction each."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Engine, delete, func, select, update
from sqlalchemy.orm import Session, defer

from hupai.basics.errors import Conflict, NotFound
from hupai.basics.timestamps import format_time, format_time_or_none
from hupai.games.apply import recorded_hand, settle_next
from hupai.games.commands import Command, ExpectedRevision, NewHand
from hupai.games.confirmed import Confirmed, confirmed_body, score_json
from hupai.games.game_json import history_json, whole_hand_json
from hupai.games.history import RECORDED, UNDONE
from hupai.hall.camera_hands import confirm_camera_hands
from hupai.hall.events.feed import CORRECTED, SETTLED, TABLE_STATE, add_hand, emit, is_silent
from hupai.hall.store.game_cache import GameCache, stamp_games
from hupai.hall.tables import ENTERED, FeedEvent, FeedFrame, FeedHand, RoundSeat, WatchedTable
from hupai.store.clock import now as now_in
from hupai.store.database import reading, writing
from hupai.store.play.changes import revision_of
from hupai.store.play.game_rows import find_game
from hupai.store.play.games import SqlGames
from hupai.store.play.histories import load_history, present_table
from hupai.store.tables import Game
from scoring.errors import Fault, InvalidRequest
from scoring.rules import system_named
from scoring.seats import Seat
from scoring.words.sentence import say

SHOWN_HANDS: Final = 20
_STRAY: Final = (FeedHand.status == "settled") & (FeedHand.game_id.is_(None) | FeedHand.game_id.not_in(select(Game.id)))


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
        table = _table(session, name)
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


def get_camera_hand(engine: Engine, hand_id: int) -> dict[str, Any]:
    """Return a laid hand with the whole reading.

    Raises:
        NotFound: no such hand.
    """
    with reading(engine) as session:
        return camera_hand_json(_find_hand(session, hand_id), whole=True)


def set_corners(engine: Engine, name: str, corners: list[Any] | None) -> dict[str, Any]:
    """Set the table's corners in the picture (as fractions of it); None finds them from the tiles. Its worker follows.

    Raises:
        NotFound: no such table.
    """
    with writing(engine) as session:
        table = _table(session, name, lock=True)
        table.corners = corners
        return _table_json(session, table, now_in(session))


def set_game(engine: Engine, name: str, game_id: str | None) -> dict[str, Any]:
    """Set the game that the table's hands go to from now on, including those that wait; its rules help the reading.

    Raises:
        NotFound: no such table or game.
    """
    with writing(engine) as session:
        table = _table(session, name, lock=True)
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


def dismiss_stray_hands(session: Session, tables: Sequence[str]) -> None:
    """Dismiss waiting hands of these tables that were laid in no game: nobody had a seat yet.

    If such a hand is reopened (:func:`correct`), it belongs to the game that the table has by then.
    """
    found = select(FeedHand).where(FeedHand.table_name.in_(tables), _STRAY).order_by(FeedHand.id).with_for_update()
    # All rows are locked before the first event gets its number: writers at other tables lock in the same order.
    for hand in session.scalars(found).all():
        _set_status(session, hand, "dismissed")


def forget_table(engine: Engine, name: str) -> None:
    """Drop a table, its hands, events and pictures; games stay.

    Raises:
        NotFound: no such table. Conflict: it is being watched.
    """
    with writing(engine) as session:
        table = _table(session, name, lock=True)
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


def try_confirm(engine: Engine, hand_id: int, confirmed: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a confirmation would result in: scores and payments. Nothing is written.

    Args:
        confirmed: ``context`` of the winner, ``also`` (other winners: whole requests, or ``laid`` and ``version`` of
            another hand of this table with its ``context``), ``riichi`` (other seats).

    Raises:
        NotFound: no such hand, or no game at its table. InvalidRequest: every fault in the answers.
        Conflict: another winner's hand was changed meanwhile.
    """
    with reading(engine) as session:
        hand = _find_hand(session, hand_id)
        game = find_game(session, _game_id(session, hand))
        said = _confirmation(hand, _other_winners(session, hand, confirmed), confirmed, game.rules)
        settled = settle_next(load_history(session, game), said, now_in(session))
        return {
            "scores": score_json(settled),
            "payments": settled.payments.to_json(),
            "revision": revision_of(session, game.id),
        }


def confirm(
    engine: Engine,
    hand_id: int,
    seen_version: int,
    confirmed: Mapping[str, Any],
    expected: Mapping[str, Any] | None = None,
    seen: ExpectedRevision | None = None,
) -> dict[str, Any]:
    """Record a laid hand in the ledger and emit its event: both or neither. An identical retry changes nothing.

    Raises:
        NotFound: as :func:`try_confirm`. Conflict: somebody else changed it, or the payments are different.
        MovedOn: its game has changed since it was seen. InvalidRequest: as :func:`try_confirm`.
    """
    with writing(engine) as session:
        contexts = {o["laid"]: o.get("context") or {} for o in confirmed.get("also", ()) if "laid" in o}
        # All hands are locked by number, so that confirming the same ones in another order waits.
        for number in sorted({hand_id, *contexts}):
            _find_hand(session, number, lock=True)
        hand = _find_hand(session, hand_id)
        # Not the number: a dropped table's may be given again, and a hand's key would then be that of an older one.
        key = f"laid-{hand.token}-{seen_version}"
        if hand.status == "confirmed" and hand.version == seen_version + 1 and hand.context == dict(confirmed):
            game = history_json(load_history(session, find_game(session, str(hand.game_id))), 0)
            return {"laid": camera_hand_json(hand), "game": game}
        _check_version(hand, seen_version, "settled")
        game_id = _game_id(session, hand)
        rules = find_game(session, game_id).rules
        others = _other_winners(session, hand, confirmed)
        said = _confirmation(hand, others, confirmed, rules)
        body = {"laid": hand.id, **confirmed_body(said)}
        new = NewHand(said, body, key=key, expected=expected, models=hand.reading.get("models"))
        _, now = SqlGames(session).do(game_id, Command(RECORDED, seen=seen, hand=new))
        written, game = whole_hand_json(recorded_hand(now, new)), history_json(now, 0)
        for each in (hand, *others.values()):
            each.context = dict(confirmed) if each is hand else {"context": contexts[each.id]}
        confirm_camera_hands(session, (hand, *others.values()), game_id, written, game["players"])
        return {"laid": camera_hand_json(hand), "game": game}


def enter(engine: Engine, name: str, token: str, tiles: Mapping[str, Any]) -> dict[str, Any]:
    """Add a hand that no camera saw to those waiting at a table; a token that was used before writes nothing.

    Raises:
        NotFound: no such table. Conflict: the token was used at another table.
    """
    token = f"{ENTERED}{token}"
    with writing(engine) as session:
        table = _table(session, name, lock=True)
        hand = session.scalar(select(FeedHand).where(FeedHand.token == token))
        if hand is not None and hand.table_name != name:
            raise Conflict("This key was used at another table; give a new one.", field="key")
        if hand is None:
            now = now_in(session)
            read = {"hand": dict(tiles), "tiles": [], "doubts": [], "repairs": [], "models": {}}
            hand = add_hand(session, table, token, now, read, gone_at=now)
            event: dict[str, Any] = {"by": "director", "hand": hand.hand, "doubts": [], "repairs": [], "frame": None}
            emit(session, SETTLED, name, event, hand.id)
        return {"laid": camera_hand_json(hand)}


def correct(engine: Engine, hand_id: int, seen_version: int, tiles: Mapping[str, Any]) -> dict[str, Any]:
    """Replace the hand's tiles by the director's.

    Raises:
        NotFound: no such hand. Conflict: it was changed or confirmed meanwhile.
    """
    return _change_hand(engine, hand_id, seen_version, ("settled", "dismissed"), "settled", tiles)


def dismiss(engine: Engine, hand_id: int, seen_version: int) -> dict[str, Any]:
    """Mark the hand as not to be scored.

    Raises:
        NotFound: no such hand. Conflict: it was changed or confirmed meanwhile.
    """
    return _change_hand(engine, hand_id, seen_version, ("settled",), "dismissed", None)


def undo(engine: Engine, hand_id: int, seen_version: int) -> dict[str, Any]:
    """Undo a confirmation, in the ledger too; only possible for the last hand of a game.

    Raises:
        NotFound: no such hand. Conflict: it is not confirmed, was changed meanwhile, or later hands stand.
    """
    with writing(engine) as session:
        hand = _find_hand(session, hand_id, lock=True)
        _check_version(hand, seen_version, "confirmed")
        _, now = SqlGames(session).do(str(hand.game_id), Command(UNDONE, number=hand.hand_number))
        return {"laid": camera_hand_json(hand), "game": history_json(now, 0)}


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


def is_directed(session: Session, game_id: str) -> bool:
    """Whether only the director may write into a game: one of a tournament, a watched table, or a hand laid on one."""
    columns = (RoundSeat.game_id, WatchedTable.game_id, FeedHand.game_id)
    return any(session.scalar(select(c).where(c == game_id).limit(1)) is not None for c in columns)


def _change_hand(
    engine: Engine,
    hand_id: int,
    seen_version: int,
    before: tuple[str, ...],
    status: str,
    tiles: Mapping[str, Any] | None,
) -> dict[str, Any]:
    with writing(engine) as session:
        hand = _find_hand(session, hand_id, lock=True)
        _check_version(hand, seen_version, *before)
        if tiles is not None:
            hand.hand = dict(tiles)
        if hand.status == "dismissed" and (hand.game_id is None or session.get(Game, hand.game_id) is None):
            table = session.get(WatchedTable, hand.table_name)
            hand.game_id = table.game_id if table is not None else None
        _set_status(session, hand, status)
        return {"laid": camera_hand_json(hand)}


def _set_status(session: Session, hand: FeedHand, status: str) -> None:
    """Set a hand's status and emit the event."""
    hand.status, hand.version = status, hand.version + 1
    body = {"by": "director", "hand": hand.hand, "status": status, "frame": hand.frame_id}
    emit(session, CORRECTED, hand.table_name, body, hand.id)


def _check_version(hand: FeedHand, seen_version: int, *statuses: str) -> None:
    if hand.version != seen_version or hand.status not in statuses:
        raise Conflict(say("This hand is {a} and was changed meanwhile; look again.", a=hand.status), field="version")


def _other_winners(session: Session, hand: FeedHand, said: Mapping[str, Any]) -> dict[int, FeedHand]:
    """Return the other winners' hands that were laid at this table, by number.

    Raises:
        NotFound, InvalidRequest: no hand has this number; it lay at another table, or is named twice.
        Conflict: it was changed or confirmed meanwhile.
    """
    found: dict[int, FeedHand] = {}
    for i, other in enumerate(said.get("also", ())):
        if "laid" not in other:
            continue
        laid = _find_hand(session, other["laid"])
        if laid.table_name != hand.table_name or laid.id == hand.id or laid.id in found:
            message = "Another winner's hand must be a different one at the same table."
            raise InvalidRequest.of([Fault("contradiction", message, f"also[{i}].laid")])
        _check_version(laid, other["version"], "settled")
        found[laid.id] = laid
    return found


def _confirmation(hand: FeedHand, others: Mapping[int, FeedHand], said: Mapping[str, Any], rules: str) -> Confirmed:
    wins = [_win(hand, said.get("context") or {}, rules)]
    for other in said.get("also", ()):
        if "laid" not in other:
            wins.append(dict(other))
            continue
        win = _win(others[other["laid"]], other.get("context") or {}, rules)
        # There is one winning tile, and it may lie with the first winner only.
        wins.append({**win, "winning_tile": win["winning_tile"] or wins[0]["winning_tile"]})
    return Confirmed("win", tuple(wins), riichi=tuple(Seat(s) for s in said.get("riichi", ())))


def _win(hand: FeedHand, said: Mapping[str, Any], rules: str) -> dict[str, Any]:
    """Return the score request of a laid hand with its answers."""
    context = dict(said)
    tiles = {k: v for k, v in hand.hand.items() if k != "dora_indicators"}
    dora = hand.hand.get("dora_indicators")
    if dora and "dora_indicators" not in context and "dora_indicators" in system_named(rules).asks:
        context["dora_indicators"] = dora
    return {**tiles, "id": hand.id, "context": context}


def _game_id(session: Session, hand: FeedHand) -> str:
    """Return the game a hand is paid in: the one it was laid in, though the table may have another round's by now."""
    table = session.get(WatchedTable, hand.table_name)
    found = hand.game_id or (table.game_id if table is not None else None)
    if found is None:
        raise NotFound(say("Table {a} has no game; give it one first.", a=f"{hand.table_name!r:.80}"), field="game_id")
    return found


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
    stray = _count_hands(session, mine, _STRAY)
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


def _table(session: Session, name: str, *, lock: bool = False) -> WatchedTable:
    table = session.get(WatchedTable, name, with_for_update=True if lock else None)
    if table is None:
        raise NotFound(say("There is no table {a}; hupai watch makes it.", a=f"{name!r:.80}"), field="table")
    return table


def _find_hand(session: Session, hand_id: int, *, lock: bool = False) -> FeedHand:
    hand = session.get(FeedHand, hand_id, with_for_update=True if lock else None)
    if hand is None:
        raise NotFound(say("There is no laid hand {n}.", n=hand_id), field="hand_id")
    return hand
