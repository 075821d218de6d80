"""Games and house rules that the page keeps itself: the same requests and answers as over HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl, unquote

from hupai.basics.ids import new_id
from hupai.basics.names import clean_name
from hupai.basics.timestamps import format_time
from hupai.games import requests
from hupai.games.entering import NewHand
from hupai.games.exchange import import_game
from hupai.games.expected_revision import SEEN_NEEDED, ExpectedRevision
from hupai.games.games import Games
from hupai.games.history import Amendment
from hupai.games.presets import read_preset
from hupai.games.requests import read_amendment, read_game, read_hand, read_seen, read_signer
from hupai.games.shapes import MOST, Shape, check, object_of, whole
from hupai.games.texts import TextGames, TextPresets, Texts
from hupai.imports.read import open_log, read_log
from hupai.imports.replay import replay
from hupai.web.answers.json_text import parse_json
from hupai.web.answers.problems import NOT_AN_OBJECT
from hupai.web.answers.wording import word_answer
from hupai.web.errors import BadValue
from hupai.web.export import BOM, csv_of, figures_csv, json_of
from scoring.errors import Fault, InvalidRequest

Answer = tuple[HTTPStatus, Any]
"""The status, and a JSON value, or the text of a file."""
_DELETED: Final = (HTTPStatus.NO_CONTENT, "")
_TEXTS: Final = ("game", "name")
"""Parts of an address that are not numbers."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: where games and presets are, the query, the checked body, the headers.

    The body of a file has a character for each byte.
    """

    games: TextGames
    presets: TextPresets
    now: datetime
    query: Mapping[str, str]
    body: Any
    headers: Mapping[str, str]

    @property
    def key(self) -> str | None:
        """The idempotency key."""
        return self.headers.get("idempotency-key")

    def number(self, name: str, high: int, low: int = 0) -> int | None:
        """Return a whole number of the query, if it is there."""
        return _whole(self.query[name], name, low, high) if name in self.query else None

    @property
    def last(self) -> int | None:
        """How many hands are to be shown."""
        return self.number("last", 100_000)

    @property
    def hand(self) -> NewHand:
        """The hand that is told."""
        return read_hand(self.body)

    @property
    def amendment(self) -> Amendment:
        """Who changes what was settled, and why."""
        return read_amendment(self.body)

    @property
    def seen(self) -> ExpectedRevision:
        """The game as it was seen."""
        return read_seen(self.body)

    @property
    def course(self) -> Mapping[str, Any]:
        """What is agreed on anew."""
        return self.body.get("course", {})  # type: ignore[no-any-return]


_Route = tuple[str, re.Pattern[str], Shape | None, Callable[..., Answer]]


def answer_kept(method: str, path: str, headers: Mapping[str, str], body: str, texts: Texts) -> Answer | None:
    """Return the answer to a request about what is kept; None if it is about something else.

    Args:
        method, path, headers: of the request, as :func:`~hupai.web.answers.respond.respond` has them.
        body: JSON, or a file, a character for each byte; empty without one. texts: what is kept.

    Raises:
        HupaiError: the refusal. NotFetched: more texts are needed.
    """
    place, _, query = path.partition("?")
    for wanted, pattern, shape, act in _ROUTES:
        found = pattern.fullmatch(place)
        if wanted == method and found:
            given = {name: unquote(value) for name, value in found.groupdict().items()}
            parts = [value if name in _TEXTS else _whole(value, name, 1, MOST) for name, value in given.items()]
            said = body if shape is None else _read_body(shape, body)
            now = datetime.now(UTC)
            games, presets, asked = TextGames(texts, now), TextPresets(texts), dict(parse_qsl(query))
            return act(Asked(games, presets, now, asked, said, headers), *parts)
    return None


def take_over(games: Games, data: bytes, preset: str | None = None) -> dict[str, Any]:
    """Take over a game from a file: one that was exported, under its own id, or the log of another program.

    Returns:
        The game; of another program also what was ``imported``, of one that was here what is ``added``.

    Raises:
        HupaiError: it is no such file, or cannot have happened, or as :meth:`Games.import_game`.
    """
    log = open_log(data, parse_json)
    if isinstance(log, dict) and "history" in log:
        return games.import_game(import_game(log))
    made = replay(read_log(log), new_id(), datetime.now(UTC), preset)
    return {**games.import_game(made.history), "imported": made.to_json()}


def _read_body(shape: Shape, body: str) -> dict[str, Any]:
    """Return a body of this shape; one that may be left out is empty without it."""
    if not body and shape is requests.UNDO:
        return {}
    said = parse_json(body.encode("utf-8", "replace")) if body else None
    if not isinstance(said, dict):
        raise BadValue.of([NOT_AN_OBJECT])
    check(shape, said)
    return said


def _whole(text: str, field: str, low: int, high: int) -> int:
    """Return a whole number of the address."""
    value = int(text) if re.fullmatch(r"-?[0-9]{1,10}", text) else text
    return int(check(object_of({field: whole(low, high)}), {field: value})[field])


def _delete_game(asked: Asked, game: str) -> Answer:
    revision = asked.number("revision", MOST)
    if revision is None:
        raise InvalidRequest.of([Fault("seen_needed", SEEN_NEEDED, "revision")])
    asked.games.delete_game(game, ExpectedRevision(revision))
    return _DELETED


def _take_over(asked: Asked) -> Answer:
    game = take_over(asked.games, asked.body.encode("latin-1"))
    return HTTPStatus.OK if "added" in game else HTTPStatus.CREATED, game


def _record_hand(asked: Asked, game: str) -> Answer:
    hand, after, again = asked.games.record_hand(game, read_hand(asked.body, asked.key), asked.last)
    return HTTPStatus.OK if again else HTTPStatus.CREATED, {"hand": hand, "game": after}


def _save_preset(asked: Asked) -> Answer:
    preset = read_preset(asked.body, format_time(asked.now))
    new = asked.presets.save_preset(preset)
    return HTTPStatus.CREATED if new else HTTPStatus.OK, asdict(preset)


def _delete_preset(asked: Asked, name: str) -> Answer:
    asked.presets.delete_preset(clean_name(name, "name"))
    return _DELETED


def _ok(act: Callable[..., Any]) -> Callable[..., Answer]:
    return lambda *given: (HTTPStatus.OK, act(*given))


def _worded(act: Callable[..., Any]) -> Callable[..., Answer]:
    return lambda asked, *given: (HTTPStatus.OK, word_answer(act(asked, *given), asked.headers))


def _created(act: Callable[[Asked], Any]) -> Callable[[Asked], Answer]:
    return lambda asked: (HTTPStatus.CREATED, act(asked))


def _route(asked: str, act: Callable[..., Answer], shape: Shape | None = None) -> _Route:
    method, path = asked.split()
    return method, re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", path)), shape, act


_ROUTES: Final = (
    _route("POST /games", _created(lambda a: a.games.create_game(read_game(a.body, a.key))), requests.GAME),
    _route("POST /games/import", _take_over),
    _route(
        "GET /games",
        _ok(lambda a: {"games": a.games.list_games(a.number("limit", 500, 1) or 100, a.number("offset", MOST) or 0)}),
    ),
    _route("GET /games/{game}", _ok(lambda a, game: a.games.get_game(game, a.last))),
    _route("DELETE /games/{game}", _delete_game),
    _route("GET /games/{game}/changes", _ok(lambda a, game: a.games.list_changes(game, a.number("after", MOST) or 0))),
    _route("GET /games/{game}/changes/{revision}", _ok(lambda a, game, n: a.games.get_change(game, n))),
    _route("GET /games/{game}/export.csv", _ok(lambda a, game: BOM + csv_of(*a.games.all_hands(game)))),
    _route("GET /games/{game}/export.json", _ok(lambda a, game: json_of(*a.games.all_hands(game)))),
    _route("POST /games/{game}/hands", _record_hand, requests.HAND),
    _route("POST /games/{game}/hands/try", _worded(lambda a, game: a.games.try_hand(game, a.hand)), requests.HAND),
    _route(
        "POST /games/{game}/undo",
        _ok(lambda a, game: a.games.undo_hand(game, a.body.get("hand"), a.last, a.seen, read_signer(a.body))),
        requests.UNDO,
    ),
    _route("GET /games/{game}/hands/{number}", _ok(lambda a, game, n: a.games.get_hand(game, n))),
    _route(
        "PUT /games/{game}/hands/{number}",
        _ok(lambda a, game, n: a.games.correct_hand(game, n, a.hand, a.amendment, a.last)),
        requests.CORRECTION,
    ),
    _route(
        "POST /games/{game}/hands/{number}/try",
        _worded(lambda a, game, n: a.games.try_correction(game, n, a.hand)),
        requests.HAND,
    ),
    _route(
        "POST /games/{game}/hands/{number}/withdraw",
        _ok(lambda a, game, n: a.games.withdraw_hand(game, n, a.amendment, a.seen, a.last)),
        requests.AMENDMENT,
    ),
    _route(
        "POST /games/{game}/hands/{number}/restore",
        _ok(lambda a, game, n: a.games.restore_hand(game, n, a.amendment, a.seen, a.last)),
        requests.AMENDMENT,
    ),
    _route(
        "POST /games/{game}/end",
        _ok(lambda a, game: a.games.end_game(game, a.course, a.amendment, a.seen, a.last)),
        requests.AGREED,
    ),
    _route(
        "POST /games/{game}/reopen",
        _ok(lambda a, game: a.games.reopen_game(game, a.course, a.amendment, a.seen, a.last)),
        requests.AGREED,
    ),
    _route("GET /figures", _ok(lambda a: {"figures": list(map(asdict, a.games.list_figures()))})),
    _route("GET /figures/export.csv", _ok(lambda a: BOM + figures_csv(a.games.list_figures()))),
    _route("GET /presets", _ok(lambda a: {"presets": list(map(asdict, a.presets.list_presets()))})),
    _route("POST /presets", _save_preset, requests.PRESET),
    _route("DELETE /presets/{name}", _delete_preset),
)
