"""Everything that can be asked about games and house rules: one table for the server, the page alone, and its types."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final

from hupai.basics.ids import new_id
from hupai.basics.names import clean_name
from hupai.basics.timestamps import format_time
from hupai.games import history as kinds
from hupai.games import requests
from hupai.games.apply import recorded_hand, try_command
from hupai.games.commands import SEEN_NEEDED, Command, ExpectedRevision
from hupai.games.exchange import export_game, import_game
from hupai.games.game_json import again_json, change_json, changes_after, history_json, whole_hand_json
from hupai.games.games import Games, Presets, read_preset
from hupai.games.history import History
from hupai.games.requests import read_command, read_game
from hupai.games.shapes import MOST, Shape
from hupai.imports.read import open_log, read_log
from hupai.imports.replay import replay
from hupai.web.answers.json_text import parse_json
from hupai.web.answers.wording import word_answer
from hupai.web.export import BOM, csv_of, figures_csv, json_of
from scoring.errors import Fault, InvalidRequest


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number of a query, which may be left out."""

    name: str
    low: int
    high: int
    default: int | None = None
    about: str | None = None


LAST: Final = Number("last", 0, 100_000, about="show only the last so many hands")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, checked.

    Attributes:
        games, presets: what is kept. given: the parts of the address and the numbers of the query, by name. body: JSON,
            or a file, a character for each byte. headers: by names in small letters. key: idempotency key. acting:
            see :func:`~hupai.games.requests.actor_name`.
    """

    games: Games
    presets: Presets
    given: Mapping[str, Any]
    body: Any
    headers: Mapping[str, str]
    key: str | None = None
    acting: str | None = None

    @property
    def game_id(self) -> str:
        """The game."""
        return str(self.given["game_id"])

    @property
    def game(self) -> History:
        """The game as it is."""
        return self.games.read(self.game_id)

    def command(self, kind: str) -> Command:
        """Return what is to be done."""
        return read_command(kind, self.body, self.given.get("number"), self.key, self.acting)

    def shown(self, history: History) -> dict[str, Any]:
        """Return a game with as many of its last hands as were asked for."""
        return history_json(history, self.given.get("last"))


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that can be asked.

    Attributes:
        asked: method and path, without the API's. name, about: in its description. act: returns the answer, a JSON
            value or the text of a file. shape: of the body, if there is one; without required fields it may be left
            out. query: its numbers. status: of the answer. again: when that is 200 in place of 201: ``act`` then
            returns the answer and whether it is. keyed: whether an idempotency key is read. worded: whether the answer
            has messages. file: the suffix of a file that is answered. answers: the page's type of the answer.
    """

    asked: str
    name: str
    about: str
    act: Callable[[Asked], Any]
    shape: Shape | None = None
    query: tuple[Number, ...] = ()
    status: HTTPStatus = HTTPStatus.OK
    again: str | None = None
    keyed: bool = False
    worded: bool = False
    file: str | None = None
    answers: str | None = None

    @property
    def method(self) -> str:
        """The method."""
        return self.asked.split()[0]

    @property
    def path(self) -> str:
        """The path, without the API's; its parts that are asked about in braces."""
        return self.asked.split()[1]

    @property
    def parts(self) -> list[str]:
        """The names of these parts."""
        return re.findall(r"{(\w+)}", self.path)

    def answer(self, asked: Asked) -> tuple[HTTPStatus, Any]:
        """Return the status, and a JSON value or the text of a file.

        Raises:
            HupaiError: the refusal.
        """
        answer, again = self.act(asked) if self.again else (self.act(asked), False)
        status = HTTPStatus.OK if again else self.status
        return status, word_answer(answer, asked.headers) if self.worded else answer


def take_over(games: Games, data: bytes, preset: str | None = None) -> dict[str, Any]:
    """Take over a game from a file: one that was exported, under its own id, or the log of another program.

    Returns:
        The game; of another program also what was ``imported``, of one that was here how many ``hands`` and
        ``changes`` are ``added``.

    Raises:
        HupaiError: it is no such file, or cannot have happened, or as :meth:`Games.import_game`.
    """
    log = open_log(data, parse_json)
    if isinstance(log, dict) and "history" in log:
        was, now = games.import_game(import_game(log))
        if was is None:
            return history_json(now)
        added = {"hands": now.next_number - was.next_number, "changes": now.revision - was.revision}
        return {**history_json(now), "added": added}
    made = replay(read_log(log), new_id(), datetime.now(UTC), preset)
    return {**history_json(games.import_game(made.history)[1]), "imported": made.to_json()}


def _take_over(asked: Asked) -> tuple[Any, bool]:
    game = take_over(asked.games, asked.body.encode("latin-1"))
    return game, "added" in game


def _delete_game(asked: Asked) -> str:
    if asked.given["revision"] is None:
        raise InvalidRequest.of([Fault("seen_needed", SEEN_NEEDED, "revision")])
    asked.games.delete_game(asked.game_id, ExpectedRevision(asked.given["revision"]))
    return ""


def _list_changes(asked: Asked) -> dict[str, Any]:
    game = asked.game
    return {"revision": game.revision, "changes": changes_after(game, asked.given["after"])}


def _record_hand(asked: Asked) -> tuple[Any, bool]:
    command = asked.command(kinds.RECORDED)
    was, now = asked.games.do(asked.game_id, command)
    hand = recorded_hand(now, command.new_hand)
    return {"hand": whole_hand_json(hand), "game": asked.shown(now)}, now is was


def _try(kind: str) -> Callable[[Asked], Any]:
    def act(asked: Asked) -> dict[str, Any]:
        command = asked.command(kind)
        return try_command(asked.game, command, asked.games.now())

    return act


def _do(kind: str) -> Callable[[Asked], Any]:
    return lambda asked: asked.shown(asked.games.do(asked.game_id, asked.command(kind))[1])


def _amend(kind: str) -> Callable[[Asked], Any]:
    def act(asked: Asked) -> dict[str, Any]:
        _, now = asked.games.do(asked.game_id, asked.command(kind))
        hand = {"hand": whole_hand_json(now.hand(asked.given["number"]))} if kind == kinds.CORRECTED else {}
        return {**hand, "game": asked.shown(now), "settled_again": again_json(now.changes[-1].settled_again)}

    return act


def _save_preset(asked: Asked) -> tuple[Any, bool]:
    preset = read_preset(asked.body, format_time(datetime.now(UTC)))
    return asdict(preset), not asked.presets.save_preset(preset)


def _delete_preset(asked: Asked) -> str:
    asked.presets.delete_preset(clean_name(asked.given["name"], "name"))
    return ""


OPERATIONS: Final = (
    Operation(
        "POST /games",
        "create_game",
        "Begin a game; a retry with the same Idempotency-Key begins no second one.",
        lambda a: history_json(a.games.create_game(read_game(a.body, a.key))),
        shape=requests.GAME,
        status=HTTPStatus.CREATED,
        keyed=True,
        answers="Game",
    ),
    Operation(
        "POST /games/import",
        "import_game",
        "Take over a game, or what is new of one, from a file: one that was exported, or the log of another program.",
        _take_over,
        status=HTTPStatus.CREATED,
        again="It was here already; `added` is new",
        answers="Game & { imported?: Imported; added?: Added }",
    ),
    Operation(
        "GET /games",
        "list_games",
        "The games, latest first.",
        lambda a: {"games": a.games.list_games(a.given["limit"], a.given["offset"])},
        query=(Number("limit", 1, 500, 100), Number("offset", 0, MOST, 0)),
    ),
    Operation(
        "GET /games/{game_id}",
        "get_game",
        "A game: seats, totals, hands.",
        lambda a: a.shown(a.game),
        query=(LAST,),
        answers="Game",
    ),
    Operation(
        "GET /games/{game_id}/changes",
        "list_changes",
        "What was recorded and taken back after a revision, the last fifty changes of it.",
        _list_changes,
        query=(Number("after", 0, MOST, 0),),
        answers="{ revision: number; changes: Change[] }",
    ),
    Operation(
        "GET /games/{game_id}/changes/{revision}",
        "get_change",
        "One change with what was there before it.",
        lambda a: change_json(a.game, a.given["revision"]),
    ),
    Operation(
        "DELETE /games/{game_id}",
        "delete_game",
        "Delete a game and its history, at the revision that was seen.",
        _delete_game,
        query=(Number("revision", 0, MOST),),
        status=HTTPStatus.NO_CONTENT,
    ),
    Operation(
        "POST /games/{game_id}/hands",
        "record_hand",
        "Record a confirmed hand; a retry with the same Idempotency-Key records nothing twice.",
        _record_hand,
        shape=requests.HAND,
        query=(LAST,),
        status=HTTPStatus.CREATED,
        again="Recorded before under this Idempotency-Key",
        keyed=True,
        answers="{ hand: LedgerHand; game: Game }",
    ),
    Operation(
        "POST /games/{game_id}/hands/try",
        "try_hand",
        "What recording would come to: scores, payments, the table after it. Nothing is written.",
        _try(kinds.RECORDED),
        shape=requests.HAND,
        query=(LAST,),
        worded=True,
        answers="Tried",
    ),
    Operation(
        "GET /games/{game_id}/hands/{number}",
        "get_hand",
        "One hand with everything that was confirmed and scored.",
        lambda a: whole_hand_json(a.game.hand(a.given["number"])),
    ),
    Operation(
        "PUT /games/{game_id}/hands/{number}",
        "correct_hand",
        "Put another hand in the place of one that stands; what follows is settled again.",
        _amend(kinds.CORRECTED),
        shape=requests.CORRECTION,
        query=(LAST,),
    ),
    Operation(
        "POST /games/{game_id}/hands/{number}/try",
        "try_correction",
        "What a correction would come to: its scores, payments, the later hands settled again. Nothing is written.",
        _try(kinds.CORRECTED),
        shape=requests.HAND,
        query=(LAST,),
        worded=True,
    ),
    Operation(
        "POST /games/{game_id}/hands/{number}/withdraw",
        "withdraw_hand",
        "Take any hand back; what follows is settled again, and the hand stays in the history.",
        _amend(kinds.WITHDRAWN),
        shape=requests.AMENDMENT,
        query=(LAST,),
    ),
    Operation(
        "POST /games/{game_id}/hands/{number}/restore",
        "restore_hand",
        "Let a hand that was taken back stand again in its place; what follows is settled again.",
        _amend(kinds.RESTORED),
        shape=requests.AMENDMENT,
        query=(LAST,),
    ),
    Operation(
        "POST /games/{game_id}/undo",
        "undo_hand",
        "Take the last hand back; it stays in the history, marked.",
        _do(kinds.UNDONE),
        shape=requests.UNDO,
        query=(LAST,),
        answers="Game",
    ),
    Operation(
        "POST /games/{game_id}/end",
        "end_game",
        "End the game here, or settle one that is over in another way; in an event's game ``course`` is "
        "the director's.",
        _do(kinds.ENDED),
        shape=requests.AGREED,
        query=(LAST,),
    ),
    Operation(
        "POST /games/{game_id}/reopen",
        "reopen_game",
        "Let a game go on, or make it longer; in an event's game ``course`` is the director's.",
        _do(kinds.REOPENED),
        shape=requests.AGREED,
        query=(LAST,),
    ),
    Operation(
        "GET /games/{game_id}/export.csv",
        "export_game_csv",
        "A row a hand, for a spreadsheet.",
        lambda a: BOM + csv_of(*export_game(a.game)),
        file="csv",
    ),
    Operation(
        "GET /games/{game_id}/export.json",
        "export_game_json",
        "The whole game with requests and scores.",
        lambda a: json_of(*export_game(a.game)),
        file="json",
    ),
    Operation(
        "GET /figures",
        "list_figures",
        "What everybody won and paid over all games, by rule system.",
        lambda a: {"figures": list(map(asdict, a.games.list_figures()))},
    ),
    Operation(
        "GET /figures/export.csv",
        "export_figures_csv",
        "A row for everybody under each rule system, for a spreadsheet.",
        lambda a: BOM + figures_csv(a.games.list_figures()),
        file="csv",
    ),
    Operation(
        "GET /presets",
        "list_presets",
        "Every preset, by name.",
        lambda a: {"presets": list(map(asdict, a.presets.list_presets()))},
    ),
    Operation(
        "POST /presets",
        "save_preset",
        "Keep house rules under a name; an older preset of that name is replaced.",
        _save_preset,
        shape=requests.PRESET,
        status=HTTPStatus.CREATED,
        again="Replaced",
    ),
    Operation(
        "DELETE /presets/{name}",
        "delete_preset",
        "Forget a preset.",
        _delete_preset,
        status=HTTPStatus.NO_CONTENT,
    ),
)
