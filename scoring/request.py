"""Score requests and responses as JSON objects: every fault of a request is named at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from scoring.context import Context, Liable, Win
from scoring.errors import Fault, HupaiError, InvalidRequest, counted, told, told_name
from scoring.hand import Hand, Meld, MeldType
from scoring.options import parse_options
from scoring.rules import system_named, systems
from scoring.score import Score, score_case
from scoring.seats import Seat
from scoring.system import Case, RuleSystem
from scoring.tiles import Tile, parse_tiles, tile

_REQUEST_FIELDS = ("id", "rules", "options", "concealed", "melds", "winning_tile", "bonus", "context")
_FLAGS = (
    "last_tile",
    "replacement",
    "double_kong",
    "heavenly",
    "earthly",
    "humanly",
    "flower_win",
    "riichi",
    "double_riichi",
    "ippatsu",
)
_NUMBERS = ("streak", "floats", "kong_streak", "counters", "riichi_sticks")
_SEATS = ("banker", "wareme")
_CONTEXT_FIELDS = (
    *("seat", "round", "win", "from", "liable", "responsible", "turn_discards", "indicator", "fed"),
    *("dora_indicators", "ura_indicators"),
    *_FLAGS,
    *_NUMBERS,
    *_SEATS,
)
_LIMIT = 200  # tiles in one list; more is no hand and would only make the message long
_MOST_UNKNOWN = 20  # unknown fields named one by one
_MOST_PAIRS = 12  # ways that one seat feeds another
_NEED_ALL_TILES = ("winning_tile", "context.liable")
"""Fields of faults that tiles not read may cause."""
_EXPLAIN_OTHERS = frozenset((*_FLAGS, "floats", "kong_streak", "indicator"))
"""Fields of the context without which others may seem to contradict: a win by flowers, ippatsu without riichi."""

_MEMBERS: dict[type[StrEnum], dict[str, Any]] = {kind: {m.value: m for m in kind} for kind in (Seat, Win, MeldType)}

E = TypeVar("E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Request:
    """A parsed score request: ``id`` is echoed, ``case`` holds hand, context and house rules."""

    id: object
    system: RuleSystem[Any]
    case: Case[Any]

    def score(self) -> Score:
        """The score of the request (see :func:`scoring.score.score_case`)."""
        return score_case(self.system, self.case)


def parse_request(data: object) -> Request:
    """A score request from its JSON object.

    Raises:
        InvalidRequest: everything wrong with it, each fault with its field.
    """
    if not isinstance(data, Mapping):
        raise InvalidRequest('A request is a JSON object, such as {"rules": "riichi", ...}.', code="bad_request")
    reader = _Reader(data)
    request = reader.read()
    if request is None:
        raise InvalidRequest.of(reader.faults)
    return request


def respond(data: object) -> dict[str, Any]:
    """The response to a request; one that makes no sense gets an ``error`` object, never an exception."""
    request_id = data.get("id") if isinstance(data, Mapping) else None
    if not _can_be_written(request_id):
        request_id = None
    try:
        return parse_request(data).score().to_json(request_id)
    except HupaiError as error:
        return {"id": request_id, "error": error.to_json()}


def _can_be_written(value: object) -> bool:
    """Whether JSON has a word for it: none for infinity, which is how Python reads 1e999."""
    if value is None or isinstance(value, str):
        return True
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


class _Reader:
    """Reads one request, collecting faults instead of stopping at the first.

    Attributes:
        data: the request. faults: what is wrong with it so far. whole: every tile of the hand could be read.
    """

    def __init__(self, data: Mapping[Any, Any]) -> None:
        self.data = data
        self.faults: list[Fault] = []
        self.whole = True

    def fault(self, code: str, message: str, field: str) -> None:
        self.faults.append(Fault(code, message, field))

    def read(self) -> Request | None:
        data = self.data
        self._unknown(data, _REQUEST_FIELDS, "")
        if not _can_be_written(data.get("id")):
            self.fault("bad_value", "id cannot be echoed: JSON has no such number or nesting.", "id")
        system = self._system()
        options = self._options(system)
        hand = self._hand()
        context = self._context()
        checked = self._checked(context) if context is not None else None
        if system is None or hand is None or options is None or context is None:
            return None
        if checked is None or self.faults:
            self._more_faults(system, Case(hand, checked or Context.unchecked(**context), options))
            return None
        return Request(data.get("id"), system, Case(hand, checked, options))

    def _checked(self, context: Mapping[str, Any]) -> Context | None:
        """The context, or None with the contradictions that no rules allow."""
        try:
            return Context(**context)
        except InvalidRequest as error:
            self.faults.extend(error.faults)
            return None

    def _more_faults(self, system: RuleSystem[Any], case: Case[Any]) -> None:
        """What the rules find wrong beside all that was found already."""
        known = {fault.message for fault in self.faults}
        for fault in system.faults(case):
            if fault.message not in known and (self.whole or fault.field not in _NEED_ALL_TILES):
                self.faults.append(fault)

    def _unknown(self, data: Mapping[Any, Any], known: Sequence[str], inside: str) -> None:
        unknown = [told_name(name) for name in data if name not in known]
        for name in unknown[:_MOST_UNKNOWN]:
            message = f"Unknown field {inside}{name}; there are {', '.join(known)}."
            self.fault("unknown_field", message, f"{inside}{name}")
        if len(unknown) > _MOST_UNKNOWN:
            more = counted(len(unknown) - _MOST_UNKNOWN, "more unknown fields")
            self.fault("unknown_field", f"{more}.", inside or "request")

    def _system(self) -> RuleSystem[Any] | None:
        name = self.data.get("rules")
        if not isinstance(name, str):
            got = "it is missing" if name is None else f"not {told(name)}"
            self.fault("unknown_rules", f"rules is one of {', '.join(systems())}; {got}.", "rules")
            return None
        try:
            return system_named(name)
        except InvalidRequest as error:
            self.faults.extend(error.faults)
            return None

    def _options(self, system: RuleSystem[Any] | None) -> object:
        given = self.data.get("options")
        given = {} if given is None else given
        if not isinstance(given, Mapping):
            self.fault("bad_value", 'options is an object, such as {"table": "canton"}.', "options")
        elif system is not None:
            options, faults = parse_options(system.option_class, {str(k): v for k, v in given.items()}, system.name)
            self.faults.extend(faults)
            return options
        return None

    def _hand(self) -> Hand | None:
        before = len(self.faults)
        concealed = self._tiles(self.data.get("concealed"), "concealed")
        bonus = self._tiles(self.data.get("bonus"), "bonus")
        winning = self.data.get("winning_tile")
        winning = None if winning == "" else self._one_tile(winning, "winning_tile")  # an empty field is none
        melds = self._melds(self.data.get("melds"))
        unread = {(fault.field or "").partition("[")[0] for fault in self.faults[before:]}
        if unread & {"melds", "bonus"}:
            return None
        hand, faults = Hand.told(concealed, melds, winning, bonus)
        if unread:
            self.whole = False
            faults = tuple(fault for fault in faults if fault.code != "wrong_count")
        self.faults.extend(faults)
        if winning is not None and not winning.is_playable:
            self.whole = False
            hand, _ = Hand.told(concealed, melds, None, bonus)
        return hand

    def _tiles(self, value: object, field: str) -> tuple[Tile, ...]:
        if value is None:
            return ()
        if isinstance(value, str):
            if len(value) > 8 * _LIMIT:
                self.fault("bad_value", f"{field} is {len(value)} letters long; no hand is.", field)
                return ()
            try:
                found = parse_tiles(value)
            except HupaiError as error:
                self.fault(error.code, error.message, field)
                return ()
        elif isinstance(value, Sequence):
            try:
                found = tuple([tile(code) for code in value[:_LIMIT]])
            except HupaiError:  # name every tile that is none
                found = tuple(t for i, code in enumerate(value[:_LIMIT]) if (t := self._tile(code, f"{field}[{i}]")))
        else:
            self.fault("bad_value", f'{field} is a list of tiles or a run such as "123m55z".', field)
            return ()
        if len(value) > _LIMIT and not isinstance(value, str):
            self.fault("bad_value", f"{field} has {len(value)} tiles; no hand has so many.", field)
        return found

    def _one_tile(self, value: object, field: str) -> Tile | None:
        return None if value is None else self._tile(value, field)

    def _tile(self, value: object, field: str) -> Tile | None:
        try:
            if not isinstance(value, str):
                raise HupaiError(f'{field} is a tile such as "5m", not {told(value)}.', code="unknown_tile")
            return tile(value)
        except HupaiError as error:
            self.fault(error.code, error.message, field)
            return None

    def _melds(self, value: object) -> tuple[Meld, ...]:
        if value is None:
            return ()
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > _LIMIT:
            self.fault("bad_value", 'melds is a list such as [{"type": "pung", "tiles": ["5z", "5z", "5z"]}].', "melds")
            return ()
        found = []
        for i, entry in enumerate(value):
            meld = self._meld(entry, f"melds[{i}]")
            if meld is not None:
                found.append(meld)
        return tuple(found)

    def _meld(self, entry: object, field: str) -> Meld | None:
        if not isinstance(entry, Mapping):
            self.fault("bad_value", f"{field} is an object with type, tiles and from.", field)
            return None
        before = len(self.faults)
        self._unknown(entry, ("type", "tiles", "from"), f"{field}.")
        kind = self._enum(MeldType, entry.get("type"), f"{field}.type")
        tiles = self._tiles(entry.get("tiles"), f"{field}.tiles")
        source = self._seat(entry.get("from"), f"{field}.from")
        if len(self.faults) > before or kind is None:
            return None
        try:
            return Meld(kind, tiles, source)
        except InvalidRequest as error:
            self.faults.extend(Fault(f.code, f.message, field) for f in error.faults)
            return None

    def _enum(self, kind: type[E], value: object, field: str) -> E | None:
        members: Mapping[str, E] = _MEMBERS[kind]
        found = members.get(value) if isinstance(value, str) else None
        if found is None:
            got = "it is missing" if value is None else f"not {told(value)}"
            self.fault("bad_value", f"{field} is one of {', '.join(kind)}; {got}.", field)
        return found

    def _seat(self, value: object, field: str) -> Seat | None:
        return None if value is None else self._enum(Seat, value, field)

    def _context(self) -> dict[str, Any] | None:
        """The fields of the context that are of the right kind; None when one is not that others hang on."""
        data = self.data.get("context")
        if not isinstance(data, Mapping):
            self.fault("bad_value", 'context is needed, such as {"seat": "S", "win": "self_draw"}.', "context")
            return None
        self._unknown(data, _CONTEXT_FIELDS, "context.")
        seat = self._enum(Seat, data.get("seat"), "context.seat")
        win = self._enum(Win, data.get("win"), "context.win")
        values = self._context_values(data)
        return None if seat is None or win is None or values is None else {"seat": seat, "win": win, **values}

    def _context_values(self, data: Mapping[Any, Any]) -> dict[str, Any] | None:
        values: dict[str, Any] = {}
        refused: set[str] = set()

        def take(name: str, read: Callable[[object, str], Any], into: str | None = None) -> None:
            if data.get(name) is None:
                return
            before = len(self.faults)
            value = read(data[name], f"context.{name}")
            if len(self.faults) == before:
                values[into or name] = value
            else:
                refused.add(name)

        take("from", self._seat, "source")
        take("round", self._seat)
        for name in _SEATS:
            take(name, self._seat)
        for name in _FLAGS:
            take(name, self._flag)
        for name in _NUMBERS:
            take(name, self._number)
        for name in ("dora_indicators", "ura_indicators"):
            take(name, self._tiles)
        take("liable", self._liable)
        take("responsible", lambda v, f: v if v in ("auto", "none") else self._seat(v, f))
        take("turn_discards", self._discards)
        take("indicator", lambda v, f: v if v == "permanent" else self._one_tile(v, f))
        take("fed", self._fed)
        return None if refused & _EXPLAIN_OTHERS else values

    def _flag(self, value: object, field: str) -> bool:
        if not isinstance(value, bool):
            self.fault("bad_value", f"{field} is true or false, not {told(value)}.", field)
        return value is True

    def _number(self, value: object, field: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 1000:
            self.fault("bad_value", f"{field} is a small whole number, not {told(value)}.", field)
            return 1
        return value

    def _liable(self, value: object, field: str) -> Liable | None:
        if not isinstance(value, Mapping):
            self.fault("bad_value", f'{field} is an object such as {{"seat": "W", "kind": "nine_piece"}}.', field)
            return None
        self._unknown(value, ("seat", "kind"), f"{field}.")
        seat = self._enum(Seat, value.get("seat"), f"{field}.seat")
        kind = value.get("kind", "other")
        if not isinstance(kind, str):
            self.fault("bad_value", f"{field}.kind is a word, not {told(kind)}.", f"{field}.kind")
            return None
        return Liable(seat, kind) if seat is not None else None

    def _discards(self, value: object, field: str) -> tuple[tuple[Seat, Tile], ...]:
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > _LIMIT:
            self.fault("bad_value", f'{field} is a list such as [{{"seat": "W", "tile": "8s"}}].', field)
            return ()
        found = []
        for i, entry in enumerate(value):
            inside = f"{field}[{i}]"
            if not isinstance(entry, Mapping):
                self.fault("bad_value", f"{inside} is an object with seat and tile.", inside)
                continue
            self._unknown(entry, ("seat", "tile"), f"{inside}.")
            seat = self._enum(Seat, entry.get("seat"), f"{inside}.seat")
            thrown = self._tile(entry.get("tile", ""), f"{inside}.tile")
            if seat is not None and thrown is not None:
                found.append((seat, thrown))
        return tuple(found)

    def _fed(self, value: object, field: str) -> dict[tuple[Seat, Seat], int]:
        if not isinstance(value, Mapping):
            self.fault("bad_value", f'{field} is an object such as {{"N>S": 3}}: N fed S three sets.', field)
            return {}
        if len(value) > _MOST_PAIRS:
            self.fault("bad_value", f"{field} has {len(value)} entries; four seats make {_MOST_PAIRS} pairs.", field)
            return {}
        found = {}
        for pair, number in value.items():
            seats = str(pair).split(">")
            if len(seats) != 2 or not all(s in list(Seat) for s in seats) or seats[0] == seats[1]:
                self.fault("bad_value", f"{field} names two seats, as in N>S, not {told_name(pair)}.", field)
                continue
            if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= 4:
                self.fault(
                    "bad_value", f"{field}.{told_name(pair)} is a number of sets, 0 to 4, not {told(number)}.", field
                )
                continue
            found[Seat(seats[0]), Seat(seats[1])] = number
        return found
