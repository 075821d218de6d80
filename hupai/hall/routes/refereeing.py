"""What a director does besides hands: players, penalties, substitutes, timers, announcements, sign-off."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request, Response

from hupai.basics.names import clean_name
from hupai.games.terms.shapes import AMOUNT, FLAG, SEAT, list_of, maybe, one_of, text, whole
from hupai.hall.roles import DirectorOnly, RoundNumber, RunningTableToo, TableToo, TournamentId
from hupai.hall.routes.change_request import DONE_BEFORE, ByBody, Changing, ChangingTable, amending
from hupai.hall.routes.tournaments import NUMBER, PLAYERS, CsvBody, new_entrants
from hupai.hall.store import refereeing, undoing
from hupai.hall.store.players import player_changes
from hupai.hall.store.refereeing import PENALTIES
from hupai.hall.store.rounds import rounds
from hupai.web.errors import BadValue
from hupai.web.requests.strict import StrictRoute
from hupai.web.routes.replies import worded
from hupai.web.services import Served
from scoring.seats import Seat

_OF_CUP: Final = "/tournaments/{tournament_id}"
_OF_TABLE: Final = "/rounds/{round_number}/tables/{table:path}"
router = APIRouter(prefix=_OF_CUP, route_class=StrictRoute, tags=["tournament"], dependencies=[DirectorOnly])
tables = APIRouter(prefix=_OF_CUP + _OF_TABLE, route_class=StrictRoute, tags=["tournament"])
"""What the players at a table may do, too."""
PlayerNumber = Annotated[int, Path(ge=1, le=10**6)]
_SEATS: Final = list_of(SEAT, 4)
_MAX_TEXT_CHARACTERS: Final = 300

PlayersBody = Annotated[dict[str, Any], amending({"players": {**PLAYERS, "minItems": 1}})]
EditBody = Annotated[
    dict[str, Any],
    amending(
        others={
            **dict.fromkeys(("name", "club", "country", "ema", "team"), maybe(text(200))),
            "substitute": maybe(FLAG),
        },
        about="fields to change on a player; those left out stay",
    ),
]
LeaveBody = Annotated[dict[str, Any], amending(others={"back": FLAG}, about="whether he plays again")]
ReplaceBody = Annotated[
    dict[str, Any],
    amending(
        {"out": NUMBER, "into": NUMBER},
        {"hands": maybe(one_of("seats", "players"))},
        "who leaves a seat, and who takes it; where two at one table swap after `hands`, these stay with the seats, or "
        "go with the players",
    ),
]
PenaltyBody = Annotated[
    dict[str, Any],
    amending(
        {"player": NUMBER, "amount": AMOUNT},
        {"kind": one_of(*PENALTIES), "round": maybe(whole(0, 10**4))},
        "what is added to a player's score, in the standings' points; less than nothing for a penalty",
    ),
]
TimerBody = Annotated[
    dict[str, Any],
    amending(
        {"act": one_of("start", "pause", "stop")},
        {"minutes": maybe(whole(1, 1000))},
        "what the timer does; `minutes` from now",
    ),
]
ExtraBody = Annotated[
    dict[str, Any],
    amending(
        others={"minutes": whole(0, 120), "hands": whole(0, 4)},
        about="what a table is given beyond the round's time: minutes, or hands after it",
    ),
]
MoveBody = Annotated[dict[str, Any], amending({"to": text(80)}, about="the table a match moves to")]
AnnouncementBody = Annotated[dict[str, Any], amending({"text": text(1000)})]
ResultBody = Annotated[
    dict[str, Any],
    amending(
        {"totals": list_of(AMOUNT, 4, 3)},
        {"signed": _SEATS},
        "the points of a table's players in the order of their first seats, east first",
    ),
]
SignBody = Annotated[
    dict[str, Any],
    amending(
        others={"seat": maybe(SEAT), "seats": _SEATS},
        about="whose names are put to the game: their seats when it began, one or several",
    ),
]
ObjectBody = Annotated[
    dict[str, Any], amending({"seat": SEAT}, about="who objects to the game: his seat when it began")
]
FalseWinBody = Annotated[
    dict[str, Any],
    amending({"hand": whole(1)}, about="the false win, by the number of its hand, that the reason is given for"),
]
UndoStepBody = Annotated[
    dict[str, Any],
    amending(
        {"revision": whole(1)}, about="the step that is undone: the `revision` of the `last_step`, as it was seen"
    ),
]


@router.post("/players")
def add_players(body: PlayersBody, change: Changing) -> dict[str, Any]:
    """Add players; they play from the next round on."""
    return player_changes.add_players(*change.at, new_entrants(body["players"]), change.amendment(body))


@router.post("/players/import", response_model=dict[str, Any])
def import_players(body: CsvBody, change: Changing, asked: Request) -> Response:
    """Add the players of a list; ``columns`` says what each column is, ``refused`` which rows were left out and why."""
    return worded(player_changes.import_players(*change.at, body["csv"], change.amendment(body)), asked)


@router.post("/players/import/try", response_model=dict[str, Any])
def try_players(tournament_id: TournamentId, body: CsvBody, serve: Served, asked: Request) -> Response:
    """What would be made of a list: its columns, players, and the rows that are refused; nothing is written."""
    return worded(player_changes.try_players(serve.engine, tournament_id, body["csv"]), asked)


@router.post("/players/{number}")
def edit_player(number: PlayerNumber, body: EditBody, change: Changing) -> dict[str, Any]:
    """Change what is known of a player; his games show a new name, too."""
    changes = {name: value for name, value in body.items() if name not in ("by", "reason") and value is not None}
    return player_changes.edit_player(*change.at, number, changes, change.amendment(body))


@router.post("/players/{number}/leave")
def leave_tournament(number: PlayerNumber, change: Changing, body: LeaveBody | None = None) -> dict[str, Any]:
    """A player does not play any more (or is back); what he won stays."""
    back = (body or {}).get("back", False)
    return player_changes.let_player_leave(*change.at, number, back=back, who=change.amendment(body))


@router.post("/players/{number}/remove")
def remove_player(number: PlayerNumber, change: Changing, body: ByBody | None = None) -> dict[str, Any]:
    """Take a player off the list who was added by mistake, before a round seats him."""
    return player_changes.remove_player(*change.at, number, change.amendment(body))


@router.post("/rounds/{round_number}/replace")
def replace_player(round_number: RoundNumber, body: ReplaceBody, change: Changing) -> dict[str, Any]:
    """Put a substitute in a seat, or let two swap theirs, before either has played or at one table."""
    if body["out"] == body["into"]:
        raise BadValue("Name two players.", field="into")
    who = change.amendment(body, reasoned=True)
    return player_changes.replace_player(*change.at, round_number, body["out"], body["into"], who, body.get("hands"))


@router.post("/penalties", status_code=201, responses=DONE_BEFORE)
def penalise(body: PenaltyBody, change: Changing) -> dict[str, Any]:
    """Add to a player's score, with the reason."""
    amount, kind = Decimal(str(body["amount"])), body.get("kind", PENALTIES[0])
    if amount == 0:
        raise BadValue("A penalty is more or less than nothing.", field="amount")
    who = change.amendment(body, reasoned=True)
    return refereeing.penalise(*change.at, body["player"], amount, who, kind=kind, number=body.get("round"))


@router.post("/penalties/{number}/withdraw")
def withdraw_penalty(number: PlayerNumber, body: ByBody, change: Changing) -> dict[str, Any]:
    """A penalty does not count any more; it stays in the history."""
    return refereeing.withdraw_penalty(*change.at, number, change.amendment(body, reasoned=True))


@router.post("/rounds/{round_number}/timer")
def set_timer(round_number: RoundNumber, body: TimerBody, change: Changing) -> dict[str, Any]:
    """Start, pause or stop a round's timer."""
    return refereeing.set_timer(*change.at, round_number, body["act"], body.get("minutes"), change.amendment(body))


@router.post("/announcements", status_code=201, responses=DONE_BEFORE)
def announce(body: AnnouncementBody, change: Changing) -> dict[str, Any]:
    """Tell everybody something."""
    words = clean_name(body["text"], "text", _MAX_TEXT_CHARACTERS)
    return refereeing.announce(*change.at, words, change.amendment(body))


@router.post("/undo")
def undo_step(body: UndoStepBody, change: Changing) -> dict[str, Any]:
    """Undo the last step, whatever it was; the one before it is the last one then."""
    return undoing.undo_step(*change.at, body["revision"], change.amendment(body))


@router.post(f"{_OF_TABLE}/extra")
def extend_table(body: ExtraBody, change: ChangingTable) -> dict[str, Any]:
    """Give one table more minutes than the round has, or more hands; it adds to what it was given before."""
    minutes, hands = body.get("minutes", 0), body.get("hands", 0)
    if not minutes and not hands:
        raise BadValue("Say how many minutes or hands.", field="minutes")
    return refereeing.extend_table(*change.at, minutes, hands, change.amendment(body))


@router.post(f"{_OF_TABLE}/move")
def move_match(body: MoveBody, change: ChangingTable) -> dict[str, Any]:
    """Move a match to another table, whose own match takes its place; a camera there films it from now on."""
    to = clean_name(body["to"], "to", 80)
    if to == change.at[-1]:
        raise BadValue("Name another table.", field="to")
    return rounds.move_match(*change.at, to, change.amendment(body))


@router.post(f"{_OF_TABLE}/reason")
def explain_false_win(body: FalseWinBody, change: ChangingTable) -> dict[str, Any]:
    """Give the reason for a false win that was recorded at a table."""
    return refereeing.explain_false_win(*change.at, body["hand"], change.amendment(body, reasoned=True))


@tables.post("/sign", dependencies=[TableToo])
def sign_table(body: SignBody, change: ChangingTable) -> dict[str, Any]:
    """Players put their names to their table's game; one that is changed later has to be signed anew."""
    said = [*([body["seat"]] if body.get("seat") else []), *body.get("seats", ())]
    if not said:
        raise BadValue("Say who signs: seat or seats.", field="seat")
    return refereeing.sign_game(*change.at, _seats(said), change.amendment(body))


@tables.post("/object", dependencies=[TableToo])
def object_table(body: ObjectBody, change: ChangingTable) -> dict[str, Any]:
    """A player does not put his name to his table's game, and says why; it is shown until he signs."""
    return refereeing.object_to_result(*change.at, Seat(body["seat"]), change.amendment(body, reasoned=True))


@tables.post("/result", dependencies=[RunningTableToo])
def enter_result(body: ResultBody, change: ChangingTable) -> dict[str, Any]:
    """Enter a table's result by the totals of its players and end its game; what is missing are riichi sticks.

    ``signed``: who has signed the sheet of paper that it is taken from.
    """
    totals = [Decimal(str(total)) for total in body["totals"]]
    return refereeing.enter_result(*change.at, totals, change.amendment(body), _seats(body.get("signed", ())))


def _seats(said: Iterable[str]) -> list[Seat]:
    return [Seat(seat) for seat in dict.fromkeys(said)]
