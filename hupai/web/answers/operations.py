"""Everything that can be asked about games and house rules: one table for the server, the page alone, and its types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final

from hupai.basics.ids import new_id
from hupai.basics.names import clean_name
from hupai.basics.timestamps import format_time
from hupai.games import exchange, requests
from hupai.games import history as kinds
from hupai.games.apply import recorded_hand, try_command
from hupai.games.commands import SEEN_NEEDED, Command, ExpectedRevision
from hupai.games.game_json import again_json, change_json, changes_after, history_json, whole_hand_json
from hupai.games.games import Games, Presets, read_preset
from hupai.games.history import History
from hupai.games.requests import read_command, read_game
from hupai.games.terms.shapes import MOST, Shape
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


_Act = Callable[["Asked"], Any]
LAST: Final = Number("last", 0, 100_000, about="show only the last so many hands")
PARTED: Final = (
    Number("replaces", 0, MOST, about="where both part, the file takes the place of the game that is at this revision"),
    Number("beside", 0, 1, 0, about="where both part, that of the file becomes another game (1)"),
)


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

    def done(self, kind: str) -> History:
        """Return the game after a command."""
        return self.games.do(self.game_id, self.command(kind))[1]

    def tried(self, kind: str) -> dict[str, Any]:
        """Return what a command would come to."""
        command = self.command(kind)
        return try_command(self.game, command, self.games.now())

    def amended(self, history: History) -> dict[str, Any]:
        """Return a game after an amendment, and what was settled again."""
        return {"game": self.shown(history), "settled_again": again_json(history.changes[-1].settled_again)}

    def shown(self, history: History) -> dict[str, Any]:
        """Return a game with as many of its last hands as were asked for."""
        return history_json(history, self.given.get("last"))


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that can be asked.

    Attributes:
        asked: method and path, without the API's. act: returns the answer, a JSON value or the text of a file; its name
            and its docstring describe the operation. shape: of the body, if there is one; without required fields it
            may be left out. query: its numbers. status: of the answer. again: when that is 200 in place of 201: ``act``
            then returns the answer and whether it is. keyed: whether an idempotency key is read. worded: whether the
            answer has messages. file: the suffix of a file that is answered. answers: the page's type of the answer.
    """

    asked: str
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
    def name(self) -> str:
        """Its name in the API's description."""
        return self.act.__name__

    @property
    def path(self) -> str:
        """The path, without the API's; its parts that are asked about in braces."""
        return self.asked.split()[1]

    def answer(self, asked: Asked) -> tuple[HTTPStatus, Any]:
        """Return the status, and a JSON value or the text of a file.

        Raises:
            HupaiError: the refusal.
        """
        answer, again = self.act(asked) if self.again else (self.act(asked), False)
        status = HTTPStatus.OK if again else self.status
        return status, word_answer(answer, asked.headers) if self.worded else answer


OPERATIONS: Final[list[Operation]] = []
"""Everything that can be asked; filled below."""


def _operation(asked: str, shape: Shape | None = None, *query: Number, **more: Any) -> Callable[[_Act], _Act]:
    def add(act: _Act) -> _Act:
        OPERATIONS.append(Operation(asked, act, shape, query, **more))
        return act

    return add


def take_over(
    games: Games, data: bytes, preset: str | None = None, *, replaces: int | None = None, beside: int = 0
) -> dict[str, Any]:
    """Take over a game from a file: one that was exported, under its own id, or the log of another program.

    Args:
        games: those that are kept. data: the file. preset: house rules of a log. replaces, beside: see
            :meth:`Games.import_game`.

    Returns:
        The game; of another program also what was ``imported``, of one that was here how many ``hands`` and
        ``changes`` are ``added``.

    Raises:
        HupaiError: it is no such file, or cannot have happened, or as :meth:`Games.import_game`.
    """
    log = open_log(data, parse_json)
    if isinstance(log, dict) and "history" in log:
        was, now = games.import_game(exchange.import_game(log), replaces=replaces, beside=bool(beside))
        if was is None or replaces is not None:
            return history_json(now)
        added = {"hands": now.next_number - was.next_number, "changes": now.revision - was.revision}
        return {**history_json(now), "added": added}
    made = replay(read_log(log), new_id(), datetime.now(UTC), preset)
    return {**history_json(games.import_game(made.history)[1]), "imported": made.to_json()}


@_operation("POST /games", requests.GAME, status=HTTPStatus.CREATED, keyed=True, answers="Game")
def create_game(asked: Asked) -> dict[str, Any]:
    """Begin a game; a retry with the same Idempotency-Key begins no second one."""
    return history_json(asked.games.create_game(read_game(asked.body, asked.key)))


@_operation(
    "POST /games/import",
    None,
    *PARTED,
    status=HTTPStatus.CREATED,
    again="It was here already; `added` is new",
    answers="Game & { imported?: Imported; added?: Added }",
)
def import_game(asked: Asked) -> tuple[Any, bool]:
    """Take over a game, or what is new of one, from a file: one that was exported, or the log of another program."""
    game = take_over(asked.games, asked.body.encode("latin-1"), **asked.given)
    return game, "added" in game


@_operation("GET /games", None, Number("limit", 1, 500, 100), Number("offset", 0, MOST, 0))
def list_games(asked: Asked) -> dict[str, Any]:
    """The games, latest first."""
    return {"games": asked.games.list_games(asked.given["limit"], asked.given["offset"])}


@_operation("GET /games/{game_id}", None, LAST, answers="Game")
def get_game(asked: Asked) -> dict[str, Any]:
    """A game: seats, totals, hands."""
    return asked.shown(asked.game)


@_operation(
    "GET /games/{game_id}/changes", None, Number("after", 0, MOST, 0), answers="{ revision: number; changes: Change[] }"
)
def list_changes(asked: Asked) -> dict[str, Any]:
    """What was recorded and taken back after a revision, the last fifty changes of it."""
    game = asked.game
    return {"revision": game.revision, "changes": changes_after(game, asked.given["after"])}


@_operation("GET /games/{game_id}/changes/{revision}")
def get_change(asked: Asked) -> dict[str, Any]:
    """One change with what was there before it."""
    return change_json(asked.game, asked.given["revision"])


@_operation("DELETE /games/{game_id}", None, Number("revision", 0, MOST), status=HTTPStatus.NO_CONTENT)
def delete_game(asked: Asked) -> str:
    """Delete a game and its history, at the revision that was seen."""
    if asked.given["revision"] is None:
        raise InvalidRequest.of([Fault("seen_needed", SEEN_NEEDED, "revision")])
    asked.games.delete_game(asked.game_id, ExpectedRevision(asked.given["revision"]))
    return ""


@_operation(
    "POST /games/{game_id}/hands",
    requests.HAND,
    LAST,
    status=HTTPStatus.CREATED,
    again="Recorded before under this Idempotency-Key",
    keyed=True,
    answers="{ hand: LedgerHand; game: Game }",
)
def record_hand(asked: Asked) -> tuple[Any, bool]:
    """Record a confirmed hand; a retry with the same Idempotency-Key records nothing twice."""
    command = asked.command(kinds.RECORDED)
    was, now = asked.games.do(asked.game_id, command)
    hand = recorded_hand(now, command.new_hand)
    return {"hand": whole_hand_json(hand), "game": asked.shown(now)}, now is was


@_operation("POST /games/{game_id}/hands/try", requests.HAND, LAST, worded=True, answers="Tried")
def try_hand(asked: Asked) -> dict[str, Any]:
    """What recording would come to: scores, payments, the table after it. Nothing is written."""
    return asked.tried(kinds.RECORDED)


@_operation("GET /games/{game_id}/hands/{number}")
def get_hand(asked: Asked) -> dict[str, Any]:
    """One hand with everything that was confirmed and scored."""
    return whole_hand_json(asked.game.hand(asked.given["number"]))


@_operation("PUT /games/{game_id}/hands/{number}", requests.CORRECTION, LAST)
def correct_hand(asked: Asked) -> dict[str, Any]:
    """Put another hand in the place of one that stands; what follows is settled again."""
    now = asked.done(kinds.CORRECTED)
    return {"hand": whole_hand_json(now.hand(asked.given["number"])), **asked.amended(now)}


@_operation("POST /games/{game_id}/hands/{number}/try", requests.HAND, LAST, worded=True)
def try_correction(asked: Asked) -> dict[str, Any]:
    """What a correction would come to: its scores, payments, the later hands settled again. Nothing is written."""
    return asked.tried(kinds.CORRECTED)


@_operation("POST /games/{game_id}/hands/{number}/withdraw", requests.AMENDMENT, LAST)
def withdraw_hand(asked: Asked) -> dict[str, Any]:
    """Take any hand back; what follows is settled again, and the hand stays in the history."""
    return asked.amended(asked.done(kinds.WITHDRAWN))


@_operation("POST /games/{game_id}/hands/{number}/restore", requests.AMENDMENT, LAST)
def restore_hand(asked: Asked) -> dict[str, Any]:
    """Let a hand that was taken back stand again in its place; what follows is settled again."""
    return asked.amended(asked.done(kinds.RESTORED))


@_operation("POST /games/{game_id}/undo", requests.UNDO, LAST, answers="Game")
def undo_hand(asked: Asked) -> dict[str, Any]:
    """Take the last hand back; it stays in the history, marked."""
    return asked.shown(asked.done(kinds.UNDONE))


@_operation("POST /games/{game_id}/end", requests.AGREED, LAST)
def end_game(asked: Asked) -> dict[str, Any]:
    """End the game here, or settle one that is over in another way; in an event's game ``course`` is the director's."""
    return asked.shown(asked.done(kinds.ENDED))


@_operation("POST /games/{game_id}/reopen", requests.AGREED, LAST)
def reopen_game(asked: Asked) -> dict[str, Any]:
    """Let a game go on, or make it longer; in an event's game ``course`` is the director's."""
    return asked.shown(asked.done(kinds.REOPENED))


@_operation("GET /games/{game_id}/export.csv", file="csv")
def export_game_csv(asked: Asked) -> str:
    """A row a hand, for a spreadsheet."""
    return BOM + csv_of(*exchange.export_game(asked.game))


@_operation("GET /games/{game_id}/export.json", file="json")
def export_game_json(asked: Asked) -> dict[str, Any]:
    """The whole game with requests and scores."""
    return json_of(*exchange.export_game(asked.game))


@_operation("GET /figures")
def list_figures(asked: Asked) -> dict[str, Any]:
    """What everybody won and paid over all games, by rule system."""
    return {"figures": list(map(asdict, asked.games.list_figures()))}


@_operation("GET /figures/export.csv", file="csv")
def export_figures_csv(asked: Asked) -> str:
    """A row for everybody under each rule system, for a spreadsheet."""
    return BOM + figures_csv(asked.games.list_figures())


@_operation("GET /presets")
def list_presets(asked: Asked) -> dict[str, Any]:
    """Every preset, by name."""
    return {"presets": list(map(asdict, asked.presets.list_presets()))}


@_operation("POST /presets", requests.PRESET, status=HTTPStatus.CREATED, again="Replaced")
def save_preset(asked: Asked) -> tuple[Any, bool]:
    """Keep house rules under a name; an older preset of that name is replaced."""
    preset = read_preset(asked.body, format_time(datetime.now(UTC)))
    return asdict(preset), not asked.presets.save_preset(preset)


@_operation("DELETE /presets/{name}", status=HTTPStatus.NO_CONTENT)
def delete_preset(asked: Asked) -> str:
    """Forget a preset."""
    asked.presets.delete_preset(clean_name(asked.given["name"], "name"))
    return ""
