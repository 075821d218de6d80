"""What the sentences of an answer are made of, for who asks: a page says them in its own language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fastapi import Request

from scoring.words.sentence import with_sentences

HEADER: Final = "X-Hupai-Sentences"
"""A request with this header, whatever it says, is told."""


def as_asked(answer: Mapping[str, Any], request: Request | None) -> Mapping[str, Any]:
    """The answer, with ``sentences`` where the request asks for them and any of its sentences has values in it."""
    return answer if request is None or HEADER not in request.headers else with_sentences(answer)
