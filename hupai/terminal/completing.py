"""Shell completion: rules, seats, wins, house rules, penalties, learned sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import typer

from scoring.context import Win
from scoring.errors import HupaiError
from scoring.options import format_value
from scoring.rules import system_named, systems
from scoring.seats import SEATS
from scoring.system import RuleSystem

_SEATS = {"E": "east", "S": "south", "W": "west", "N": "north"}
_WINS = {Win.SELF_DRAW: "drawn by the winner", Win.DISCARD: "another's discard", Win.ROBBED_KONG: "out of a kong"}
Found = Iterator[tuple[str, str]]


def _begin(incomplete: str, found: Iterable[tuple[str, str]]) -> Found:
    return ((word, meaning) for word, meaning in found if word.lower().startswith(incomplete.lower()))


def complete_rules(incomplete: str) -> Found:
    """Complete rule systems; or their aliases, if no name begins like the input."""
    aliases = [(alias, s.name) for s in systems().values() for alias in s.aliases if alias.isascii()]
    return iter([*_begin(incomplete, ((s.id, s.name) for s in systems().values()))] or [*_begin(incomplete, aliases)])


def complete_seat(incomplete: str) -> Found:
    """East, south, west, north."""
    return _begin(incomplete, _SEATS.items())


def complete_win(incomplete: str) -> Found:
    """How a hand is won."""
    return _begin(incomplete, ((win.value, meaning) for win, meaning in _WINS.items()))


def complete_responsible(incomplete: str) -> Found:
    """Whom Zung Jung takes for responsible."""
    return _begin(incomplete, [("auto", "the discarder"), ("none", "nobody"), *_SEATS.items()])


def complete_option(ctx: typer.Context, incomplete: str) -> Found:
    """Complete house rules of the typed rules: their names, and after ``=`` their values."""
    found = []
    for option in _system(ctx).options:
        if not incomplete.startswith(f"{option.name}="):
            found.append((f"{option.name}=", option.doc))
            continue
        for value in option.values:
            found.append((f"{option.name}={format_value(value)}", "usual" if value == option.default else ""))
    return _begin(incomplete, found)


def complete_liable(ctx: typer.Context, incomplete: str) -> Found:
    """Complete a seat and a penalty of the typed rules."""
    kinds = _system(ctx).liable_kinds
    pairs = [(f"{seat.value}:{kind}", words) for seat in SEATS for kind, words in kinds.items()]
    return _begin(incomplete, pairs)


def complete_set(incomplete: str) -> Found:
    """Learned tile sets."""
    from hupai.store.files.learned_sets import sets_folder

    try:
        folder = sets_folder()
    except HupaiError:
        return iter(())
    return _begin(incomplete, ((path.stem, "") for path in sorted(folder.glob("*.npz"))))


def _system(ctx: typer.Context) -> RuleSystem[Any]:
    try:
        return system_named(ctx.params.get("rules") or "hongkong")
    except HupaiError:
        return system_named("hongkong")
