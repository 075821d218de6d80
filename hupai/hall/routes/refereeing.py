"""What a director does besides hands: players, penalties, substitutes, timers, announcements, sign-off."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from hupai.basics.names import clean_name
from hupai.hall.roles import DirectorOnly, RoundNumber, RunningTableToo, TableToo, TournamentId
from hupai.hall.routes.change_request import DONE_BEFORE, ByBody, Changing, ChangingTable
from hupai.hall.routes.tournaments import CsvBody, Players, new_entrants
from hupai.hall.store import refereeing, undoing
from hupai.hall.store.players import player_changes
from hupai.hall.store.rounds import rounds
from hupai.web.errors import BadValue
from hupai.web.requests.game_bodies import ExactAmount
from hupai.web.requests.strict import StrictRoute
from hupai.web.services import Served
from hupai.web.worded import worded
from scoring.seats import Seat

router = APIRouter(prefix="/tournaments/{tournament_id}", route_class=StrictRoute, tags=["tournament"])
PlayerNumber = Annotated[int, Path(ge=1, le=10**6)]
EntrantNumber = Annotated[int, Field(ge=1, le=10**6)]
_MAX_TEXT_CHARACTERS = 300


class PlayersBody(ByBody):
    """Players to add."""

    players: Annotated[Players, Field(min_length=1)]


class EditBody(ByBody):
    """Fields to change on a player; those left out stay."""

    name: str | None = Field(None, max_length=200)
    club: str | None = Field(None, max_length=200)
    country: str | None = Field(None, max_length=200)
    ema: str | None = Field(None, max_length=200)
    team: str | None = Field(None, max_length=200)
    substitute: bool | None = None


class LeaveBody(ByBody):
    """Whether he plays again."""

    back: bool = False


class ReplaceBody(ByBody):
    """Who leaves a seat, and who takes it.

    ``hands``: where two at one table swap after hands, these stay with the seats, or go with the players.
    """

    out: EntrantNumber
    into: EntrantNumber
    hands: Literal["seats", "players"] | None = None


class PenaltyBody(ByBody):
    """What is added to a player's score, in the standings' points; less than nothing for a penalty."""

    player: EntrantNumber
    amount: ExactAmount
    kind: Literal["penalty", "chombo", "compensation"] = "penalty"
    round: int | None = Field(None, ge=0, le=10**4)


class TimerBody(ByBody):
    """What the timer does; ``minutes`` from now."""

    act: Literal["start", "pause", "stop"]
    minutes: int | None = Field(None, ge=1, le=1000)


class ExtraBody(ByBody):
    """What a table is given beyond the round's time: minutes, or hands after it."""

    minutes: int = Field(0, ge=0, le=120)
    hands: int = Field(0, ge=0, le=4)


class MoveBody(ByBody):
    """The table a match moves to."""

    to: str = Field(min_length=1, max_length=80)


class AnnouncementBody(ByBody):
    """An announcement to everybody."""

    text: str = Field(max_length=1000)


class ResultBody(ByBody):
    """The points of a table's players in the order of their first seats, east first."""

    totals: Annotated[list[ExactAmount], Field(min_length=3, max_length=4)]
    signed: Annotated[list[Seat], Field(max_length=4)] = Field(default_factory=list)


class SignBody(ByBody):
    """Whose names are put to the game: their seats when it began, one or several."""

    seat: Seat | None = None
    seats: Annotated[list[Seat], Field(max_length=4)] = Field(default_factory=list)


class ObjectBody(ByBody):
    """Who objects to the game: his seat when it began."""

    seat: Seat


class FalseWinBody(ByBody):
    """The false win, by the number of its hand, that the reason is given for."""

    hand: int = Field(ge=1, le=10**9)


class UndoStepBody(ByBody):
    """The step that is undone: the ``revision`` of the tournament's ``last_step``, as it was seen."""

    revision: int = Field(ge=1, le=10**9)


@router.post("/players", operation_id="add_players", dependencies=[DirectorOnly])
def add_players(body: PlayersBody, change: Changing) -> dict[str, Any]:
    """Add players; they play from the next round on."""
    return player_changes.add_players(*change.at, new_entrants(body.players), change.amendment(body))


@router.post(
    "/players/import", operation_id="import_players", response_model=dict[str, Any], dependencies=[DirectorOnly]
)
def import_players(body: CsvBody, change: Changing, asked: Request) -> Response:
    """Add the players of a list; ``columns`` says what each column is, ``refused`` which rows were left out and why."""
    return worded(player_changes.import_players(*change.at, body.csv, change.amendment(body)), asked)


@router.post(
    "/players/import/try", operation_id="try_players", response_model=dict[str, Any], dependencies=[DirectorOnly]
)
def try_players(tournament_id: TournamentId, body: CsvBody, serve: Served, asked: Request) -> Response:
    """What would be made of a list: its columns, players, and the rows that are refused; nothing is written."""
    return worded(player_changes.try_players(serve.engine, tournament_id, body.csv), asked)


@router.post("/players/{number}", operation_id="edit_player", dependencies=[DirectorOnly])
def edit_player(number: PlayerNumber, body: EditBody, change: Changing) -> dict[str, Any]:
    """Change what is known of a player; his games show a new name, too."""
    changes = body.model_dump(exclude={"by", "reason"}, exclude_none=True)
    return player_changes.edit_player(*change.at, number, changes, change.amendment(body))


@router.post("/players/{number}/leave", operation_id="leave_tournament", dependencies=[DirectorOnly])
def leave_tournament(number: PlayerNumber, change: Changing, body: LeaveBody | None = None) -> dict[str, Any]:
    """A player does not play any more (or is back); what he won stays."""
    body = body or LeaveBody.model_validate({})
    return player_changes.let_player_leave(*change.at, number, back=body.back, who=change.amendment(body))


@router.post("/players/{number}/remove", operation_id="remove_player", dependencies=[DirectorOnly])
def remove_player(number: PlayerNumber, change: Changing, body: ByBody | None = None) -> dict[str, Any]:
    """Take a player off the list who was added by mistake, before a round seats him."""
    return player_changes.remove_player(*change.at, number, change.amendment(body))


@router.post("/rounds/{round_number}/replace", operation_id="replace_player", dependencies=[DirectorOnly])
def replace_player(round_number: RoundNumber, body: ReplaceBody, change: Changing) -> dict[str, Any]:
    """Put a substitute in a seat, or let two swap theirs, before either has played or at one table."""
    if body.out == body.into:
        raise BadValue("Name two players.", field="into")
    who = change.amendment(body, reasoned=True)
    return player_changes.replace_player(*change.at, round_number, body.out, body.into, who, body.hands)


@router.post("/penalties", operation_id="penalise", status_code=201, responses=DONE_BEFORE, dependencies=[DirectorOnly])
def penalise(body: PenaltyBody, change: Changing) -> dict[str, Any]:
    """Add to a player's score, with the reason."""
    if body.amount == 0:
        raise BadValue("A penalty is more or less than nothing.", field="amount")
    who = change.amendment(body, reasoned=True)
    return refereeing.penalise(*change.at, body.player, body.amount, who, kind=body.kind, number=body.round)


@router.post("/penalties/{number}/withdraw", operation_id="withdraw_penalty", dependencies=[DirectorOnly])
def withdraw_penalty(number: PlayerNumber, body: ByBody, change: Changing) -> dict[str, Any]:
    """A penalty does not count any more; it stays in the history."""
    return refereeing.withdraw_penalty(*change.at, number, change.amendment(body, reasoned=True))


@router.post("/rounds/{round_number}/timer", operation_id="set_timer", dependencies=[DirectorOnly])
def set_timer(round_number: RoundNumber, body: TimerBody, change: Changing) -> dict[str, Any]:
    """Start, pause or stop a round's timer."""
    return refereeing.set_timer(*change.at, round_number, body.act, body.minutes, change.amendment(body))


@router.post(
    "/announcements", operation_id="announce", status_code=201, responses=DONE_BEFORE, dependencies=[DirectorOnly]
)
def announce(body: AnnouncementBody, change: Changing) -> dict[str, Any]:
    """Tell everybody something."""
    text = clean_name(body.text, "text", _MAX_TEXT_CHARACTERS)
    return refereeing.announce(*change.at, text, change.amendment(body))


@router.post("/rounds/{round_number}/tables/{table:path}/sign", operation_id="sign_table", dependencies=[TableToo])
def sign_table(body: SignBody, change: ChangingTable) -> dict[str, Any]:
    """Players put their names to their table's game; one that is changed later has to be signed anew."""
    seats = list(dict.fromkeys([*([body.seat] if body.seat else []), *body.seats]))
    if not seats:
        raise BadValue("Say who signs: seat or seats.", field="seat")
    return refereeing.sign_game(*change.at, seats, change.amendment(body))


@router.post("/rounds/{round_number}/tables/{table:path}/object", operation_id="object_table", dependencies=[TableToo])
def object_table(body: ObjectBody, change: ChangingTable) -> dict[str, Any]:
    """A player does not put his name to his table's game, and says why; it is shown until he signs."""
    who = change.amendment(body, reasoned=True)
    return refereeing.object_to_result(*change.at, body.seat, who)


@router.post(
    "/rounds/{round_number}/tables/{table:path}/extra", operation_id="extend_table", dependencies=[DirectorOnly]
)
def extend_table(body: ExtraBody, change: ChangingTable) -> dict[str, Any]:
    """Give one table more minutes than the round has, or more hands; it adds to what it was given before."""
    if not body.minutes and not body.hands:
        raise BadValue("Say how many minutes or hands.", field="minutes")
    return refereeing.extend_table(*change.at, body.minutes, body.hands, change.amendment(body))


@router.post("/rounds/{round_number}/tables/{table:path}/move", operation_id="move_match", dependencies=[DirectorOnly])
def move_match(body: MoveBody, change: ChangingTable) -> dict[str, Any]:
    """Move a match to another table, whose own match takes its place; a camera there films it from now on."""
    to = clean_name(body.to, "to", 80)
    if to == change.at[-1]:
        raise BadValue("Name another table.", field="to")
    return rounds.move_match(*change.at, to, change.amendment(body))


@router.post(
    "/rounds/{round_number}/tables/{table:path}/result", operation_id="enter_result", dependencies=[RunningTableToo]
)
def enter_result(body: ResultBody, change: ChangingTable) -> dict[str, Any]:
    """Enter a table's result by the totals of its players and end its game; what is missing are riichi sticks.

    ``signed``: who has signed the sheet of paper that it is taken from.
    """
    who = change.amendment(body)
    signed = list(dict.fromkeys(body.signed))
    return refereeing.enter_result(*change.at, body.totals, who, signed)


@router.post(
    "/rounds/{round_number}/tables/{table:path}/reason", operation_id="explain_false_win", dependencies=[DirectorOnly]
)
def explain_false_win(body: FalseWinBody, change: ChangingTable) -> dict[str, Any]:
    """Give the reason for a false win that was recorded at a table."""
    who = change.amendment(body, reasoned=True)
    return refereeing.explain_false_win(*change.at, body.hand, who)


@router.post("/undo", operation_id="undo_step", dependencies=[DirectorOnly])
def undo_step(body: UndoStepBody, change: Changing) -> dict[str, Any]:
    """Undo the last step, whatever it was; the one before it is the last one then."""
    return undoing.undo_step(*change.at, body.revision, change.amendment(body))
