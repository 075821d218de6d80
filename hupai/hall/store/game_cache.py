"""Values computed of games, kept for as long as the games stay as they are."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Generic, TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from hupai.store.database import is_writing
from hupai.store.tables import Game, GameChange

T = TypeVar("T")
MAX_GAMES: Final = 2000
"""Games kept at once, twenty rounds of the largest tournament; beyond that the oldest is dropped."""


@dataclass(frozen=True, slots=True)
class GameStamp:
    """Which state a game is in: its revision, and when that was reached (a restored backup may count on otherwise)."""

    revision: int
    changed: datetime


def stamp_games(session: Session, game_ids: Collection[str]) -> dict[str, GameStamp]:
    """Return game -> stamp for those that exist."""
    last = (func.max(GameChange.revision), func.max(GameChange.at))
    query = select(Game.id, Game.created, *last).outerjoin(GameChange, GameChange.game_id == Game.id)
    rows = session.execute(query.where(Game.id.in_(sorted(game_ids))).group_by(Game.id, Game.created))
    return {game_id: GameStamp(revision or 0, at or created) for game_id, created, revision, at in rows}


class GameCache(Generic[T]):
    """What ``compute`` makes of games, computed anew only of those that have changed. Thread-safe.

    Only transactions that read fill it: what a transaction writes may still be rolled back.
    """

    def __init__(self, compute: Callable[[Session, Collection[str]], Mapping[str, T]]) -> None:
        self._compute = compute
        self._kept: dict[str, tuple[GameStamp, T]] = {}
        self._lock = threading.Lock()

    def values(self, session: Session, stamps: Mapping[str, GameStamp]) -> dict[str, T]:
        """Return game -> value of the games that these stamps of this session are of."""
        with self._lock:
            kept = {game_id: self._kept.get(game_id) for game_id in stamps}
        found = {game_id: k[1] for game_id, k in kept.items() if k is not None and k[0] == stamps[game_id]}
        computed = self._compute(session, stamps.keys() - found.keys()) if len(found) < len(stamps) else {}
        if not is_writing(session.connection()):
            with self._lock:
                self._kept |= {game_id: (stamps[game_id], value) for game_id, value in computed.items()}
                while len(self._kept) > MAX_GAMES:
                    del self._kept[next(iter(self._kept))]
        return {**found, **computed}
