"""Reads the fields of a score request by type: seats, tiles, melds, numbers; every fault is recorded with its field."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, TypeVar

from scoring.basics.context_field import ContextField
from scoring.context import Liable, Win
from scoring.errors import Fault, HupaiError, InvalidRequest, choice_message, quote_name, quote_value
from scoring.hand import Meld, MeldType
from scoring.seats import Seat
from scoring.tiles import BY_CODE, Tile
from scoring.words.sentence import say, say_many
from scoring.written import read_tile, read_tiles

MAX_NUMBER: Final = 1000
"""The largest number that a field accepts."""
_MAX_TILES = 200  # tiles in one list; longer lists are not hands and would only make the message long
_MAX_NAMED = 20  # unknown fields named one by one
_SEAT_PAIRS = 12  # ordered pairs of seats, one feeding the other

_MEMBERS: dict[type[StrEnum], dict[str, Any]] = {kind: {m.value: m for m in kind} for kind in (Seat, Win, MeldType)}

E = TypeVar("E", bound=StrEnum)

_LIST: Final = "{field} is a list such as {example}."
OBJECT: Final = "{field} is an object such as {example}."
_FED: Final = "{field} is an object such as {example}: N fed S three sets."


def type_message(template: str, field: str, example: str) -> str:
    """Return the message for a field of the wrong type, with an example; see :data:`OBJECT`."""
    return say(template, field=field, example=example)


class FieldReader:
    """Reads values of a request; one of the wrong type becomes a fault, and is replaced by None or a harmless value.

    Attributes:
        faults: those found so far.
    """

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, code: str, message: str, field: str) -> None:
        """Record another fault."""
        self.faults.append(Fault(code, message, field))

    def unknown(self, data: Mapping[Any, Any], known: Sequence[str], inside: str) -> None:
        """Record faults for unknown names, the first of them by name."""
        if data.keys() <= _names(known):
            return
        unknown = [quote_name(name) for name in data if name not in known]
        for name in unknown[:_MAX_NAMED]:
            message = say("Unknown field {field}; there are {names}.", field=f"{inside}{name}", names=", ".join(known))
            self.fault("unknown_field", message, f"{inside}{name}")
        if len(unknown) > _MAX_NAMED:
            more = len(unknown) - _MAX_NAMED
            message = say_many("{n} more unknown field.", "{n} more unknown fields.", more)
            self.fault("unknown_field", message, inside or "request")

    def answer(self, ask: ContextField, value: object, field: str, liable_kinds: Collection[str] = ()) -> Any:
        """Return the value of a context field, of the type of its question."""
        if ask.kind == "liable":
            return self.liable(value, field, liable_kinds)
        if value in ask.words:
            return value
        if ask.kind == "responsible" and value is not None and value not in ask.values:
            self.fault("bad_value", choice_message(field, ask.values, value), field)
            return None
        return _KINDS[ask.kind](self, value, field)

    def tiles(self, value: object, field: str) -> tuple[Tile, ...]:
        """Return a list of tiles, or a run such as ``123m55z``, as tiles."""
        if value is None:
            return ()
        if isinstance(value, str):
            if len(value) > 8 * _MAX_TILES:
                message = say("{field} is {n} letters long; no hand is.", field=field, n=len(value))
                self.fault("bad_value", message, field)
                return ()
            try:
                found = read_tiles(value)
            except HupaiError as error:
                self.fault(error.code, error.message, field)
                return ()
        elif isinstance(value, (list, Sequence)):  # a list is recognised faster
            try:
                found = tuple([BY_CODE[code] for code in value[:_MAX_TILES]])
            except (KeyError, TypeError):  # name every invalid tile
                found = tuple(t for i, code in enumerate(value[:_MAX_TILES]) if (t := self.tile(code, f"{field}[{i}]")))
        else:
            message = say('{field} is a list of tiles or a run such as "123m55z".', field=field)
            self.fault("bad_value", message, field)
            return ()
        if len(value) > _MAX_TILES and not isinstance(value, str):
            message = say("{field} has {n} tiles; no hand has so many.", field=field, n=len(value))
            self.fault("bad_value", message, field)
        return found

    def one_tile(self, value: object, field: str) -> Tile | None:
        """Return a tile, or None."""
        return None if value is None else self.tile(value, field)

    def tile(self, value: object, field: str) -> Tile | None:
        """Return a tile."""
        try:
            if not isinstance(value, str):
                message = say('{field} is a tile such as "5m", not {value}.', field=field, value=quote_value(value))
                raise HupaiError(message, code="unknown_tile")
            return read_tile(value)
        except HupaiError as error:
            self.fault(error.code, error.message, field)
            return None

    def melds(self, value: object) -> tuple[Meld, ...]:
        """Return the declared sets that could be read."""
        if value is None:
            return ()
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > _MAX_TILES:
            self.fault(
                "bad_value", type_message(_LIST, "melds", '[{"type": "pung", "tiles": ["5z", "5z", "5z"]}]'), "melds"
            )
            return ()
        found = []
        for i, entry in enumerate(value):
            meld = self.meld(entry, f"melds[{i}]")
            if meld is not None:
                found.append(meld)
        return tuple(found)

    def meld(self, entry: object, field: str) -> Meld | None:
        """Return one declared set."""
        if not isinstance(entry, (dict, Mapping)):
            self.fault("bad_value", say("{field} is an object with type, tiles and from.", field=field), field)
            return None
        before = len(self.faults)
        self.unknown(entry, ("type", "tiles", "from"), f"{field}.")
        kind = self.enum(MeldType, entry.get("type"), f"{field}.type")
        tiles = self.tiles(entry.get("tiles"), f"{field}.tiles")
        source = self.seat(entry.get("from"), f"{field}.from")
        if len(self.faults) > before or kind is None:
            return None
        try:
            return _meld(kind, tiles, source)
        except InvalidRequest as error:
            self.faults.extend(Fault(f.code, f.message, field) for f in error.faults)
            return None

    def enum(self, kind: type[E], value: object, field: str) -> E | None:
        """Return a member of an enumeration, by its value."""
        members: Mapping[str, E] = _MEMBERS[kind]
        found = members.get(value) if isinstance(value, str) else None
        if found is None:
            self.fault("bad_value", choice_message(field, kind, value), field)
        return found

    def seat(self, value: object, field: str) -> Seat | None:
        """Return a seat, or None."""
        return None if value is None else self.enum(Seat, value, field)

    def flag(self, value: object, field: str) -> bool:
        """Return true or false."""
        if not isinstance(value, bool):
            message = say("{field} is true or false, not {value}.", field=field, value=quote_value(value))
            self.fault("bad_value", message, field)
        return value is True

    def number(self, value: object, field: str) -> int:
        """Return a small whole number."""
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_NUMBER:
            message = say("{field} is a small whole number, not {value}.", field=field, value=quote_value(value))
            self.fault("bad_value", message, field)
            return 1
        return value

    def liable(self, value: object, field: str, kinds: Collection[str] = ()) -> Liable | None:
        """Return a player who pays for others; the penalty may be left out if the rules have none, or ``other``."""
        if not isinstance(value, Mapping):
            self.fault("bad_value", type_message(OBJECT, field, '{"seat": "W", "kind": "nine_piece"}'), field)
            return None
        self.unknown(value, ("seat", "kind"), f"{field}.")
        seat = self.enum(Seat, value.get("seat"), f"{field}.seat")
        kind = value.get("kind")
        if kind is None and kinds and "other" not in kinds:
            message = say("{field}.kind is one of {names}; it is missing.", field=field, names=", ".join(kinds))
            self.fault("bad_value", message, f"{field}.kind")
            return None
        kind = "other" if kind is None else kind
        if not isinstance(kind, str):
            message = say("{field} is a word, not {value}.", field=f"{field}.kind", value=quote_value(kind))
            self.fault("bad_value", message, f"{field}.kind")
            return None
        return Liable(seat, kind) if seat is not None else None

    def discards(self, value: object, field: str) -> tuple[tuple[Seat, Tile], ...]:
        """Return the discards of a turn, in order."""
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > _MAX_TILES:
            self.fault("bad_value", type_message(_LIST, field, '[{"seat": "W", "tile": "8s"}]'), field)
            return ()
        found = []
        for i, entry in enumerate(value):
            inside = f"{field}[{i}]"
            if not isinstance(entry, Mapping):
                self.fault("bad_value", say("{field} is an object with seat and tile.", field=inside), inside)
                continue
            self.unknown(entry, ("seat", "tile"), f"{inside}.")
            seat = self.enum(Seat, entry.get("seat"), f"{inside}.seat")
            thrown = self.tile(entry.get("tile", ""), f"{inside}.tile")
            if seat is not None and thrown is not None:
                found.append((seat, thrown))
        return tuple(found)

    def fed(self, value: object, field: str) -> dict[tuple[Seat, Seat], int]:
        """Return how many sets each seat fed another."""
        if not isinstance(value, Mapping):
            self.fault("bad_value", type_message(_FED, field, '{"N>S": 3}'), field)
            return {}
        if len(value) > _SEAT_PAIRS:
            template = "{field} has {n} entries; four seats make {m} pairs."
            self.fault("bad_value", say(template, field=field, n=len(value), m=_SEAT_PAIRS), field)
            return {}
        found = {}
        for pair, number in value.items():
            seats = str(pair).split(">")
            if len(seats) != 2 or not all(s in list(Seat) for s in seats) or seats[0] == seats[1]:
                template = "{field} names two seats, as in N>S, not {value}."
                self.fault("bad_value", say(template, field=field, value=quote_name(pair)), field)
                continue
            if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= 4:
                template, one = "{field} is a number of sets, 0 to 4, not {value}.", f"{field}.{quote_name(pair)}"
                self.fault("bad_value", say(template, field=one, value=quote_value(number)), field)
                continue
            found[Seat(seats[0]), Seat(seats[1])] = number
        return found


@lru_cache(maxsize=64)
def _names(known: Sequence[str]) -> frozenset[str]:
    return frozenset(known)


@lru_cache(maxsize=1 << 12)
def _meld(kind: MeldType, tiles: tuple[Tile, ...], source: Seat | None) -> Meld:
    """Return the meld, cached: there are few, and each is checked thoroughly."""
    return Meld(kind, tiles, source)


_KINDS: Final[Mapping[str, Callable[[FieldReader, Any, str], Any]]] = {
    "switch": FieldReader.flag,
    "number": FieldReader.number,
    "seat": FieldReader.seat,
    "tile": FieldReader.one_tile,
    "tiles": FieldReader.tiles,
    "responsible": FieldReader.seat,
    "discards": FieldReader.discards,
    "fed": FieldReader.fed,
}
"""Kind of a context field -> the method that reads it."""
