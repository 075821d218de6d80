"""The flags of the command line -> the fields of a score request, and the faults of the flags themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hupai.basics.words import meld_type_of, seat_of, win_of
from hupai.messages import flag_of
from scoring.context import Win
from scoring.errors import Fault, HupaiError, InvalidRequest
from scoring.fields.table import all_context_fields, systems_reading
from scoring.options import parse_options as parse_house_rules
from scoring.request import circumstances_faults
from scoring.rules import preset_named, system_named
from scoring.seats import SEATS
from scoring.system import RuleSystem
from scoring.written import read_tiles

NO_MELDS: Final = "none"
"""``--meld none``: nothing was melded, whatever the photo looks like."""
DEFAULT_RULES: Final = "hongkong"
"""The rules if none are named."""


@dataclass(frozen=True, slots=True)
class Flags:
    """The content of the flags.

    Attributes:
        rules: a system's name, None where none was named. context: the fields given, in contract form.
        options: house rules by name.
        hand, winning, melds, bonus: tiles as typed; they override a photo.
        tiles: corrected tiles of the photo, ``5=7m`` (see :mod:`hupai.terminal.corrections`).
    """

    rules: str | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    hand: str | None = None
    winning: str | None = None
    melds: tuple[str, ...] = ()
    bonus: str | None = None
    tiles: tuple[str, ...] = ()

    @property
    def named_rules(self) -> str:
        """The rules to score under."""
        return self.rules or DEFAULT_RULES

    @property
    def system(self) -> RuleSystem[Any] | None:
        """The rules' system; None for unknown rules, which are refused elsewhere."""
        try:
            return system_named(self.named_rules)
        except InvalidRequest:
            return None

    def request(self, hand: Mapping[str, Any]) -> dict[str, Any]:
        """Return the score request for this hand (contract form)."""
        given = {"rules": self.named_rules, "options": dict(self.options), "context": dict(self.context)}
        return {"id": None, **given, **hand}

    def typed_hand(self) -> dict[str, Any]:
        """Return the hand typed with ``--hand``, ``--winning``, ``--meld`` and ``--bonus``."""
        return {
            "concealed": self.hand or "",
            "melds": self.given_melds(),
            "winning_tile": self.winning,
            "bonus": self.bonus or "",
        }

    def given_melds(self) -> list[dict[str, Any]]:
        """Return the melds typed, in contract form; see :func:`parse_meld`."""
        return [parse_meld(text) for text in self.melds if text.strip().lower() != NO_MELDS]

    def faults(self) -> list[Fault]:
        """Return faults of the flags that do not depend on the hand, reported before a photo is read."""
        missing = []
        if "seat" not in self.context:
            missing.append(Fault("missing", "Who won? Give --seat E, S, W or N.", "context.seat"))
        if "win" not in self.context:
            message = f"How was it won? Give --win {', '.join(Win)}."
            missing.append(Fault("missing", " or".join(message.rsplit(",", 1)), "context.win"))
        stand_in = {"seat": SEATS[0].value, "win": Win.SELF_DRAW.value}
        checked = replace(self, context={**stand_in, **self.context}) if missing else self
        faults = circumstances_faults(checked.request({}))
        if missing:  # with a placeholder for how it was won, contradictions mean nothing
            faults = [fault for fault in faults if fault.code != "contradiction"]
        return missing + self._unread_faults() + faults

    def _unread_faults(self) -> list[Fault]:
        """Return faults for flags that the rules never read."""
        system = self.system
        if system is None:
            return []
        house, _ = parse_house_rules(system.option_class, self.options, system.name)
        bonus = self.bonus is not None and not system.sets_norths_aside(house)
        given = [*self.context, *(["bonus"] if bonus else [])]
        faults = []
        for name in given:
            if name not in system.reads:
                others = " and ".join(", ".join(s.name for s in systems_reading(name)).rsplit(", ", 1))
                verb = "read" if " and " in others else "reads"
                message = f"{system.name} never reads {flag_of(name)}: {others} {verb} it."
                faults.append(Fault("flag_not_read", message, name))
        return faults


_MELD: Final = re.compile(r"(?:(?P<type>[^:@]+):)?(?P<tiles>[^:@]+)(?:@(?P<seat>[^:@]+))?")


def parse_meld(text: str) -> dict[str, Any]:
    """Parse a meld written ``678s``, ``pung:555z@W`` or ``kong_concealed:1111m`` into a request's meld.

    Without a type, three in a run are a chow, three alike a pung, four alike an open kong.

    Raises:
        InvalidRequest: text that is not a meld.
    """
    match = _MELD.fullmatch(text.strip())
    try:
        tiles = read_tiles(match["tiles"]) if match else ()
    except HupaiError:
        tiles = ()
    if match is None or not tiles:
        message = f"{text!r:.40} is not a meld; write 678s, pung:555z@W (from west) or kong_concealed:1111m."
        raise InvalidRequest.of([Fault("bad_meld", message, "melds")])
    kinds = {t.kind for t in tiles}
    guess = "kong_open" if len(tiles) == 4 else "pung" if len(kinds) == 1 else "chow"
    kind = meld_type_of(match["type"]) if match["type"] else guess
    seat = seat_of(match["seat"]) if match["seat"] else None
    return {"type": kind, "tiles": [t.code for t in tiles], "from": seat}


def add_preset(preset: str | None, rules: str | None, options: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """Return rules and house rules with those of a preset, which belong to one system and come after ``--option``.

    Raises:
        InvalidRequest: an unknown preset, or one of other rules.
    """
    if preset is None:
        return rules, options
    system, found = preset_named(preset)
    if rules is not None and system_named(rules) is not system:
        message = f"{found.id} is a preset of {system.name}: leave --rules or --preset out."
        raise InvalidRequest.of([Fault("usage", message, "preset")])
    return system.id, {**found.options, **options}


def parse_options(given: Iterable[str]) -> dict[str, Any]:
    """Parse house rules written ``name=value``; on off true false none, numbers and JSON objects are understood.

    Raises:
        InvalidRequest: text without ``=``, or a value that begins with ``{`` and is not JSON.
    """
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            message = f"--option is name=value, such as table=canton, not {text!r:.40}."
            raise InvalidRequest.of([Fault("bad_option", message, "options")])
        name = name.strip()
        if name in found:
            message = f"--option {name:.40} is given twice; give it once, such as values=animal=2,all_green=4."
            raise InvalidRequest.of([Fault("bad_option", message, "options")])
        found[name] = _parse_json_option(text, value) if value.lstrip().startswith("{") else _parse_value(value.strip())
    return found


def _parse_json_option(option: str, value: str) -> object:
    try:
        return json.loads(value, parse_float=str)  # decimals stay text here too
    except (ValueError, RecursionError):  # also a number of thousands of digits, or a value nested without end
        message = f"{option!r:.40} isn't a JSON object; write --option 'remaining={{\"E\": 12}}'."
        raise InvalidRequest.of([Fault("bad_option", message, "options")]) from None


_WORDS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("on", "true", "yes"), True),
    **dict.fromkeys(("off", "false", "no"), False),
    **dict.fromkeys(("none", "null")),
}


def _parse_value(text: str) -> object:
    low = text.lower()
    if low in _WORDS:
        return _WORDS[low]
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text  # decimals stay text, so that they stay exact


def parse_liable(text: str) -> dict[str, str]:
    """Parse ``W:nine_piece`` into a request's ``liable``; without a penalty, ``kind`` is left out."""
    seat, _, kind = text.partition(":")
    return {"seat": seat_of(seat), "kind": kind} if kind else {"seat": seat_of(seat)}


def parse_fed(given: Iterable[str]) -> dict[str, Any]:
    """Parse ``N>S=3`` (north fed south three sets) into a request's ``fed``."""
    found = {}
    for text in given:
        pair, _, number = text.partition("=")
        found[">".join(seat_of(seat) for seat in pair.split(">"))] = _parse_value(number)
    return found


def parse_discards(text: str) -> list[dict[str, str]]:
    """Parse ``W:8s E:3p`` (west discarded 8s, then east 3p) into a request's ``turn_discards``."""
    found = []
    for word in text.replace(",", " ").split():
        seat, _, thrown = word.partition(":")
        found.append({"seat": seat_of(seat), "tile": thrown})
    return found


_WORDED: Final[Mapping[str, Callable[[Any], object]]] = {
    "seat": seat_of,
    "responsible": seat_of,
    "liable": parse_liable,
    "fed": parse_fed,
    "discards": parse_discards,
}
"""Kinds of fields whose flags accept everyday words; all others are used as typed."""


def context_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the context of the given flags: field -> value in contract form, without unset ones."""
    return {name: _parse_field(name, value) for name, value in given.items() if _is_given(value)}


def _is_given(value: object) -> bool:
    return value is not None and value is not False and value != []


def _parse_field(name: str, value: Any) -> object:
    if name in ("seat", "from", "win"):
        return win_of(value) if name == "win" else seat_of(value)
    ask = all_context_fields()[name]
    if isinstance(value, str) and value.lower() in ask.words:
        return value.lower()
    return _WORDED[ask.kind](value) if ask.kind in _WORDED else value
