"""Answers sent over HTTP, in the language of the request."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response

from hupai.web.answers.json_text import write_json
from hupai.web.answers.wording import word_answer


def worded(answer: Any, request: Request) -> Response:
    """Return the response with this JSON value, its messages in the request's language."""
    return Response(write_json(word_answer(answer, request.headers)), media_type="application/json")
