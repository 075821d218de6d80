"""Messages of the scoring core in the words of the command line: its fields are called by their flags."""

from __future__ import annotations

import re
from typing import Final

from scoring.errors import Fault
from scoring.fields.asks import asks

_FLAGS: Final = {
    **{"winning_tile": "winning", "concealed": "hand", "melds": "meld", "options": "option"},
    **{name: ask.flag for name, ask in asks().items() if ask.flag},
}
"""Fields of a request whose flags are called otherwise."""
_FIELDS: Final = (*asks(), "bonus", "seat", "win", "from", "winning_tile", "concealed", "rules")
_COMPOUND: Final = "|".join(name for name in _FIELDS if "_" in name)
_ANY: Final = "|".join(_FIELDS)
_VERBS: Final = "is|are|was|needs|counts|cannot|must|and|holds?|belong"
_NAMED: Final = re.compile(
    rf"\bcontext\.(?P<full>[a-z_]+)(?P<part>\.kind|\.seat)?"
    rf"|^(?P<first>liable)(?P<kind>\.kind)"
    rf"|(?<![\w'-])'(?P<quoted>from|seat|win)'"
    rf"|^(?P<opening>{_ANY})(?= (?:{_VERBS})\b)"
    rf"|(?<![\w-])(?P<compound>{_COMPOUND})\b"
    rf"|(?<=\()(?P<bracket>heavenly|earthly|humanly)(?=\))"
    rf"|(?<=so )(?P<so>win)(?= must)|(?<=: )(?P<colon>win|seat|from)(?= (?:must|cannot))"
    rf"|(?<=set )(?P<set>win)(?= to )|(?<=needs )(?P<needs>riichi)(?= or )|(?<=into )(?P<into>fed)\b"
)
_MELD: Final = re.compile(r"\bmelds\[(\d+)\](?:\.([a-z]+)(?:\[\d+\])?)?")
_OPTION: Final = re.compile(r"^Option (?=[a-z_]+ )|(?<=: set )(?=[a-z]+_[a-z_]+)|(?<=\()option (?=[a-z_]+\))")
_DEALT: Final = "heavenly, earthly and humanly"


def flag_of(name: str) -> str:
    """The flag of a field: ``--last-tile`` for ``last_tile``."""
    return "--" + _FLAGS.get(name, name).replace("_", "-")


def with_flags(fault: Fault) -> str:
    """A fault in words that name the flag: at the end, where its sentence speaks of the thing and not of the field."""
    message = in_flags(fault.message)
    if fault.field is None or not fault.field.startswith("context.") or "--" in message:
        return message
    return f"{message.removesuffix('.')} ({flag_of(fault.field.split('.')[1])})."


def in_flags(message: str) -> str:
    """A message with fields of a request called by their flags: ``context.seat`` is ``--seat``."""
    text = message.replace(_DEALT, ", ".join(map(flag_of, ("heavenly", "earthly"))) + f" and {flag_of('humanly')}")
    text = _MELD.sub(lambda m: f"{f'the {m[2]} of ' if m[2] else ''}--meld number {int(m[1]) + 1}", text)
    return _OPTION.sub("--option ", _NAMED.sub(_flag, text))


def _flag(match: re.Match[str]) -> str:
    found = match.groupdict()
    part = found.pop("part") or found.pop("kind") or ""
    name = next(value for key, value in found.items() if value and key not in ("part", "kind"))
    return f"{flag_of(name)}{chr(39) + 's ' + part[1:] if part else ''}"
