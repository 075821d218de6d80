"""Replies of routes: JSON in the language of the request, and downloads."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response

from hupai.web.answers.json_text import write_json
from hupai.web.answers.wording import word_answer
from hupai.web.export import BOM


def worded(answer: Any, request: Request) -> Response:
    """Return the response with this JSON value, its messages in the request's language."""
    return Response(write_json(word_answer(answer, request.headers)), media_type="application/json")


def csv_file(text: str, name: str) -> Response:
    """Return a download of a table for spreadsheets."""
    return Response((BOM + text).encode(), media_type="text/csv; charset=utf-8", headers=attachment(name, "csv"))


def attachment(name: str, suffix: str) -> dict[str, str]:
    """Return the header of a download."""
    return {"Content-Disposition": f'attachment; filename="hupai-{name}.{suffix}"'}
