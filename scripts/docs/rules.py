"""The page of a rule system, made from its rule file and its worked hands.

Elements, house rules and questions come from the system itself, the examples from tests/golden/, scored while the page
is made; the order of counting and the sources from docs/rules/README.md, which is written by hand.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from scoring.fields.table import questions_of
from scoring.options import format_value
from scoring.request import respond
from scoring.system import RuleSystem
from scoring.tiles import Tile, format_tiles, tile
from scripts.docs import table
from scripts.docs.hands import example, groups_of, worked_hands
from scripts.docs.reference import in_words, reference

ROOT: Final = Path(__file__).resolve().parents[2]
BY_HAND: Final = ROOT / "docs" / "rules" / "README.md"
EXAMPLES: Final = 4
"""Worked hands on a page."""

_BONUS: Final = {"f": "flowers `f1`-`f4`", "g": "seasons `g1`-`g4`", "a": "animals `a1`-`a4`"}
_SEATS: Final = {"E": "east", "S": "south", "W": "west", "N": "north"}


def page(system: RuleSystem[Any]) -> str:
    """The Markdown page of a system."""
    worked = worked_hands(system)
    house = []
    for o in system.options:
        values = ", ".join(map(format_value, o.values)) or o.accepts
        house.append((f"`{o.name}`", "as listed" if o.default == {} else format_value(o.default), values, o.doc))
    more = [_BONUS[letter] for letter in system.bonus_letters]
    more += ["red fives `0m` `0p` `0s`"] if system.red_fives else []
    kinds = f"Beside the 34 kinds it plays with {', '.join(more)}." if more else "It plays with the 34 kinds only."
    values = "factors: they are multiplied" if system.unit == "factor" else f"{system.unit}: they are added"
    known = ", ".join(f"`{word}`" for word in system.aliases)
    parts = [
        f"# {system.name} {system.native}",
        f"Name it `{system.id}` (also {known}). Values are {values}. {kinds}",
        "[How tiles are written](../tiles.md), with pictures; [the score request](../request.md), every field of it.",
        "## Elements",
        *_elements(system),
        *_by_hand(system),
        *reference(system, worked),
        "## House rules",
        table(("option", "default", "values", "what it does"), house),
        *_reasons(system.option_class),
        "## Asked besides seat, win and from",
        table(("field", "default", "what it is"), _questions(system)) if system.asks else "Nothing.",
    ]
    if chosen := examples(worked):
        parts += ["## Examples", *map(_example, chosen)]
    return "\n\n".join(parts) + "\n"


def examples(worked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A few worked hands, each with elements that the ones before did not show; the richest first."""
    left = [case for case in worked if case["expected"]["legal"]]
    seen: set[str] = set()
    chosen: list[dict[str, Any]] = []
    while left and len(chosen) < EXAMPLES:
        best = max(left, key=lambda case: len(case["expected"]["elements"].keys() - seen))
        left.remove(best)
        seen |= best["expected"]["elements"].keys()
        chosen.append(best)
    return chosen


def _by_hand(system: RuleSystem[Any]) -> list[str]:
    """How the system counts and pays, and its sources: its part of the page that is written by hand, if it has one."""
    _, _, part = BY_HAND.read_text(encoding="utf-8").partition(f"\n## {system.name} {system.native}\n")
    text = re.split(r"^## ", part, maxsplit=1, flags=re.MULTILINE)[0].strip()
    return ["## Counting, payments, sources", text] if text else []


def _elements(system: RuleSystem[Any]) -> list[str]:
    """One table for each group, groups in the order they first appear."""
    groups: dict[str, list[tuple[str, ...]]] = {}
    for e in system.elements:
        hand = example(system.id, e.id)
        shown = " &nbsp; ".join("".join(map(_picture, group)) for group in groups_of(hand)) if hand else ""
        groups.setdefault(e.group, []).append((f"{e.name} {e.native}", f"`{e.id}`", e.value, e.condition, shown))
    parts = []
    for group, rows in groups.items():
        parts += [f"### {group}"] if group else []
        parts.append(table(("element", "id", "value", "when", "for example"), rows))
    return parts


def _picture(t: Tile) -> str:
    return f'<img src="../img/tile/{t.code}.png" alt="{t.code}" height="28">'


def _reasons(options: type[Any]) -> list[str]:
    """Why the defaults are what they are: the list in the docstring of the options, where there is one."""
    _, bullet, text = (inspect.getdoc(options) or "").partition("\n- ")
    return ["### Why these defaults", f"- {text.replace('``', '`')}"] if bullet else []


def _questions(system: RuleSystem[Any]) -> Iterator[tuple[str, ...]]:
    for ask in questions_of(system):
        doc = ask["doc"]
        if ask["name"] == "liable" and system.liable_kinds:
            doc += "; kinds: " + "; ".join(f"`{kind}` {words}" for kind, words in system.liable_kinds.items())
        default = ask["default"]
        yield f"`{ask['name']}`", "none" if default in (None, [], {}) else format_value(default), doc


def _example(case: dict[str, Any]) -> str:
    request = case["request"]
    response = respond(request)
    lines = "\n".join(f"- {sentence}" for sentence in response["explanation"])
    net = response["payments"]
    money = ", ".join(f"{name} {net[seat]}" for seat, name in _SEATS.items())
    title = f"### {case['id']}" + (f": {case['note']}" if case.get("note") else "")
    return f"{title}\n\n{_asked(request)}\n\n{lines}\n\nIn all: {money}."


def _asked(request: dict[str, Any]) -> str:
    """The request in a sentence."""
    parts = [f"`{_compact(request['concealed'])}`"] if request["concealed"] else []
    for meld in request.get("melds") or []:
        source = f" from {_SEATS[meld['from']]}" if meld.get("from") else ""
        parts.append(f"{meld['type'].replace('_', ' ')} `{_compact(meld['tiles'])}`{source}")
    if request.get("bonus"):
        parts.append(f"bonus `{_compact(request['bonus'])}`")
    if request.get("winning_tile"):
        parts.append(f"won with `{request['winning_tile']}`")
    context = [f"`{name}` {in_words(value)}" for name, value in request["context"].items() if value is not None]
    house = [f"`{name}={in_words(value)}`" for name, value in request.get("options", {}).items()]
    sentences = [", ".join(parts), "Context: " + ", ".join(context)]
    if house:
        sentences.append("House rules: " + ", ".join(house))
    return ". ".join(sentences) + "."


def _compact(tiles: str | list[str]) -> str:
    return tiles if isinstance(tiles, str) else format_tiles(tile(code) for code in tiles)
