"""Sentences that remember their template and values, so that they can be worded in another language.

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
        template: the text with ``{names}`` in place of the values; the singular if there is a plural.
        values: the values by name. plural: the template for other numbers ``n`` than 1, or None.
    """

    __slots__ = ("plural", "template", "values")
    template: str
    values: Mapping[str, object]
    plural: str | None

    def __reduce__(self) -> tuple[Any, ...]:
        return _build, (str(self.template), dict(self.values), self.plural)


class Joined(str):
    """Several sentences in one: ``parts``, with ``by`` between them."""

    __slots__ = ("by", "parts")
    parts: tuple[str, ...]
    by: str

    def __reduce__(self) -> tuple[Any, ...]:
        return joined, (self.parts, self.by)


def _build(template: str, values: Mapping[str, object], plural: str | None = None) -> Sentence:
    chosen = template if plural is None or values["n"] == 1 else plural
    made = Sentence(chosen.format_map(values) if values else chosen)
    made.template, made.values, made.plural = template, values, plural
    return made


@lru_cache(maxsize=_CACHED, typed=True)
def say(template: str, **values: object) -> str:
    """Return a :class:`Sentence` with values in it; a text that is one already is returned as it is.

    Args:
        template: English, with ``{names}``. It is a single literal in the code, so that catalogues can find it.
        values: figures, tiles, names; seats, kinds of melds, elements and other sentences are worded by what they are.
            No ``Decimal``: two that are equal may be written differently (see :func:`scoring.payments.plain_amount`).
    """
    return template if isinstance(template, Sentence | Joined) else _build(template, values)


@lru_cache(maxsize=_CACHED, typed=True)
def say_many(one: str, more: str, n: int, **values: object) -> str:
    """Do the same as :func:`say`, in the singular or plural depending on ``n``, a value in both templates."""
    return _build(one, {"n": n, **values}, more)


def labelled(label: str, text: str) -> str:
    """Return ``label: text``; faster than :func:`say`, because nearly every one is different."""
    made = Sentence(f"{label}: {text}")
    made.template, made.values, made.plural = "{a}: {b}", {"a": label, "b": text}, None
    return made


def joined(parts: Iterable[str], by: str) -> str:
    """Return parts as one text; a single one is unchanged."""
    several = tuple(parts)
    if len(several) == 1:
        return several[0]
    made = Joined(by.join(several))
    made.parts, made.by = several, by
    return made


def parts_of(text: str | None) -> dict[str, Any] | None:
    """Return a sentence's template and values for JSON, of which :func:`say` makes it again; None if it has none."""
    if not isinstance(text, Sentence) or not text.values:
        return None
    return {"template": text.template, "values": {name: str(value) for name, value in text.values.items()}}
