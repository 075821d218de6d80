"""Sentences that remember what they were made of, so that they can be said in another language.

A sentence is a ``str``: its English text. Beside it, it keeps its template, which is what a catalogue translates, and
the values in it; a value may be a sentence itself. Only what a person may read in a language of his own is made with
:func:`say`; sentences without values need nothing, for they are their own template.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

_CACHED: Final = 1 << 12
"""The same few sentences are said again and again."""


class Sentence(str):
    """An English sentence or a part of one.

    Attributes:
        template: the text with ``{names}`` in place of the values. values: what stands there, by name.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (str(self.template), dict(self.values))


class Joined(str):
    """Several in one: ``parts``, with ``by`` between them."""

    __slots__ = ("by", "parts")
    parts: tuple[str, ...]
    by: str

    def __reduce__(self) -> tuple[Any, ...]:
        return joined, (self.parts, self.by)


def _made(template: str, values: Mapping[str, object]) -> Sentence:
    made = Sentence(template.format_map(values))
    made.template, made.values = template, values
    return made


@lru_cache(maxsize=_CACHED, typed=True)
def say(template: str, **values: object) -> str:
    """A :class:`Sentence` with values in it.

    Args:
        template: English, with ``{names}``. It stands in the code as a whole, for that is how it is found.
        values: figures, tiles, seats, names, other sentences. No ``Decimal``: two that are equal may be written
            differently (see :func:`scoring.payments.plain`).
    """
    return _made(template, values)


def say_many(one: str, more: str, n: int, **values: object) -> str:
    """As :func:`say`, in the singular or in the plural: ``n`` says which, and stands in both templates."""
    return say(one if n == 1 else more, n=n, **values)


def labelled(label: str, text: str) -> str:
    """``label: text``; made faster than by :func:`say`, since hardly one is like another."""
    made = Sentence(f"{label}: {text}")
    made.template, made.values = "{a}: {b}", {"a": label, "b": text}
    return made


def joined(parts: Iterable[str], by: str) -> str:
    """Parts as one text; a single one stays what it is."""
    several = tuple(parts)
    if len(several) == 1:
        return several[0]
    made = Joined(by.join(several))
    made.parts, made.by = several, by
    return made


def with_sentences(answer: Mapping[str, Any]) -> dict[str, Any]:
    """JSON that says under ``sentences`` what its own are made of, where any has values in it."""
    table = table_of(answer)
    return {**answer, "sentences": table} if table else dict(answer)


def table_of(value: object) -> dict[str, Any]:
    """What every sentence in a JSON value was made of.

    Returns:
        English text -> ``[template, {name: value}]``, or ``{"parts": [text ...], "by": separator}`` of several in one;
        values are texts, and those that are sentences themselves stand in the table, too.
    """
    found: dict[str, Any] = {}
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, Sentence):
            if str(one) not in found:
                found[str(one)] = [one.template, {name: str(v) for name, v in one.values.items()}]
                left += one.values.values()
        elif isinstance(one, Joined):
            found[str(one)] = {"parts": [str(part) for part in one.parts], "by": one.by}
            left += one.parts
        elif isinstance(one, Mapping):
            left += one.values()
        elif isinstance(one, list | tuple):
            left += one
    return found
