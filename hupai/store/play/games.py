"""Games in the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session, selectinload

from hupai.games.commands import Command, ExpectedRevision, check_revision
from hupai.games.figures import PlayedGame
from hupai.games.games import Games, T, game_entry
from hupai.games.history import RECORDED, History
from hupai.store.clock import now as now_in
from hupai.store.database import advisory_lock, reading, writing
from hupai.store.play.game_rows import find_false_wins, find_game
from hupai.store.play.histories import add_game, change_game, load_history, short_hand, terms_of
from hupai.store.play.turns import turns_of
from hupai.store.tables import Game, GameHand
from hupai.store.wing import wings_of

_AT_ONCE: Final = 500


class SqlGames(Games):
    """The games of a database; with a session instead of the database, within its writing transaction."""

    def __init__(self, store: Engine | Session, check_import: Callable[[Session, str], None] = lambda *_: None) -> None:
        """Open the games of a store; ``check_import`` raises where no file may change the game with this id."""
        self._store, self._check_import = store, check_import

    def _reading(self) -> AbstractContextManager[Session]:
        return nullcontext(self._store) if isinstance(self._store, Session) else reading(self._store)

    def _writing(self) -> AbstractContextManager[Session]:
        return nullcontext(self._store) if isinstance(self._store, Session) else writing(self._store)

    def insert(
        self, begin: Callable[[datetime], History], meet: Callable[[History, History], History]
    ) -> tuple[History | None, History]:
        """See :meth:`Games.insert`."""
        with self._writing() as session:
            history = begin(now_in(session))
            new = history.terms
            advisory_lock(session, new.key or new.id)
            same = Game.id == new.id if new.key is None else Game.key == new.key
            known = session.scalar(select(Game.id).where(same))
            if known is not None:
                if new.key is None:
                    self._check_file(session, known)
                return change_game(session, known, lambda was, _: meet(was, history))
            add_game(session, history)
            return None, history

    def _check_file(self, session: Session, game_id: str) -> None:
        for check in (*(wing.check_import for wing in wings_of(session)), self._check_import):
            check(session, game_id)

    def replace_game(self, history: History, seen: ExpectedRevision) -> tuple[History, History]:
        """See :meth:`Games.replace_game`."""
        with self._writing() as session:
            advisory_lock(session, history.terms.id)
            game = find_game(session, history.terms.id, lock=True)
            self._check_file(session, game.id)
            was = self._delete(session, game, seen)
            session.flush()
            add_game(session, history)
            return was, history

    @staticmethod
    def _delete(session: Session, game: Game, seen: ExpectedRevision | None) -> History:
        was = load_history(session, game)
        check_revision(was, seen)
        for wing in wings_of(session):
            wing.check_deletion(session, game.id)
        session.delete(game)
        return was

    def read(self, game_id: str) -> History:
        """See :meth:`Games.read`."""
        with self._reading() as session:
            return load_history(session, find_game(session, game_id))

    def now(self) -> datetime:
        """See :meth:`Games.now`."""
        with self._reading() as session:
            return now_in(session)

    def update(self, game_id: str, change: Callable[[History, datetime], History]) -> tuple[History, History]:
        """See :meth:`Games.update`."""
        with self._writing() as session:
            return change_game(session, game_id, change)

    def do(self, game_id: str, command: Command) -> tuple[History, History]:
        """See :meth:`Games.do`; hands take turns."""
        if command.kind != RECORDED or isinstance(self._store, Session):
            return super().do(game_id, command)
        with turns_of(self._store).take(game_id, command.new_hand.key):
            return super().do(game_id, command)

    def delete_game(self, game_id: str, seen: ExpectedRevision | None = None) -> None:
        """See :meth:`Games.delete_game`; a wing may need a game."""
        with self._writing() as session:
            self._delete(session, find_game(session, game_id, lock=True), seen)

    def list_games(self, limit: int, offset: int = 0) -> list[dict[str, Any]]:
        """See :meth:`Games.list_games`."""
        standing = (
            select(GameHand.game_id, func.count().label("hands"), func.max(GameHand.confirmed_at).label("last"))
            .where(GameHand.undone_at.is_(None))
            .group_by(GameHand.game_id)
            .subquery()
        )
        query = (
            select(Game, standing.c.hands, standing.c.last)
            .outerjoin(standing, standing.c.game_id == Game.id)
            .options(selectinload(Game.players))
            .order_by(Game.created.desc(), Game.id)
            .limit(limit)
            .offset(offset)
        )
        with self._reading() as session:
            return [
                game_entry(terms_of(game), [player.name for player in game.players], hands or 0, last)
                for game, hands, last in session.execute(query)
            ]

    def tally(self, count: Callable[[Iterable[PlayedGame]], T]) -> T:
        """See :meth:`Games.tally`."""
        with self._reading() as session:
            return count(played_games(session))


def played_games(session: Session, game_ids: Collection[str] | None = None) -> Iterator[PlayedGame]:
    """Return the games in which a hand counts, all or these, one after the other; the first one begun comes first."""
    which = [] if game_ids is None else [Game.id.in_(game_ids)]
    query = (
        select(GameHand)
        .join(Game, Game.id == GameHand.game_id)
        .where(GameHand.undone_at.is_(None), *which)
        .order_by(Game.created, Game.id, GameHand.number)
        .options(selectinload(GameHand.payments))
        .execution_options(yield_per=_AT_ONCE)
    )
    games = {game.id: game for game in session.scalars(select(Game).where(*which).options(selectinload(Game.players)))}
    for game_id, hands in groupby(session.scalars(query), key=lambda hand: hand.game_id):
        terms, names = terms_of(games[game_id]), [player.name for player in games[game_id].players]
        false_wins = find_false_wins(session, [game_id]).get(game_id, {}) if terms.house.play.after_placing else {}
        yield PlayedGame(terms, names, [short_hand(hand) for hand in hands], terms.fines(list(false_wins.values())))
