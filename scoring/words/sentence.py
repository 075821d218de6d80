"""Sentences that remember their template and values, so that they can be translated.

A sentence is a ``str``: its English text. It also keeps its template, which is what a catalogue translates, and
the values in it; a value may be a sentence itself. Only what a person may read in translation is made with
:func:`say`; sentences without values need nothing, since they are their own template.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

_CACHED: Final = 1 << 12
"""Number of cached sentences: the same few occur again and again."""


class Sentence(str):
    """An English sentence or a part of one.

    Attributes:
        template: the text with ``{names}`` in place of the values. values: the values by name.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __reduce__(self) -> tuple[Any, ...]:
        return _build, (str(self.template), dict(self.values))


class Joined(str):
    """Several sentences in one: ``parts``, with ``by`` between them."""

    __slots__ = ("by", "parts")
    parts: tuple[str, ...]
    by: str

    def __reduce__(self) -> tuple[Any, ...]:
        return joined, (self.parts, self.by)


def _build(template: str, values: Mapping[str, object]) -> Sentence:
    made = Sentence(template.format_map(values))
    made.template, made.values = template, values
    return made


@lru_cache(maxsize=_CACHED, typed=True)
def say(template: str, **values: object) -> str:
    """Return a :class:`Sentence` with values in it.

    Args:
        template: English, with ``{names}``. It is a single literal in the code, so that catalogues can find it.
        values: figures, tiles, seats, names, other sentences. No ``Decimal``: two that are equal may be written
            differently (see :func:`scoring.payments.plain_amount`).
    """
    return _build(template, values)


def say_many(one: str, more: str, n: int, **values: object) -> str:
    """Do the same as :func:`say`, in the singular or plural depending on ``n``, a value in both templates."""
    return say(one if n == 1 else more, n=n, **values)


def labelled(label: str, text: str) -> str:
    """Return ``label: text``; faster than :func:`say`, because nearly every one is different."""
    made = Sentence(f"{label}: {text}")
    made.template, made.values = "{a}: {b}", {"a": label, "b": text}
    return made


def joined(parts: Iterable[str], by: str) -> str:
    """Return parts as one text; a single one is unchanged."""
    several = tuple(parts)
    if len(several) == 1:
        return several[0]
    made = Joined(by.join(several))
    made.parts, made.by = several, by
    return made


def with_sentences(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Add ``sentences`` to JSON, with the parts of its own sentences, if any has values in it."""
    table = table_of(answer)
    return {**answer, "sentences": table} if table else dict(answer)


def table_of(value: object) -> dict[str, Any]:
    """Return the parts of every sentence in a JSON value.

    Returns:
        English text -> ``[template, {name: value}]``, or ``{"parts": [text ...], "by": separator}`` of several in one;
        values are texts, and those that are sentences themselves are in the table, too.
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
