"""The numbered changes of a game: the number of the last one is the game's revision."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session, selectinload

from hupai.basics.errors import NotFound
from hupai.basics.timestamps import format_time
from hupai.ledger.state import TableState
from hupai.store.clock import now as now_in
from hupai.store.database import reading
from hupai.store.play.game_json import hand_json, short_hand_json
from hupai.store.tables import Game, GameChange, GameHand
from scoring.words.sentence import say

RECORDED: Final = "recorded"
UNDONE: Final = "undone"
CORRECTED: Final = "corrected"
WITHDRAWN: Final = "withdrawn"
RESTORED: Final = "restored"
ENDED: Final = "ended"
REOPENED: Final = "reopened"
SETTLED: Final = "settled"
SEATED: Final = "seated"
MAX_CHANGES: Final = 50
"""Maximum number of changes in one answer."""


@dataclass(frozen=True, slots=True)
class RetryKey:
    """An idempotency key, and a hash that shows whether a retry with it has the same content."""

    key: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Amendment:
    """Who changes what was settled, and why; in a tournament also what keeps a retry from doing it twice."""

    by: str
    reason: str
    once: RetryKey | None = None


def amendment_by(by: str | None) -> Amendment | None:
    """Return who made a change, without a reason; None if that is not known."""
    return Amendment(by, "") if by is not None else None


def record_change(
    session: Session,
    kind: str,
    hand: GameHand,
    before: TableState,
    *,
    amendment: Amendment | None = None,
    detail: Mapping[str, Any] | None = None,
) -> None:
    """Record a change to a hand's game, in the transaction that makes it and holds the lock on the game's row.

    Args:
        session: of the writing transaction. kind: of the change. hand: flushed, so that it has a number.
        before: the table as people saw it before the change. amendment: who did it and why, if given.
        detail: what was there before, and what was settled again.
    """
    record_game_change(session, kind, hand.game_id, before, amendment=amendment, detail=detail, number=hand.number)


def record_game_change(
    session: Session,
    kind: str,
    game_id: str,
    before: TableState,
    *,
    amendment: Amendment | None = None,
    detail: Mapping[str, Any] | None = None,
    number: int = 0,
) -> None:
    """As :func:`record_change`, for a change of the game itself."""
    session.add(
        GameChange(
            game_id=game_id,
            revision=1 + revision_of(session, game_id),
            at=now_in(session),
            kind=kind,
            hand_number=number,
            before=before.to_json(),
            by=amendment.by if amendment else None,
            reason=(amendment.reason or None) if amendment else None,
            detail=dict(detail or {}),
        )
    )
    session.flush()


def revision_of(session: Session, game_id: str) -> int:
    """Return the number of the game's last change, 0 if there is none yet."""
    return session.scalar(select(func.max(GameChange.revision)).where(GameChange.game_id == game_id)) or 0


def last_change(session: Session, game: Game) -> tuple[int, datetime]:
    """Return the number of the game's last change, 0 if there is none yet, and its time or that of the game's start."""
    query = select(func.max(GameChange.revision), func.max(GameChange.at)).where(GameChange.game_id == game.id)
    revision, at = session.execute(query).one()
    return revision or 0, at or game.created


def game_revisions(engine: Engine, game_ids: Collection[str]) -> dict[str, int]:
    """Return game -> revision for those that exist."""
    if not game_ids:
        return {}
    query = select(Game.id, func.max(GameChange.revision)).outerjoin(GameChange, GameChange.game_id == Game.id)
    with reading(engine) as session:
        rows = session.execute(query.where(Game.id.in_(sorted(game_ids))).group_by(Game.id))
        return {game_id: revision or 0 for game_id, revision in rows}


def changes_after(session: Session, game_id: str, revision: int) -> list[dict[str, Any]]:
    """Return the last changes after this one, in order, each with its hand as the change left it."""
    return _changes(session, game_id, revision, MAX_CHANGES)


def _changes(session: Session, game_id: str, after: int, at_most: int | None) -> list[dict[str, Any]]:
    mine = (GameChange.game_id == game_id, GameChange.revision > after)
    query = select(GameChange).where(*mine).order_by(GameChange.revision.desc()).limit(at_most)
    found = session.scalars(query).all()
    numbers = {change.hand_number for change in found}
    those = (
        select(GameHand)
        .where(GameHand.game_id == game_id, GameHand.number.in_(numbers))
        .options(selectinload(GameHand.payments))
    )
    hands = {hand.number: hand_json(hand) for hand in session.scalars(those)}
    told = []
    for change in found:  # from the present state back
        hand = hands.get(change.hand_number)
        if hand is not None and change.kind in (UNDONE, WITHDRAWN):
            hands[change.hand_number] = {**hand, "undone_at": None}
            hand = {**hand, "undone_at": hand["undone_at"] or format_time(change.at)}
        told.append(_change_json(change, hand))
        hands |= {was["number"]: short_hand_json(was) for was in _states_before(change)}
    return told[::-1]


def _states_before(change: GameChange) -> list[dict[str, Any]]:
    """Return the whole hands as they were before a change that settled them again."""
    again = [hand["was"] for hand in change.detail.get("settled_again", ())]
    return [change.detail["was"], *again] if "was" in change.detail else again


def last_revision_with_seats(session: Session, game_id: str, seats: dict[str, int]) -> int:
    """Return the latest revision with these players in these seats; 0 if there is none."""
    query = (
        select(GameChange).where(GameChange.game_id == game_id).order_by(GameChange.revision.desc()).limit(MAX_CHANGES)
    )
    for change in session.scalars(query):
        if TableState.from_json(change.before).seats == seats:
            return change.revision - 1
    return 0


def get_change(engine: Engine, game_id: str, revision: int) -> dict[str, Any]:
    """Return one change with all its details: what the hand was before, and what was settled again.

    Raises:
        NotFound: no such game or change.
    """
    with reading(engine) as session:
        change = session.get(GameChange, (game_id, revision))
        if change is None:
            raise NotFound(say("This game has no change {n}.", n=revision), field="revision")
        return {**_changes(session, game_id, revision - 1, None)[0], "detail": change.detail}


def _change_json(change: GameChange, hand: dict[str, Any] | None) -> dict[str, Any]:
    again = change.detail.get("settled_again", ())
    return {
        "revision": change.revision,
        "kind": change.kind,
        "at": format_time(change.at),
        "by": change.by,
        "reason": change.reason,
        "hand": hand,
        "settled_again": [{name: h[name] for name in ("number", "was_paid", "payments")} for h in again],
    }
