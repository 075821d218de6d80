"""A game begins."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from hupai.games.course import course_of
from hupai.games.history import GameTerms, History
from hupai.games.state import TableState
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


def begin_game(new: NewGame, game_id: str, now: datetime) -> History:
    """Return the game before its first hand.

    Raises:
        InvalidRequest: an invalid course, too many or too few players for the rules, sticks that they do not have.
    """
    if len(new.players) != new.start.players:
        message = say("By these rules {n} play, not {m}.", n=new.start.players, m=len(new.players))
        raise InvalidRequest.of([Fault("bad_value", message, "players")])
    if new.start.riichi_sticks and not new.system.conventions.sticks:
        message = say("{system} has no {field}.", system=new.system.name, field="riichi_sticks")
        raise InvalidRequest.of([Fault("contradiction", message, "start.riichi_sticks")])
    course = course_of(
        new.course, new.system.conventions, new.rotation, new.starting_points, new.start.round, new.start.players
    )
    terms = GameTerms(
        id=game_id,
        name=new.name,
        created=now,
        version=version(),
        rules=new.system.id,
        options=dict(new.options),
        rotation=new.rotation.value,
        start={**new.start.to_json(), "first_dealer": new.first_dealer},
        starting_points=new.starting_points,
        key=new.key,
        key_hash=None if new.key is None else new.content_hash,
        course=course.to_json(),
    )
    return History(terms, new.players)
