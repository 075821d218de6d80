"""Old data: games, and what wings keep, that is no longer needed: counted, saved in a file, removed."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, delete, func, select
from sqlalchemy.orm import Session

from hupai.basics.timestamps import format_time
from hupai.games.exchange import export_game
from hupai.store.backup import new_zip
from hupai.store.clock import now as now_in
from hupai.store.database import in_batches, reading, writing
from hupai.store.errors import StoreError
from hupai.store.play.games import SqlGames
from hupai.store.tables import Game, GameChange
from hupai.store.wing import Remains, wings_of
from scoring.version import version


@dataclass(frozen=True, slots=True)
class Expired:
    """Data older than a given time.

    Attributes:
        before: the given time. games: ids, including those that are a wing's. wings: what each wing has.
    """

    before: datetime
    games: frozenset[str]
    wings: tuple[Remains, ...]

    def __bool__(self) -> bool:
        return bool(self.games) or any(self.wings)

    def to_json(self) -> dict[str, Any]:
        """The numbers, for ``--json``."""
        found: dict[str, Any] = {"games": len(self.games)}
        for theirs in self.wings:
            found |= theirs.to_json()
        return found


def find_expired(engine: Engine, days: int) -> Expired:
    """Return what has not been touched for so many days. Nothing is written."""
    with reading(engine) as session:
        return _find_expired(session, now_in(session) - timedelta(days=days))


def remove_expired(engine: Engine, named: Expired) -> Expired:
    """Remove what was named if it is still old, all of it or nothing; return what was removed.

    What has been used since, and what has become old since, stays.
    """
    with writing(engine) as session:
        # A write into a game or what a wing has of games locks its row, and is waited for.
        for theirs in named.wings:
            theirs.lock(session)
        for some in in_batches(named.games):
            session.scalars(select(Game.id).where(Game.id.in_(some)).order_by(Game.id).with_for_update()).all()
        now = _find_expired(session, named.before)
        wings = tuple(theirs.among(said) for theirs, said in zip(now.wings, named.wings, strict=True))
        gone = Expired(now.before, now.games & named.games, wings)
        for theirs in gone.wings:
            theirs.remove(session)
        for some in in_batches(gone.games):
            session.execute(delete(Game).where(Game.id.in_(some)))
        return gone


def _find_expired(session: Session, before: datetime) -> Expired:
    touched, wings = _last_actions(session), wings_of(session)
    kept = {game for wing in wings for game in wing.keep_games(session, before, touched)}
    games = frozenset(game for game, last in touched.items() if last < before and game not in kept)
    return Expired(before, games, tuple(wing.find_expired(session, before, touched, games) for wing in wings))


def _last_actions(session: Session) -> Mapping[str, datetime]:
    """Return game -> time of the last action in it."""
    last = select(GameChange.game_id, func.max(GameChange.at).label("at")).group_by(GameChange.game_id).subquery()
    rows = session.execute(select(Game.id, Game.created, last.c.at).outerjoin(last, last.c.game_id == Game.id))
    return {game: max(created, at) if at is not None else created for game, created, at in rows}


def export_expired(path: Path, engine: Engine, named: Expired) -> None:
    """Write what was named into a new zip file, completely or not at all, readable for this user only.

    It has ``games/ID.json`` with every hand, and what each wing adds.

    Raises:
        StoreError: the file exists already or cannot be written.
    """
    if path.exists():
        raise StoreError(f"{path} is there already; name another file.")
    with new_zip(path) as (kept, _):
        _fill(kept, engine, named)


def _fill(kept: zipfile.ZipFile, engine: Engine, named: Expired) -> None:
    def put(name: str, said: Mapping[str, Any] | bytes) -> None:
        if isinstance(said, bytes):  # a picture: it is compressed already
            kept.writestr(name, said, zipfile.ZIP_STORED)
        else:
            kept.writestr(name, json.dumps({**said, "version": version()}, ensure_ascii=False, indent=1) + "\n")

    put(
        "about.json",
        {"format": 1, "at": format_time(datetime.now(UTC)), "before": format_time(named.before), **named.to_json()},
    )
    for game_id in sorted(named.games):
        game, hands = export_game(SqlGames(engine).read(game_id))
        put(f"games/{game_id}.json", {**game, "hands": hands})
    for theirs in named.wings:
        theirs.export(engine, put)
