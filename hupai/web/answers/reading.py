"""Photos answered: what may be asked of one, and its reading as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from hupai.web.answers.json_text import parse_field
from hupai.web.errors import BadValue
from scoring.errors import quote_value
from scoring.fields.reader import OBJECT, type_message
from scoring.words.sentence import say
from vision.hand.aside import keep_aside
from vision.hand.correction import other_hand
from vision.layout.shapes import Rules, checked_shapes
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """What is asked of a photo.

    Attributes:
        rules: whose winning shapes help the reading. set_name: of a learned set, or None. other: of two hands that lie
            open read the other. keep: for a correction. aside: numbers of what was set aside but is tiles; None: all.
    """

    rules: Rules
    set_name: str | None
    other: bool
    keep: bool
    aside: frozenset[int] | None = frozenset()

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Self:
        """Read the texts of a form.

        Raises:
            BadValue, WebError, InvalidRequest: a field that makes no sense.
        """
        options = parse_field(parse_text(texts, "options") or "{}", "options")
        if not isinstance(options, dict):
            raise BadValue(type_message(OBJECT, "options", '{"players": 3}'), field="options")
        rules = checked_shapes(parse_text(texts, "rules"), options)
        other, keep, aside = parse_flag(texts, "other"), parse_flag(texts, "keep"), parse_aside(texts)
        return cls(rules, parse_text(texts, "set"), other, keep, aside)

    def answer(self, reading: Reading, name: str) -> dict[str, Any]:
        """Return the answer, from the reading of a photo of that name.

        Raises:
            InvalidRequest: nothing set aside has a number that was sent.
        """
        kept = keep_aside(reading, rules=self.rules, numbers=self.aside)
        chosen = other_hand(kept, rules=self.rules) if self.other else kept
        return {**chosen.to_json(name), "set": self.set_name}


def parse_text(texts: Mapping[str, str], name: str) -> str | None:
    """Return the text of this name; None if it is missing or blank."""
    return texts.get(name, "").strip() or None


def parse_flag(texts: Mapping[str, str], name: str) -> bool:
    """Whether ``true`` was sent.

    Raises:
        BadValue: something other than true or false.
    """
    value = texts.get(name, "false").strip().lower()
    if value not in ("true", "false"):
        raise BadValue(say("{field} is true or false, not {value}.", field=name, value=quote_value(value)), field=name)
    return value == "true"


def parse_aside(texts: Mapping[str, str]) -> frozenset[int] | None:
    """Return the numbers that were sent, none if none were; None for ``all``.

    Raises:
        BadValue: something else.
    """
    text = parse_text(texts, "aside") or ""
    if text == "all":
        return None
    parts = text.split(",") if text else []
    if not all(re.fullmatch(r"\d{1,3}", part) for part in parts):
        message = say(
            "{field} is numbers such as 0,2 or the word all, not {value}.", field="aside", value=quote_value(text)
        )
        raise BadValue(message, field="aside")
    return frozenset(map(int, parts))
