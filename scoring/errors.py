"""The base class of all errors of the project, and the refusals of the scoring core."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from scoring.words.sentence import joined, say, say_many


def quote_value(value: object) -> str:
    """Return a value from outside for a message: short and printable, whatever it is; null, true, false as in JSON."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    try:
        return f"{value!r:.40}"
    except (RecursionError, ValueError):  # nested too deeply, or a number with thousands of digits
        return f"such a {type(value).__name__}"


def quote_name(name: object) -> str:
    """Return a field's or option's name from outside: short and printable."""
    return f"{name!s:.40}".encode("utf-8", "backslashreplace").decode()


def format_count(number: int, things: str) -> str:
    """Return a number of things for a message; ``things`` is given in the plural: ``2 points``, ``1 point``."""
    return say_many("{n} " + things.removesuffix("s"), "{n} " + things, number)


def choice_message(field: str, names: Iterable[str], value: object) -> str:
    """Return the message for a field whose value is not one of its names, or is missing (None)."""
    if value is None:
        return say("{field} is one of {names}; it is missing.", field=field, names=", ".join(names))
    return say("{field} is one of {names}; not {value}.", field=field, names=", ".join(names), value=quote_value(value))


def join_faults(sentences: Sequence[str]) -> str:
    """Join several faults into one message."""
    return say("{n} faults: {a}", n=len(sentences), a=joined(sentences, " "))


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of an input: a stable ``code``, a sentence, and the field it is in."""

    code: str
    message: str
    field: str | None = None


class HupaiError(Exception):
    """Base of every error raised on purpose by scoring, vision or hupai.

    Attributes:
        code: stable snake_case name of the error, for programs.
        message: one sentence for people: what is wrong and what to do.
        field: the part of the input at fault, or None.
        faults: every fault found, never empty (the error itself is the first when only one is known).
        exit_status: exit status of a command that this error ends.
    """

    code = "error"
    exit_status = 2

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        field: str | None = None,
        faults: tuple[Fault, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code
        self.field = field
        self.faults = faults or (Fault(self.code, message, field),)

    @classmethod
    def of(cls, faults: Sequence[Fault]) -> Self:
        """Return the error for these faults: the first one's code and field, and all sentences without repetition."""
        first, sentences = faults[0], list(dict.fromkeys(fault.message for fault in faults))
        message = first.message if len(sentences) == 1 else join_faults(sentences)
        return cls(message, code=first.code, field=first.field, faults=tuple(dict.fromkeys(faults)))

    def to_json(self) -> dict[str, object]:
        """Return the ``error`` object of the JSON contracts."""
        return {
            "code": self.code,
            "message": self.message,
            "field": self.field,
            "faults": list(dict.fromkeys(fault.message for fault in self.faults)),
        }


class NotationError(HupaiError):
    """Text that is not a tile or a run of tiles."""

    code = "bad_notation"


class InvalidRequest(HupaiError):
    """An invalid hand, context or option; ``faults`` names everything that is wrong."""

    code = "invalid_request"
