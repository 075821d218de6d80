"""The numbered changes of games: the number of the last one is the game's revision."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from hupai.store.database import reading
from hupai.store.tables import Game, GameChange


def revision_of(session: Session, game_id: str) -> int:
    """Return the number of the game's last change, 0 if there is none yet."""
    return session.scalar(select(func.max(GameChange.revision)).where(GameChange.game_id == game_id)) or 0


def game_revisions(engine: Engine, game_ids: Collection[str]) -> dict[str, int]:
    """Return game -> revision for those that exist."""
    if not game_ids:
        return {}
    query = select(Game.id, func.max(GameChange.revision)).outerjoin(GameChange, GameChange.game_id == Game.id)
    with reading(engine) as session:
        rows = session.execute(query.where(Game.id.in_(sorted(game_ids))).group_by(Game.id))
        return {game_id: revision or 0 for game_id, revision in rows}
