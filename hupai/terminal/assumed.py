"""Finds assumptions that affect the score, by scoring the hand with every other answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from hupai.messages import flag_of
from hupai.terminal.flags import Flags
from scoring.basics.context_field import ContextField
from scoring.errors import InvalidRequest
from scoring.fields.table import context_field_of
from scoring.request import parse_request
from scoring.score import Score
from scoring.seats import SEATS
from scoring.system import RuleSystem
from scoring.tiles import PLAIN

_BONUS: Final = tuple(f"{letter}{number}" for letter in "fga" for number in range(1, 5))


def state_assumptions(request: Mapping[str, Any], score: Score, flags: Flags, *, seen: bool) -> str | None:
    """Return a sentence with every assumption that changes the score or the payments, by flags; None if there is none.

    Args:
        request: as it was scored. seen: the hand was read from a photo, so bonus tiles are known.
    """
    held: list[str] = [] if flags.rules else [f"--rules {score.system.id}"]
    absent: list[str] = []
    money = _money(score)
    for name in score.system.asks:
        if name in request["context"] or (name == "bonus" and (seen or request["bonus"])):
            continue
        ask = context_field_of(score.system, name)
        if not any(_differs(request, name, other, money) for other in _other_answers(score.system, ask, request)):
            continue
        default = ask.default
        if isinstance(default, (str, int)) and not isinstance(default, bool):
            held.append(f"{flag_of(name)} {default}")
        else:
            absent.append(flag_of(name))
    parts = [", ".join(held)] if held else []
    if absent:
        parts.append("no " + " or ".join(", ".join(absent).rsplit(", ", 1)))
    return f"Assumed, and it changes the outcome: {'; '.join(parts)}." if parts else None


def _money(score: Score) -> tuple[object, ...]:
    answer = score.to_json()
    return answer["legal"], answer["total"], answer["payments"], answer.get("payments_if_from")


def _differs(request: Mapping[str, Any], name: str, value: object, money: tuple[object, ...]) -> bool:
    changed = {**request, "bonus": value} if name == "bonus" else request
    context = request["context"] if name == "bonus" else {**request["context"], name: value}
    try:
        return _money(parse_request({**changed, "context": context}).score()) != money
    except InvalidRequest:  # an answer that is impossible for the hand
        return False


def _other_answers(system: RuleSystem[Any], ask: ContextField, request: Mapping[str, Any]) -> Iterator[object]:
    """Yield answers other than the default, one of each kind."""
    kind, default = ask.kind, ask.default
    if kind == "switch":
        yield True
    elif kind == "number":
        yield from (default + n for n in (1, 2, 10) if isinstance(default, int))
    elif kind in ("seat", "responsible"):
        yield from (v for v in ask.values if v != default)
    elif kind == "tiles":
        yield from ([tile.code] for tile in PLAIN if tile.is_playable)
    elif kind == "liable":
        for seat in SEATS:
            yield from ({"seat": seat.value, "kind": liable} for liable in system.liable_kinds)
    elif kind == "fed":
        winner = request["context"]["seat"]
        yield from ({f"{seat.value}>{winner}": 3} for seat in SEATS if seat.value != winner)
    elif kind == "bonus":
        yield from (code for code in _BONUS if code[0] in system.bonus_letters)
