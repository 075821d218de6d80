"""The context and hand flags of the command line -> a score request (JSON object) of the contracts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scoring.errors import Fault, InvalidRequest
from scoring.rules import system_named
from scoring.tiles import parse_tiles


@dataclass(frozen=True, slots=True)
class Asked:
    """What the flags say: ``context`` in contract form, ``options`` by name, and tiles that overrule a photo."""

    rules: str
    context: dict[str, Any]
    options: dict[str, Any]
    hand: str | None = None
    winning: str | None = None
    melds: tuple[str, ...] = ()
    bonus: str | None = None

    def request(self, request_id: object, hand: dict[str, Any], dora: list[str] | None = None) -> dict[str, Any]:
        """The score request for this hand (contract form), the flags overruling what a camera saw."""
        tiles = dict(hand)
        if self.bonus is not None:
            tiles["bonus"] = self.bonus
        if self.winning is not None and hand.get("winning_tile") != self.winning:
            tiles = _with_winning(tiles, self.winning)
        context = dict(self.context)
        if dora and "dora_indicators" not in context:
            context["dora_indicators"] = dora
        if dora and len(dora) == 1 and "indicator" in _fields(self.rules):
            context.setdefault("indicator", dora[0])  # the tile that lies open in the wall
        return {"id": request_id, "rules": self.rules, "options": self.options, **tiles, "context": context}

    def typed_hand(self) -> dict[str, Any]:
        """The hand typed with ``--hand``, ``--winning``, ``--meld`` and ``--bonus``."""
        return {
            "concealed": self.hand or "",
            "melds": [parse_meld(text) for text in self.melds],
            "winning_tile": self.winning,
            "bonus": self.bonus or "",
        }


def _fields(rules: str) -> tuple[str, ...]:
    """The context fields that a rule system reads; none for unknown rules, which are refused elsewhere."""
    try:
        return system_named(rules).asks
    except InvalidRequest:
        return ()


def _with_winning(hand: dict[str, Any], winning: str) -> dict[str, Any]:
    """The same tiles with another of them named as the winning one."""
    concealed = list(hand.get("concealed") or [])
    seen = hand.get("winning_tile")
    if winning in concealed:
        concealed.remove(winning)
        if seen is not None:
            concealed.append(seen)
    return {**hand, "concealed": concealed, "winning_tile": winning}


_MELD = re.compile(r"(?:(?P<type>[a-z_]+):)?(?P<tiles>[0-9mpsz ]+)(?:@(?P<seat>[ESWN]))?")


def parse_meld(text: str) -> dict[str, Any]:
    """A meld written ``678s``, ``pung:555z@W`` or ``kong_concealed:1111m`` as a request's meld.

    Without a type, three in a run are a chow, three alike a pung, four alike an open kong.

    Raises:
        InvalidRequest: text that is no meld.
    """
    match = _MELD.fullmatch(text.strip())
    if match is None:
        message = f"{text!r:.40} is no meld; write 678s, pung:555z@W (from west) or kong_concealed:1111m."
        raise InvalidRequest.of([Fault("bad_meld", message, "melds")])
    tiles = parse_tiles(match["tiles"])
    kinds = {t.kind for t in tiles}
    guess = "kong_open" if len(tiles) == 4 else "pung" if len(kinds) == 1 else "chow"
    return {"type": match["type"] or guess, "tiles": [t.code for t in tiles], "from": match["seat"]}


def parse_options(given: Iterable[str]) -> dict[str, Any]:
    """House rules written ``name=value``; on off true false none, numbers and JSON objects are understood.

    Raises:
        InvalidRequest: text without ``=``, or a value that begins with ``{`` and is no JSON.
    """
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            message = f"--option is name=value, such as table=canton, not {text!r:.40}."
            raise InvalidRequest.of([Fault("bad_option", message, "options")])
        found[name.strip()] = _object(text, value) if value.lstrip().startswith("{") else _value(value.strip())
    return found


def _object(option: str, value: str) -> object:
    try:
        return json.loads(value, parse_float=str)  # decimals stay text here too
    except (ValueError, RecursionError):  # also a number of thousands of digits, or a value nested without end
        message = f"{option!r:.40} holds no JSON object; write --option 'remaining={{\"E\": 12}}'."
        raise InvalidRequest.of([Fault("bad_option", message, "options")]) from None


_WORDS: dict[str, object] = {
    **{"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False},
    **{"none": None, "null": None},
}


def _value(text: str) -> object:
    low = text.lower()
    if low in _WORDS:
        return _WORDS[low]
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text  # decimals stay text, so that they stay exact


def parse_liable(text: str) -> dict[str, str]:
    """``W:nine_piece`` as a request's ``liable``; without a penalty, ``kind`` is left out."""
    seat, _, kind = text.partition(":")
    return {"seat": seat, "kind": kind} if kind else {"seat": seat}


def parse_fed(given: Iterable[str]) -> dict[str, Any]:
    """``N>S=3`` (north fed south three sets) as a request's ``fed``."""
    return {pair: _value(number) for pair, _, number in (text.partition("=") for text in given)}
