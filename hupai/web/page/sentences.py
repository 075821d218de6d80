"""The parts of an answer's sentences, on request: with them a page translates the sentences into its own language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fastapi import Request

from scoring.words.sentence import with_sentences

HEADER: Final = "X-Hupai-Sentences"
"""A request with this header, whatever its value, receives the parts."""


def add_sentences(answer: Mapping[str, Any], request: Request | None) -> Mapping[str, Any]:
    """Return the answer, with ``sentences`` if the request asks for them and any sentence has values in it."""
    return answer if request is None or HEADER not in request.headers else with_sentences(answer)
