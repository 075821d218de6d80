"""Reads the fields of a score request by type: seats, tiles, melds, numbers; every fault is recorded with its field."""

from __future__ import annotations

from collections.abc import Collection, Iterator, KeysView, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, TypeVar

from scoring.context import Liable, Win
from scoring.errors import Fault, HupaiError, InvalidRequest, choice_message, quote_name, quote_value
from scoring.hand import Meld, MeldType
from scoring.seats import SEAT_OF, Seat
from scoring.tiles import BY_CODE, Tile
from scoring.words.sentence import say, say_many
from scoring.written import read_tile, read_tiles

MAX_NUMBER: Final = 1000
"""The largest number that a field accepts: more than any table counts, small enough for every sum of amounts."""
_MAX_TILES: Final = 200  # tiles in one list; longer lists are not hands and would only make the message long
_MAX_NAMED: Final = 20  # unknown fields named one by one
_SEAT_PAIRS: Final = 12  # ordered pairs of seats, one feeding the other


def field_names(*names: str) -> KeysView[str]:
    """Return names in their order, for :meth:`FieldReader.unknown`."""
    return dict.fromkeys(names).keys()


_MELD_FIELDS: Final = field_names("type", "tiles", "from")
_LIABLE_FIELDS: Final = field_names("seat", "kind")
_DISCARD_FIELDS: Final = field_names("seat", "tile")
_MEMBERS: dict[type[StrEnum], dict[str, Any]] = {kind: {m.value: m for m in kind} for kind in (Seat, Win, MeldType)}
_MELD_TYPES: Final = _MEMBERS[MeldType]

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

    def bad_value(self, template: str, field: str, **values: object) -> None:
        """Record that a field has a wrong value; the template names the field."""
        self.faults.append(Fault("bad_value", say(template, field=field, **values), field))

    def unknown(self, data: Mapping[Any, Any], known: KeysView[str], inside: str) -> None:
        """Record faults for unknown names, the first of them by name."""
        if data.keys() <= known:
            return
        unknown = [quote_name(name) for name in data if name not in known]
        for name in unknown[:_MAX_NAMED]:
            message = say("Unknown field {field}; there are {names}.", field=f"{inside}{name}", names=", ".join(known))
            self.fault("unknown_field", message, f"{inside}{name}")
        if len(unknown) > _MAX_NAMED:
            more = len(unknown) - _MAX_NAMED
            message = say_many("{n} more unknown field.", "{n} more unknown fields.", more)
            self.fault("unknown_field", message, inside or "request")

    def tiles(self, value: object, field: str) -> tuple[Tile, ...]:
        """Return a list of tiles, or a run such as ``123m55z``, as tiles."""
        if value is None:
            return ()
        if isinstance(value, list) and len(value) <= _MAX_TILES:  # nearly all
            try:
                return tuple(map(_tile_of, value))
            except (KeyError, TypeError):  # in another notation, or no tiles: one by one
                pass
        if isinstance(value, str):
            if len(value) > 8 * _MAX_TILES:
                self.bad_value("{field} is {n} letters long; no hand is.", field, n=len(value))
                return ()
            try:
                return read_tiles(value)
            except HupaiError as error:
                self.fault(error.code, error.message, field)
                return ()
        if not isinstance(value, Sequence):
            self.bad_value('{field} is a list of tiles or a run such as "123m55z".', field)
            return ()
        found = tuple(t for i, code in enumerate(value[:_MAX_TILES]) if (t := self.tile(code, f"{field}[{i}]")))
        if len(value) > _MAX_TILES:
            self.bad_value("{field} has {n} tiles; no hand has so many.", field, n=len(value))
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
        if isinstance(value, list) and len(value) <= _MAX_TILES:  # nearly all
            try:
                return tuple(map(_usual_meld, value))
            except (KeyError, TypeError, InvalidRequest):  # something is wrong, or in another notation: one by one
                pass
        entries = self._entries(value, "melds", '[{"type": "pung", "tiles": ["5z", "5z", "5z"]}]')
        return tuple([meld for entry, field in entries if (meld := self.meld(entry, field))])

    def meld(self, entry: object, field: str) -> Meld | None:
        """Return one declared set."""
        if not isinstance(entry, (dict, Mapping)):
            self.bad_value("{field} is an object with type, tiles and from.", field)
            return None
        before = len(self.faults)
        self.unknown(entry, _MELD_FIELDS, f"{field}.")
        kind = self.enum(MeldType, entry.get("type"), f"{field}.type")
        tiles = self.tiles(entry.get("tiles"), f"{field}.tiles")
        source = self.seat(entry.get("from"), f"{field}.from")
        if len(self.faults) > before or kind is None:
            return None
        try:
            return Meld(kind, tiles, source)
        except InvalidRequest as error:
            self.faults.extend(Fault(f.code, f.message, field) for f in error.faults)
            return None

    def enum(self, kind: type[E], value: object, field: str, names: Collection[str] = ()) -> E | None:
        """Return a member of an enumeration, by its value; ``names``: what a message says that there is."""
        found: E | None = _MEMBERS[kind].get(value) if isinstance(value, str) else None
        if found is None:
            self.fault("bad_value", choice_message(field, names or kind, value), field)
        return found

    def seat(self, value: object, field: str, names: Collection[str] = ()) -> Seat | None:
        """Return a seat, or None."""
        return None if value is None else self.enum(Seat, value, field, names)

    def flag(self, value: object, field: str) -> bool:
        """Return true or false."""
        if not isinstance(value, bool):
            self.bad_value("{field} is true or false, not {value}.", field, value=quote_value(value))
        return value is True

    def number(self, value: object, field: str) -> int:
        """Return a small whole number."""
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_NUMBER:
            self.bad_value("{field} is a small whole number, not {value}.", field, value=quote_value(value))
            return 1
        return value

    def liable(self, value: object, field: str, kinds: Collection[str] = ()) -> Liable | None:
        """Return a player who pays for others; the penalty may be left out if the rules have none, or ``other``."""
        if not isinstance(value, Mapping):
            self.fault("bad_value", type_message(OBJECT, field, '{"seat": "W", "kind": "nine_piece"}'), field)
            return None
        self.unknown(value, _LIABLE_FIELDS, f"{field}.")
        seat = self.enum(Seat, value.get("seat"), f"{field}.seat")
        kind = value.get("kind")
        if kind is None and kinds and "other" not in kinds:
            message = say("{field}.kind is one of {names}; it is missing.", field=field, names=", ".join(kinds))
            self.fault("bad_value", message, f"{field}.kind")
            return None
        kind = "other" if kind is None else kind
        if not isinstance(kind, str):
            self.bad_value("{field} is a word, not {value}.", f"{field}.kind", value=quote_value(kind))
            return None
        return Liable(seat, kind) if seat is not None else None

    def discards(self, value: object, field: str) -> tuple[tuple[Seat, Tile], ...]:
        """Return the discards of a turn, in order."""
        found = []
        for entry, inside in self._entries(value, field, '[{"seat": "W", "tile": "8s"}]'):
            if not isinstance(entry, Mapping):
                self.bad_value("{field} is an object with seat and tile.", inside)
                continue
            self.unknown(entry, _DISCARD_FIELDS, f"{inside}.")
            seat = self.enum(Seat, entry.get("seat"), f"{inside}.seat")
            thrown = self.tile(entry.get("tile", ""), f"{inside}.tile")
            if seat is not None and thrown is not None:
                found.append((seat, thrown))
        return tuple(found)

    def _entries(self, value: object, field: str, example: str) -> Iterator[tuple[object, str]]:
        """Return the entries of a list, each with its field."""
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > _MAX_TILES:
            self.fault("bad_value", type_message(_LIST, field, example), field)
            return
        for i, entry in enumerate(value):
            yield entry, f"{field}[{i}]"

    def fed(self, value: object, field: str) -> dict[tuple[Seat, Seat], int]:
        """Return how many sets each seat fed another."""
        if not isinstance(value, Mapping):
            self.fault("bad_value", type_message(_FED, field, '{"N>S": 3}'), field)
            return {}
        if len(value) > _SEAT_PAIRS:
            self.bad_value("{field} has {n} entries; four seats make {m} pairs.", field, n=len(value), m=_SEAT_PAIRS)
            return {}
        found = {}
        for pair, number in value.items():
            giver, _, taker = str(pair).partition(">")
            if giver == taker or not (giver in SEAT_OF and taker in SEAT_OF):
                self.bad_value("{field} names two seats, as in N>S, not {value}.", field, value=quote_name(pair))
            elif not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= 4:
                message, one = "{field} is a number of sets, 0 to 4, not {value}.", f"{field}.{quote_name(pair)}"
                self.fault("bad_value", say(message, field=one, value=quote_value(number)), field)
            else:
                found[SEAT_OF[giver], SEAT_OF[taker]] = number
        return found


_tile_of: Final = BY_CODE.__getitem__


def _usual_meld(entry: Any) -> Meld:
    """Return the declared set that an entry is, if all is right and every tile a code.

    Raises:
        KeyError, TypeError, InvalidRequest: it is not.
    """
    tiles = entry["tiles"]
    if isinstance(tiles, list) and len(tiles) <= 4 and entry.keys() <= _MELD_FIELDS:
        return _meld(entry["type"], tuple(tiles), entry.get("from"))
    raise TypeError


@lru_cache(maxsize=1 << 12)
def _meld(kind: str, codes: tuple[str, ...], source: str | None) -> Meld:
    """Return the meld, cached: there are few, and each is checked thoroughly."""
    tiles = tuple(map(_tile_of, codes))
    return Meld(_MELD_TYPES[kind], tiles, None if source is None else SEAT_OF[source])
