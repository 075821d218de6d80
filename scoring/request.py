"""Score requests and responses as JSON objects: all faults of a request are named at once."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from scoring.basics.context_field import ContextField, context_fields
from scoring.context import Context, Win
from scoring.errors import Fault, HupaiError, InvalidRequest, choice_message, quote_name, quote_value
from scoring.fields.reader import OBJECT, FieldReader, type_message
from scoring.fields.table import ALWAYS, all_context_fields, field_positions
from scoring.hand import Hand
from scoring.options import default_options, parse_options
from scoring.rulebook.presets import Preset
from scoring.rulebook.result import Result
from scoring.rules import preset_named, system_named, systems
from scoring.score import Score, score_case, score_result
from scoring.seats import Seat
from scoring.system import Case, RuleSystem
from scoring.words.sentence import say

_HAND_FIELDS: Final = ("concealed", "melds", "winning_tile", "bonus")
_REQUEST_FIELDS = ("id", "rules", "preset", "why", "open", "options", *_HAND_FIELDS, "result", "context")
_FROM: Final = ContextField("seat", None, "whose tile it was")
_NO_HAND: Final = Hand.build_with_faults((), (), None, ())[0]
UNREAD: Final = object()
"""Stands for a value that could not be read."""


@dataclass(frozen=True, slots=True)
class Request:
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
    if not isinstance(data, Mapping):
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
    request_id = data.get("id") if isinstance(data, Mapping) else None
    if not _can_be_written(request_id):
        request_id = None
    try:
        return parse_request(data).respond()
    except HupaiError as error:
        return {"id": request_id, "error": error.to_json()}


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
        if not _can_be_written(data.get("id")):
            self.fault("bad_value", "id cannot be echoed: JSON has no such number or nesting.", "id")
        why, open_too = [self.flag(data[n], n) if data.get(n) is not None else False for n in ("why", "open")]
        system = self._system()
        options = self._options(system)
        without_tiles = data.get("result") is not None
        result = self._result() if without_tiles else None
        hand = _NO_HAND if without_tiles else self._hand(system, options)
        context = self._context(system)
        checked = self._checked(context, system) if context is not None else None
        if system is None or options is None or context is None:
            return None
        if without_tiles:
            if checked is None or result is None or self.faults:
                return None
            return Request(data.get("id"), system, Case(hand, checked, options), why, open_too, result)
        if checked is None or self.faults:
            self._more_faults(system, Case(hand, checked or system.context_class.build_unchecked(**context), options))
            return None
        return Request(data.get("id"), system, Case(hand, checked, options), why, open_too)

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
        if self.data.get("preset") is None:
            return self._named_system()
        name, owner = self.data["preset"], None
        if isinstance(name, str):
            try:
                owner, self.preset = preset_named(name)
            except InvalidRequest as error:
                self.faults.extend(error.faults)
        else:
            message = say('{field} is a name such as "ema", not {value}.', field="preset", value=quote_value(name))
            self.fault("bad_value", message, "preset")
        system = owner if self.data.get("rules") is None else self._named_system()
        if owner is not None and system is not None and owner is not system:
            template = "{name} is a preset of {a}, not of {b}: leave one of them out."
            message = say(template, name=quote_name(name), a=say(owner.name), b=say(system.name))
            self.fault("contradiction", message, "preset")
            self.preset = None
        return system

    def _named_system(self) -> RuleSystem[Any] | None:
        name = self.data.get("rules")
        if not isinstance(name, str):
            self.fault("unknown_rules", choice_message("rules", systems(), name), "rules")
            return None
        try:
            return system_named(name)
        except InvalidRequest as error:
            self.faults.extend(error.faults)
            return None

    def _options(self, system: RuleSystem[Any] | None) -> object:
        given = self.data.get("options")
        if system is not None and self.preset is None and (given is None or given == {}):
            return default_options(system.option_class)  # type: ignore[arg-type]
        given = {} if given is None else given
        if not isinstance(given, Mapping):
            self.fault("bad_value", type_message(OBJECT, "options", '{"table": "canton"}'), "options")
        elif system is not None:
            house = {**(self.preset.options if self.preset else {}), **{str(k): v for k, v in given.items()}}
            options, faults = parse_options(system.option_class, house, system.name)
            self.faults.extend(faults)
            return options
        return None

    def _result(self) -> Result | None:
        """Return the result given instead of tiles."""
        for name in _HAND_FIELDS:
            if self.data.get(name):
                message = say("A result is given instead of tiles: leave {field} out.", field=name)
                self.fault("contradiction", message, name)
        try:
            return Result.of(self.data["result"])
        except InvalidRequest as error:
            self.faults.extend(error.faults)
            return None

    def _hand(self, system: RuleSystem[Any] | None, options: object) -> Hand:
        """Return the hand as far as it can be read; a faulty or incomplete one is only for finding further faults."""
        sets = system.shapes.sets if system else 4
        kita = system is not None and options is not None and system.sets_norths_aside(options)
        before = len(self.faults)
        concealed = self.tiles(self.data.get("concealed"), "concealed")
        bonus = self.tiles(self.data.get("bonus"), "bonus")
        winning = self.data.get("winning_tile")
        winning = None if winning == "" else self.one_tile(winning, "winning_tile")  # an empty field means none
        melds = self.melds(self.data.get("melds"))
        if len(self.faults) > before:
            self.unread |= {(fault.field or "").partition("[")[0] for fault in self.faults[before:]}
        hand, faults = Hand.build_with_faults(concealed, melds, winning, bonus, sets, kita)
        if self.unread & {"concealed", "melds"}:
            faults = tuple(fault for fault in faults if fault.code != "wrong_count")
        self.faults.extend(faults)
        if winning is not None and not winning.is_playable:
            self.unread.add("winning_tile")
            hand, _ = Hand.build_with_faults(concealed, melds, None, bonus, sets, kita)
        return hand

    def _context(self, system: RuleSystem[Any] | None) -> dict[str, Any] | None:
        """Return the fields that the rules know and that have the right type; None without the two all depend on."""
        data = self.data.get("context")
        if not isinstance(data, Mapping):
            self.fault("bad_value", type_message(OBJECT, "context", '{"seat": "S", "win": "self_draw"}'), "context")
            return None
        own = context_fields(system.context_class if system else Context)
        values: dict[str, Any] = {}
        rest = [name for name in data if name in own and data[name] is not None]
        if any(name not in own and name not in ALWAYS for name in data):
            rest += self._fields_of_others(data, own)
        seat = self.enum(Seat, data.get("seat"), "context.seat")
        win = self.enum(Win, data.get("win"), "context.win")
        if data.get("from") is not None:
            values["source"] = self._answer(_FROM, data["from"], "from")
        if len(rest) > 1:
            rest.sort(key=field_positions().__getitem__)
        for name in rest:
            if name in own:
                values[name] = self._answer(own[name], data[name], name, system)
            else:
                ask = all_context_fields()[name]
                self.faults += ask.too_low(name, self._answer(ask, data[name], name, system))
        if self.unread:
            values = {name: value for name, value in values.items() if value is not UNREAD}
        if seat is None or win is None:
            return None
        values["seat"], values["win"] = seat, win
        return values

    def _fields_of_others(self, data: Mapping[str, Any], own: Collection[str]) -> list[str]:
        """Return the fields that only other rules know, and record faults for those that nobody knows."""
        self.unknown(data, tuple(field_positions()), "context.")
        table = all_context_fields()
        return [name for name, value in data.items() if name in table and name not in own and value is not None]

    def _answer(self, ask: ContextField, value: object, name: str, system: RuleSystem[Any] | None = None) -> Any:
        """Return a field's value, or UNREAD if something is wrong with it."""
        before = len(self.faults)
        found = self.answer(ask, value, f"context.{name}", system.liable_kinds if system else ())
        if len(self.faults) == before:
            return found
        self.unread.add(f"context.{name}")
        return UNREAD


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
