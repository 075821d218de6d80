"""Score requests and responses as JSON objects: all faults of a request are named at once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeVar

from scoring.basics.context_field import context_fields
from scoring.context import Context, Win
from scoring.errors import Fault, HupaiError, InvalidRequest, choice_message, quote_name, quote_value
from scoring.fields.reader import OBJECT, FieldReader, field_names, type_message
from scoring.fields.ways import ways_to_read
from scoring.hand import Hand
from scoring.options import parse_options
from scoring.rulebook.presets import Preset
from scoring.rulebook.result import Result
from scoring.rules import preset_named, system_named, systems
from scoring.score import Score, score_case, score_result
from scoring.seats import Seat
from scoring.system import Case, RuleSystem
from scoring.words.sentence import say

T = TypeVar("T")

_NEEDED: Final = {"seat": Seat, "win": Win}
_HAND_FIELDS: Final = ("concealed", "melds", "winning_tile", "bonus")
_OTHER_FIELDS: Final = ("id", "rules", "preset", "why", "open", "options")
_REQUEST_FIELDS: Final = field_names(*_OTHER_FIELDS, *_HAND_FIELDS, "result", "context")
_NO_HAND: Final = Hand.build_with_faults((), (), None, ())[0]


class Request(NamedTuple):
    """A parsed score request: ``id`` is echoed, ``case`` holds hand, context and house rules.

    ``with_why``: the response says why the score is no higher. ``with_open``: it says what open questions would change.
    ``result``: given instead of tiles; then the case has no hand.
    """

    id: object
    system: RuleSystem[Any]
    case: Case[Any]
    with_why: bool = False
    with_open: bool = False
    result: Result | None = None

    def respond(self) -> dict[str, Any]:
        """Return the score response, including what else was requested."""
        return self.score().to_json(self.id, with_why=self.with_why, with_open=self.with_open)

    def score(self) -> Score:
        """The score of the request (see :func:`scoring.score.score_case` and :func:`scoring.score.score_result`)."""
        if self.result is not None:
            return score_result(self.system, self.case, self.result)
        return score_case(self.system, self.case)


def parse_request(data: object) -> Request:
    """Parse a score request from its JSON object.

    Raises:
        InvalidRequest: everything that is wrong, each fault with its field.
    """
    if not isinstance(data, (dict, Mapping)):  # a dict is recognised faster
        raise InvalidRequest('A request is a JSON object, such as {"rules": "riichi", ...}.', code="bad_request")
    reader = _RequestReader(data)
    request = reader.read()
    if request is None:
        raise InvalidRequest.of(reader.faults)
    return request


def circumstances_faults(data: Mapping[str, Any]) -> list[Fault]:
    """Return the faults in the rules, options and context of a request, without looking at its hand."""
    return _RequestReader(data).circumstances()


def respond(data: object) -> dict[str, Any]:
    """Return the response to a request; for an invalid one, an ``error`` object instead of an exception."""
    try:
        return parse_request(data).respond()
    except HupaiError as error:
        request_id = data.get("id") if isinstance(data, Mapping) else None
        return {"id": request_id if _can_be_written(request_id) else None, "error": error.to_json()}


def _can_be_written(value: object) -> bool:
    """Whether JSON can represent the value: it has no infinity, which is how Python reads 1e999."""
    if value is None or isinstance(value, str):
        return True
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


class _RequestReader(FieldReader):
    """Reads one request, collecting faults instead of stopping at the first.

    Attributes:
        data: the request. unread: fields that could not be read completely.
        preset: the preset it names, once the system has been determined.
    """

    def __init__(self, data: Mapping[Any, Any]) -> None:
        super().__init__()
        self.data = data
        self.unread: set[str] = set()
        self.preset: Preset | None = None

    def read(self) -> Request | None:
        data = self.data
        self.unknown(data, _REQUEST_FIELDS, "")
        request_id = data.get("id")
        if not _can_be_written(request_id):
            self.fault("bad_value", "id cannot be echoed: JSON has no such number or nesting.", "id")
        why = data.get("why") is not None and self.flag(data["why"], "why")
        open_too = data.get("open") is not None and self.flag(data["open"], "open")
        system = self._system()
        options = self._options(system)
        without_tiles = data.get("result") is not None
        result = self._result() if without_tiles else None
        hand = _NO_HAND if without_tiles else self._hand(system, options)
        context = self._context(system)
        checked = self._checked(context, system) if context is not None else None
        if system is None or options is None or context is None:
            return None
        if checked is not None and not self.faults:
            return Request(request_id, system, Case(hand, checked, options), why, open_too, result)
        if not without_tiles:
            self._more_faults(system, Case(hand, checked or system.context_class.build_unchecked(**context), options))
        return None

    def circumstances(self) -> list[Fault]:
        system = self._system()
        self._options(system)
        context = self._context(system)
        if context is not None:
            self._checked(context, system)
        return self.faults

    def _checked(self, context: Mapping[str, Any], system: RuleSystem[Any] | None) -> Context | None:
        """Return the context, or None after recording contradictions that no rules allow."""
        try:
            return (system.context_class if system else Context)(**context)
        except InvalidRequest as error:
            self.faults.extend(error.faults)
            return None

    def _more_faults(self, system: RuleSystem[Any], case: Case[Any]) -> None:
        """Record faults found by the rules, unless already found or caused by fields that could not be read."""
        known = {fault.message for fault in self.faults}
        doubtful = {field for name in self.unread for field in _led_to(system, name)}
        for fault in system.faults(case):
            if fault.message in known or fault.field in doubtful:
                continue
            # If some melds could not be read, the numbers of the others are not those of the request.
            numbered = "melds" in self.unread and (fault.field or "").startswith("melds[")
            self.faults.append(replace(fault, field="melds") if numbered else fault)

    def _system(self) -> RuleSystem[Any] | None:
        """Return the rule system, as named or as the preset's; a preset's house rules only apply to its own rules."""
        name = self.data.get("preset")
        if name is None:
            return self._named_system()
        owner: RuleSystem[Any] | None = None
        if isinstance(name, str):
            owner, self.preset = self._try(preset_named, name) or (None, None)
        else:
            self.bad_value('{field} is a name such as "ema", not {value}.', "preset", value=quote_value(name))
        system = owner if self.data.get("rules") is None else self._named_system()
        if owner is not None and system is not None and owner is not system:
            template = "{name} is a preset of {a}, not of {b}: leave one of them out."
            message = say(template, name=quote_name(name), a=say(owner.name), b=say(system.name))
            self.fault("contradiction", message, "preset")
            self.preset = None
        return system

    def _named_system(self) -> RuleSystem[Any] | None:
        name = self.data.get("rules")
        if isinstance(name, str):
            return self._try(system_named, name)
        self.fault("unknown_rules", choice_message("rules", systems(), name), "rules")
        return None

    def _options(self, system: RuleSystem[Any] | None) -> object:
        given = self.data.get("options")
        if given is not None and not isinstance(given, Mapping):
            self.fault("bad_value", type_message(OBJECT, "options", '{"table": "canton"}'), "options")
            return None
        if system is None:
            return None
        house = {str(name): value for name, value in given.items()} if given else {}
        if self.preset is not None:
            house = {**self.preset.options, **house}
        options, faults = parse_options(system.option_class, house, system.name)
        self.faults.extend(faults)
        return options

    def _result(self) -> Result | None:
        """Return the result given instead of tiles."""
        for name in _HAND_FIELDS:
            if self.data.get(name):
                message = say("A result is given instead of tiles: leave {field} out.", field=name)
                self.fault("contradiction", message, name)
        return self._try(Result.of, self.data["result"])

    def _try(self, read: Callable[[Any], T], value: object) -> T | None:
        """Return what a function makes of a value, or None after recording why it refuses it."""
        try:
            return read(value)
        except InvalidRequest as error:
            self.faults.extend(error.faults)
            return None

    def _hand(self, system: RuleSystem[Any] | None, options: object) -> Hand:
        """Return the hand as far as it can be read; a faulty or incomplete one is only for finding further faults."""
        data, before = self.data, len(self.faults)
        concealed = self.tiles(data.get("concealed"), "concealed")
        bonus = self.tiles(data.get("bonus"), "bonus")
        winning = data.get("winning_tile")
        winning = None if winning == "" else self.one_tile(winning, "winning_tile")  # an empty field means none
        melds = self.melds(data.get("melds"))
        sets = system.shapes.sets if system else 4
        kita = system is not None and options is not None and system.sets_norths_aside(options)
        if len(self.faults) > before:
            self.unread.update((fault.field or "").partition("[")[0] for fault in self.faults[before:])
        hand, faults = Hand.build_with_faults(concealed, melds, winning, bonus, sets, kita)
        if faults:
            guessed = self.unread & {"concealed", "melds"}
            self.faults += [fault for fault in faults if not (guessed and fault.code == "wrong_count")]
            if winning is not None and not winning.is_playable:
                self.unread.add("winning_tile")
                hand, _ = Hand.build_with_faults(concealed, melds, None, bonus, sets, kita)
        return hand

    def _context(self, system: RuleSystem[Any] | None) -> dict[str, Any] | None:
        """Return the fields that the rules know and that have the right type; None without the two all depend on."""
        data = self.data.get("context")
        if not isinstance(data, (dict, Mapping)):
            self.fault("bad_value", type_message(OBJECT, "context", '{"seat": "S", "win": "self_draw"}'), "context")
            return None
        ways = ways_to_read(system)
        self.unknown(data, ways.keys(), "context.")
        before, values = len(self.faults), dict[str, Any]()
        for name, value in data.items():
            if value is not None and (way := ways.get(name)):
                target, field, read = way
                values[target] = read(self, value, field)
        for name, kind in _NEEDED.items():
            if data.get(name) is None:
                self.enum(kind, None, f"context.{name}")
        if len(self.faults) > before:
            places = {name: place for place, name in enumerate(ways)}
            self.faults[before:] = wrong = sorted(self.faults[before:], key=lambda fault: places[_field_of(fault)])
            for name in map(_field_of, wrong):
                self.unread.add(f"context.{name}")
                values.pop(ways[name][0], None)
        values.pop("", None)
        return values if _NEEDED.keys() <= values.keys() else None


def _field_of(fault: Fault) -> str:
    """Return the field of the context that a fault is in: ``fed`` of ``context.fed.N>S``."""
    return re.split(r"[.[]", fault.field or "", maxsplit=2)[1]


def _led_to(system: RuleSystem[Any], name: str) -> tuple[str, ...]:
    """Return the fields that may seem wrong only because this one could not be read.

    The kan of a replacement tile, the riichi of ippatsu; all other faults remain true without it.
    """
    known = context_fields(system.context_class)
    if name.startswith("context."):
        ask = known.get(name.removeprefix("context."))
        return ask.leads_to if ask else ()
    own = ("winning_tile",) if name == "winning_tile" else ()
    return (*own, *(f"context.{field}" for field, ask in known.items() if name in ask.follows))
