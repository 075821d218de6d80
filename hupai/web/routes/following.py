"""Games as they change (SSE): every phone and board at a game is notified of a change within a second."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Annotated, Final, cast

from fastapi import APIRouter, Query, Request
from sqlalchemy import Engine

from hupai.store.database import count_write
from hupai.store.play.changes import game_revisions
from hupai.web.change_notifier import ChangeNotifier
from hupai.web.requests.strict import StrictRoute
from hupai.web.streams import EventStream

router = APIRouter(route_class=StrictRoute, tags=["games"])
GameIds = Annotated[list[Annotated[str, Query(max_length=40)]], Query(min_length=1, max_length=100)]
_PING_SECONDS: Final = 15.0


@dataclass(slots=True)
class FollowedGames:
    """The games that are followed, and their revisions. From the event loop, except for :meth:`fetch`.

    Attributes:
        engine: the store. games: number of followers of each. notifier: asks for all of them at once.
    """

    engine: Engine
    games: Counter[str] = field(default_factory=Counter)
    notifier: ChangeNotifier[dict[str, int | None]] = field(init=False)

    def __post_init__(self) -> None:
        self.notifier = ChangeNotifier(self.fetch, {})

    def fetch(self) -> dict[str, int | None]:
        """Return game -> revision; None for a game that no longer exists."""
        wanted = list(self.games)
        now = {**dict.fromkeys(wanted), **game_revisions(self.engine, wanted)}
        if now != self.notifier.value:
            count_write(self.engine)  # a game may have been written by another process
        return now


@router.get("/changes", include_in_schema=False)
async def stream_changes(request: Request, game: GameIds) -> EventStream:
    """Server-sent events: each game's revision now, and again whenever it is another; null for one that is gone."""
    followed = cast(FollowedGames, request.app.state.followed_games)
    mine = set(game)

    async def lines() -> AsyncIterator[str]:
        followed.games.update(mine)
        followed.notifier.listeners += 1
        sent: dict[str, int | None] = {}

        def news(now: dict[str, int | None]) -> dict[str, int | None]:
            return {g: now[g] for g in mine & now.keys() if g not in sent or sent[g] != now[g]}

        try:
            yield "retry: 2000\n: following\n\n"
            while not followed.notifier.closed:
                if not await followed.notifier.wait_until(lambda now: bool(news(now)), _PING_SECONDS):
                    yield "event: still\ndata: {}\n\n"
                for game_id, revision in news(followed.notifier.value).items():
                    sent[game_id] = revision
                    yield f"event: game\ndata: {json.dumps({'game': game_id, 'revision': revision})}\n\n"
        finally:
            followed.notifier.listeners -= 1
            followed.games.subtract(mine)
            followed.games += Counter()  # games without followers are dropped

    return EventStream(request, lines())
