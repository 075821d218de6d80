"""What a wing does with the store: it keeps tables of its own beside the games, and games may be its own, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from hupai.ledger.history import Change, History

_WINGS: Final = "hupai_wings"


@dataclass(frozen=True, slots=True)
class StoreWing:
    """What the store asks a wing about a game, by its id, and tells it: each within the transaction that it is about.

    The wing's tables are in :class:`hupai.store.tables.Base` once this is made.

    Attributes:
        check_import: raises Conflict where the game is the wing's, so that no file may change it.
        check_deletion: raises Conflict where the game is the wing's, which needs it.
        is_signed: whether a player has signed the game.
        follow: is told of a game as it is now, and the changes that led there.
    """

    check_import: Callable[[Session, str], None]
    check_deletion: Callable[[Session, str], None]
    is_signed: Callable[[Session, str], bool]
    follow: Callable[[Session, History, Sequence[Change]], None]


def join_wings(engine: Engine, wings: Sequence[StoreWing]) -> None:
    """Let these wings hear of what happens in every session of an engine."""
    engine.update_execution_options(**{_WINGS: tuple(wings)})


def wings_of(session: Session) -> tuple[StoreWing, ...]:
    """Return the wings of a session's store."""
    found: tuple[StoreWing, ...] = session.get_bind().get_execution_options().get(_WINGS, ())
    return found
