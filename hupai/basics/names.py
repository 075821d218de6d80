"""Names that people enter: players, games, presets, tile sets. Any script, but no invisible or control characters."""

from __future__ import annotations

import unicodedata
from typing import Final

from scoring.errors import Fault, HupaiError, InvalidRequest
from scoring.words.sentence import say

MAX_CHARACTERS: Final = 40
"""Characters of a name, after normalisation."""
_MAX_MARKS: Final = 3  # combining marks on one character; more would smear over the lines above and below
_JOINERS: Final = "\u200c\u200d"  # hold emoji together and shape Persian and Indic words
_MARKUP: Final = "<>"


def clean_name(text: str, field: str, longest: int = MAX_CHARACTERS) -> str:
    """Return the name, composed (NFC) and with single spaces.

    Args:
        text: as typed. field: its name in messages. longest: maximum number of characters.

    Raises:
        InvalidRequest: empty, too long, or with characters no name has: controls, direction overrides, half
            surrogates, unassigned and private ones, heaps of accents, angle brackets.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split()) if _is_encodable(text) else text
    problem = _fault_of(name, longest)
    if problem:
        raise InvalidRequest.of([Fault("bad_name", say("{field}: {a}", field=field, a=say(problem)), field)])
    return name


def fold_name(name: str) -> str:
    """Return the form in which names are compared: case and width do not matter."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def clean_names(texts: list[str], field: str) -> tuple[str, ...]:
    """Clean several names that must differ.

    Raises:
        InvalidRequest: invalid names, all listed, or the same one twice.
    """
    names: list[str] = []
    faults: list[Fault] = []
    for i, text in enumerate(texts):
        try:
            names.append(clean_name(text, f"{field}[{i}]"))
        except HupaiError as error:
            faults += error.faults
    if not faults and len({fold_name(n) for n in names}) < len(names):
        faults.append(Fault("bad_name", "Give every player a different name.", field))
    if faults:
        raise InvalidRequest.of(faults)
    return tuple(names)


def _is_encodable(text: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" for c in text)


def _fault_of(name: str, longest: int) -> str | None:
    if not name:
        return "it must not be empty."
    if len(name) > longest:
        return say("at most {n} characters fit here, this has {m}.", n=longest, m=len(name))
    marks = 0
    for c in name:
        kind = unicodedata.category(c)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks > _MAX_MARKS:
            return "too many accents on one letter."
        if c in _MARKUP:
            return "angle brackets are not allowed."
        if kind in ("Cc", "Cs", "Cn", "Co", "Zl", "Zp") or (kind == "Cf" and c not in _JOINERS):
            return say("the character {c} is not allowed.", c=f"U+{ord(c):04X}")
    if not any(unicodedata.category(c)[0] in "LNSP" for c in name):
        return "it needs a visible character."
    return None
