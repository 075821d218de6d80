"""Messages as the command line words them: those of the English catalogue, with the flags that were typed."""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from scoring.errors import Fault
from scoring.fields.table import all_context_fields
from scoring.words.sentence import Joined, Sentence

_CATALOGUE: Final = Path(__file__).parent / "web" / "static" / "i18n"
_PARTS: Final = ("phrases.en.json", "terminal.en.json")
"""The page's texts, overridden by texts for the command line."""
_FLAGS: Final = {
    **{"winning_tile": "winning", "concealed": "hand", "melds": "meld", "options": "option"},
    **{name: ask.flag for name, ask in all_context_fields().items() if ask.flag},
}
"""Fields of a request whose flags have other names."""


def flag_of(name: str) -> str:
    """Return the flag of a field: ``--last-tile`` for ``last_tile``."""
    return "--" + _FLAGS.get(name, name).replace("_", "-")


def flag_at(path: str) -> str:
    """Return what was typed for a request's field, by its path: ``--option table``, ``the type of --meld number 2``."""
    name, *inside = path.removeprefix("context.").replace("[", ".").replace("]", "").split(".")
    flag = flag_of(name)
    if name == "melds" and inside:
        number, *part = inside
        return f"{f'the {part[0]} of ' if part else ''}{flag} number {int(number) + 1}"
    if name == "options":
        return " ".join((flag, *inside))
    part = [step for step in inside if not step.isdecimal()]
    return f"{flag}'s {part[0]}" if part else flag


def with_flags(fault: Fault) -> str:
    """Return a fault's message with its flag: at the end, if the sentence names the thing and not the field."""
    message, field = worded(fault.message), fault.field or ""
    typed = field == "winning_tile" or field.startswith(("context.", "options."))
    return f"{message.removesuffix('.')} ({flag_at(field)})." if typed and "--" not in message else message


def worded(text: str) -> str:
    """Return a sentence as the command line words it; unchanged if the catalogue does not have it."""
    if isinstance(text, Joined):
        return text.by.join(map(worded, text.parts))
    if isinstance(text, Sentence):
        words = _phrases().get(text.template)
        return str(text) if words is None else _FILLED.vformat(words, (), text.values)
    return _phrases().get(text, text)


@lru_cache(maxsize=1)
def _phrases() -> Mapping[str, str]:
    """Template -> words."""
    return dict(entry for part in _PARTS for entry in _read(part))


@lru_cache(maxsize=1)
def _names() -> Mapping[str, Any]:
    """The page's words for seats and melds, by key."""
    found: Mapping[str, Any] = _read("en.json")
    return found


def _read(part: str) -> Any:
    return json.loads((_CATALOGUE / part).read_text(encoding="utf-8"))


def _up(tiles: str) -> str:
    """Return tiles as text, face-down ones in words."""
    codes = tiles.split()
    return ", ".join([_phrases()["back"], *(c for c in codes if c != "back")]) if "back" in codes else tiles


class _Filled(string.Formatter):
    """Fills texts with values, each formatted by its kind: ``{x:seat}`` (see ``static/js/names/phrases.js``)."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return _SHAPES[format_spec](value) if format_spec else str(value)


_FILLED: Final = _Filled()
_SHAPES: Final[Mapping[str, Callable[[Any], str]]] = {
    "say": worded,
    "field": flag_at,
    "seat": lambda seat: str(_names().get(f"seat.{seat}", seat)),
    "meld": lambda kind: str(_names().get(f"meld.{kind}", kind)),
    "element": str,
    "tiles": lambda tiles: _up(str(tiles)),
    "cap": lambda words: words[:1].upper() + words[1:],
}
"""Return a value in words."""
