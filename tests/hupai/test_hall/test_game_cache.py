"""What is kept of games is computed anew when they change, and never from what is rolled back."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from hupai.games.commands import Command
from hupai.games.history import RECORDED, UNDONE
from hupai.hall.store import game_cache
from hupai.hall.store.game_cache import GameCache, stamp_games
from hupai.store.database import reading, writing
from hupai.store.play.game_rows import find_game
from hupai.store.play.games import SqlGames
from hupai.store.play.histories import load_history
from tests.hupai.store_builders import begin_game, pay, payment


class CountingCache:
    """How many hands games have, and of which games that was computed."""

    def __init__(self) -> None:
        self.computed: list[str] = []
        self._cache = GameCache(self._count)

    def _count(self, session: Session, games: Collection[str]) -> dict[str, int]:
        self.computed += games
        return {g: len(load_history(session, find_game(session, g)).counting) for g in games}

    def hands(self, session: Session, *games: str) -> dict[str, int]:
        """As the cache has them; ``computed`` starts anew."""
        self.computed.clear()
        return self._cache.values(session, stamp_games(session, games))


def test_only_what_has_changed_is_computed_again(store: Engine) -> None:
    one, other, cache = begin_game(store), begin_game(store), CountingCache()
    pay(store, one)
    with reading(store) as session:
        assert cache.hands(session, one, other) == {one: 1, other: 0} and sorted(cache.computed) == sorted([one, other])
        assert cache.hands(session, one, other) == {one: 1, other: 0} and cache.computed == []
    SqlGames(store).do(one, Command(UNDONE, number=1))
    with reading(store) as session:
        assert cache.hands(session, one, other) == {one: 0, other: 0} and cache.computed == [one]


def test_what_is_rolled_back_is_not_kept(store: Engine) -> None:
    game, cache = begin_game(store), CountingCache()
    with pytest.raises(ZeroDivisionError), writing(store) as session:
        SqlGames(session).do(game, Command(RECORDED, hand=payment(8)))
        assert cache.hands(session, game) == {game: 1}
        raise ZeroDivisionError
    with reading(store) as session:
        assert cache.hands(session, game) == {game: 0} and cache.computed == [game]


def test_no_more_games_are_kept_than_allowed(store: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_cache, "MAX_GAMES", 1)
    games, cache = [begin_game(store), begin_game(store)], CountingCache()
    with reading(store) as session:
        assert cache.hands(session, *games) == cache.hands(session, *games) and len(cache.computed) == 1
