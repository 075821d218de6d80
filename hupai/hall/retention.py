"""Old data of a hall: tournaments, laid hands, pictures and events that are no longer needed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Self

from sqlalchemy import Engine, delete, func, select, update
from sqlalchemy.orm import Session

from hupai.basics.timestamps import format_time
from hupai.hall.events.feed import LEASE
from hupai.hall.seating.export import tournament_export
from hupai.hall.store.state.played_tables import last_round
from hupai.hall.store.state.tournament_log import list_tournament_changes, state_of
from hupai.hall.store.tokens import forget_tournament
from hupai.hall.store.tournaments import get_tournament
from hupai.hall.store.watched.watched_tables import camera_hand_json
from hupai.hall.tables import (
    FeedEvent,
    FeedFrame,
    FeedHand,
    RoundSeat,
    Tournament,
    TournamentChange,
    WatchedTable,
)
from hupai.store.clock import now as now_in
from hupai.store.database import in_batches, reading

_FORGETTING: Final = "hupai forget"
"""Who withdraws the tokens of tournaments that are removed."""
_IDLE_TOURNAMENT: Final = timedelta(days=60)
"""A tournament with rounds still to come is not over until so long after the last action in it."""


@dataclass(frozen=True, slots=True)
class HallRemains:
    """Data of a hall that is older than a given time, and what stays because it is still in use.

    Attributes:
        tournaments: id -> name of those in which nothing has happened since. running: names of the tournaments that
            stay, with all their games and everything cameras saw since they began. hands: laid at tables.
        frames: their pictures, and others of cameras. events: numbers. previews: tables whose last picture is removed.
    """

    tournaments: Mapping[str, str]
    running: tuple[str, ...]
    hands: frozenset[int]
    frames: frozenset[int]
    events: frozenset[int]
    previews: frozenset[str]

    def __bool__(self) -> bool:
        return any((self.tournaments, self.hands, self.frames, self.events, self.previews))

    def to_json(self) -> dict[str, Any]:
        """See :class:`~hupai.store.wing.Remains`."""
        return {
            "tournaments": list(self.tournaments.values()),
            "hands": len(self.hands),
            "pictures": len(self.frames) + len(self.previews),
            "events": len(self.events),
            "running": list(self.running),
        }

    @property
    def going(self) -> list[str]:
        """See :class:`~hupai.store.wing.Remains`."""
        return [f"tournament {name}" for name in self.tournaments.values()]

    @property
    def staying(self) -> list[str]:
        """See :class:`~hupai.store.wing.Remains`."""
        return [f"Kept, with what cameras saw since it began: tournament {name}" for name in self.running]

    def among(self, named: Self) -> Self:
        """See :class:`~hupai.store.wing.Remains`."""
        return type(self)(
            {k: v for k, v in self.tournaments.items() if k in named.tournaments},
            self.running,
            self.hands & named.hands,
            self.frames & named.frames,
            self.events & named.events,
            self.previews & named.previews,
        )

    def lock(self, session: Session) -> None:
        """See :class:`~hupai.store.wing.Remains`."""
        for some in in_batches(self.tournaments):
            mine = select(Tournament.id).where(Tournament.id.in_(some))
            session.scalars(mine.order_by(Tournament.id).with_for_update()).all()

    def remove(self, session: Session) -> None:
        """See :class:`~hupai.store.wing.Remains`."""
        for cup in sorted(self.tournaments):
            forget_tournament(session, cup, _FORGETTING)
        going: tuple[tuple[Any, Collection[Any]], ...] = (
            (FeedEvent.number, self.events),
            (FeedHand.id, self.hands),
            (FeedFrame.id, self.frames),
            (RoundSeat.tournament_id, self.tournaments),
            (Tournament.id, self.tournaments),
        )
        for column, ids in going:
            for some in in_batches(ids):
                session.execute(delete(column.class_).where(column.in_(some)))
        session.execute(update(WatchedTable).where(WatchedTable.name.in_(self.previews)).values(preview=None))

    def export(self, engine: Engine, put: Callable[[str, Mapping[str, Any] | bytes], None]) -> None:
        """See :class:`~hupai.store.wing.Remains`.

        These are ``tournaments/ID.json`` with everything that was done, ``hands/NUMBER.json`` as cameras and directors
        saw them, ``events/NUMBER.json``, ``pictures/NUMBER.jpg``.
        """
        for cup in sorted(self.tournaments):
            changes = list_tournament_changes(engine, cup)
            put(f"tournaments/{cup}.json", {**tournament_export(get_tournament(engine, cup)), **changes})
        with reading(engine) as session:
            for number in sorted(self.hands):
                put(f"hands/{number}.json", camera_hand_json(session.get_one(FeedHand, number), whole=True))
                session.expunge_all()
            for number in sorted(self.events):
                event = session.get_one(FeedEvent, number)
                head = {"number": number, "event": event.kind, "table": event.table_name, "at": format_time(event.at)}
                put(f"events/{number}.json", {**head, "hand_id": event.hand_id, **event.body})
                session.expunge_all()
            for number in sorted(self.frames):
                picture = session.scalar(select(FeedFrame.jpeg).where(FeedFrame.id == number))
                if picture is not None:  # a watcher keeps a limited number
                    put(f"pictures/{number}.jpg", picture)


def keep_games(session: Session, before: datetime, touched: Mapping[str, datetime]) -> frozenset[str]:
    """Return the games of tournaments that are not over. See :class:`~hupai.store.wing.StoreWing`."""
    seated = _seated(session)
    return frozenset(g for cup in _running(session, before, touched, seated) for g in seated.get(cup.id, ()))


def find_expired(
    session: Session, before: datetime, touched: Mapping[str, datetime], games: Collection[str]
) -> HallRemains:
    """See :class:`~hupai.store.wing.StoreWing`."""
    now = now_in(session)
    running = _running(session, before, touched, _seated(session))
    kept = {cup.id for cup in running}
    cups = session.execute(select(Tournament.id, Tournament.name).order_by(Tournament.created))
    since = min([before, *(cup.created for cup in running)])
    silent = (WatchedTable.preview.is_not(None), WatchedTable.since < since)
    unwatched = (WatchedTable.beat.is_(None)) | (WatchedTable.beat < since)
    return HallRemains(
        {cup_id: name for cup_id, name in cups if cup_id not in kept},
        tuple(cup.name for cup in running),
        *_expired_of_cameras(session, since, now, touched.keys() - games),
        frozenset(session.scalars(select(WatchedTable.name).where(*silent, unwatched))),
    )


def _seated(session: Session) -> dict[str, set[str]]:
    """Return tournament -> its games."""
    seated: dict[str, set[str]] = {}
    for cup_id, game_id in session.execute(select(RoundSeat.tournament_id, RoundSeat.game_id).distinct()):
        seated.setdefault(cup_id, set()).add(game_id)
    return seated


def _running(
    session: Session, before: datetime, touched: Mapping[str, datetime], seated: Mapping[str, Collection[str]]
) -> list[Tournament]:
    """Return the tournaments that are not over, the oldest first."""
    now = now_in(session)
    running = []
    for cup in session.scalars(select(Tournament).order_by(Tournament.created)):
        last = _last_action(session, cup, touched, seated.get(cup.id, ()))
        if last >= before or (last >= now - _IDLE_TOURNAMENT and _has_rounds_to_come(session, cup.id)):
            running.append(cup)
    return running


def _last_action(session: Session, cup: Tournament, touched: Mapping[str, datetime], games: Iterable[str]) -> datetime:
    mine = TournamentChange.tournament_id == cup.id
    changed = session.scalar(select(func.max(TournamentChange.at)).where(mine)) or cup.created
    # A round may have been seated since games were looked at: that is a change, too.
    return max([cup.created, changed, *(touched[g] for g in games if g in touched)])


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
