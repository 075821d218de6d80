"""What players agree on before a game: its fields are declared here, for requests, answers, files and the stores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Any, Final

from hupai.games.terms.shapes import AMOUNT, OBJECT, SEAT, Shape, amount_shape, maybe, object_of, one_of, text, whole
from hupai.games.terms.state import MAX_COUNT, TableState
from scoring.payments import plain_amount
from scoring.rulebook.conventions import Rotation
from scoring.rules import system_named
from scoring.seats import SEATS, Seat
from scoring.system import RuleSystem

CUSTOM: Final = "custom"
"""The rotation that is usual under the rules."""
_ROTATIONS: Final = tuple(rotation.value for rotation in Rotation)
_PLAYER: Final = whole(0, 3)
NEXT: Final = {"round": SEAT, "dealer": _PLAYER, "streak": whole(1, MAX_COUNT), "counters": whole(0, MAX_COUNT)}
"""What may be said of the table for a hand."""
_START: Final = object_of({}, {**NEXT, "first_dealer": maybe(_PLAYER), "riichi_sticks": whole(0, 99)})
LINE: Final[Shape] = {**text(200), "pattern": "^[^\0-\x1f\ud800-\udfff]*$"}
"""A text of a file, in a line."""
FILE_AMOUNT: Final = amount_shape(10, 9)
"""An amount in a file."""
TABLE: Final = {"round": SEAT, **dict.fromkeys(("dealer", "streak", "counters", "riichi_sticks"), whole())}
"""A table in a file."""
ANY_TABLE: Final = {"ended": maybe(LINE), "players": one_of(3, 4)}
"""What a file may say of a table besides."""
_FIRST_TABLE: Final = object_of({**TABLE, "first_dealer": one_of(*range(len(SEATS)))}, ANY_TABLE)


def _same(value: Any) -> Any:
    return value


def _said(
    body: Shape, file: Shape | None = None, read: Callable[[Any], Any] = _same, write: Callable[[Any], Any] = _same
) -> dict[str, Any]:
    """The shape of a field in a request and in a file, what makes its value from JSON, and JSON from its value."""
    return {"body": body, "file": file or body, "read": read, "write": write}


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """What was agreed on for a game.

    Another field comes after ``course``, with a default for games and files from before there was one. It has a column
    in the database, and the page's types name it; everything else is made from its declaration here.

    Attributes:
        rules: the id of a system. options: its house rules as JSON. rotation: the name of one. start: the table it
            begins at, as JSON, and ``first_dealer``. course: as given; of a game that has begun every option of
            :class:`~hupai.games.terms.course.Course`, as JSON.
    """

    rules: str = field(metadata=_said(text(100), LINE))
    options: Mapping[str, Any] = field(default_factory=dict, metadata=_said(OBJECT))
    name: str = field(default="", metadata=_said(text(200), LINE))
    start: Mapping[str, Any] = field(default_factory=dict, metadata=_said(_START, _FIRST_TABLE))
    starting_points: Decimal = field(
        default=Decimal(0), metadata=_said(AMOUNT, FILE_AMOUNT, lambda said: Decimal(str(said)), plain_amount)
    )
    rotation: str = field(default=CUSTOM, metadata=_said(one_of(CUSTOM, *_ROTATIONS), one_of(*_ROTATIONS)))
    course: Mapping[str, Any] = field(default_factory=dict, metadata=_said(object_of({}, maxProperties=20), OBJECT))

    @property
    def system(self) -> RuleSystem[Any]:
        """The rules."""
        return system_named(self.rules)

    @property
    def table(self) -> TableState:
        """The table it begins at."""
        return TableState.from_json({name: value for name, value in self.start.items() if name != "first_dealer"})


def agree(rules: str, **said: Any) -> Agreed:
    """Return what was agreed on: the rules and whatever else was said, by the names of :class:`Agreed`.

    Args:
        rules: the name of a system. said: of the table at the beginning only what is not usual.

    Raises:
        InvalidRequest: unknown rules, invalid house rules, a table that cannot be.
    """
    system = system_named(rules)
    players = system.table_size(said.get("options", {}))
    start = {"round": Seat.E.value, "players": players, **said.get("start", {})}
    first = start.pop("first_dealer", None)
    table = TableState.from_json(start).to_json()
    said["start"] = {**table, "first_dealer": table["dealer"] if first is None else first}
    if said.get("rotation", CUSTOM) == CUSTOM:
        said["rotation"] = system.conventions.rotation.value
    return Agreed(rules=system.id, **said)


def body_shapes() -> dict[str, Shape]:
    """Return the shape of every field in a request."""
    return {one.name: one.metadata["body"] for one in fields(Agreed)}


def file_shapes() -> tuple[dict[str, Shape], dict[str, Shape]]:
    """Return the shapes of the fields that every file has, and of those that only later ones have."""
    found = [(one.name, one.metadata["file"]) for one in fields(Agreed)]
    first = 1 + [name for name, _ in found].index("course")
    return dict(found[:first]), dict(found[first:])


def read_agreed(said: Mapping[str, Any]) -> Agreed:
    """Return what a request or a file of these shapes says; its other fields are left alone.

    Raises:
        InvalidRequest: as :func:`agree`.
    """
    return agree(**{one.name: one.metadata["read"](said[one.name]) for one in fields(Agreed) if one.name in said})


def agreed_json(agreed: Agreed) -> dict[str, Any]:
    """Return every field as JSON."""
    return {one.name: one.metadata["write"](getattr(agreed, one.name)) for one in fields(Agreed)}
