"""Old data: games, tournaments, laid hands, pictures and events that are no longer needed, counted and removed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Engine, delete, func, select, update
from sqlalchemy.orm import Session

from hupai.store.clock import now as now_in
from hupai.store.database import reading, writing
from hupai.store.events.feed import LEASE
from hupai.store.feed_tables import (
    FeedEvent,
    FeedFrame,
    FeedHand,
    RoundSeat,
    Tournament,
    TournamentChange,
    WatchedTable,
)
from hupai.store.tables import Game, GameChange
from hupai.store.tournament.tournament_log import state_of
from hupai.store.tournament.tournaments import last_round

_BATCH_SIZE: Final = 500
_IDLE_TOURNAMENT: Final = timedelta(days=60)
"""A tournament with rounds still to come is not over until so long after the last action in it."""


@dataclass(frozen=True, slots=True)
class Expired:
    """Data older than a given time, and what stays because it is still in use.

    Attributes:
        before: the given time. tournaments: id -> name of those in which nothing has happened since.
        running: names of the tournaments that stay, with all their games and everything cameras saw since they began.
        games: ids, including those of the tournaments. hands: laid at tables. frames: their pictures, and others of
            cameras. events: numbers. previews: tables whose last picture is removed.
    """

    before: datetime
    tournaments: Mapping[str, str]
    running: tuple[str, ...]
    games: frozenset[str]
    hands: frozenset[int]
    frames: frozenset[int]
    events: frozenset[int]
    previews: frozenset[str]

    def __bool__(self) -> bool:
        return any((self.tournaments, self.games, self.hands, self.frames, self.events, self.previews))

    def to_json(self) -> dict[str, Any]:
        """The numbers, for ``--json``."""
        return {
            "tournaments": list(self.tournaments.values()),
            "games": len(self.games),
            "hands": len(self.hands),
            "pictures": len(self.frames) + len(self.previews),
            "events": len(self.events),
            "running": list(self.running),
        }


def find_expired(engine: Engine, days: int) -> Expired:
    """Return what has not been touched for so many days. Nothing is written."""
    with reading(engine) as session:
        return _find_expired(session, now_in(session) - timedelta(days=days))


def remove_expired(engine: Engine, named: Expired) -> Expired:
    """Remove what was named if it is still old, all of it or nothing; return what was removed.

    What has been used since, and what has become old since, stays.
    """
    with writing(engine) as session:
        # A write into a game or a tournament locks its row, and is waited for.
        for row, named_ids in ((Tournament.id, named.tournaments), (Game.id, named.games)):
            for some in _batches(sorted(named_ids)):
                session.scalars(select(row).where(row.in_(some)).order_by(row).with_for_update()).all()
        now = _find_expired(session, named.before)
        gone = replace(
            now,
            tournaments={k: v for k, v in now.tournaments.items() if k in named.tournaments},
            games=now.games & named.games,
            hands=now.hands & named.hands,
            frames=now.frames & named.frames,
            events=now.events & named.events,
            previews=now.previews & named.previews,
        )
        going: tuple[tuple[Any, Collection[Any]], ...] = (
            (FeedEvent.number, gone.events),
            (FeedHand.id, gone.hands),
            (FeedFrame.id, gone.frames),
            (RoundSeat.tournament_id, gone.tournaments),
            (Tournament.id, gone.tournaments),
            (Game.id, gone.games),
        )
        for column, ids in going:
            for some in _batches(sorted(ids)):
                session.execute(delete(column.class_).where(column.in_(some)))
        session.execute(update(WatchedTable).where(WatchedTable.name.in_(gone.previews)).values(preview=None))
        return gone


def _find_expired(session: Session, before: datetime) -> Expired:
    now = now_in(session)
    touched = _last_actions(session)
    seated: dict[str, set[str]] = {}
    for cup_id, game_id in session.execute(select(RoundSeat.tournament_id, RoundSeat.game_id).distinct()):
        seated.setdefault(cup_id, set()).add(game_id)
    done: dict[str, str] = {}
    running: list[Tournament] = []
    for cup in session.scalars(select(Tournament).order_by(Tournament.created)):
        last = _last_action(session, cup, touched, seated.get(cup.id, ()))
        if last >= before or (last >= now - _IDLE_TOURNAMENT and _has_rounds_to_come(session, cup.id)):
            running.append(cup)
        else:
            done[cup.id] = cup.name
    kept = {game for cup_id, theirs in seated.items() if cup_id not in done for game in theirs}
    games = frozenset(game for game, last in touched.items() if last < before and game not in kept)
    since = min([before, *(cup.created for cup in running)])
    hands, frames, events = _expired_of_cameras(session, since, now, set(touched) - games)
    silent = (WatchedTable.preview.is_not(None), WatchedTable.since < since)
    unwatched = (WatchedTable.beat.is_(None)) | (WatchedTable.beat < since)
    previews = frozenset(session.scalars(select(WatchedTable.name).where(*silent, unwatched)))
    return Expired(before, done, tuple(cup.name for cup in running), games, hands, frames, events, previews)


def _last_actions(session: Session) -> dict[str, datetime]:
    """Return game -> time of the last action in it."""
    last = select(GameChange.game_id, func.max(GameChange.at).label("at")).group_by(GameChange.game_id).subquery()
    rows = session.execute(select(Game.id, Game.created, last.c.at).outerjoin(last, last.c.game_id == Game.id))
    return {game: max(created, at) if at is not None else created for game, created, at in rows}


def _last_action(session: Session, cup: Tournament, touched: Mapping[str, datetime], games: Iterable[str]) -> datetime:
    mine = TournamentChange.tournament_id == cup.id
    changed = session.scalar(select(func.max(TournamentChange.at)).where(mine))
    return max([cup.created, *([changed] if changed is not None else []), *(touched[g] for g in games)])


def _has_rounds_to_come(session: Session, tournament_id: str) -> bool:
    """Whether rounds are still to come: planned ones, or the first."""
    seated = last_round(session, tournament_id)
    return seated == 0 or max(state_of(session, tournament_id).plan, default=0) > seated


def _expired_of_cameras(
    session: Session, before: datetime, now: datetime, staying: Collection[str]
) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
    """Return hands, pictures and events: none of a game that stays, none a camera watches, never the last event."""
    watched = set(session.scalars(select(WatchedTable.name).where(WatchedTable.beat > now - LEASE)))
    last = session.scalars(select(FeedEvent).order_by(FeedEvent.number.desc()).limit(1)).first()
    recent = set(session.scalars(select(FeedEvent.hand_id).where(FeedEvent.at >= before)))
    recent |= {last.hand_id} if last is not None else set()
    columns = (FeedHand.id, FeedHand.table_name, FeedHand.gone_at, FeedHand.game_id, FeedHand.settled_at)
    hands: set[int] = set()
    kept: set[int] = set()
    for number, table, gone, game, settled in session.execute(select(*columns)):
        lies = gone is None and table in watched
        stays = settled >= before or number in recent or game in staying or lies
        (kept if stays else hands).add(number)
    shown = {f for h, f in session.execute(select(FeedHand.id, FeedHand.frame_id)) if h in kept}
    frames = {n for n in session.scalars(select(FeedFrame.id).where(FeedFrame.taken < before)) if n not in shown}
    query = select(FeedEvent.number, FeedEvent.hand_id).where(FeedEvent.at < before)
    events = {n for n, hand in session.execute(query) if hand not in kept and (last is None or n != last.number)}
    return frozenset(hands), frozenset(frames), frozenset(events)


def _batches(ids: list[Any]) -> Iterable[list[Any]]:
    return (ids[i : i + _BATCH_SIZE] for i in range(0, len(ids), _BATCH_SIZE))
