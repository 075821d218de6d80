"""The language in which a request wants its answer, and the names of the table it is asked from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

from hupai.messages import Wording, language_for
from scoring.seats import SEAT_OF

TABLE_HEADER: Final = "X-Hupai-Table"
"""``rules=riichi&E=Mei&S=Jun``: the rule system whose words are used, and who sits where, all optional."""
_MAX_FIELDS: Final = 10
_MAX_TAGS: Final = 20
_QUALITY: Final = re.compile(r";\s*q=(0(?:\.\d+)?|1(?:\.0+)?)\s*$")


def language_of(headers: Mapping[str, str]) -> str | None:
    """Return the first language of ``Accept-Language`` that messages are translated to, or None."""
    tags = []
    for part in headers.get("accept-language", "").split(",")[:_MAX_TAGS]:
        found = _QUALITY.search(part)
        tags.append((float(found[1]) if found else 1.0, part.strip()))
    for quality, tag in sorted(tags, key=lambda one: -one[0]):
        language = language_for(tag)
        if quality and language:
            return language
    return None


def word_answer(answer: Any, headers: Mapping[str, str]) -> Any:
    """Return an answer with its messages in the request's language; as it is if the request names none.

    Args:
        answer: a JSON value. headers: of the request, by names in small letters.
    """
    language = language_of(headers)
    if language is None:
        return answer
    fields = headers.get(TABLE_HEADER.lower(), "").split("&")[:_MAX_FIELDS]
    table = dict(parse_qsl("&".join(fields)))
    players = {seat: name for seat, name in table.items() if seat in SEAT_OF}
    return Wording(language, table.get("rules", ""), players).word_answer(answer)
