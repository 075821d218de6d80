"""What the store asks and tells a wing: here one that no other code knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict
from hupai.games.commands import Command
from hupai.games.history import ENDED, UNDONE, Amendment, Change, History
from hupai.store.database import open_store
from hupai.store.play.games import SqlGames
from hupai.store.wing import StoreWing
from tests.hupai.store_builders import begin_game, pay, see_game


@dataclass
class Keeper:
    """Keeps every game, and hears of it until it has had enough."""

    heard: list[tuple[str, str, int]] = field(default_factory=list)
    signed: bool = False
    enough: int = 3

    def refuse(self, session: Session, game_id: str) -> None:
        raise Conflict("This game is kept.")

    def is_signed(self, session: Session, game_id: str) -> bool:
        return self.signed

    def follow(self, session: Session, history: History, changes: Sequence[Change]) -> None:
        if len(self.heard) == self.enough:
            raise Conflict("Not another one.")
        self.heard += [(history.terms.id, change.kind, change.hand_number) for change in changes]


def never(*_: object) -> Any:
    raise AssertionError("nothing is removed or copied here")


@pytest.fixture
def keeper() -> Keeper:
    return Keeper()


@pytest.fixture
def kept(database: str, keeper: Keeper) -> Iterator[Engine]:
    """A store with the keeper's wing."""
    asked = keeper.refuse, keeper.refuse, keeper.is_signed, keeper.follow
    engine = open_store(database, [StoreWing(*asked, keep_games=never, find_expired=never, mark_copy=never)])
    yield engine
    engine.dispose()


def test_it_hears_of_every_change_and_none_is_made_that_it_cannot_follow(kept: Engine, keeper: Keeper) -> None:
    game = begin_game(kept)
    pay(kept, game)
    pay(kept, game)
    SqlGames(kept).do(game, Command(UNDONE, number=2))
    assert keeper.heard == [(game, "recorded", 1), (game, "recorded", 2), (game, "undone", 2)]
    with pytest.raises(Conflict, match="Not another one"):
        pay(kept, game)
    assert see_game(kept, game)["revision"] == 3


def test_a_game_that_it_keeps_is_neither_deleted_nor_changed_by_a_file(kept: Engine) -> None:
    game = begin_game(kept)
    file = SqlGames(kept).read(game)
    for forbidden in (lambda: SqlGames(kept).delete_game(game), lambda: SqlGames(kept).import_game(file)):
        with pytest.raises(Conflict, match="kept"):
            forbidden()
    assert see_game(kept, game)["id"] == game


@pytest.mark.parametrize("signed", [False, True])
def test_it_says_whether_a_game_is_signed(kept: Engine, keeper: Keeper, signed: bool) -> None:
    game = begin_game(kept)
    pay(kept, game)
    SqlGames(kept).do(game, Command(ENDED, Amendment("Bo", "supper")))
    keeper.signed = signed
    history = SqlGames(kept).read(game)
    assert history.state.ended is not None and history.has_signed_result is signed
