"""Requests of the page answered without a server: the same answers as over HTTP, to the byte."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urldefrag

from hupai.basics.errors import NotFound
from hupai.games.json_store import JsonStore, NotFetched
from hupai.web.answers import coach, rules, scores
from hupai.web.answers.house_link import HouseLink
from hupai.web.answers.json_text import parse_json, write_json
from hupai.web.answers.kept import answer_kept
from hupai.web.answers.problems import NOT_AN_OBJECT, NOTHING_HERE, hands_asked, usual_status, write_problem
from hupai.web.answers.wording import word_answer
from hupai.web.errors import BadValue
from scoring.errors import HupaiError
from scoring.rules import systems
from scoring.version import version

_QUESTIONS: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {
    "/about": lambda: about(code_needed=False, inside=True, max_upload_bytes=0, max_pixels=0, models={}),
    "/rules": rules.list_rules,
}
_REQUESTS: Final[Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]]] = {
    "/score": scores.score_hand,
    "/score/all": scores.score_all,
    "/score/waits": scores.score_waits,
    "/score/shanten": coach.count_shanten,
}
_LINK: Final = re.compile(r"/rules/([^/?]+)/link(?:\?(.*))?")
_OF_LINKS: Final = ("options", "preset", "name")


def about(
    *,
    code_needed: bool,
    inside: bool,
    max_upload_bytes: int,
    max_pixels: int,
    models: Mapping[str, str],
    role: str | None = None,
) -> dict[str, Any]:
    """Return what a page needs to know before anything else."""
    return {
        "name": "hupai",
        "version": version(),
        "code_needed": code_needed,
        "open": inside,
        "max_upload_bytes": max_upload_bytes,
        "max_pixels": max_pixels,
        "models": dict(models),
        "rules": list(systems()),
        "role": role,
    }


def respond(method: str, path: str, headers: Mapping[str, str], body: str, store: JsonStore) -> tuple[int, str]:
    """Return the status and the JSON text of an answer, or of the problem.

    Args:
        method, path: of the request, the path without the API's. headers: by names in small letters.
        body: JSON, or a file. store: the games and presets that are kept; what is written there is to be kept before
            the answer is given.

    Raises:
        NotFetched: more texts are needed.
    """
    try:
        if path.startswith("/sets"):
            from hupai.web.answers.tilesets import answer_sets  # most pages never ask

            kept = answer_sets(method, path, body, store)
        else:
            kept = answer_kept(method, path, headers, body, store)
        if kept is None:
            return write_answer(_answer(method, path, headers, body), headers)
        status, answer = kept
        return status.value, answer if isinstance(answer, str) else write_json(answer)
    except HupaiError as error:
        store.written.clear()
        return write_refusal(error, headers, hands_asked(dict(parse_qsl(path.partition("?")[2]))))


def write_answer(answer: dict[str, Any], headers: Mapping[str, str]) -> tuple[int, str]:
    """Return the status and the JSON text of an answer, worded as the headers ask for."""
    return HTTPStatus.OK.value, write_json(word_answer(answer, headers))


def write_refusal(error: HupaiError, headers: Mapping[str, str], last_hands: int | None = None) -> tuple[int, str]:
    """Return the status and the JSON text of a problem, as :func:`~hupai.web.answers.problems.write_problem` does."""
    status = usual_status(error)
    return status.value, write_problem(error, status, headers, last_hands)


def respond_to_page(asked: str, fetched: str) -> str:
    """Do the same for a worker of the page: JSON texts of the arguments, and of what is returned.

    Returns:
        ``status`` and ``text``, and ``written`` (name -> text or null); or ``needed``: how the names of the texts begin
        that are to be fetched before the same is asked again.
    """
    method, path, headers, body = json.loads(asked)
    store = JsonStore(json.loads(fetched))
    try:
        status, text = respond(method, path, headers, body, store)
    except NotFetched as more:
        return json.dumps({"needed": more.start})
    return json.dumps({"status": status, "text": text, "written": store.written})


def _answer(method: str, path: str, headers: Mapping[str, str], body: str) -> dict[str, Any]:
    if method == "GET" and path in _QUESTIONS:
        return _QUESTIONS[path]()
    if method == "GET" and (linked := _LINK.fullmatch(path)):
        house = HouseLink.read(unquote(linked[1]), **{k: v for k, v in parse_qsl(linked[2] or "") if k in _OF_LINKS})
        return house.to_json(f"{urldefrag(headers.get('referer', '')).url}#{house.fragment}")
    if method == "POST" and path in _REQUESTS:
        said = parse_json(body.encode("utf-8", "replace"))
        if not isinstance(said, dict):
            raise BadValue.of([NOT_AN_OBJECT])
        return _REQUESTS[path](said)
    raise NotFound(NOTHING_HERE)
