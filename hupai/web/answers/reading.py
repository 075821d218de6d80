"""Photos answered: what may be asked of one, and its reading as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from hupai.web.answers.json_text import parse_field
from hupai.web.errors import BadValue
from scoring.errors import quote_value
from scoring.fields.reader import OBJECT, type_message
from scoring.words.sentence import say
from vision.hand.correction import other_hand
from vision.layout.shapes import Rules, checked_shapes
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """What is asked of a photo.

    Attributes:
        rules: whose winning shapes help the reading. set_name: of a learned set, or None. other: of two hands that lie
            open read the other. keep: for a correction.
    """

    rules: Rules
    set_name: str | None
    other: bool
    keep: bool

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
        return cls(rules, parse_text(texts, "set"), parse_flag(texts, "other"), parse_flag(texts, "keep"))

    def answer(self, reading: Reading, name: str) -> dict[str, Any]:
        """Return the answer, from the reading of a photo of that name."""
        chosen = other_hand(reading, rules=self.rules) if self.other else reading
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
