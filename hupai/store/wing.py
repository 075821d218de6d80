"""What a wing does with the store: it keeps tables of its own beside the games, and games may be its own, too."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol, Self

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from hupai.games.history import Change, History

_WINGS: Final = "hupai_wings"


class Remains(Protocol):
    """Data of a wing that is older than a given time. It is true if there is any."""

    def __bool__(self) -> bool: ...

    @property
    def going(self) -> Sequence[str]:
        """What is named before it is removed, each with its kind."""

    @property
    def staying(self) -> Sequence[str]:
        """Sentences about what stays although it is old, and why."""

    def to_json(self) -> dict[str, Any]:
        """The numbers, and names, for ``--json``."""

    def among(self, named: Self) -> Self:
        """Return what of this was named before."""

    def lock(self, session: Session) -> None:
        """Let nobody go on with it until the transaction ends."""

    def remove(self, session: Session) -> None:
        """Remove it; the old games are removed after it."""

    def export(self, engine: Engine, put: Callable[[str, Mapping[str, Any] | bytes], None]) -> None:
        """Put it, by the names of the files, JSON or a picture, into an archive."""


@dataclass(frozen=True, slots=True)
class StoreWing:
    """What the store asks a wing about a game, by its id, and tells it: each within the transaction that it is about.

    The wing's tables are in :class:`hupai.store.tables.Base` once this is made.

    Attributes:
        check_import: raises Conflict where the game is the wing's, so that no file may change it.
        check_deletion: raises Conflict where the game is the wing's, which needs it.
        is_signed: whether a player has signed the game.
        follow: is told of a game as it is now, and the changes that led there.
        keep_games: of a time and game -> last action in it: the games that stay though nothing has happened since.
        find_expired: of the same and the games that go: what else the wing has that is older than that time.
        mark_copy: marks a copy of an SQLite database, so that what goes on in either is told apart.
    """

    check_import: Callable[[Session, str], None]
    check_deletion: Callable[[Session, str], None]
    is_signed: Callable[[Session, str], bool]
    follow: Callable[[Session, History, Sequence[Change]], None]
    keep_games: Callable[[Session, datetime, Mapping[str, datetime]], Collection[str]]
    find_expired: Callable[[Session, datetime, Mapping[str, datetime], Collection[str]], Remains]
    mark_copy: Callable[[sqlite3.Connection], None]


def join_wings(engine: Engine, wings: Sequence[StoreWing]) -> None:
    """Let these wings hear of what happens in every session of an engine."""
    engine.update_execution_options(**{_WINGS: tuple(wings)})


def wings_of(session: Session) -> tuple[StoreWing, ...]:
    """Return the wings of a session's store."""
    found: tuple[StoreWing, ...] = session.get_bind().get_execution_options().get(_WINGS, ())
    return found
