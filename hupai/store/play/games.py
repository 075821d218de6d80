"""Games: created, listed, shown, deleted. Every operation is one transaction."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import selectinload

from hupai.basics.errors import Conflict
from hupai.basics.timestamps import format_time
from hupai.ledger.course import course_of
from hupai.ledger.state import TableState
from hupai.store.database import advisory_lock, reading, writing
from hupai.store.feed_tables import RoundSeat
from hupai.store.play.changes import changes_after, revision_of
from hupai.store.play.expected_revision import ExpectedRevision, check_revision
from hupai.store.play.game_json import whole_hand_json
from hupai.store.play.game_state import find_game, load_game_json, new_id
from hupai.store.tables import Game, GameHand, Player
from scoring.errors import Fault, InvalidRequest
from scoring.rulebook.conventions import Rotation
from scoring.system import RuleSystem
from scoring.version import version
from scoring.words.sentence import say


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to create: checked names, parsed rules, options as JSON, given options of its course."""

    players: tuple[str, ...]
    system: RuleSystem[Any]
    options: Mapping[str, Any]
    rotation: Rotation
    start: TableState = field(default_factory=TableState)
    first_dealer: int = 0
    starting_points: Decimal = Decimal(0)
    name: str = ""
    course: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = None

    @property
    def content_hash(self) -> str:
        """Identifies the content, to check whether a retry with the same key has the same."""
        start = {name: value for name, value in self.start.to_json().items() if name != "players"}
        parts = [self.players, self.system.id, self.options, self.rotation.value, start, self.course]
        text = json.dumps([*parts, self.first_dealer, str(self.starting_points), self.name], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def create_game(engine: Engine, new: NewGame) -> dict[str, Any]:
    """Create a game, or find the one created with the same key; return the game as JSON.

    Raises:
        Conflict: the key was used for another game.
    """
    with writing(engine) as session:
        if new.key is not None:
            advisory_lock(session, new.key)
            known = session.scalar(select(Game).where(Game.key == new.key))
            if known is not None and known.key_hash != new.content_hash:
                raise Conflict(
                    "This Idempotency-Key was used for another game; give a new one.", field="Idempotency-Key"
                )
            if known is not None:
                return load_game_json(session, known, None)
        game = new_game_row(new)
        session.add(game)
        session.flush()
        return load_game_json(session, game, None)


def new_game_row(new: NewGame) -> Game:
    """Return the row of a new game, not yet stored.

    Raises:
        InvalidRequest: an invalid course, too many or too few players for the rules.
    """
    if len(new.players) != new.start.players:
        message = say("By these rules {n} play, not {m}.", n=new.start.players, m=len(new.players))
        raise InvalidRequest.of([Fault("bad_value", message, "players")])
    course = course_of(
        new.course, new.system.conventions, new.rotation, new.starting_points, new.start.round, new.start.players
    )
    return Game(
        id=new_id(),
        name=new.name,
        created=datetime.now(UTC),
        version=version(),
        rules=new.system.id,
        options=dict(new.options),
        rotation=new.rotation.value,
        start={**new.start.to_json(), "first_dealer": new.first_dealer},
        starting_points=new.starting_points,
        course=course.to_json(),
        closed_at=None,
        key=new.key,
        key_hash=None if new.key is None else new.content_hash,
        players=[Player(number=i, name=name) for i, name in enumerate(new.players)],
    )


def list_games(engine: Engine, limit: int, offset: int = 0) -> list[dict[str, Any]]:
    """Return the games, latest first, with the number of hands that count and the time of the last one."""
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
    with reading(engine) as session:
        return [
            {
                "id": game.id,
                "name": game.name,
                "rules": game.rules,
                "players": [p.name for p in game.players],
                "created": format_time(game.created),
                "hands": hands or 0,
                "last": format_time(last) if last else None,
            }
            for game, hands, last in session.execute(query)
        ]


def get_game(engine: Engine, game_id: str, last_hands: int | None = None) -> dict[str, Any]:
    """Return a game with its last hands.

    Raises:
        NotFound: no such game.
    """
    with reading(engine) as session:
        return load_game_json(session, find_game(session, game_id), last_hands)


def all_hands(engine: Engine, game_id: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return a game, and every hand of it with requests, scores and running totals.

    Raises:
        NotFound: no such game.
    """
    with reading(engine) as session:
        game = load_game_json(session, find_game(session, game_id), 0)
        query = (
            select(GameHand)
            .where(GameHand.game_id == game_id)
            .order_by(GameHand.number)
            .options(selectinload(GameHand.payments))
        )
        return game, [{**whole_hand_json(h), "totals": h.totals} for h in session.scalars(query)]


def list_changes(engine: Engine, game_id: str, after: int) -> dict[str, Any]:
    """Return the last changes of a game after this revision, in order, each with its hand.

    Raises:
        NotFound: no such game.
    """
    with reading(engine) as session:
        find_game(session, game_id)
        found = changes_after(session, game_id, after)
        return {"revision": revision_of(session, game_id), "changes": found}


def delete_game(engine: Engine, game_id: str, seen: ExpectedRevision | None = None) -> None:
    """Delete a game and its history.

    Raises:
        NotFound: no such game. Conflict: it belongs to a tournament's round. MovedOn: it has changed since it was seen.
    """
    with writing(engine) as session:
        game = find_game(session, game_id, lock=True)
        check_revision(session, game, seen)
        if session.scalar(select(RoundSeat.game_id).where(RoundSeat.game_id == game_id).limit(1)) is not None:
            raise Conflict("This game belongs to a tournament's round; cancel the round instead.", field="game_id")
        session.delete(game)
